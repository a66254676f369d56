// A disk that gets full: an error in words, nothing lost, and all is well once there is room again. A disk of its own is
// needed for that, or limits that go with a process: the driver does it, and says what it found.
#include "document/child.h"
#include "document/documents.h"
#include "support/places.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

void expect_all_well(const std::vector<std::string>& lines) {
    EXPECT_EQ(lines.size(), 10u);
    for (const std::string& line : lines) EXPECT_TRUE(line.starts_with("ok ")) << line;
}

TEST(FullDisk, FilesThatMayNotGrow) {
    Folder folder;
    Child driver({test::paint_driver, "full-disk", folder.path(), "limit"});
    expect_all_well(driver.lines());
    EXPECT_EQ(driver.wait(), 0);
}

TEST(FullDisk, ASmallDiskThatIsFilled) {
    Folder folder;
    std::string mount = "mount -t tmpfs -o size=24m none '" + folder.path() + "'";
    if (Child({"unshare", "-rm", "sh", "-c", mount + " 2>/dev/null"}).wait() != 0)
        GTEST_SKIP() << "no disk can be mounted here";
    Child driver({"unshare", "-rm", "sh", "-c",
                  mount + " && exec '" + std::string(test::paint_driver) + "' full-disk '" + folder.path() +
                      "' fill"});
    expect_all_well(driver.lines());
    EXPECT_EQ(driver.wait(), 0);
}

}  // namespace
}  // namespace caprock::test
