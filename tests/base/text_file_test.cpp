#include "base/text_file.h"

#include "base/error.h"
#include "support/folder.h"
#include "support/refusals.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

std::string reading_refusal(const std::string& path, size_t most = SIZE_MAX) {
    return refusal([&] { text_of_file(path, most, "that is no song"); });
}

TEST(TextFile, IsReadWhole) {
    Folder folder;
    std::string text = std::string(10000, 'x') + "\n\0\r\nend";
    std::ofstream(folder / "a", std::ios::binary) << text;
    EXPECT_EQ(text_of_file(folder / "a"), text);
    EXPECT_EQ(text_of_file(folder / "a", text.size()), text) << "as long as it may be";
}

TEST(TextFile, SaysWhyNot) {
    Folder folder;
    EXPECT_EQ(reading_refusal(folder / "none"), "there is no such file");
    EXPECT_EQ(reading_refusal(folder.path()), "it is a folder");
    EXPECT_EQ(reading_refusal("/dev/zero", 1 << 20), "larger than 1.0 MiB: that is no song");
}

TEST(TextFile, PathsAreShownWhole) {
    std::string deep = "/" + std::string(300, 'a') + "/b.json";
    EXPECT_EQ(shown_path(deep), deep);
    EXPECT_EQ(shown_path("two\nlines"), "two lines");
}

}  // namespace
}  // namespace caprock::test
