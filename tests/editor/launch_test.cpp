#include "support/places.h"

#include <QProcess>
#include <gtest/gtest.h>

namespace caprock::editor {
namespace {

TEST(Launch, WithoutADisplayItNamesWhatNeedsNone) {
    for (const char* display : {"", ":7654"}) {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.remove("WAYLAND_DISPLAY");
        environment.remove("QT_QPA_PLATFORM");
        if (*display)
            environment.insert("DISPLAY", display);
        else
            environment.remove("DISPLAY");
        QProcess process;
        process.setProcessEnvironment(environment);
        process.start(test::editor_program, {});
        ASSERT_TRUE(process.waitForFinished(60000));
        EXPECT_EQ(process.exitCode(), 1);
        EXPECT_EQ(process.exitStatus(), QProcess::NormalExit);
        QByteArray said = process.readAllStandardError();
        EXPECT_TRUE(said.contains("caprock render")) << said.toStdString();
        EXPECT_TRUE(said.contains("caprock run")) << said.toStdString();
    }
}

TEST(Launch, SaysItsVersionAndItsUse) {
    for (const char* option : {"--version", "--help"}) {
        QProcess process;
        process.start(test::editor_program, {option});
        ASSERT_TRUE(process.waitForFinished(60000));
        EXPECT_EQ(process.exitCode(), 0);
        EXPECT_TRUE(process.readAllStandardOutput().contains("caprock-editor"));
        // Where that cannot be printed, it is a failure, and no crash.
        process.setStandardOutputFile("/dev/full");
        process.start(test::editor_program, {option});
        ASSERT_TRUE(process.waitForFinished(60000));
        EXPECT_EQ(process.exitStatus(), QProcess::NormalExit);
        EXPECT_EQ(process.exitCode(), 1);
        EXPECT_TRUE(process.readAllStandardError().contains("standard output"));
    }
}

}  // namespace
}  // namespace caprock::editor
