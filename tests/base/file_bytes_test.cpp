#include "base/file_bytes.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>

namespace caprock::test {
namespace {

// A file without a name.
int new_file() {
    std::string name = testing::TempDir() + "/caprock-bytes-XXXXXX";
    const int descriptor = mkostemp(name.data(), O_CLOEXEC);
    unlink(name.c_str());
    return descriptor;
}

TEST(FileBytes, AreReadWhereTheyWereWritten) {
    FileBytes file(new_file());
    EXPECT_TRUE(file.write("later", 5, 100));
    EXPECT_TRUE(file.write("first", 5, 0));
    char text[6] = {};
    EXPECT_TRUE(file.read(text, 5, 100));
    EXPECT_STREQ(text, "later");
    EXPECT_TRUE(file.read(text, 5, 0));
    EXPECT_STREQ(text, "first");
    EXPECT_TRUE(file.read(text, 5, 50));
    EXPECT_EQ(std::string(text, 5), std::string(5, '\0')) << "between them nothing was written";
    EXPECT_TRUE(file.read(text, 0, 1000)) << "nothing is everywhere";
}

TEST(FileBytes, SayThatTheFileEndsBefore) {
    FileBytes file(new_file());
    EXPECT_TRUE(file.write("four", 4, 0));
    char text[8];
    errno = 0;
    EXPECT_FALSE(file.read(text, 5, 0));
    EXPECT_EQ(errno, ENODATA);
}

TEST(FileBytes, SayWhyTheyCannotBeRead) {
    FileBytes none(-1);
    char text[4] = {};
    EXPECT_FALSE(none.read(text, 4, 0));
    EXPECT_EQ(errno, EBADF);
    EXPECT_FALSE(none.write(text, 4, 0));
    EXPECT_EQ(errno, EBADF);
    FileBytes full(::open("/dev/full", O_WRONLY | O_CLOEXEC));
    EXPECT_FALSE(full.write(text, 4, 0));
    EXPECT_EQ(errno, ENOSPC);
}

TEST(FileBytes, CloseTheFileWithThem) {
    const int descriptor = new_file();
    { FileBytes file(descriptor); }
    EXPECT_EQ(fcntl(descriptor, F_GETFD), -1);
}

}  // namespace
}  // namespace caprock::test
