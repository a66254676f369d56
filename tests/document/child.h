// Programs that a test starts, reads from line by line, and kills.
#pragma once

#include <cerrno>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <optional>
#include <poll.h>
#include <spawn.h>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

extern char** environ;

namespace caprock::test {

class Child {
  public:
    explicit Child(std::vector<std::string> words) {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
        std::vector<char*> arguments;
        for (std::string& word : words) arguments.push_back(word.data());
        arguments.push_back(nullptr);
        int failed = posix_spawnp(&process_, arguments[0], &actions, nullptr, arguments.data(), environ);
        posix_spawn_file_actions_destroy(&actions);
        ::close(ends[1]);
        output_ = ends[0];
        if (failed) throw std::runtime_error(words[0] + " cannot be started");
    }
    ~Child() {
        kill();
        ::close(output_);
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    // Nothing when it has ended, or has said nothing for that long.
    std::optional<std::string> line(std::chrono::milliseconds patience = std::chrono::seconds(120)) {
        auto until = std::chrono::steady_clock::now() + patience;
        while (true) {
            size_t end = text_.find('\n');
            if (end != std::string::npos) {
                std::string found = text_.substr(0, end);
                text_.erase(0, end + 1);
                return found;
            }
            auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
                until - std::chrono::steady_clock::now());
            pollfd watched{output_, POLLIN, 0};
            if (left.count() < 0 || poll(&watched, 1, int(left.count())) <= 0) return std::nullopt;
            char bytes[4096];
            ssize_t got = ::read(output_, bytes, sizeof bytes);
            if (got <= 0) return std::nullopt;
            text_.append(bytes, size_t(got));
        }
    }
    std::vector<std::string> lines() {
        std::vector<std::string> all;
        while (std::optional<std::string> next = line()) all.push_back(*next);
        return all;
    }

    pid_t process() const { return process_; }
    void kill() {
        if (process_ > 0 && !ended_) ::kill(process_, SIGKILL);
        wait();
    }
    // 0 where it ended well, and less than 0 where a signal ended it.
    int wait() {
        if (ended_) return result_;
        int status = 0;
        while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
        }
        ended_ = true;
        result_ = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
        return result_;
    }

  private:
    pid_t process_ = -1;
    int output_ = -1;
    bool ended_ = false;
    int result_ = 0;
    std::string text_;
};

}  // namespace caprock::test
