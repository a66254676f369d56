#include "formats/gdal/trial.h"

#include "base/error.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "base/text_file.h"
#include "formats/driver.h"
#include "formats/gdal/hdf5.h"
#include "formats/gdal/read.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <deque>
#include <dlfcn.h>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <mutex>
#include <optional>
#include <poll.h>
#include <spawn.h>
#include <string_view>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

extern char** environ;

namespace caprock::gdal {

namespace {

namespace fs = std::filesystem;

// ---- what the two processes say to each other ------------------------------------------------------------

// Before the file's name: the program itself, the module, whose child it is, and the seconds that a part of the file may take.
enum Word { module_word = 1, parent_word, seconds_word, path_word, first_option_word };

// How it ended is said in letters, since not every program learns how its children end, and sanitizers have codes of
// their own to end with. Who begins and says no more has failed.
constexpr int answers_to = 3;
constexpr char began = 'b';
constexpr char read_all = 'a';
constexpr char refused_it = 'r';

// Of those options that decide what is read of the file, and how.
std::vector<std::string> words_of(const ReadOptions& options) {
    std::vector<std::string> words;
    if (options.cell) words.push_back("cell=" + number_text(*options.cell));
    if (options.range) words.push_back("range=" + interval_text(*options.range));
    if (options.to_metres) words.emplace_back("to-metres");
    if (options.meaning == PictureMeaning::frontier) words.emplace_back("frontier");
    if (options.only_if_picture) words.emplace_back("only-if-picture");
    return words;
}

ReadOptions options_of(const std::vector<std::string_view>& words) {
    ReadOptions options;
    for (std::string_view word : words) {
        if (word.starts_with("cell=")) options.cell = parse_number(word.substr(5));
        if (word.starts_with("range=")) options.range = parse_interval(word.substr(6));
        if (word == "to-metres") options.to_metres = true;
        if (word == "frontier") options.meaning = PictureMeaning::frontier;
        if (word == "only-if-picture") options.only_if_picture = true;
    }
    return options;
}

// ---- the process that wants to know ----------------------------------------------------------------------

// Of computing without a part of the file being read.
int seconds_allowed() {
    const char* text = std::getenv("CAPROCK_TRIAL_SECONDS");
    std::optional<int64_t> given = text ? parse_integer(text) : std::nullopt;
    return given && *given > 0 && *given <= 1'000'000 ? int(*given) : 20;
}

// What a file is known by, with what was asked of it. Empty where the system does not say, or other files belong to it.
std::string key_of(const std::string& path, const std::vector<std::string>& options) {
    struct stat file {};
    if (!is_hdf5(path) || stat(path.c_str(), &file) != 0) return "";
    return fmt::format("{} {} {} {}.{} {}.{} {}", file.st_dev, file.st_ino, file.st_size, file.st_mtim.tv_sec,
                       file.st_mtim.tv_nsec, file.st_ctim.tv_sec, file.st_ctim.tv_nsec,
                       fmt::join(options, " "));
}

// The last files that passed.
class PassedFiles {
  public:
    bool has(const std::string& key) {
        std::lock_guard lock(guard_);
        return std::ranges::find(keys_, key) != keys_.end();
    }
    void add(const std::string& key) {
        if (key.empty()) return;
        std::lock_guard lock(guard_);
        keys_.push_back(key);
        if (keys_.size() > most) keys_.pop_front();
    }

