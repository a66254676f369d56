#include "chain_checkpoint.h"

#include "base/file_stamp.h"
#include "formats/formats.h"
#include "graph/content_key.h"
#include "graph/program_fingerprint.h"

#include <fmt/format.h>

namespace caprock::cli {

namespace {

// All that decides the bits, and how they are computed: a state is of one way of computing them. Of files it is enough that nobody
// has written them since.
std::string work_of(const RunSettings& settings, const Recipe& recipe, ChainWay way) {
    KeyMaker work;
    work.add(recipe_text(recipe)).add(program_fingerprint());
    auto add_file = [&](const std::string& path) {
        const FileStamp stamp = FileStamp::of(path);
        work.add(path).add(int64_t(stamp.size)).add(int64_t(stamp.written.time_since_epoch().count()));
    };
    if (!recipe.file.empty()) add_file(recipe.file);
    for (const auto& [name, input] : recipe.inputs) add_file(input.file);
    work.add(int64_t(settings.ledger || settings.json)).add(int64_t(way));
    return work.key().text();
}

}  // namespace

std::unique_ptr<Checkpoint> checkpoint_for(const RunSettings& settings, const Recipe& recipe, ChainWay way,
                                           Terminal& terminal) {
    if (settings.checkpoint.empty()) return nullptr;
    check_writable(settings.checkpoint, FileKind::checkpoint);
    auto checkpoint = std::make_unique<Checkpoint>(settings.checkpoint, work_of(settings, recipe, way),
                                                   settings.checkpoint_every);
    if (checkpoint->found()) terminal.remark(fmt::format("going on from {}", settings.checkpoint));
    return checkpoint;
}

}  // namespace caprock::cli
