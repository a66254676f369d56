// The same operations one after the other as a chain and as layers of a document: the same landscape, to the last bit.
// Every ordered pair of operations there is, and chains at random.
#include "base/error.h"
#include "document/commands.h"
#include "document/plan.h"
#include "graph/evaluator.h"
#include "graph/executor.h"
#include "operation/recipe.h"
#include "soak/length.h"
#include "support/devices.h"
#include "support/folder.h"
#include "support/same_terrain.h"
#include "support/terrains.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <optional>
#include <random>
#include <set>

namespace caprock::test {
namespace {

using Chain = std::vector<std::unique_ptr<Operation>>;
// Every field that an operation reads unless it is told otherwise, each with cells of its own.
Terrain land() {
    Terrain terrain = rough_terrain({17, 13}, Holes::some);
    uint32_t purpose = 20;
    auto add = [&](const std::string& name, float low, float high) {
        purpose++;
        terrain.set(name, made_field(terrain.rect(), [&](int x, int y) {
                        return low + (high - low) * scattered(x, y, purpose);
                    }));
    };
    add("solubility", 0, 1);
    add("water", 0.1f, 2);
    add("sediment", 0.1f, 0.5f);
    add("mask", 0, 1);
    terrain.set("material", made_field(terrain.rect(), [](int x, int y) {
                    return std::floor(4 * scattered(x / 4, y / 4, 7));
                }));
    for (const std::string& name : operation_names())
        for (const std::string& read : make_operation(name)->fields().inputs)
            if (!terrain.has(read)) add(read, 0, 1);
    return terrain;
}

// Simulations of a few steps.
void make_quick(Operation& operation) {
    if (operation.schema().find("steps")) operation.set_text("steps", "3");
    for (const char* many : {"particles", "faults"})
        if (operation.schema().find(many)) operation.set_text(many, "40");
}

std::unique_ptr<Operation> with(const std::string& name, const Parameters& settings = {}) {
    std::unique_ptr<Operation> operation = make_operation(name);
    make_quick(*operation);
    for (const auto& [parameter, text] : settings) operation->set_text(parameter, text);
    return operation;
}

// Each operation of the registry, and those again that read or make other fields when they are told to.
Chain all_operations() {
    Chain all;
    for (const std::string& name : operation_names()) {
        if (name == "road") {
            all.push_back(with(name, {{"path", "0,0 60,44"}}));
        } else {
            all.push_back(with(name));
        }
    }
    all.push_back(with("road", {{"path", "0,40 64,4"}, {"mask", "mask"}}));
    all.push_back(with("riverbed", {{"water", "true"}}));
    all.push_back(with("hardness-classes", {{"from", "height"}}));
    all.push_back(with("noise", {{"field", "hardness"}}));
    all.push_back(with("smooth", {{"field", "water"}}));
    all.push_back(with("warp", {{"field", "sediment"}}));
    all.push_back(with("materials", {{"from", "water"}}));
    all.push_back(with("interpolate", {{"points", "8,8,250 40,20,10"}}));
    return all;
}

std::string words(const Chain& chain) {
    std::string text;
    for (const std::unique_ptr<Operation>& operation : chain)
        text += (text.empty() ? "" : " then ") + operation_text(*operation);
    return text;
}

class Layers : public testing::Test {
  protected:
    Layers() {
        document->change("land", [&](Edit& edit) {
            Layer layer;
            layer.kind = LayerKind::painted;
            layer.name = "land";
            layer.blend = make_blend();
            layer.id = edit.state().next_layer++;
            for (const std::string& name : start.names()) {
                CanvasInfo info;
                info.cell = start.grid().cell;
                info.blank = missing;
                int canvas = edit.new_canvas(info);
                edit.write(canvas, start.field(name));
                layer.canvases.push_back({name, canvas});
            }
            edit.state().layers.push_back(layer);
        });
    }

    void add(const Operation& operation) {
        std::vector<LayerOperation> operations;
        operations.emplace_back(operation.clone());
        Layer layer;
        layer.name = std::string(operation.name());
        layer.blend = make_blend();
        add_operations(*document, std::move(operations), layer);
    }

    // Nothing where a layer cannot be taken in.
    std::optional<Terrain> as_document() {
        Plan plan(document->snapshot());
        if (!plan.problems().empty()) return std::nullopt;
        return Evaluator(context).evaluate(plan, plan.window());
    }

