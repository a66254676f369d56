// Things of OpenGL that are deleted when their owner goes.
#pragma once

#include "base/rect.h"
#include "view/gl/functions.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace caprock::gl {

template <auto deleter>
class Object {
  public:
    Object() = default;
    Object(const Functions& gl, GLuint name) : gl_(&gl), name_(name) {}
    Object(Object&& other) noexcept : gl_(other.gl_), name_(std::exchange(other.name_, 0)) {}
    Object& operator=(Object&& other) noexcept {
        std::swap(gl_, other.gl_);
        std::swap(name_, other.name_);
        return *this;
    }
    ~Object() {
        if (name_) deleter(*gl_, name_);
    }
    GLuint get() const { return name_; }
    explicit operator bool() const { return name_ != 0; }

  private:
    const Functions* gl_ = nullptr;
    GLuint name_ = 0;
};

inline void delete_texture(const Functions& gl, GLuint name) { gl.DeleteTextures(1, &name); }
inline void delete_buffer(const Functions& gl, GLuint name) { gl.DeleteBuffers(1, &name); }
inline void delete_framebuffer(const Functions& gl, GLuint name) { gl.DeleteFramebuffers(1, &name); }
inline void delete_renderbuffer(const Functions& gl, GLuint name) { gl.DeleteRenderbuffers(1, &name); }
inline void delete_vertex_array(const Functions& gl, GLuint name) { gl.DeleteVertexArrays(1, &name); }
inline void delete_program(const Functions& gl, GLuint name) { gl.DeleteProgram(name); }
inline void delete_shader(const Functions& gl, GLuint name) { gl.DeleteShader(name); }

using Texture = Object<delete_texture>;
using Buffer = Object<delete_buffer>;
using Framebuffer = Object<delete_framebuffer>;
using Renderbuffer = Object<delete_renderbuffer>;
using VertexArray = Object<delete_vertex_array>;
using ProgramObject = Object<delete_program>;
using ShaderObject = Object<delete_shader>;

Texture make_texture(const Functions& gl, GLenum target);
Buffer make_buffer(const Functions& gl);
VertexArray make_vertex_array(const Functions& gl);

// A vertex and a fragment shader from src/view/shaders, with includes put in place. Whatever the driver's compiler
// remarks on is an error: the texts are ours.
class Program {
  public:
    Program(const Functions& gl, const std::string& vertex, const std::string& fragment,
            const std::vector<std::string>& definitions = {});

    void use() const { gl_->UseProgram(program_.get()); }
    void set(const char* name, int value);
    void set(const char* name, float value);

  private:
    GLint location(const char* name);

    const Functions* gl_;
    ProgramObject program_;
    std::map<std::string, GLint> locations_;
};

// Colours and depths of a picture that is not on a screen.
class Canvas {
  public:
    Canvas(const Functions& gl, Size size, int samples);

    Size size() const { return size_; }
    GLuint framebuffer() const { return framebuffer_.get(); }
    // RGB, rows from the top.
    std::vector<uint8_t> colours() const;
    // As the depth buffer has them, rows from the top; of a canvas with one sample.
    std::vector<float> depths() const;

  private:
    const Functions* gl_;
    Size size_;
    int samples_;
    Renderbuffer colour_;
    Renderbuffer depth_;
    Framebuffer framebuffer_;
    Renderbuffer plain_colour_;
    Framebuffer plain_;
};

}  // namespace caprock::gl
