// Random commands against a plain model: vectors of cells, copied for every step. Whatever is done, undone and redone,
// the document holds the same bits, also after it was closed and opened again.
#include "document/documents.h"
#include "document/layer_settings.h"
#include "soak/length.h"

#include <cstdlib>
#include <deque>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <random>

namespace caprock::test {
namespace {

constexpr int width = 300;
constexpr int height = 280;
const Rect extent = Rect::of({width, height});

using Cells = std::shared_ptr<const std::vector<float>>;

struct ModelLayer {
    int id = 0;
    std::string name;
    std::string mode;
    double opacity = 1;
    bool visible = true;
    bool group = false;
    Cells cells;  // of a painted layer
    Cells mask;
    std::vector<ModelLayer> layers;
};

struct Model {
    std::vector<ModelLayer> layers;
    int next = 1;
};

Cells blank(float value) { return std::make_shared<std::vector<float>>(size_t(width) * height, value); }

// The model's own arithmetic, cell by cell, in floats.
using Plane = std::vector<float>;

float blended(const std::string& mode, float below, float source, float weight) {
    if (std::isnan(source)) return below;
    // On nothing, something is put where there is half of it.
    if (std::isnan(below)) return mode == "lerp" && weight >= 0.5f ? source : below;
    if (weight <= 0) return below;
    if (mode == "add") return below + weight * source;
    float whole = mode == "max" ? (below > source ? below : source) : source;
    return weight >= 1 ? whole : below + weight * (whole - below);
}

void compose(const std::vector<ModelLayer>& layers, Plane& onto) {
    for (const ModelLayer& layer : layers) {
        if (!layer.visible || layer.opacity <= 0) continue;
        Plane inside;
        if (layer.group) {
            inside = onto;
            compose(layer.layers, inside);
            if (layer.layers.empty()) continue;
        }
        for (size_t i = 0; i < onto.size(); i++) {
            float weight = float(layer.opacity);
            // A missing weight is none.
            if (layer.mask)
                weight *= std::isnan((*layer.mask)[i]) ? 0 : std::clamp((*layer.mask)[i], 0.0f, 1.0f);
            onto[i] = blended(layer.mode, onto[i], layer.group ? inside[i] : (*layer.cells)[i], weight);
        }
    }
}

class Player {
  public:
    Player(uint32_t seed, Folder& folder) : random_(seed), path_(folder / "model.caprock") {
        document_ = Document::create(path_, grid_of(width, height));
        past_.push_back(Model());
    }

    void step() {
        static const std::vector<std::pair<int, void (Player::*)()>> moves = {
            {4, &Player::add},   {24, &Player::paint_layer}, {8, &Player::paint_mask_cells},
            {3, &Player::mask},  {2, &Player::remove},       {6, &Player::set},
            {4, &Player::drag},  {3, &Player::move},         {2, &Player::group},
            {2, &Player::split}, {3, &Player::duplicate},    {20, &Player::undo},
            {16, &Player::redo},
        };
        int total = 0;
        for (const auto& move : moves) total += move.first;
        int drawn = number(total);
        for (const auto& [weight, move] : moves) {
            if (drawn < weight) return (this->*move)();
            drawn -= weight;
        }
    }

    void reopen() {
        document_.reset();
        document_ = Document::open(path_);
        ASSERT_FALSE(document_->read_only());
    }

    void check() {
        ASSERT_EQ(document_->position(), int64_t(now_));
        ASSERT_EQ(document_->entries(), int64_t(past_.size()) - 1);
        compare(document_->state().layers, model().layers);
    }

    void check_composition() {
        Plane expected(size_t(width) * height, missing);
        compose(model().layers, expected);
        RunContext context = cpu_context();
        const Field found = evaluated(*document_, context).height();
        Field plane(extent);
        std::copy(expected.begin(), expected.end(), plane.writable_rows()[0]);
        EXPECT_EQ(fingerprint(found), fingerprint(plane));
    }

    std::string trail() const { return fmt::format("{}", fmt::join(trail_, ", ")); }

  private:
    const Model& model() const { return past_[now_]; }
    int number(int below) { return int(random_() % uint32_t(below)); }

    void note(const std::string& what) {
        trail_.push_back(what);
        if (trail_.size() > 30) trail_.pop_front();
    }

