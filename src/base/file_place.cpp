#include "base/file_place.h"

#include "base/error.h"

#include <filesystem>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace caprock {

namespace fs = std::filesystem;

std::string place_of_output(const std::string& path) {
    constexpr int most_links = 40;  // as many as the system itself follows
    fs::path place = path;
    std::error_code failure;
    for (int links = 0; fs::is_symlink(fs::symlink_status(place, failure)); links++) {
        if (links == most_links) throw Error("it is a link that leads back to itself");
        fs::path target = fs::read_symlink(place, failure);
        if (failure) throw Error(failure.message());
        place = target.is_absolute() ? target : place.parent_path() / target;
    }
    fs::path folder = place.parent_path();
    if (place != path && !folder.empty() && !fs::is_directory(folder, failure))
        throw Error(fmt::format("it is a link to '{}', and the folder '{}' does not exist", place.string(),
                                folder.string()));
    return place.string();
}

void keep_permissions(const std::string& written, const std::string& replaced) {
    struct stat before {};
    struct stat now {};
    if (stat(replaced.c_str(), &before) != 0 || !S_ISREG(before.st_mode)) return;
    if (stat(written.c_str(), &now) != 0) return;
    // The group first: only the administrator may give a file to another owner, but anybody to a group of theirs.
    bool same_group = before.st_gid == now.st_gid || chown(written.c_str(), uid_t(-1), before.st_gid) == 0;
    bool same_owner = before.st_uid == now.st_uid || chown(written.c_str(), before.st_uid, gid_t(-1)) == 0;
    mode_t mode = before.st_mode & 07777;
    // What one group was allowed is nothing for another, beyond what everybody may.
    if (!same_group) mode = (mode & ~mode_t(S_IRWXG)) | (mode & mode_t(mode << 3) & mode_t(S_IRWXG));
    if (!same_group || !same_owner) mode &= ~mode_t(S_ISUID | S_ISGID);
    // A file system without permissions has none to keep.
    (void)chmod(written.c_str(), mode);
}

void put_in_place(const std::string& written, const std::string& place) {
    keep_permissions(written, place);
    std::error_code failure;
    fs::rename(written, place, failure);
    if (failure) throw Error(failure.message());
}

}  // namespace caprock
