#include "formats/formats.h"

#include "base/error.h"
#include "base/file_place.h"
#include "base/text.h"
#include "formats/driver.h"
#include "formats/format_table.h"
#include "formats/raw.h"
#include "formats/terrain_reader.h"
#include "terrain/terrain_source.h"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <set>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace caprock {

namespace fs = std::filesystem;

namespace {

// The module stands beside this library, or in its folder `caprock` once installed.
RasterModule& gdal_module() {
    static RasterModule* const loaded = [] {
        Dl_info here;
        std::vector<fs::path> places;
        if (dladdr(reinterpret_cast<const void*>(&read_terrain), &here) && here.dli_fname) {
            fs::path folder = fs::absolute(here.dli_fname).parent_path();
            places = {folder / "caprock-gdal.so", folder / "caprock" / "caprock-gdal.so"};
        }
        std::string reason = "it was not found";
        for (const fs::path& place : places) {
            if (!fs::exists(place)) continue;
            void* library = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
            void* symbol = library ? dlsym(library, raster_driver_symbol) : nullptr;
            if (symbol) return reinterpret_cast<RasterDriverFunction>(symbol)();
            if (const char* message = dlerror()) reason = message;
        }
        throw Error("files cannot be read or written: the module caprock-gdal.so did not load: " + reason);
    }();
    return *loaded;
}

RasterDriver& driver_for(const std::string& path) {
    if (is_raw_name(path)) return raw_driver();
    return gdal_module();
}

// Files that may say what the numbers of a .raw are. Engines know no such files, so .r16 and .r32 are bare numbers always.
std::vector<fs::path> headers_of(const std::string& path) {
    if (ending_of_name(path) != ".raw") return {};
    std::vector<fs::path> there;
    std::error_code unknown;
    for (const char* ending : {".hdr", ".HDR", ".aux"})
        if (fs::path beside = fs::path(path).replace_extension(ending); fs::exists(beside, unknown))
            there.push_back(beside);
    if (fs::exists(path + ".hdr", unknown)) there.emplace_back(path + ".hdr");
    return there;
}

RasterDriver& driver_for_reading(const std::string& path, const ReadOptions& options) {
    // Who gives a size says that they are bare numbers.
    bool described = !options.size && !headers_of(path).empty() && gdal_module().is_described(path);
    return described ? gdal_module() : driver_for(path);
}

fs::path folder_of(const std::string& path) {
    fs::path folder = fs::path(path).parent_path();
    return folder.empty() ? fs::path(".") : folder;
}

[[noreturn]] void refuse_writing(const std::string& path, const std::string& reason) {
    throw Error(fmt::format("cannot write '{}': {}", path, reason));
}

// What the file libraries say of a full disk is about strips and scanlines.
std::string reason_of_failure(const std::string& said, const fs::path& partial, const std::string& path) {
    std::error_code unknown;
    fs::path folder = folder_of(path);
    fs::space_info space = fs::space(folder, unknown);
    // What is no disk at all has no capacity either.
    if (!unknown && space.capacity > 0 && space.available < 64 * 1024)
        return fmt::format("the disk of the folder '{}' is full", folder.string());
    rlimit limit{};
    uintmax_t written = fs::file_size(partial, unknown);
    if (!unknown && getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        written + 64 * 1024 > limit.rlim_cur)
        return fmt::format("it would be larger than the {} a file may have here (ulimit -f)",
                           bytes_text(limit.rlim_cur));
    // The user knows nothing of the partial file.
    std::string reason = said;
    size_t at = reason.find(partial.string());
    if (at != std::string::npos) reason.replace(at, partial.string().size(), path);
    return reason;
}

// Until the bytes are on the disk, the system may still find that there is no room for them.
void settle(const fs::path& file) {
    int handle = open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (handle < 0) throw Error(std::strerror(errno));
    int failure = fsync(handle) == 0 ? 0 : errno;
    close(handle);
    // Some file systems cannot do it, and need not.
    if (failure != 0 && failure != EINVAL && failure != ENOTSUP) throw Error(std::strerror(failure));
}

// Whether it is a file of notes (of Erdas Imagine's kind) about the file of that name.
bool is_about(const fs::path& notes, const std::string& name) {
    constexpr size_t most = 1 << 20;  // the name is in one of the first blocks
    std::ifstream file(notes, std::ios::binary);
    std::string text(most, '\0');
    file.read(text.data(), std::streamsize(most));
    text.resize(size_t(file.gcount()));
    return text.starts_with("EHFA_HEADER_TAG") && text.find(name) != std::string::npos;
}

// What other programs noted beside a file about the one that was there before (its place, its mask, how it looks from afar)
// is wrong of the new one, and would be believed. What has just been written beside it stays.
void forget_old_file(const fs::path& path, const std::set<fs::path>& companions) {
    std::error_code none;
    for (const char* ending : {".aux.xml", ".msk", ".ovr"}) {
        fs::path notes = path.string() + ending;
        if (!companions.contains(notes)) fs::remove(notes, none);
    }
    fs::path notes = path;
    notes.replace_extension(".aux");
    if (fs::exists(notes, none) && is_about(notes, path.filename().string())) fs::remove(notes, none);
}

// Moves what was written to its place, the file itself last: whoever sees it finds what belongs to it.
void move_from(const fs::path& folder, const fs::path& written, const fs::path& target) {
    std::set<fs::path> companions;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        settle(entry.path());
        if (entry.path() == written) continue;
        fs::path companion = target.parent_path() / entry.path().filename();
        companions.insert(companion);
        try {
            put_in_place(entry.path().string(), companion.string());
        } catch (const Error& error) {
            throw Error(fmt::format("'{}' belongs to it: {}", companion.string(), error.what()));
        }
    }
    put_in_place(written.string(), target.string());
    forget_old_file(target, companions);
}

