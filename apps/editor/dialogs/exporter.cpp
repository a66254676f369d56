#include "dialogs/exporter.h"

#include "base/error.h"
#include "base/file_place.h"
#include "base/text.h"
#include "compute/devices.h"
#include "document/placement.h"
#include "document/plan.h"
#include "document/project_tile_store.h"
#include "formats/format_table.h"
#include "formats/formats.h"
#include "graph/evaluator.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <unistd.h>

namespace caprock::editor {

namespace fs = std::filesystem;

namespace {

// What is computed together, each way: halos are shared, and memory does not notice.
constexpr int block_side = 8 * tile_side;
// Rows that are read at a time where nobody else says how many.
constexpr int rows_at_a_time = tile_side;
// Units of progress: simulations, measuring, writing.
constexpr int64_t all_units = 1000;
constexpr int64_t simulation_units = 500;
constexpr int64_t measuring_units = 200;

// From the cells that are written to those of the document's window.
CellMap map_of_export(Size from, const std::optional<Size>& to) {
    CellMap map;
    if (!to || *to == from) return map;
    if (to->width < 2 || to->height < 2 || to->width > largest_side || to->height > largest_side)
        throw Error(
            fmt::format("size {}x{}: each side must be 2 to {} cells", to->width, to->height, largest_side));
    if (from.width < 2 || from.height < 2)
        throw Error(fmt::format("a document of {}x{} cells has no other size", from.width, from.height));
    double across = double(from.width - 1) / (to->width - 1);
    double down = double(from.height - 1) / (to->height - 1);
    double step = std::min(across, down);
    map.xx = map.yy = step;
    map.x0 = (from.width - 1 - step * (to->width - 1)) / 2;
    map.y0 = (from.height - 1 - step * (to->height - 1)) / 2;
    return map;
}

// The place of the cells that are written.
Georeference moved_place(const Georeference& place, const CellMap& map, const Rect& window) {
    return place.of_cells(window.left + map.x0, window.top + map.y0, map.xx, map.yy);
}

bool simulates(const Plan& plan) {
    return std::ranges::any_of(plan.nodes_under(plan.top()), [&](int index) {
        return plan.node(index).simulates || !plan.node(index).halo;
    });
}

// The document's window, from (0, 0), block by block.
class DocumentCells {
  public:
    DocumentCells(const Snapshot& snapshot, RunContext& context) : plan_(snapshot), evaluator_(context) {}

    const Plan& plan() const { return plan_; }
    Evaluator& evaluator() { return evaluator_; }
    Rect extent() const { return Rect::of(plan_.window().size()); }

    Field read(const std::string& name, const Rect& region) {
        if (held_name_ == name && !held_.empty() && held_.rect().contains(region))
            return held_.cropped(region);
        // Whole rows of blocks, where an eighth of the memory for tiles holds them: files ask for few rows at a time.
        const Rect all = extent();
        const int first = plan_.window().top;
        auto below = [](int cell) { return cell - (cell & (block_side - 1)); };
        Rect band{all.left, below(region.top + first) - first, all.right,
                  below(region.bottom - 1 + first) + block_side - first};
        band = band.intersected(all);
        uint64_t bytes = uint64_t(band.cells()) * sizeof(float);
        if (bytes > plan_.store()->budget() / 8) return computed(name, region);
        held_ = Field();
        held_ = computed(name, band);
        held_name_ = name;
        return held_.cropped(region);
    }

    // What has to be computed of everything, and what happens to be near it.
    void begin(const std::vector<std::string>& names) {
        Rect first = plan_.window();
        first.right = std::min(first.right, first.left + tile_side);
        first.bottom = std::min(first.bottom, first.top + tile_side);
        evaluator_.evaluate(plan_, plan_.top(), names, first);
    }