    Folder folder;
    Terrain start = land();
    RunContext context = on(make_cpu_device(supported_cpu_levels().back(), 1));
    std::unique_ptr<Document> document = Document::create(folder / "land.caprock", start.grid());
};

TEST_F(Layers, TheLandIsTheSame) { expect_same_fields(start, as_document().value(), "the land"); }

TEST_F(Layers, EveryPairOfOperationsIsTheSameAsAChain) {
    const Chain all = all_operations();
    int pairs = 0;
    // Of sanitized ones a part, in which every operation comes first and second.
    const int every = sanitized ? 5 : 1;
    int row = 0;
    for (const std::unique_ptr<Operation>& first : all) {
        // A layer cannot change the size of the terrain.
        if (first->grid_after(start.grid()) != start.grid()) continue;
        const Terrain after_first = run(*first, start, context);
        add(*first);
        int column = row++;
        for (const std::unique_ptr<Operation>& second : all) {
            if (second->grid_after(start.grid()) != start.grid()) continue;
            if (column++ % every != 0) continue;
            std::string pair = std::string(first->name()) + " then " + std::string(second->name());
            Terrain chain;
            ASSERT_NO_THROW(chain = run(*second, after_first, context)) << pair;
            add(*second);
            std::optional<Terrain> layers;
            ASSERT_NO_THROW(layers = as_document()) << pair;
            ASSERT_TRUE(layers) << pair;
            expect_same_fields(chain, *layers, pair);
            pairs++;
            ASSERT_TRUE(document->undo());
        }
        ASSERT_TRUE(document->undo());
    }
    EXPECT_GT(pairs, 1000 / every);
}

// ---- at random -------------------------------------------------------------------------------------------

class Dice {
  public:
    explicit Dice(uint32_t seed) : random_(seed) {}
    int below(int count) { return int(random_() % uint32_t(count)); }
    bool often() { return below(3) != 0; }
    double share() { return double(random_()) / 4294967296.0; }
    uint32_t number() { return random_(); }

  private:
    std::mt19937 random_;
};

// A value for it as a slider would give one; some stay at their defaults.
void set_at_random(Operation& operation, const Parameter& parameter, Dice& dice,
                   const std::vector<std::string>& fields) {
    if (!dice.often()) return;
    auto within = [&](const Interval& range) { return range.low + dice.share() * range.span(); };
    const Interval slider = parameter.slider_range();
    switch (parameter.type()) {
        case ParameterType::number:
            return operation.set(parameter, within(slider));
        case ParameterType::integer:
            return operation.set(parameter, int(within(slider)));
        case ParameterType::flag:
            return operation.set(parameter, dice.often());
        case ParameterType::choice:
            return operation.set(parameter,
                                 parameter.choices()[size_t(dice.below(int(parameter.choices().size())))]);
        case ParameterType::seed:
            return operation.set(parameter, dice.number());
        case ParameterType::interval: {
            double a = within(slider);
            double b = within(slider);
            return operation.set(parameter, Interval{std::min(a, b), std::max(a, b)});
        }
        case ParameterType::field:
            return operation.set(parameter, fields[size_t(dice.below(int(fields.size())))]);
        default:
            return;  // texts, tables and files mean something
    }
}

std::unique_ptr<Operation> at_random(Dice& dice, const std::vector<std::string>& fields) {
    const std::vector<std::string> names = operation_names();
    std::unique_ptr<Operation> operation = make_operation(names[size_t(dice.below(int(names.size())))]);
    for (const Parameter& parameter : operation->schema().parameters())
        set_at_random(*operation, parameter, dice, fields);
    if (operation->name() == "road") operation->set_text("path", "0,0 30,10 60,44");
    make_quick(*operation);
    return operation;
}

// True where it could be done both ways.
bool agrees(const Chain& chain, const Terrain& expected, std::optional<Terrain> layers) {
    if (!layers) return false;
    expect_same_fields(expected, *layers, words(chain));
    return true;
}

TEST_F(Layers, FuzzOfChainsAtRandom) {
    const int wanted = is_long_soak() ? 1000 : sanitized ? 10 : 30;
    Dice dice(18);
    int done = 0;
    for (int tries = 0; done < wanted && tries < 20 * wanted; tries++) {
        Chain chain;
        std::vector<std::string> fields = start.names();
        for (int count = 2 + dice.below(3); count > 0; count--) chain.push_back(at_random(dice, fields));
        Terrain expected;
        try {
            expected = run_chain(chain, start, context);
        } catch (const Error&) {
            continue;  // parameters that do not go together
        }
        // A layer cannot change the size of the terrain.
        if (expected.grid() != start.grid()) continue;
        for (const std::unique_ptr<Operation>& operation : chain) add(*operation);
        ASSERT_NO_THROW(done += agrees(chain, expected, as_document()) ? 1 : 0) << words(chain);
        for (size_t i = 0; i < chain.size(); i++) ASSERT_TRUE(document->undo());
        if (HasFailure()) break;
    }
    if (!HasFailure()) {
        EXPECT_EQ(done, wanted);
    }
}

}  // namespace
}  // namespace caprock::test