fs::path place_behind_links(const std::string& path) {
    try {
        return place_of_output(path);
    } catch (const Error& error) {
        refuse_writing(path, error.what());
    }
}

// Writes in a folder beside the file and renames at the end, so that a reader never sees half of it and a failure
// or a cancel leaves what was there before. A folder, since some formats keep a part of it in files of their own.
template <typename Write>
void write_whole(const std::string& path, const Write& write) {
    static std::atomic<int> count = 0;
    std::error_code failure;
    fs::path target = place_behind_links(path);
    // Short enough that a name of the longest possible length has room for the rest.
    std::string stem = target.stem().string().substr(0, 100);
    fs::path folder = folder_of(target.string()) / fmt::format(".{}.partial-{}-{}", stem, getpid(), count++);
    fs::path partial = folder / (target.stem().string() + ending_of_name(path));
    try {
        // Nobody else reads what takes the place of a file that is not for everybody.
        if (mkdir(folder.c_str(), S_IRWXU) != 0) throw Error(std::strerror(errno));
        write(partial.string());
        move_from(folder, partial, target);
        fs::remove_all(folder, failure);
    } catch (const OutOfMemory&) {
        fs::remove_all(folder, failure);
        throw;
    } catch (const Error& error) {
        std::string reason = reason_of_failure(error.what(), partial, target.string());
        fs::remove_all(folder, failure);
        refuse_writing(path, reason);
    } catch (...) {
        fs::remove_all(folder, failure);
        throw;
    }
}

std::string ending_rule(FileKind kind, const TerrainFormat* format) {
    if (kind == FileKind::terrain && format && *format->not_written) return format->not_written;
    switch (kind) {
        case FileKind::terrain: {
            std::vector<std::string> all, heights;
            for (const TerrainFormat& one : terrain_formats())
                if (one.written()) (one.every_field ? all : heights).emplace_back(one.ending);
            return fmt::format(
                "the name must end in {} (every field) or, for heights alone, in {}; of lines, in {}",
                listed(all, "or"), listed(heights, "or"), listed(line_endings(), "or"));
        }
        case FileKind::picture:
            return "the name of a picture must end in .png";
        case FileKind::recipe:
            return "the name of a recipe must end in .json";
        case FileKind::checkpoint:
            return "the name of a checkpoint must end in .checkpoint";
        case FileKind::lines:
            return fmt::format("the name of a file of lines must end in {}", listed(line_endings(), "or"));
    }
    return "";
}

bool fits(const std::string& path, FileKind kind) {
    switch (kind) {
        case FileKind::terrain: {
            const TerrainFormat* format = format_of_name(path);
            return format && format->written();
        }
        case FileKind::picture:
            return ending_of_name(path) == ".png";
        case FileKind::recipe:
            return ending_of_name(path) == ".json";
        case FileKind::checkpoint:
            return ending_of_name(path) == ".checkpoint";
        case FileKind::lines:
            return line_format_of_name(path) != nullptr;
    }
    return false;
}