    // What was undone is forgotten.
    void did(Model after, const std::string& what) {
        note(what);
        past_.resize(now_ + 1);
        past_.push_back(std::move(after));
        now_++;
    }

    static void collect(std::vector<ModelLayer>& layers, std::vector<ModelLayer*>& into) {
        for (ModelLayer& layer : layers) {
            into.push_back(&layer);
            collect(layer.layers, into);
        }
    }
    static std::vector<ModelLayer*> all(Model& model) {
        std::vector<ModelLayer*> found;
        collect(model.layers, found);
        return found;
    }
    ModelLayer* any(Model& model, const std::function<bool(const ModelLayer&)>& fits = {}) {
        std::vector<ModelLayer*> found = all(model);
        if (fits) std::erase_if(found, [&](ModelLayer* layer) { return !fits(*layer); });
        return found.empty() ? nullptr : found[size_t(number(int(found.size())))];
    }
    static std::vector<ModelLayer>* list_of(std::vector<ModelLayer>& layers, int id) {
        for (ModelLayer& layer : layers) {
            if (layer.id == id) return &layers;
            if (auto* inside = list_of(layer.layers, id)) return inside;
        }
        return nullptr;
    }

    void add() {
        Model after = model();
        if (all(after).size() >= 10) return;
        ModelLayer layer;
        layer.id = after.next++;
        layer.mode = std::vector<std::string>{"lerp", "add", "max"}[size_t(number(3))];
        layer.opacity = number(5) == 0 ? 1.0 : number(100) / 100.0;
        layer.name = fmt::format("L{}", layer.id);
        layer.cells = blank(missing);
        ModelLayer* group = any(after, [](const ModelLayer& there) { return there.group; });
        LayerSpot spot;
        if (group && number(2)) {
            spot.inside = group->id;
            group->layers.push_back(layer);
        } else {
            after.layers.push_back(layer);
        }
        int made = add_painted(*document_, "height", layer_with(layer.name, layer.mode, layer.opacity), spot);
        EXPECT_EQ(made, layer.id);
        did(after, "add");
    }

    // Writes a rectangle of cells, the same into both.
    void write(Cells& cells, int canvas, float low, float span, const std::string& what) {
        int left = number(width);
        int top = number(height);
        Rect rect = Rect{left, top, left + 1 + number(60), top + 1 + number(60)}.intersected(extent);
        uint32_t seed = random_();
        bool holes = number(6) == 0;
        auto changed = std::make_shared<std::vector<float>>(*cells);
        Field field(rect);
        for (int y = rect.top; y < rect.bottom; y++)
            for (int x = rect.left; x < rect.right; x++) {
                float value = low + span * scattered(x, y, seed);
                if (holes && scattered(x, y, seed + 1) < 0.3f) value = missing;
                field.set(x, y, value);
                (*changed)[size_t(y) * width + size_t(x)] = value;
            }
        cells = changed;
        document_->change(what, [&](Edit& edit) { edit.write(canvas, field); });
    }

    void paint_layer() {
        Model after = model();
        ModelLayer* layer = any(after, [](const ModelLayer& there) { return !there.group; });
        if (!layer) return;
        write(layer->cells, canvas_of(document_->state(), layer->id, ""), -50, 100, "paint");
        did(after, fmt::format("paint {}", layer->id));
    }

    void paint_mask_cells() {
        Model after = model();
        ModelLayer* layer = any(after, [](const ModelLayer& there) { return bool(there.mask); });
        if (!layer) return;
        write(layer->mask, mask_canvas_of(document_->state(), layer->id), -0.2f, 1.4f, "paint mask");
        did(after, fmt::format("paint mask {}", layer->id));
    }

    void mask() {
        Model after = model();
        ModelLayer* layer = any(after);
        if (!layer) return;
        if (layer->mask && number(2)) {
            layer->mask = nullptr;
            remove_mask(*document_, layer->id);
        } else {
            float value = float(number(3)) / 2;
            layer->mask = blank(value);
            paint_mask(*document_, layer->id, value);
        }
        did(after, fmt::format("mask {}", layer->id));
    }

    void remove() {
        Model after = model();
        ModelLayer* layer = any(after);
        if (!layer) return;
        int id = layer->id;
        std::vector<ModelLayer>* list = list_of(after.layers, id);
        std::erase_if(*list, [&](const ModelLayer& there) { return there.id == id; });
        remove_layers(*document_, {id});
        did(after, fmt::format("remove {}", id));
    }

