#include "view/gl/headless.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <utility>

namespace caprock::gl {

// Loaded by hand, so that a machine without EGL can start the program.
struct HeadlessContext::Egl {
    void* library = nullptr;
    decltype(&eglGetProcAddress) find = nullptr;
    EGLDisplay display = EGL_NO_DISPLAY;
    EGLContext context = EGL_NO_CONTEXT;

    template <typename Function>
    Function function(const char* name) const {
        auto found = reinterpret_cast<Function>(find(name));
        if (!found) throw GlError(fmt::format("3D pictures need OpenGL: this libEGL has no {}", name));
        return found;
    }

    ~Egl() {
        if (display != EGL_NO_DISPLAY) {
            auto make_current = function<decltype(&eglMakeCurrent)>("eglMakeCurrent");
            make_current(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
            if (context != EGL_NO_CONTEXT)
                function<decltype(&eglDestroyContext)>("eglDestroyContext")(display, context);
        }
        // The display and the library stay, for the next context and because drivers leave threads and exit handlers behind
        // that would be called in what is gone.
    }

    // Mesa draws without any surface; other drivers are asked for their first device.
    void open_display() {
        auto get_display =
            reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(find("eglGetPlatformDisplayEXT"));
        auto initialise = function<decltype(&eglInitialize)>("eglInitialize");
        if (!get_display) throw GlError("3D pictures need OpenGL: this libEGL is older than 1.5");
        auto opens = [&](EGLDisplay candidate) {
            if (candidate == EGL_NO_DISPLAY || !initialise(candidate, nullptr, nullptr)) return false;
            display = candidate;
            return true;
        };
        if (opens(get_display(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr))) return;
        auto query = reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(find("eglQueryDevicesEXT"));
        EGLDeviceEXT devices[16];
        EGLint count = 0;
        if (query && query(16, devices, &count))
            for (EGLint i = 0; i < count; i++)
                if (opens(get_display(EGL_PLATFORM_DEVICE_EXT, devices[i], nullptr))) return;
        throw GlError(
            "3D pictures need OpenGL, and no driver here draws without a screen; on Debian: libgl1-mesa-dri");
    }
};

namespace {

decltype(&eglGetProcAddress) find_procedure = nullptr;

Procedure find_function(const char* name) { return find_procedure(name); }

void APIENTRY note(GLenum, GLenum type, GLuint, GLenum severity, GLsizei length, const GLchar* message,
                   const void* notes) {
    if (severity == GL_DEBUG_SEVERITY_NOTIFICATION || type == GL_DEBUG_TYPE_PERFORMANCE) return;
    auto* complaints = static_cast<std::vector<std::string>*>(const_cast<void*>(notes));
    complaints->emplace_back(message, size_t(length));
}

}  // namespace

HeadlessContext::HeadlessContext() : egl_(std::make_unique<Egl>()) {
    egl_->library = dlopen("libEGL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!egl_->library)
        throw GlError(
            "3D pictures need OpenGL, and libEGL.so.1 is not here; on Debian: libegl1 and libgl1-mesa-dri");
    egl_->find = reinterpret_cast<decltype(&eglGetProcAddress)>(dlsym(egl_->library, "eglGetProcAddress"));
    if (!egl_->find) throw GlError("3D pictures need OpenGL, and this libEGL.so.1 is none");
    find_procedure = egl_->find;
    egl_->open_display();
    if (!egl_->function<decltype(&eglBindAPI)>("eglBindAPI")(EGL_OPENGL_API))
        throw GlError("3D pictures need OpenGL 4.5; this driver has only OpenGL ES");
    const EGLint wanted[] = {EGL_CONTEXT_MAJOR_VERSION,
                             4,
                             EGL_CONTEXT_MINOR_VERSION,
                             5,
                             EGL_CONTEXT_OPENGL_PROFILE_MASK,
                             EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                             EGL_CONTEXT_OPENGL_DEBUG,
                             EGL_TRUE,
                             EGL_NONE};
    egl_->context = egl_->function<decltype(&eglCreateContext)>("eglCreateContext")(
        egl_->display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, wanted);
    if (egl_->context == EGL_NO_CONTEXT)
        throw GlError("3D pictures need OpenGL 4.5; this driver does not have it");
    if (!egl_->function<decltype(&eglMakeCurrent)>("eglMakeCurrent")(egl_->display, EGL_NO_SURFACE,
                                                                     EGL_NO_SURFACE, egl_->context))
        throw GlError("OpenGL does not draw without a screen here");
    functions_ = std::make_unique<Functions>(find_function);
    functions_->Enable(GL_DEBUG_OUTPUT);
    functions_->Enable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
    functions_->DebugMessageCallback(note, &complaints_);
}

HeadlessContext::~HeadlessContext() = default;

std::string HeadlessContext::renderer() const {
    return reinterpret_cast<const char*>(functions_->GetString(GL_RENDERER));
}

std::vector<std::string> HeadlessContext::complaints() { return std::exchange(complaints_, {}); }

}  // namespace caprock::gl