// NAME.frontier.png says what it is.
template <typename Options>
Options with_named_meaning(Options options, const std::string& path) {
    bool says_so = ending_of_name(fs::path(path).stem().string()) == ".frontier" && is_picture_name(path);
    if (says_so) options.meaning = PictureMeaning::frontier;
    return options;
}

// A coordinate system beside a file that has none would be taken for its own, and a header for that of bare numbers. They
// may be another file's, so they stay.
void tell_stray_files(const Terrain& shape, const std::string& path, const FileContext& context) {
    std::string ending = ending_of_name(path);
    const TerrainFormat* format = format_of_name(path);
    bool takes_it = format && format->takes_system_beside;
    bool has_one = shape.georeference() && !shape.georeference()->projection.empty();
    fs::path beside = fs::path(path).replace_extension(".prj");
    std::error_code unknown;
    if (context.tell && takes_it && !has_one && fs::exists(beside, unknown))
        context.tell(fmt::format("'{}' lies beside '{}' and will be taken for its coordinate system",
                                 beside.string(), path));
    // Pictures are written without a place.
    for (const char* world : {".pgw", ".wld"})
        if (fs::path place = fs::path(path).replace_extension(world);
            context.tell && ending == ".png" && fs::exists(place, unknown))
            context.tell(
                fmt::format("'{}' lies beside '{}' and will be taken for its place", place.string(), path));
    for (const fs::path& header : headers_of(path))
        if (context.tell)
            context.tell(
                fmt::format("'{}' lies beside '{}' and may be taken for its header", header.string(), path));
}

// Looks at what is written for cells that numbers have grown out of on their way.
class WatchedSource : public TerrainSource {
  public:
    explicit WatchedSource(TerrainSource& source) : source_(source) {}
    Terrain shape() const override { return source_.shape(); }
    std::vector<std::string> names() const override { return source_.names(); }
    Terrain read(const Rect& window) override {
        Terrain cells = source_.read(window);
        for (const std::string& name : cells.names()) look_at(name, cells.field(name));
        return cells;
    }
    Field read_field(const std::string& name, const Rect& window) override {
        Field cells = source_.read_field(name, window);
        look_at(name, cells);
        return cells;
    }
    void tell(const std::string& path, const FileContext& context) const {
        if (context.tell && !first_.empty())
            context.tell(
                fmt::format("'{}' has infinite numbers, the first of them in {}: they became larger "
                            "than a float can be (3.4e38)",
                            path, first_));
    }

  private:
    void look_at(const std::string& name, const Field& field) {
        if (!first_.empty()) return;
        const Rect& rect = field.rect();
        Field::Rows rows = field.rows();
        for (int y = rect.top; y < rect.bottom; y++) {
            bool found = false;
            for (int i = 0; i < rect.width(); i++) found |= std::isinf(rows[y][i]);
            if (!found) continue;
            int i = 0;
            while (!std::isinf(rows[y][i])) i++;
            first_ = fmt::format("{} at column {}, row {}", name, rect.left + i, y);
            return;
        }
    }

    TerrainSource& source_;
    std::string first_;
};

// Which fields of the terrain the file does not have.
void tell_left_out(std::vector<std::string> left_out, const std::string& ending, const WriteOptions& options,
                   const FileContext& context) {
    const TerrainFormat* format = format_of_ending(ending);
    if (!context.tell || !format || format->every_field) return;
    std::vector<std::string> kept = {"height"};
    if (format->is_picture && options.meaning == PictureMeaning::frontier)
        kept = {"height", "hardness", "solubility"};
    std::erase_if(left_out,
                  [&](const std::string& name) { return std::ranges::find(kept, name) != kept.end(); });
    if (!left_out.empty())
        context.tell(fmt::format("a {} keeps the {} only: {} {} left out; write a .tif to keep every field",
                                 ending, listed(kept), listed(left_out),
                                 left_out.size() > 1 ? "were" : "was"));
}

// The file of that name, if it is one that can be read.
std::unique_ptr<RasterReader> opened(const std::string& path, const ReadOptions& options,
                                     const FileContext& context) {
    check_readable(path, !is_raw_name(path));
    return driver_for_reading(path, options).open(path, with_named_meaning(options, path), context);
}

}  // namespace

RasterModule& file_module() { return gdal_module(); }