    void set() {
        Model after = model();
        ModelLayer* layer = any(after);
        if (!layer) return;
        int what = number(3);
        if (what == 0) {
            std::string name = fmt::format("N{}", number(1000));
            if (name == layer->name) return;
            layer->name = name;
            set_layer(*document_, layer->id, {{"name", name}});
        } else if (what == 1) {
            layer->visible = !layer->visible;
            set_layer(*document_, layer->id, {{"visible", layer->visible ? "true" : "false"}});
        } else {
            double opacity = number(100) / 100.0;
            if (opacity == layer->opacity) return;
            layer->opacity = opacity;
            set_layer(*document_, layer->id, {{"opacity", fmt::format("{}", opacity)}});
        }
        did(after, fmt::format("set {}", layer->id));
    }

    // A slider that is moved: many commands, one entry. Or a stroke in pieces.
    void drag() {
        Model after = model();
        ModelLayer* layer = any(after, [](const ModelLayer& there) { return !there.group; });
        if (!layer) return;
        document_->seal();
        std::string key = fmt::format("drag {}", layer->id);
        Model before = model();
        int64_t entries = document_->position();
        if (number(2)) {
            double opacity = layer->opacity;
            for (int i = 0; i < 5; i++) {
                opacity = (number(98) + 1) / 100.0 + i * 0.0001;
                set_layer(*document_, layer->id, {{"opacity", fmt::format("{}", opacity)}}, key);
            }
            layer->opacity = opacity;
        } else {
            int canvas = canvas_of(document_->state(), layer->id, "");
            auto changed = std::make_shared<std::vector<float>>(*layer->cells);
            for (int i = 0; i < 4; i++) {
                int left = 220 + number(40);
                int top = number(60);
                Rect rect{left, top, left + 20, top + 20};
                Field field(rect, float(number(1000)) + 0.5f);
                for (int y = rect.top; y < rect.bottom; y++)
                    for (int x = rect.left; x < rect.right; x++)
                        (*changed)[size_t(y) * width + size_t(x)] = field.at(x, y);
                document_->change(
                    "stroke", [&](Edit& edit) { edit.write(canvas, field); }, key);
            }
            layer->cells = changed;
        }
        document_->seal();
        if (document_->position() == entries) return;
        did(after, fmt::format("drag {}", layer->id));
    }

    void move() {
        Model after = model();
        ModelLayer* layer = any(after);
        if (!layer) return;
        int id = layer->id;
        ModelLayer copy = *layer;
        LayerSpot spot;
        ModelLayer* other = any(after);
        std::vector<ModelLayer> inside = copy.layers;
        if (other->id == id || list_of(inside, other->id)) {
            spot.bottom = true;
        } else {
            spot.above = other->id;
        }
        std::string before = document_->text();
        move_layer(*document_, id, spot);
        std::vector<ModelLayer>* list = list_of(after.layers, id);
        std::erase_if(*list, [&](const ModelLayer& there) { return there.id == id; });
        if (spot.bottom) {
            after.layers.insert(after.layers.begin(), copy);
        } else {
            std::vector<ModelLayer>* to = list_of(after.layers, spot.above);
            auto at = std::ranges::find(*to, spot.above, &ModelLayer::id);
            to->insert(at + 1, copy);
        }
        // Where it was before is no change.
        if (document_->text() != before) did(after, fmt::format("move {}", id));
    }

    void group() {
        Model after = model();
        ModelLayer* layer = any(after);
        if (!layer || all(after).size() >= 10) return;
        std::vector<ModelLayer>* list = list_of(after.layers, layer->id);
        size_t first = size_t(number(int(list->size())));
        size_t last = std::min(list->size(), first + 1 + size_t(number(3)));
        ModelLayer group;
        group.group = true;
        group.id = after.next++;
        group.mode = "lerp";
        group.name = fmt::format("G{}", group.id);
        std::vector<int> ids;
        for (size_t i = first; i < last; i++) {
            group.layers.push_back((*list)[i]);
            ids.push_back((*list)[i].id);
        }
        list->erase(list->begin() + ptrdiff_t(first), list->begin() + ptrdiff_t(last));
        list->insert(list->begin() + ptrdiff_t(first), group);
        EXPECT_EQ(add_group(*document_, group.name, ids), group.id);
        did(after, fmt::format("group {}", group.id));
    }

