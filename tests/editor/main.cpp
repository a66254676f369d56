// Tests of the editor run in a real window, on a screen that xvfb-run makes. Settings and files stay in the build folder.
#include "editor/test_folder.h"

#include <QApplication>
#include <QCoreApplication>
#include <QSettings>
#include <QStandardPaths>
#include <QSurfaceFormat>
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>

namespace caprock::editor {
int paint_until_killed(const char* path);
int measure_frames(int side);
int take_pictures(const std::string& folder);
}  // namespace caprock::editor

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    std::filesystem::path folder = caprock::editor::test_folder();
    const char* painting = std::getenv("CAPROCK_PAINT_UNTIL_KILLED");
    bool child = painting || std::getenv("CAPROCK_SMALL_DISK");
    if (!child) std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder / "runtime");
    std::filesystem::permissions(folder / "runtime", std::filesystem::perms::owner_all);
    qputenv("XDG_RUNTIME_DIR", (folder / "runtime").c_str());
    qputenv("XDG_CONFIG_HOME", (folder / "config").c_str());
    qputenv("XDG_DATA_HOME", (folder / "data").c_str());
    // Pictures of presets take a while to be drawn: all programs that run side by side keep them in one place.
    qputenv("XDG_CACHE_HOME", caprock::editor::shared_cache_folder().c_str());
    QSurfaceFormat format;
    format.setVersion(4, 5);
    format.setProfile(QSurfaceFormat::CoreProfile);
    QSurfaceFormat::setDefaultFormat(format);
    QCoreApplication::setOrganizationName("Caprock");
    QCoreApplication::setApplicationName("Caprock tests");
    QApplication application(argc, argv);
    if (painting) return caprock::editor::paint_until_killed(painting);
    if (const char* side = std::getenv("CAPROCK_EDITOR_FRAMES"))
        return caprock::editor::measure_frames(std::atoi(side));
    if (const char* pictures = std::getenv("CAPROCK_EDITOR_PICTURES"))
        return caprock::editor::take_pictures(pictures);
    return RUN_ALL_TESTS();
}
