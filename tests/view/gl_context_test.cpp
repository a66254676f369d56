// Where OpenGL is not to be had, that is said, and nothing else goes wrong.
#include "view/gl/headless.h"

#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>
#include <unistd.h>

namespace caprock::test {
namespace {

// In a process of its own, made anew: drivers are looked for once, and a test before may have found one.
class GlContext : public testing::Test {
  protected:
    void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }

    [[noreturn]] static void make_context_and_say() {
        int code = 0;
        try {
            gl::HeadlessContext context;
            std::fprintf(stderr, "drawing by %s\n", context.renderer().c_str());
        } catch (const gl::GlError& error) {
            std::fprintf(stderr, "refused: %s\n", error.what());
            code = 3;
        }
        _exit(code);
    }
};

TEST_F(GlContext, IsMade) { EXPECT_EXIT(make_context_and_say(), testing::ExitedWithCode(0), "drawing by ."); }

TEST_F(GlContext, WithoutADriverSaysWhatIsMissing) {
    auto without_drivers = [] {
        // One for the library that shares between vendors, the other for Mesa where it is that library itself.
        setenv("__EGL_VENDOR_LIBRARY_FILENAMES", "/nonexistent/vendor.json", 1);
        setenv("LIBGL_DRIVERS_PATH", "/nonexistent", 1);
        make_context_and_say();
    };
    EXPECT_EXIT(without_drivers(), testing::ExitedWithCode(3), "refused: 3D pictures need OpenGL, .*Debian");
}

TEST_F(GlContext, TooOldAnOpenGlSaysWhichIsNeeded) {
    auto with_an_old_one = [] {
        setenv("MESA_GL_VERSION_OVERRIDE", "3.3", 1);
        try {
            gl::HeadlessContext context;
            // Other drivers do not listen.
            if (context.renderer().find("llvmpipe") == std::string::npos)
                std::fputs("refused: 4.5\n", stderr);
        } catch (const gl::GlError& error) {
            std::fprintf(stderr, "refused: %s\n", error.what());
        }
        _exit(0);
    };
    EXPECT_EXIT(with_an_old_one(), testing::ExitedWithCode(0), "refused: .*4\\.5");
}

}  // namespace
}  // namespace caprock::test
