#include "base/telling.h"

#include <cerrno>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>

namespace caprock {
namespace {

// Each in a process of its own, whose streams may be anything.

void point(int stream, const char* path) {
    int file = open(path, O_WRONLY);
    dup2(file, stream);
    close(file);
}

TEST(TellingDeathTest, WhatCannotBeSaidIsRemembered) {
    EXPECT_EXIT(
        {
            secure_standard_streams();
            point(STDOUT_FILENO, "/dev/full");
            say("{} and {}\n", "one", 2);
            for (int i = 0; i < 10000; i++) say("much more than any buffer holds\n");
            std::exit(flush_said() == ENOSPC && flush_said() == ENOSPC ? 0 : 1);
        },
        testing::ExitedWithCode(0), "");
    EXPECT_EXIT(
        {
            point(STDOUT_FILENO, "/dev/full");
            say("one\n");
            try {
                flush_said_or_stop();
            } catch (const NotHeard& error) {
                tell(error.what());
                std::exit(0);
            }
        },
        testing::ExitedWithCode(0), "standard output: No space left");
}

TEST(TellingDeathTest, WhatCannotBeToldIsNot) {
    EXPECT_EXIT(
        {
            point(STDERR_FILENO, "/dev/full");
            tell("nobody hears this\n");
            std::exit(0);
        },
        testing::ExitedWithCode(0), "");
}

TEST(TellingDeathTest, AReaderThatIsGoneEndsNothing) {
    EXPECT_EXIT(
        {
            secure_standard_streams();
            int ends[2];
            if (pipe(ends) != 0) std::exit(1);
            dup2(ends[1], STDOUT_FILENO);
            close(ends[0]);
            say("nobody reads this\n");
            std::exit(flush_said() == EPIPE ? 0 : 1);
        },
        testing::ExitedWithCode(0), "");
}

TEST(TellingDeathTest, NoFileGetsTheNumberOfAClosedStream) {
    EXPECT_EXIT(
        {
            for (int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) close(stream);
            secure_standard_streams();
            int file = open("/dev/zero", O_RDWR);
            tell("into no file\n");
            say("into no file\n");
            std::exit(file > STDERR_FILENO && flush_said() == EBADF ? 0 : 1);
        },
        testing::ExitedWithCode(0), "");
}

TEST(TellingDeathTest, WaitsForASlowReader) {
    EXPECT_EXIT(
        {
            int ends[2];
            if (pipe2(ends, O_NONBLOCK) != 0) std::exit(1);
            fcntl(ends[0], F_SETFL, 0);
            dup2(ends[1], STDOUT_FILENO);
            std::string much(1 << 20, 'x');
            pid_t reader = fork();
            if (reader == 0) {
                close(ends[1]);
                close(STDOUT_FILENO);
                std::string read_there(1 << 16, '\0');
                size_t sum = 0;
                ssize_t count = 0;
                while ((count = read(ends[0], read_there.data(), read_there.size())) > 0)
                    sum += size_t(count);
                _exit(sum == much.size() ? 0 : 1);
            }
            say_text(much);
            std::exit(flush_said());
        },
        testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace caprock