  private:
    Field computed(const std::string& name, const Rect& region) {
        const Rect& window = plan_.window();
        const Rect wanted = region.moved(window.left, window.top);
        Field made(region);
        Field::WritableRows rows = made.writable_rows();
        static_assert((block_side & (block_side - 1)) == 0);
        auto below = [](int cell) { return cell - (cell & (block_side - 1)); };
        for (int top = below(wanted.top); top < wanted.bottom; top += block_side)
            for (int left = below(wanted.left); left < wanted.right; left += block_side) {
                Rect block = Rect{left, top, left + block_side, top + block_side}.intersected(wanted);
                const Terrain cells = evaluator_.evaluate(plan_, plan_.top(), {name}, block);
                Field::Rows from = cells.field(name).rows();
                for (int y = block.top; y < block.bottom; y++)
                    std::memcpy(rows[y - window.top] + (block.left - wanted.left), from[y],
                                size_t(block.width()) * sizeof(float));
            }
        return made;
    }

    Plan plan_;
    Evaluator evaluator_;
    std::string held_name_;
    Field held_;
};

// Cells beyond the border are those of the border.
Field continued(const Field& cells, const Rect& region) {
    const Rect& there = cells.rect();
    if (there == region) return cells;
    Field made(region);
    Field::WritableRows rows = made.writable_rows();
    Field::Rows from = cells.rows();
    for (int y = region.top; y < region.bottom; y++) {
        const float* line = from[std::clamp(y, there.top, there.bottom - 1)];
        for (int x = region.left; x < region.right; x++)
            rows[y][x - region.left] = line[std::clamp(x, there.left, there.right - 1) - there.left];
    }
    return made;
}

class ExportSource : public TerrainSource {
  public:
    ExportSource(DocumentCells& cells, const Grid& grid, const CellMap& map, std::vector<std::string> names)
        : cells_(cells), shape_(grid), map_(map), names_(std::move(names)) {
        const DocumentState& state = *cells.plan().snapshot().state;
        if (state.georeference)
            shape_.set_georeference(moved_place(*state.georeference, map, cells.plan().window()));
    }

    void set_range(const Interval& range) { shape_.set_range(range); }
    // Gives this field as if it were the height.
    void stand_in(const std::string& field) { stand_in_ = field; }

    Terrain shape() const override { return shape_; }
    std::vector<std::string> names() const override {
        return stand_in_.empty() ? names_ : std::vector<std::string>{"height"};
    }
    Terrain read(const Rect& window) override {
        Terrain cells = shape_.cropped(window);
        for (const std::string& name : names()) cells.set(name, read_field(name, window));
        return cells;
    }
    Field read_field(const std::string& asked, const Rect& window) override {
        const std::string& name = stand_in_.empty() ? asked : stand_in_;
        if (map_.whole_move()) return cells_.read(name, window);
        const Quantity& quantity = quantity_of(name);
        if (quantity.is_index) return placed(near(name, map_.source_region(window)), map_, window, quantity);
        CellMap map = map_;
        int halvings = 0;
        for (; map.step() >= 2; halvings++) map = map.into_half();
        // Every place lies between cells there are. Only where there are fewer, the last of them may be before it.
        if (halvings == 0) return placed(near(name, map.source_region(window)), map, window, quantity);
        return placed(halved_cells(name, map.source_region(window), halvings), map, window, quantity);
    }

  private:
    Field near(const std::string& name, const Rect& region) {
        return cells_.read(name, region.intersected(cells_.extent()));
    }
    Field halved_cells(const std::string& name, const Rect& region, int halvings) {
        if (halvings == 0) {
            // One that lies beyond altogether is made of the border as well.
            Rect all = cells_.extent();
            Rect there = region.intersected(all);
            if (there.empty()) {
                int x = std::clamp(region.left, all.left, all.right - 1);
                int y = std::clamp(region.top, all.top, all.bottom - 1);
                there = {x, y, std::max(x + 1, std::min(region.right, all.right)),
                         std::max(y + 1, std::min(region.bottom, all.bottom))};
            }
            return continued(cells_.read(name, there), region);
        }
        Rect fine{2 * region.left - 1, 2 * region.top - 1, 2 * region.right, 2 * region.bottom};
        return halved(halved_cells(name, fine, halvings - 1), region);
    }