void check_readable(const std::string& path, bool may_be_folder) {
    auto refuse = [&](const std::string& reason) {
        throw Error(fmt::format("cannot read '{}': {}", path, reason));
    };
    std::error_code unknown;
    fs::file_status there = fs::status(path, unknown);
    if (there.type() == fs::file_type::not_found) refuse("there is no such file");
    if (there.type() == fs::file_type::none) refuse(unknown.message());
    const bool folder = fs::is_directory(there);
    if (folder && !may_be_folder) refuse("it is a folder");
    if (!folder && !fs::is_regular_file(there)) refuse("it is not a plain file");
    if (access(path.c_str(), R_OK) != 0) refuse(std::strerror(errno));
    if (!folder && fs::file_size(path, unknown) == 0) refuse("it is empty");
}

void write_whole_file(const std::string& path, const std::function<void(const std::string& to)>& write) {
    write_whole(path, write);
}

bool is_raw_name(const std::string& path) {
    const TerrainFormat* format = format_of_name(path);
    return format && format->raw();
}

bool is_picture_name(const std::string& path) {
    const TerrainFormat* format = format_of_name(path);
    return format && format->is_picture;
}

bool looks_like_file(const std::string& word) {
    std::error_code unknown;
    return word.find('/') != std::string::npos || fs::exists(word, unknown) ||
           ending_of_name(word).size() > 1;
}

void check_writable(const std::string& path, FileKind kind) {
    if (!fits(path, kind)) refuse_writing(path, ending_rule(kind, format_of_name(path)));
    std::error_code unknown;
    fs::path folder = folder_of(place_behind_links(path).string());
    if (!fs::exists(folder, unknown))
        refuse_writing(path, fmt::format("the folder '{}' does not exist", folder.string()));
    if (!fs::is_directory(folder, unknown))
        refuse_writing(path, fmt::format("'{}' is not a folder", folder.string()));
    if (access(folder.c_str(), W_OK | X_OK) != 0)
        refuse_writing(path, fmt::format("the folder '{}' may not be written to", folder.string()));
    fs::file_status there = fs::status(path, unknown);
    if (unknown && there.type() == fs::file_type::none) refuse_writing(path, unknown.message());
    if (fs::is_directory(there)) refuse_writing(path, "it is a folder");
    if (fs::exists(there) && !fs::is_regular_file(there)) refuse_writing(path, "it is not a plain file");
}

void check_fits(const Terrain& shape, const std::string& path) {
    try {
        driver_for(path).check_fits(shape, path, ending_of_name(path));
    } catch (const Error& error) {
        refuse_writing(path, error.what());
    }
}

Terrain read_terrain(const std::string& path, const ReadOptions& options, const FileContext& context) {
    return opened(path, options, context)->read_all(context);
}

std::unique_ptr<TerrainReader> open_terrain(const std::string& path, const ReadOptions& options,
                                            const FileContext& context) {
    std::unique_ptr<RasterReader> reader = opened(path, options, context);
    reader->look_through(context);
    return reader;
}

void write_terrain(const Terrain& terrain, const std::string& path, const FileContext& context) {
    write_terrain(terrain, path, WriteOptions(), context);
}

void write_terrain(const Terrain& terrain, const std::string& path, const WriteOptions& options,
                   const FileContext& context) {
    TerrainInMemory source(terrain);
    write_terrain(source, path, options, context);
}

void write_terrain(TerrainSource& source, const std::string& path, const WriteOptions& options,
                   const FileContext& context) {
    check_writable(path);
    if (source.names().empty()) refuse_writing(path, "the terrain has no fields");
    std::string ending = ending_of_name(path);
    WriteOptions named = with_named_meaning(options, path);
    WatchedSource watched(source);
    write_whole(path, [&](const std::string& to) {
        driver_for(path).write(watched, to, ending, named, context);
        tell_left_out(source.names(), ending, named, context);
    });
    watched.tell(path, context);
    tell_stray_files(source.shape(), path, context);
}

void write_picture(const Picture& picture, const std::string& path, const FileContext& context) {
    check_writable(path, FileKind::picture);
    write_whole(path, [&](const std::string& to) { gdal_module().write_picture(picture, to, context); });
}

void write_recipe(const std::string& text, const std::string& path) {
    check_writable(path, FileKind::recipe);
    write_whole(path, [&](const std::string& to) {
        std::ofstream file(to, std::ios::binary);
        file << text;
        file.close();
        if (!file) throw Error(std::strerror(errno));
    });
}

}  // namespace caprock
