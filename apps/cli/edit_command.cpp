#include "edit_command.h"

#include "base/error.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

namespace caprock::cli {

int edit_command(const std::vector<std::string>& words) {
    if (words.size() > 1) throw Error("edit: must be: caprock edit [FILE]");
    std::error_code unknown;
    if (!words.empty() && !std::filesystem::exists(words[0], unknown))
        throw Error(fmt::format("edit: '{}': no such file", words[0]));
    // It lies beside this program, or is not installed.
    std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe", unknown).parent_path();
    std::string editor = (here / "caprock-editor").string();
    if (!std::filesystem::exists(editor, unknown))
        throw Error(fmt::format(
            "edit: the editor is not installed: there is no '{}'. It is built where Qt 6 is there "
            "(CAPROCK_BUILD_EDITOR)",
            editor));
    std::vector<char*> arguments = {editor.data()};
    std::string file = words.empty() ? "" : words[0];
    if (!file.empty()) arguments.push_back(file.data());
    arguments.push_back(nullptr);
    execv(editor.c_str(), arguments.data());
    throw Error(fmt::format("edit: '{}' cannot be started: {}", editor, std::strerror(errno)));
}

}  // namespace caprock::cli