    DocumentCells& cells_;
    Terrain shape_;
    CellMap map_;
    std::vector<std::string> names_;
    std::string stand_in_;
};

Interval extremes(ExportSource& source, const std::string& name, Progress& progress) {
    const Rect all = source.shape().rect();
    progress.expect(all.cells());
    float low = 0, high = 0;
    bool any = false;
    for (int top = all.top; top < all.bottom; top += rows_at_a_time) {
        Rect window{all.left, top, all.right, std::min(top + rows_at_a_time, all.bottom)};
        FieldStatistics seen = statistics(source.read_field(name, window));
        if (seen.missing < seen.cells) {
            low = any ? std::min(low, seen.low) : seen.low;
            high = any ? std::max(high, seen.high) : seen.high;
            any = true;
        }
        progress.advance(window.cells());
    }
    if (!any) throw Error(fmt::format("every cell of '{}' is missing", name));
    // Shares of nothing cannot be taken.
    if (!(high > low)) return {low, double(low) + 1};
    return {low, high};
}

// 0 and 1 of a field that is written as shares.
Interval usual_range(ExportSource& source, const std::string& name, Progress& progress) {
    if (quantity_of(name).is_share()) return {0, 1};
    return {0, std::max(1.0, extremes(source, name, progress).high)};
}

std::string beside(const std::string& path, const std::string& field) {
    fs::path file(path);
    return (file.parent_path() / (file.stem().string() + "-" + field + file.extension().string())).string();
}

// Files that belong together come to their places together.
class Staging {
  public:
    explicit Staging(const std::string& path) {
        static std::atomic<int> count = 0;
        target_ = fs::path(path).parent_path();
        folder_ =
            (target_.empty() ? fs::path(".") : target_) / fmt::format(".export-{}-{}", getpid(), count++);
        std::error_code failure;
        if (!fs::create_directory(folder_, failure))
            throw Error(fmt::format("cannot write '{}': {}", path, failure.message()));
    }
    ~Staging() {
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
    }
    std::string inside(const std::string& path) const {
        return (folder_ / fs::path(path).filename()).string();
    }
    // What went wrong, without a folder that nobody knows of.
    std::string named(std::string message) const {
        std::string inner = folder_.string() + "/";
        std::string outer = target_.empty() ? std::string() : target_.string() + "/";
        for (size_t at; (at = message.find(inner)) != std::string::npos;)
            message.replace(at, inner.size(), outer);
        return message;
    }
    void publish() {
        for (const fs::directory_entry& entry : fs::directory_iterator(folder_)) {
            fs::path to = target_ / entry.path().filename();
            try {
                put_in_place(entry.path().string(), place_of_output(to.string()));
            } catch (const Error& error) {
                throw Error(fmt::format("cannot write '{}': {}", to.string(), error.what()));
            }
        }
    }

  private:
    fs::path target_;
    fs::path folder_;
};

// A document that is computed for a file, piece by piece as the file asks for it: only then it shows no progress itself.
class Export {
  public:
    Export(const Snapshot& snapshot, const ExportRequest& request, std::vector<std::string> fields,
           Progress& progress, std::function<void(const std::string&)> tell)
        : unseen_(progress, 0) {
        context_.device = choose_device(request.device, 0, snapshot.state->window.cells());
        context_.progress = &unseen_;
        context_.tell = std::move(tell);
        cells_ = std::make_unique<DocumentCells>(snapshot, context_);
        source_ = std::make_unique<ExportSource>(*cells_, exported_grid(*snapshot.state, request),
                                                 map_of_export(snapshot.state->window.size(), request.size),
                                                 std::move(fields));
    }

    ExportSource& source() { return *source_; }
    const Plan& plan() const { return cells_->plan(); }

    // What sees everything comes first, and is watched.
    void simulate(const std::vector<std::string>& fields, Progress& progress,
                  const std::function<void(const std::string&)>& doing) {
        context_.progress = &progress;
        cells_->evaluator().before = doing;
        cells_->begin(fields);
        cells_->evaluator().before = {};
        context_.progress = &unseen_;
    }

  private:
    Progress unseen_;
    RunContext context_;
    std::unique_ptr<DocumentCells> cells_;
    std::unique_ptr<ExportSource> source_;
};

void require_fields(const Plan& plan, const std::vector<std::string>& fields) {
    const std::vector<std::string> there = plan.fields();
    for (const std::string& field : fields)
        if (std::ranges::find(there, field) == there.end())
            throw Error(fmt::format("the document makes no field '{}'; there {} {}", one_line(field),
                                    there.size() == 1 ? "is" : "are", listed(there)));
}

// Progress of one stage of several.
class Stages {
  public:
    explicit Stages(Progress& whole) : whole_(whole) { whole.expect(all_units); }

