// Runs programs as a user or a script would. posix_spawn, never fork: the test's own process may have touched
// OpenCL, whose threads a forked child does not have.
#pragma once

#include "support/places.h"

#include <chrono>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <map>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <spawn.h>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

extern char** environ;

namespace caprock::test {

struct Outcome {
    int code = -1;  // 128 + signal where one ended it, -1 when it ran out of time
    std::string out;
    std::string err;  // on a pseudo-terminal: all it was sent
    double seconds = 0;
    uint64_t peak = 0;  // bytes of memory it had at most
};

struct Launch {
    std::string program = test::caprock_program;
    std::vector<std::string> arguments;
    std::map<std::string, std::string> environment = {};  // beside what this process has
    std::string folder = ".";
    std::string input = {};
    bool terminal = false;  // stderr is a pseudo-terminal of 100 columns
    double timeout = 120;
};

class Process {
  public:
    explicit Process(const Launch& launch) : launch_(launch), began_(Clock::now()) {
        int in[2];
        int out[2];
        int err[2];
        open_pipe(in);
        open_pipe(out);
        if (launch.terminal) {
            winsize size{24, 100, 0, 0};
            if (openpty(&err[0], &err[1], nullptr, nullptr, &size) != 0)
                throw std::runtime_error("no terminal");
            fcntl(err[0], F_SETFD, FD_CLOEXEC);
            fcntl(err[1], F_SETFD, FD_CLOEXEC);
        } else {
            open_pipe(err);
        }
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_addchdir_np(&actions, launch.folder.c_str());
        posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
        posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&actions, err[1], STDERR_FILENO);
        // Whatever the test runner ignores or blocks, a user's shell does not.
        posix_spawnattr_t attributes;
        posix_spawnattr_init(&attributes);
        sigset_t none;
        sigset_t all;
        sigemptyset(&none);
        sigfillset(&all);
        posix_spawnattr_setsigmask(&attributes, &none);
        posix_spawnattr_setsigdefault(&attributes, &all);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
        std::vector<std::string> words = launch.arguments;
        words.insert(words.begin(), launch.program);
        std::vector<std::string> settings = merged_environment();
        int failure = posix_spawnp(&id_, launch.program.c_str(), &actions, &attributes,
                                   pointers(words).data(), pointers(settings).data());
        posix_spawn_file_actions_destroy(&actions);
        posix_spawnattr_destroy(&attributes);
        close(in[0]);
        close(out[1]);
        close(err[1]);
        out_ = out[0];
        err_ = err[0];
        // Inputs here are small enough for a pipe to hold.
        if (::write(in[1], launch.input.data(), launch.input.size()) < 0)
            throw std::runtime_error("no input");
        close(in[1]);
        if (failure != 0) throw std::runtime_error("cannot start " + launch.program);
    }

    ~Process() {
        if (id_ <= 0) return;
        kill(id_, SIGKILL);
        wait();
    }
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    void interrupt(int signal = SIGINT) { kill(id_, signal); }

    // Until the bar or a message has said this on stderr.
    bool wait_for(const std::string& part) {
        while (outcome_.err.find(part) == std::string::npos)
            if (!read_some()) return false;
        return true;
    }

    Outcome wait() {
        while (read_some()) {
        }
        int status = 0;
        rusage used{};
        while (wait4(id_, &status, WNOHANG, &used) == 0) {
            if (passed() > launch_.timeout) kill(id_, SIGKILL);
            usleep(1000);
        }
        bool late = passed() > launch_.timeout;
        outcome_.code = late ? -1 : WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        outcome_.seconds = passed();
        outcome_.peak = uint64_t(used.ru_maxrss) * 1024;
        close(out_);
        close(err_);
        id_ = 0;
        return outcome_;
    }

  private:
    using Clock = std::chrono::steady_clock;

    static void open_pipe(int ends[2]) {
        if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    }
    static std::vector<char*> pointers(std::vector<std::string>& words) {
        std::vector<char*> all;
        for (std::string& word : words) all.push_back(word.data());
        all.push_back(nullptr);
        return all;
    }
    std::vector<std::string> merged_environment() const {
        std::map<std::string, std::string> all;
        for (char** entry = environ; *entry; entry++) {
            std::string text = *entry;
            size_t equals = text.find('=');
            if (equals != std::string::npos) all[text.substr(0, equals)] = text.substr(equals + 1);
        }
        for (const auto& [name, value] : launch_.environment) all[name] = value;
        std::vector<std::string> entries;
        for (const auto& [name, value] : all) entries.push_back(name + "=" + value);
        return entries;
    }
    double passed() const { return std::chrono::duration<double>(Clock::now() - began_).count(); }

    // False once both streams have ended or time is up.
    bool read_some() {
        if (out_ended_ && err_ended_) return false;
        pollfd files[2] = {{out_ended_ ? -1 : out_, POLLIN, 0}, {err_ended_ ? -1 : err_, POLLIN, 0}};
        poll(files, 2, 100);
        if (passed() > launch_.timeout) return false;
        take(files[0], outcome_.out, out_ended_);
        take(files[1], outcome_.err, err_ended_);
        return true;
    }
    static void take(const pollfd& file, std::string& text, bool& ended) {
        if (file.fd < 0 || file.revents == 0) return;
        char bytes[65536];
        ssize_t count = ::read(file.fd, bytes, sizeof bytes);
        // A pseudo-terminal whose other side is closed gives an error, not an end.
        if (count > 0) {
            text.append(bytes, size_t(count));
        } else {
            ended = true;
        }
    }

    Launch launch_;
    Clock::time_point began_;
    pid_t id_ = 0;
    int out_ = -1;
    int err_ = -1;
    bool out_ended_ = false;
    bool err_ended_ = false;
    Outcome outcome_;
};

inline Outcome run_program(const Launch& launch) { return Process(launch).wait(); }

}  // namespace caprock::test