  private:
    static constexpr size_t most = 100;
    std::mutex guard_;
    std::deque<std::string> keys_;
};

// Memory that is written where it is not one's own need not bring a process down at once, and might in another one: with the
// C library's checks it does, where that has them. Sanitizers have their own.
std::vector<std::string> watchful_environment() {
    std::vector<std::string> settings;
    for (char** entry = environ; *entry; entry++) settings.emplace_back(*entry);
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    std::string preloaded = "LD_PRELOAD=libc_malloc_debug.so.0";
    std::erase_if(settings, [&](const std::string& setting) {
        if (setting.starts_with("LD_PRELOAD=")) preloaded += ":" + setting.substr(11);
        return setting.starts_with("LD_PRELOAD=") || setting.starts_with("MALLOC_CHECK_=");
    });
    settings.push_back(preloaded);
    settings.emplace_back("MALLOC_CHECK_=3");
#endif
    return settings;
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    return pointers;
}

class Child {
  public:
    explicit Child(std::vector<std::string> words) {
        std::array<int, 2> ends{};
        if (pipe2(ends.data(), O_CLOEXEC) != 0) return;
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, ends[1], answers_to);
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDWR, 0);
        posix_spawn_file_actions_adddup2(&actions, 0, 1);
        posix_spawn_file_actions_adddup2(&actions, 0, 2);
        // A group of its own: Ctrl-C is for us to answer. And signals that we ignore are to end it.
        posix_spawnattr_t attributes;
        posix_spawnattr_init(&attributes);
        posix_spawnattr_setflags(&attributes,
                                 POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
        posix_spawnattr_setpgroup(&attributes, 0);
        sigset_t signals;
        sigemptyset(&signals);
        posix_spawnattr_setsigmask(&attributes, &signals);
        for (int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGXCPU, SIGPIPE})
            sigaddset(&signals, signal);
        posix_spawnattr_setsigdefault(&attributes, &signals);
        std::vector<std::string> settings = watchful_environment();
        int failure = posix_spawn(&process_, words[0].c_str(), &actions, &attributes,
                                  pointers_to(words).data(), pointers_to(settings).data());
        posix_spawn_file_actions_destroy(&actions);
        posix_spawnattr_destroy(&attributes);
        ::close(ends[1]);
        answers_ = ends[0];
        if (failure != 0) process_ = 0;
    }
    ~Child() {
        if (answers_ >= 0) ::close(answers_);
        if (process_ == 0) return;
        kill(process_, SIGKILL);
        wait();
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    // All that it has said when it has ended. Throws Cancelled.
    std::string answers(const Progress* progress) const {
        std::string said;
        while (process_ != 0) {
            if ((progress && progress->cancelled()) || interrupted()) throw Cancelled();
            pollfd waiting{answers_, POLLIN, 0};
            if (poll(&waiting, 1, 20) <= 0) continue;
            char letter = 0;
            ssize_t count = ::read(answers_, &letter, 1);
            if (count == 1) said += letter;
            if (count == 0 || (count < 0 && errno != EINTR)) break;
        }
        return said;
    }
    // Whether it used up the time it had; to be asked when it has ended.
    bool ran_out_of_time() {
        int status = wait();
        return WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU;
    }

  private:
    // A program that does not want to know how its children end does not learn it here either.
    int wait() {
        int status = 0;
        while (waitpid(process_, &status, 0) < 0)
            if (errno != EINTR) break;
        process_ = 0;
        return status;
    }

    pid_t process_ = 0;
    int answers_ = -1;
};

// Where this module is.
fs::path module_path() {
    Dl_info here;
    if (!dladdr(reinterpret_cast<const void*>(&try_reading), &here) || !here.dli_fname) return {};
    return fs::absolute(here.dli_fname);
}

// ---- the process that tries ------------------------------------------------------------------------------

void answer(char letter) {
    while (::write(answers_to, &letter, 1) < 0 && errno == EINTR) {
    }
}

// From now on it may compute for so many seconds.
void renew_time(int seconds) {
    rusage used{};
    rlimit limit{};
    if (getrusage(RUSAGE_SELF, &used) != 0 || getrlimit(RLIMIT_CPU, &limit) != 0) return;
    timeval both{};
    timeradd(&used.ru_utime, &used.ru_stime, &both);
    // The system counts whole ones.
    limit.rlim_cur = std::min(limit.rlim_max, rlim_t(both.tv_sec) + 1 + rlim_t(seconds));
    setrlimit(RLIMIT_CPU, &limit);
}

int try_as_told(const std::vector<std::string_view>& words) {
    // Nobody waits for the answer of an orphan.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (std::to_string(getppid()) != words[parent_word]) return 2;
    rlimit none{};
    setrlimit(RLIMIT_CORE, &none);
    int seconds = int(parse_integer(words[seconds_word]).value_or(1));
    renew_time(seconds);
    answer(began);
    try {
        read_through(std::string(words[path_word]),
                     options_of({words.begin() + first_option_word, words.end()}),
                     [&] { renew_time(seconds); });
        answer(read_all);
    } catch (...) {
        answer(refused_it);
    }
    return 0;
}

}  // namespace

Trial try_reading(const std::string& path, const ReadOptions& options, const FileContext& context) {
    static PassedFiles passed;
    std::vector<std::string> option_words = words_of(options);
    std::string key = key_of(path, option_words);
    if (passed.has(key)) return Trial::passed;

    const fs::path module = module_path();
    int seconds = seconds_allowed();
    std::vector<std::string> words = {(module.parent_path() / "caprock-trial").string(), module.string(),
                                      std::to_string(getpid()), std::to_string(seconds), path};
    words.insert(words.end(), option_words.begin(), option_words.end());
    Child child(words);
    std::string said = child.answers(context.progress);
    if (said.empty()) return Trial::not_made;
    if (said.back() == refused_it) return Trial::refused;
    if (said.back() == read_all) {
        passed.add(key);
        return Trial::passed;
    }
    std::string reason = child.ran_out_of_time()
                             ? fmt::format(
                                   "does not come to an end with it (in {} s; CAPROCK_TRIAL_SECONDS "
                                   "allows more)",
                                   seconds)
                             : "fails on it";
    throw Error(fmt::format("cannot read '{}': it is damaged: the library that reads HDF5 {}",
                            shown_path(path), reason));
}

}  // namespace caprock::gdal

extern "C" int caprock_trial(int count, char** words) {
    if (count < caprock::gdal::first_option_word) return 2;
    // Without what a process does when it ends in order: some of that may be in a bad state, and there is nothing to keep.
    _exit(caprock::gdal::try_as_told({words, words + count}));
}