    void split() {
        Model after = model();
        ModelLayer* layer = any(after, [](const ModelLayer& there) { return there.group; });
        if (!layer) return;
        int id = layer->id;
        std::vector<ModelLayer>* list = list_of(after.layers, id);
        auto at = std::ranges::find(*list, id, &ModelLayer::id);
        std::vector<ModelLayer> inside = at->layers;
        at = list->erase(at);
        list->insert(at, inside.begin(), inside.end());
        ungroup(*document_, id);
        did(after, fmt::format("ungroup {}", id));
    }

    static void renumber(ModelLayer& layer, Model& model) {
        layer.id = model.next++;
        for (ModelLayer& inside : layer.layers) renumber(inside, model);
    }

    void duplicate() {
        Model after = model();
        ModelLayer* layer = any(after);
        if (!layer || all(after).size() >= 10) return;
        ModelLayer copy = *layer;
        int id = layer->id;
        copy.name += " copy";
        renumber(copy, after);
        std::vector<ModelLayer>* list = list_of(after.layers, id);
        list->insert(std::ranges::find(*list, id, &ModelLayer::id) + 1, copy);
        EXPECT_EQ(duplicate_layer(*document_, id), copy.id);
        did(after, fmt::format("duplicate {}", id));
    }

    void undo() {
        int count = 1 + number(3);
        for (int i = 0; i < count; i++) {
            EXPECT_EQ(document_->undo(), now_ > 0);
            if (now_ > 0) now_--;
        }
        note(fmt::format("undo {}", count));
    }

    void redo() {
        int count = 1 + number(3);
        for (int i = 0; i < count; i++) {
            bool can = now_ + 1 < past_.size();
            EXPECT_EQ(document_->redo(), can);
            if (can) now_++;
        }
        note(fmt::format("redo {}", count));
    }

    void compare_cells(int canvas, const Cells& expected, const std::string& what) {
        const Field found = document_->snapshot().canvas(canvas).read(extent);
        Field plain(extent);
        std::copy(expected->begin(), expected->end(), plain.writable_rows()[0]);
        ASSERT_EQ(fingerprint(found), fingerprint(plain)) << what;
    }

    void compare(const std::vector<Layer>& found, const std::vector<ModelLayer>& expected) {
        ASSERT_EQ(found.size(), expected.size());
        for (size_t i = 0; i < found.size(); i++) {
            const Layer& layer = found[i];
            const ModelLayer& plain = expected[i];
            ASSERT_EQ(layer.id, plain.id);
            ASSERT_EQ(layer.name, plain.name);
            ASSERT_EQ(layer.visible, plain.visible);
            ASSERT_EQ(layer_opacity(layer), plain.opacity);
            ASSERT_EQ(layer.kind == LayerKind::group, plain.group);
            if (!plain.group) {
                ASSERT_EQ(blend_mode(layer), plain.mode);
                compare_cells(layer.canvases.front().canvas, plain.cells, layer.name);
            }
            ASSERT_EQ(layer.mask.kind == LayerMask::Kind::painted, bool(plain.mask));
            if (plain.mask) compare_cells(layer.mask.canvas, plain.mask, "mask of " + layer.name);
            compare(layer.layers, plain.layers);
            if (testing::Test::HasFatalFailure()) return;
        }
    }

    std::mt19937 random_;
    std::string path_;
    std::unique_ptr<Document> document_;
    std::vector<Model> past_;
    size_t now_ = 0;
    std::deque<std::string> trail_;
};

TEST(Model, TenThousandCommandsAndUndosGiveWhatAPlainModelGives) {
    const char* given = std::getenv("CAPROCK_MODEL_SEED");
    uint32_t seed = given ? uint32_t(std::strtoul(given, nullptr, 10)) : 20261115;
    Folder folder;
    Player player(seed, folder);
    const int steps = sanitized ? 600 : 10000;
    for (int step = 1; step <= steps; step++) {
        player.step();
        player.check();
        if (step % 50 == 0) player.check_composition();
        if (step % 1000 == 0) player.reopen();
        ASSERT_FALSE(testing::Test::HasFailure())
            << "CAPROCK_MODEL_SEED=" << seed << ", step " << step << "; the last: " << player.trail();
    }
}

}  // namespace
}  // namespace caprock::test
