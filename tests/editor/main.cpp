// Tests of the editor run in a real window, on a screen that xvfb-run makes. Settings and files stay in the build folder.
#include <QApplication>
#include <QCoreApplication>
#include <QSettings>
#include <QStandardPaths>
#include <QSurfaceFormat>
#include <filesystem>
#include <gtest/gtest.h>

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    std::filesystem::path folder = std::filesystem::path(CAPROCK_BINARY_DIR) / "editor-tests";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder / "runtime");
    std::filesystem::permissions(folder / "runtime", std::filesystem::perms::owner_all);
    qputenv("XDG_RUNTIME_DIR", (folder / "runtime").c_str());
    qputenv("XDG_CONFIG_HOME", (folder / "config").c_str());
    qputenv("XDG_DATA_HOME", (folder / "data").c_str());
    qputenv("XDG_CACHE_HOME", (folder / "cache").c_str());
    QSurfaceFormat format;
    format.setVersion(4, 5);
    format.setProfile(QSurfaceFormat::CoreProfile);
    QSurfaceFormat::setDefaultFormat(format);
    QCoreApplication::setOrganizationName("Caprock");
    QCoreApplication::setApplicationName("Caprock tests");
    QApplication application(argc, argv);
    return RUN_ALL_TESTS();
}
