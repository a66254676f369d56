#include "compute/cpu_compiler.h"

#include "base/error.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "compute/compiled_cache.h"
#include "compute/cpu_device.h"
#include "compute/environment.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

extern char** environ;

namespace caprock {

namespace {

namespace fs = std::filesystem;

// Of the compiler, in KiB: a text that takes more has no end.
constexpr int most_memory = 2 << 20;
constexpr size_t most_said = 1 << 20;

bool can_run(const std::string& path) {
    std::error_code unknown;
    return fs::is_regular_file(path, unknown) && access(path.c_str(), X_OK) == 0;
}

std::optional<std::string> on_path(const std::string& name) {
    if (name.find('/') != std::string::npos) return can_run(name) ? std::optional(name) : std::nullopt;
    for (const std::string& folder : split(environment_variable("PATH"), ':'))
        if (std::string path = folder + "/" + name; !folder.empty() && can_run(path)) return path;
    return std::nullopt;
}

// c++ is a link to whatever a system prefers. Clang lacks what the dialect's vectors are made of.
bool is_clang(const std::string& path) {
    std::error_code unknown;
    return fs::canonical(path, unknown).filename().string().find("clang") != std::string::npos;
}

// A folder for the compiler's files, gone with this.
class WorkFolder {
  public:
    WorkFolder() {
        std::error_code unknown;
        std::string pattern = (fs::temp_directory_path(unknown) / "caprock-kernel-XXXXXX").string();
        if (unknown || !mkdtemp(pattern.data()))
            throw Error(fmt::format("no folder for compiling a kernel can be made in '{}': {}",
                                    fs::path(pattern).parent_path().string(), std::strerror(errno)));
        path_ = pattern;
    }
    ~WorkFolder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    WorkFolder(const WorkFolder&) = delete;
    WorkFolder& operator=(const WorkFolder&) = delete;
    std::string operator/(const char* name) const { return (path_ / name).string(); }

  private:
    fs::path path_;
};

std::string file_bytes(const std::string& path, size_t most = SIZE_MAX) {
    std::ifstream file(path, std::ios::binary);
    std::string bytes;
    char part[4096];
    while (bytes.size() < most && (file.read(part, sizeof part), file.gcount() > 0))
        bytes.append(part, size_t(file.gcount()));
    return bytes;
}

std::vector<std::string> options_for(CpuLevel level) {
    // The same as the build's, from cmake/Kernels.cmake.
    std::vector<std::string> options = split(CAPROCK_KERNEL_OPTIONS, ' ');
    if (level != CpuLevel::portable)
        options.push_back(fmt::format("-march=x86-64-{}", cpu_level_name(level)));
    for (
        const char* option :
        {"-std=gnu++20", "-ffp-contract=off", "-fPIC", "-shared", "-nostdlib", "-w", "-fno-exceptions",
         // What the compiler says is said of the line where a word of the dialect stands, not of what it is made of.
         "-ftrack-macro-expansion=0", "-fno-diagnostics-show-caret", "-fdiagnostics-color=never",
         "-fmax-errors=20", "-x", "c++"})
        options.emplace_back(option);
    return options;
}

// Everything that decides the machine code. A compiler is known by its file, which is faster than asking it.
std::string key_of(const CpuCompiler& compiler, const std::string& source, CpuLevel level) {
    std::error_code unknown;
    fs::path real = fs::canonical(compiler.path, unknown);
    auto written = fs::last_write_time(real, unknown).time_since_epoch().count();
    return code_key({"cpu", source, real.string(),
                     fmt::format("{} {}", fs::file_size(real, unknown), written),
                     fmt::format("{}", fmt::join(options_for(level), " "))});
}

// A disk that is full would leave half a library, which brings the process down.
void write_whole(const std::string& path, const std::string& bytes) {
    std::ofstream file(path, std::ios::binary);
    file << bytes;
    file.close();
    if (!file)
        throw Error(
            fmt::format("no kernel can be compiled: '{}' cannot be written: {}", path, std::strerror(errno)));
}

struct Ended {
    int code = -1;
    bool in_time = true;
};

// The shell sets the limits, which a spawned process cannot be given otherwise.
Ended run_compiler(const std::vector<std::string>& words, const WorkFolder& folder,
                   std::chrono::milliseconds patience) {
    const std::string input = folder / "kernel.cpp";
    const std::string output = folder / "said";
    std::vector<std::string> all = {"/bin/sh", "-c",
                                    fmt::format("ulimit -v {} 2>/dev/null; exec \"$@\"", most_memory), "sh"};
    all.insert(all.end(), words.begin(), words.end());
    std::vector<char*> arguments;
    for (std::string& word : all) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    // Messages are read by us: not in the user's language. Its own files go with ours, also where it is killed.
    std::vector<std::string> settings = {"LC_ALL=C", "TMPDIR=" + folder / ""};
    for (char** entry = environ; *entry; entry++)
        if (std::string_view word = *entry; !word.starts_with("LC_ALL=") && !word.starts_with("TMPDIR="))
            settings.emplace_back(word);
    std::vector<char*> environment;
    for (std::string& setting : settings) environment.push_back(setting.data());
    environment.push_back(nullptr);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, input.c_str(), O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    // A group of its own: a compiler is several processes, and all of them are stopped at once.
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);
    pid_t process = 0;
    int failure =
        posix_spawn(&process, "/bin/sh", &actions, &attributes, arguments.data(), environment.data());
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (failure != 0)
        throw Error(fmt::format("'{}' cannot be started: {}", words[0], std::strerror(failure)));

