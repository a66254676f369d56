// The functions of OpenGL 4.5 that the renderer calls, found when a context is there. Nothing links against a GL
// library: a machine without one still runs everything else, and an application brings its own context.
#pragma once

#include "base/error.h"

#include <GL/glcorearb.h>

namespace caprock::gl {

// OpenGL is not there, is too old, or has failed.
class GlError : public Error {
  public:
    using Error::Error;
};

#define CAPROCK_GL_FUNCTIONS(FUNCTION)                                                 \
    FUNCTION(AttachShader, ATTACHSHADER)                                               \
    FUNCTION(BindBufferBase, BINDBUFFERBASE)                                           \
    FUNCTION(BindFramebuffer, BINDFRAMEBUFFER)                                         \
    FUNCTION(BindTextureUnit, BINDTEXTUREUNIT)                                         \
    FUNCTION(BindVertexArray, BINDVERTEXARRAY)                                         \
    FUNCTION(BlendFunc, BLENDFUNC)                                                     \
    FUNCTION(BlitNamedFramebuffer, BLITNAMEDFRAMEBUFFER)                               \
    FUNCTION(CheckNamedFramebufferStatus, CHECKNAMEDFRAMEBUFFERSTATUS)                 \
    FUNCTION(ClearNamedFramebufferfv, CLEARNAMEDFRAMEBUFFERFV)                         \
    FUNCTION(ClipControl, CLIPCONTROL)                                                 \
    FUNCTION(CompileShader, COMPILESHADER)                                             \
    FUNCTION(CreateBuffers, CREATEBUFFERS)                                             \
    FUNCTION(CreateFramebuffers, CREATEFRAMEBUFFERS)                                   \
    FUNCTION(CreateProgram, CREATEPROGRAM)                                             \
    FUNCTION(CreateRenderbuffers, CREATERENDERBUFFERS)                                 \
    FUNCTION(CreateShader, CREATESHADER)                                               \
    FUNCTION(CreateTextures, CREATETEXTURES)                                           \
    FUNCTION(CreateVertexArrays, CREATEVERTEXARRAYS)                                   \
    FUNCTION(CullFace, CULLFACE)                                                       \
    FUNCTION(DebugMessageCallback, DEBUGMESSAGECALLBACK)                               \
    FUNCTION(DeleteBuffers, DELETEBUFFERS)                                             \
    FUNCTION(DeleteFramebuffers, DELETEFRAMEBUFFERS)                                   \
    FUNCTION(DeleteProgram, DELETEPROGRAM)                                             \
    FUNCTION(DeleteRenderbuffers, DELETERENDERBUFFERS)                                 \
    FUNCTION(DeleteShader, DELETESHADER)                                               \
    FUNCTION(DeleteTextures, DELETETEXTURES)                                           \
    FUNCTION(DeleteVertexArrays, DELETEVERTEXARRAYS)                                   \
    FUNCTION(DepthFunc, DEPTHFUNC)                                                     \
    FUNCTION(DepthMask, DEPTHMASK)                                                     \
    FUNCTION(Disable, DISABLE)                                                         \
    FUNCTION(DrawArrays, DRAWARRAYS)                                                   \
    FUNCTION(DrawElementsInstancedBaseInstance, DRAWELEMENTSINSTANCEDBASEINSTANCE)     \
    FUNCTION(Enable, ENABLE)                                                           \
    FUNCTION(Finish, FINISH)                                                           \
    FUNCTION(FrontFace, FRONTFACE)                                                     \
    FUNCTION(GenerateTextureMipmap, GENERATETEXTUREMIPMAP)                             \
    FUNCTION(GetError, GETERROR)                                                       \
    FUNCTION(GetGraphicsResetStatus, GETGRAPHICSRESETSTATUS)                           \
    FUNCTION(GetIntegerv, GETINTEGERV)                                                 \
    FUNCTION(GetProgramInfoLog, GETPROGRAMINFOLOG)                                     \
    FUNCTION(GetProgramiv, GETPROGRAMIV)                                               \
    FUNCTION(GetShaderInfoLog, GETSHADERINFOLOG)                                       \
    FUNCTION(GetShaderiv, GETSHADERIV)                                                 \
    FUNCTION(GetString, GETSTRING)                                                     \
    FUNCTION(GetUniformLocation, GETUNIFORMLOCATION)                                   \
    FUNCTION(LinkProgram, LINKPROGRAM)                                                 \
    FUNCTION(NamedBufferData, NAMEDBUFFERDATA)                                         \
    FUNCTION(NamedBufferSubData, NAMEDBUFFERSUBDATA)                                   \
    FUNCTION(NamedFramebufferReadBuffer, NAMEDFRAMEBUFFERREADBUFFER)                   \
    FUNCTION(NamedFramebufferRenderbuffer, NAMEDFRAMEBUFFERRENDERBUFFER)               \
    FUNCTION(NamedRenderbufferStorageMultisample, NAMEDRENDERBUFFERSTORAGEMULTISAMPLE) \
    FUNCTION(PixelStorei, PIXELSTOREI)                                                 \
    FUNCTION(PolygonMode, POLYGONMODE)                                                 \
    FUNCTION(PolygonOffset, POLYGONOFFSET)                                             \
    FUNCTION(ProgramUniform1f, PROGRAMUNIFORM1F)                                       \
    FUNCTION(ProgramUniform1i, PROGRAMUNIFORM1I)                                       \
    FUNCTION(ReadPixels, READPIXELS)                                                   \
    FUNCTION(ShaderSource, SHADERSOURCE)                                               \
    FUNCTION(TextureParameteri, TEXTUREPARAMETERI)                                     \
    FUNCTION(TextureStorage2D, TEXTURESTORAGE2D)                                       \
    FUNCTION(TextureStorage3D, TEXTURESTORAGE3D)                                       \
    FUNCTION(TextureSubImage2D, TEXTURESUBIMAGE2D)                                     \
    FUNCTION(TextureSubImage3D, TEXTURESUBIMAGE3D)                                     \
    FUNCTION(UseProgram, USEPROGRAM)                                                   \
    FUNCTION(VertexArrayAttribBinding, VERTEXARRAYATTRIBBINDING)                       \
    FUNCTION(VertexArrayAttribFormat, VERTEXARRAYATTRIBFORMAT)                         \
    FUNCTION(VertexArrayAttribIFormat, VERTEXARRAYATTRIBIFORMAT)                       \
    FUNCTION(VertexArrayElementBuffer, VERTEXARRAYELEMENTBUFFER)                       \
    FUNCTION(VertexArrayVertexBuffer, VERTEXARRAYVERTEXBUFFER)                         \
    FUNCTION(EnableVertexArrayAttrib, ENABLEVERTEXARRAYATTRIB)                         \
    FUNCTION(Viewport, VIEWPORT)

using Procedure = void (*)();
using FindProcedure = Procedure (*)(const char* name);

struct Functions {
    // Of the context that is current. Throws GlError where it is older than 4.5.
    explicit Functions(FindProcedure find);

#define CAPROCK_GL_MEMBER(name, NAME) PFNGL##NAME##PROC name = nullptr;
    CAPROCK_GL_FUNCTIONS(CAPROCK_GL_MEMBER)
#undef CAPROCK_GL_MEMBER

    // From now on triangles are given to nobody; everything else is done as ever. For finding out how long a program
    // takes besides its drawing where there is no graphics card.
    void draw_nothing();
};

}  // namespace caprock::gl
