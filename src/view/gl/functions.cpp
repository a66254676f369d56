#include "view/gl/functions.h"

#include <fmt/format.h>

namespace caprock::gl {

Functions::Functions(FindProcedure find) {
#define CAPROCK_GL_FIND(name, NAME)                               \
    name = reinterpret_cast<PFNGL##NAME##PROC>(find("gl" #name)); \
    if (!name) throw GlError("this OpenGL has no gl" #name "; 4.5 is needed");
    CAPROCK_GL_FUNCTIONS(CAPROCK_GL_FIND)
#undef CAPROCK_GL_FIND
    GLint major = 0;
    GLint minor = 0;
    GetIntegerv(GL_MAJOR_VERSION, &major);
    GetIntegerv(GL_MINOR_VERSION, &minor);
    if (major * 10 + minor < 45)
        throw GlError(fmt::format("this OpenGL is version {}.{}; 4.5 is needed", major, minor));
}

void Functions::draw_nothing() {
    DrawArrays = [](GLenum, GLint, GLsizei) {};
    DrawElementsInstancedBaseInstance = [](GLenum, GLsizei, GLenum, const void*, GLsizei, GLuint) {};
}

}  // namespace caprock::gl
