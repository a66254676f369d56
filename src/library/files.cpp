#include "library/computed.h"
#include "library/watch.h"

#include <filesystem>

namespace caprock {
inline namespace v1 {

namespace {

core::ByteOrder core_of(ByteOrder order) {
    return order == ByteOrder::big ? core::ByteOrder::big : core::ByteOrder::little;
}
core::PictureMeaning core_of(PictureMeaning meaning) {
    return meaning == PictureMeaning::frontier ? core::PictureMeaning::frontier : core::PictureMeaning::usual;
}

core::ReadOptions core_of(const ReadOptions& options) {
    core::ReadOptions made;
    made.cell = options.cell;
    if (options.range) made.range = core_of(*options.range);
    made.to_metres = options.to_metres;
    made.meaning = core_of(options.meaning);
    made.byte_order = core_of(options.byte_order);
    if (options.width > 0 || options.height > 0) made.size = Size{options.width, options.height};
    return made;
}

void write_computed(const core::Terrain& terrain, const std::string& path, const WriteOptions& options,
                    Watch& watch) {
    watch.begin("writing " + path);
    write_terrain(terrain, path, {core_of(options.meaning), core_of(options.byte_order)}, watch.files());
}

// Land whose first cell is (0, 0), for a writer.
class WrittenLand : public TerrainSource {
  public:
    explicit WrittenLand(LandCells& land) : land_(land), all_(land.graph().top().grid.extent) {}

    core::Terrain shape() const override {
        const Scope& top = land_.graph().top();
        core::Grid grid = top.grid;
        grid.extent = core::Rect::of(all_.size());
        core::Terrain shape(grid);
        if (top.georeference) shape.set_georeference(*top.georeference);
        return shape;
    }
    std::vector<std::string> names() const override { return land_.graph().top().names(); }
    core::Terrain read(const core::Rect& window) override {
        core::Terrain cells = shape().cropped(window);
        for (const std::string& name : names()) cells.set(name, read_field(name, window));
        return cells;
    }
    core::Field read_field(const std::string& name, const core::Rect& window) override {
        return land_.read_field(name, window.moved(all_.left, all_.top)).moved(-all_.left, -all_.top);
    }

  private:
    LandCells& land_;
    core::Rect all_;
};

// Of what does not fit into memory: computed as it is written.
void write_windows(LandCells& land, const std::string& path, const WriteOptions& options, Watch& watch) {
    WrittenLand source(land);
    check_fits(source.shape(), path);
    const std::string folder = std::filesystem::path(path).parent_path().string();
    land.run_simulations(folder.empty() ? "." : folder);
    watch.begin("writing " + path, watch.steps());
    land.work_unseen();
    write_terrain(source, path, {core_of(options.meaning), core_of(options.byte_order)}, watch.files());
}

}  // namespace

Land read(const std::string& path, const ReadOptions& options) {
    return translated([&] {
        return public_of(Land::Inside{NamedFile{path, core_of(options)}, {}, "", "", {}, {}});
    });
}

void write(const Terrain& terrain, const std::string& path, const WriteOptions& options, const Run& run) {
    Watch watch(run, 1);
    watch.carried_out([&] { write_computed(terrain.inside().terrain, path, options, watch); });
}

void write(const Land& land, const std::string& path, const WriteOptions& options, const Run& run) {
    Watch watch(run, steps_of(land.inside()) + 1);
    watch.carried_out([&] {
        // Hours later it would be a pity.
        check_writable(path);
        if (run.memory > 0) {
            LandCells cells(land.inside(), watch, run.memory);
            if (cells.whole_bytes() > run.memory) {
                cells.check_windows();
                return write_windows(cells, path, options, watch);
            }
        }
        core::Terrain terrain;
        try {
            terrain = computed(land.inside(), watch);
        } catch (const core::OutOfMemory&) {
            LandCells cells(land.inside(), watch, machine_memory() / 4);
            if (!nodes_of_everything(cells.graph()).empty()) throw;
            return write_windows(cells, path, options, watch);
        }
        write_computed(terrain, path, options, watch);
    });
}

// ---- lines -----------------------------------------------------------------------------------------------

LineSet read_lines(const std::string& path, const Terrain& on, const std::string& layer) {
    return translated([&] { return public_of(core::read_lines(path, layer, on.inside().terrain)); });
}

void write_lines(const Terrain& terrain, const std::string& path, const std::vector<std::string>& names) {
    translated([&] {
        const core::Terrain& from = terrain.inside().terrain;
        core::NamedLines sets;
        for (const std::string& name : names.empty() ? from.line_names() : names)
            sets.emplace_back(name, from.lines(name));
        core::write_lines(sets, from, path);
    });
}

}  // namespace v1
}  // namespace caprock