    auto end = std::chrono::steady_clock::now() + patience;
    int status = 0;
    pid_t ended = 0;
    while ((ended = waitpid(process, &status, WNOHANG)) == 0 || (ended < 0 && errno == EINTR)) {
        // Who wants the program to end does not wait for a compiler either.
        bool stopped = interrupted();
        if (stopped || std::chrono::steady_clock::now() > end) {
            kill(-process, SIGKILL);
            waitpid(process, &status, 0);
            if (stopped) throw Cancelled();
            return {-1, false};
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(3));
    }
    return {ended == process && WIFEXITED(status) ? WEXITSTATUS(status) : -1, true};
}

const void* loaded(const std::string& path, const std::string& symbol, std::string& failure) {
    // Never closed: a kernel may be running, and devices know it by its address.
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    const void* found = library ? dlsym(library, symbol.c_str()) : nullptr;
    if (!found) failure = fmt::format("made code that cannot be loaded: {}", one_line(dlerror()));
    return found;
}

}  // namespace

std::optional<CpuCompiler> find_cpu_compiler() {
    std::string named = environment_variable("CAPROCK_CXX");
    if (named == "none") return std::nullopt;
    if (!named.empty()) {
        std::optional<std::string> path = on_path(named);
        if (!path) throw Error(fmt::format("CAPROCK_CXX={}: there is no such program", one_line(named)));
        if (is_clang(*path))
            throw Error(
                fmt::format("CAPROCK_CXX={}: that is Clang, and on a CPU the dialect needs GCC; name a g++, "
                            "or none to leave "
                            "it to an OpenCL driver",
                            one_line(named)));
        return CpuCompiler{*path};
    }
    for (const char* name : {"g++", "c++"})
        if (std::optional<std::string> path = on_path(name); path && !is_clang(*path))
            return CpuCompiler{*path};
    return std::nullopt;
}

CompilerAnswer compile_for_cpu(const CpuCompiler& compiler, const std::string& source, CpuLevel level,
                               const std::string& symbol, std::chrono::milliseconds patience) {
    WorkFolder folder;
    std::string library = folder / "kernel.so";
    std::string key = key_of(compiler, source, level);
    CompilerAnswer answer;
    if (std::optional<KeptCode> kept = kept_code(key)) {
        write_whole(library, kept->bytes);
        answer.symbol = loaded(library, symbol, answer.failure);
        if (answer.symbol) return answer;
        answer.failure.clear();
    }
    write_whole(folder / "kernel.cpp", source);
    std::vector<std::string> words = {compiler.path};
    for (std::string& option : options_for(level)) words.push_back(std::move(option));
    for (const std::string& word : {std::string("-"), std::string("-o"), library}) words.push_back(word);
    Ended ended = run_compiler(words, folder, patience);
    answer.said = file_bytes(folder / "said", most_said);
    if (!ended.in_time) {
        answer.said.clear();
        answer.failure = fmt::format("did not end within {} seconds", patience.count() / 1000);
    } else if (ended.code != 0) {
        std::string first = answer.said.substr(0, answer.said.find('\n'));
        answer.failure = first.empty() ? fmt::format("failed with code {}", ended.code)
                                       : fmt::format("failed: {}", one_line(first));
    } else {
        answer.symbol = loaded(library, symbol, answer.failure);
        if (answer.symbol) keep_code(key, file_bytes(library));
    }
    return answer;
}

}  // namespace caprock
