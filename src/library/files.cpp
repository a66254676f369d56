#include "library/computed.h"
#include "library/watch.h"

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

}  // namespace

Land read(const std::string& path, const ReadOptions& options) {
    return translated([&] { return public_of(Land::Inside{NamedFile{path, core_of(options)}, {}, "", ""}); });
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
        write_computed(computed(land.inside(), watch, run.device), path, options, watch);
    });
}

}  // namespace v1
}  // namespace caprock