    template <typename Work>
    void run(int64_t units, const Work& work) {
        Progress part(whole_, units);
        work(part);
        whole_.advance(units);
        left_ -= units;
    }
    int64_t left() const { return left_; }

  private:
    Progress& whole_;
    int64_t left_ = all_units;
};

}  // namespace

bool keeps_every_field(const std::string& path) {
    const TerrainFormat* format = format_of_name(path);
    return format && format->every_field;
}

bool writes_shares(const std::string& path) {
    const TerrainFormat* format = format_of_name(path);
    return format && format->cells == TerrainFormat::Cells::shares;
}

Grid exported_grid(const DocumentState& state, const ExportRequest& request) {
    Grid grid = state.grid;
    CellMap map = map_of_export(state.window.size(), request.size);
    grid.extent = Rect::of(request.size.value_or(state.window.size()));
    grid.cell = state.grid.cell * map.xx;
    if (request.range) grid.range = *request.range;
    grid.check();
    return grid;
}

Interval heights_of_export(const Snapshot& snapshot, const ExportRequest& request, Progress& progress) {
    Export work(snapshot, request, {"height"}, progress, {});
    require_fields(work.plan(), {"height"});
    return extremes(work.source(), "height", progress);
}

ExportReport export_document(const Snapshot& snapshot, const ExportRequest& request, Progress& progress,
                             const std::function<void(const std::string& what)>& doing) {
    check_writable(request.path);
    ExportReport report;
    auto tell = [&report](const std::string& message) { report.warnings.push_back(message); };
    auto say = [&doing](const std::string& what) {
        if (doing) doing(what);
    };
    std::vector<std::string> fields = request.fields;
    if (fields.empty()) fields = {"height"};
    Export work(snapshot, request, fields, progress, tell);
    ExportSource& source = work.source();
    require_fields(work.plan(), fields);
    for (const std::string& problem : work.plan().problems()) tell(problem + "; the layer has no effect");
    check_fits(source.shape(), request.path);

    Stages stages(progress);
    if (simulates(work.plan()))
        stages.run(simulation_units, [&](Progress& part) {
            say("computing");
            work.simulate(fields, part, doing);
        });
    bool has_height = std::ranges::find(fields, "height") != fields.end();
    if (request.range_of_heights && has_height)
        stages.run(measuring_units, [&](Progress& part) {
            say("measuring heights");
            source.set_range(extremes(source, "height", part));
        });
    report.grid = source.shape().grid();

    WriteOptions options;
    options.byte_order = request.byte_order;
    auto write = [&](const std::string& path, const std::string& shown, Progress& part) {
        say("writing " + fs::path(shown).filename().string());
        FileContext context;
        context.progress = &part;
        context.tell = tell;
        write_terrain(source, path, options, context);
        report.files.push_back(shown);
    };
    if (keeps_every_field(request.path) || fields == std::vector<std::string>{"height"}) {
        stages.run(stages.left(), [&](Progress& part) { write(request.path, request.path, part); });
        return report;
    }
    Staging staging(request.path);
    const Interval heights = source.shape().grid().range;
    int64_t share = stages.left() / int64_t(fields.size());
    for (const std::string& field : fields) {
        std::string shown = is_ground(field) ? request.path : beside(request.path, field);
        stages.run(share, [&](Progress& part) {
            source.stand_in(field);
            Progress unseen(part, 0);
            Interval range = is_ground(field) ? heights : usual_range(source, field, unseen);
            source.set_range(range);
            if (writes_shares(request.path) && !is_ground(field) && range.high != 1)
                tell(fmt::format("'{}' has {} for its highest value", fs::path(shown).filename().string(),
                                 number_text(range.high)));
            try {
                write(staging.inside(shown), shown, part);
            } catch (const OutOfMemory&) {
                throw;
            } catch (const Error& error) {
                throw Error(staging.named(error.what()));
            }
        });
    }
    staging.publish();
    return report;
}

}  // namespace caprock::editor
