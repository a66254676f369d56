#include "view/gl/objects.h"

#include "view/gl/shader_texts.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <sstream>

namespace caprock::gl {

namespace {

std::string_view shader_text(std::string_view name) {
    if (const NamedText* found = find_text(shader_texts(), name)) return found->text;
    throw GlError(fmt::format("there is no shader text named '{}'", name));
}

void append_text(const std::string& name, std::set<std::string>& included, std::string& source) {
    if (!included.insert(name).second) return;
    std::istringstream lines{std::string(shader_text(name))};
    std::string line;
    while (std::getline(lines, line)) {
        constexpr std::string_view include = "#include \"";
        if (line.starts_with(include)) {
            append_text(line.substr(include.size(), line.rfind('"') - include.size()), included, source);
        } else {
            source += line;
            source += '\n';
        }
    }
}

ShaderObject compiled(const Functions& gl, GLenum kind, const std::string& name,
                      const std::vector<std::string>& definitions) {
    std::string source = "#version 450 core\n";
    for (const std::string& definition : definitions) source += "#define " + definition + "\n";
    std::set<std::string> included;
    append_text(name, included, source);
    ShaderObject shader(gl, gl.CreateShader(kind));
    const char* text = source.c_str();
    gl.ShaderSource(shader.get(), 1, &text, nullptr);
    gl.CompileShader(shader.get());
    GLint well = 0;
    GLint size = 0;
    gl.GetShaderiv(shader.get(), GL_COMPILE_STATUS, &well);
    gl.GetShaderiv(shader.get(), GL_INFO_LOG_LENGTH, &size);
    std::string log(size_t(std::max(size, 1)), '\0');
    gl.GetShaderInfoLog(shader.get(), GLsizei(log.size()), nullptr, log.data());
    log.resize(log.find('\0') == std::string::npos ? log.size() : log.find('\0'));
    if (!well || !log.empty()) throw GlError(fmt::format("shader {}: {}", name, log));
    return shader;
}

// OpenGL's rows begin at the bottom.
template <typename Value>
std::vector<Value> from_the_top(const std::vector<Value>& upwards, size_t row) {
    std::vector<Value> downwards;
    downwards.reserve(upwards.size());
    for (size_t end = upwards.size(); end >= row && row > 0; end -= row)
        downwards.insert(downwards.end(), upwards.begin() + ptrdiff_t(end - row),
                         upwards.begin() + ptrdiff_t(end));
    return downwards;
}

}  // namespace

Texture make_texture(const Functions& gl, GLenum target) {
    GLuint name = 0;
    gl.CreateTextures(target, 1, &name);
    return {gl, name};
}

Buffer make_buffer(const Functions& gl) {
    GLuint name = 0;
    gl.CreateBuffers(1, &name);
    return {gl, name};
}

VertexArray make_vertex_array(const Functions& gl) {
    GLuint name = 0;
    gl.CreateVertexArrays(1, &name);
    return {gl, name};
}

Program::Program(const Functions& gl, const std::string& vertex, const std::string& fragment,
                 const std::vector<std::string>& definitions)
    : gl_(&gl), program_(gl, gl.CreateProgram()) {
    ShaderObject first = compiled(gl, GL_VERTEX_SHADER, vertex, definitions);
    ShaderObject second = compiled(gl, GL_FRAGMENT_SHADER, fragment, definitions);
    gl.AttachShader(program_.get(), first.get());
    gl.AttachShader(program_.get(), second.get());
    gl.LinkProgram(program_.get());
    GLint well = 0;
    gl.GetProgramiv(program_.get(), GL_LINK_STATUS, &well);
    char log[2000] = "";
    gl.GetProgramInfoLog(program_.get(), sizeof log, nullptr, log);
    if (!well || log[0]) throw GlError(fmt::format("shaders {} and {}: {}", vertex, fragment, log));
}

GLint Program::location(const char* name) {
    auto found = locations_.find(name);
    if (found == locations_.end())
        found = locations_.emplace(name, gl_->GetUniformLocation(program_.get(), name)).first;
    return found->second;
}

void Program::set(const char* name, int value) {
    gl_->ProgramUniform1i(program_.get(), location(name), value);
}
void Program::set(const char* name, float value) {
    gl_->ProgramUniform1f(program_.get(), location(name), value);
}

Canvas::Canvas(const Functions& gl, Size size, int samples) : gl_(&gl), size_(size), samples_(samples) {
    GLint most = 0;
    gl.GetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &most);
    if (size.width > most || size.height > most)
        throw Error(
            fmt::format("a picture of {} x {} pixels is larger than OpenGL draws here: {} each way at most",
                        size.width, size.height, most));
    auto renderbuffer = [&](GLenum format, int with_samples) {
        GLuint name = 0;
        gl.CreateRenderbuffers(1, &name);
        gl.NamedRenderbufferStorageMultisample(name, with_samples > 1 ? with_samples : 0, format, size.width,
                                               size.height);
        return Renderbuffer(gl, name);
    };
    auto framebuffer = [&](const Renderbuffer& colour, const Renderbuffer* depth) {
        GLuint name = 0;
        gl.CreateFramebuffers(1, &name);
        Framebuffer made(gl, name);
        gl.NamedFramebufferRenderbuffer(name, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colour.get());
        if (depth) gl.NamedFramebufferRenderbuffer(name, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth->get());
        if (gl.CheckNamedFramebufferStatus(name, GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
            throw GlError(
                fmt::format("OpenGL cannot draw pictures of {} x {} pixels", size.width, size.height));
        return made;
    };
    colour_ = renderbuffer(GL_RGBA8, samples);
    depth_ = renderbuffer(GL_DEPTH_COMPONENT32F, samples);
    framebuffer_ = framebuffer(colour_, &depth_);
    if (samples > 1) {
        plain_colour_ = renderbuffer(GL_RGBA8, 1);
        plain_ = framebuffer(plain_colour_, nullptr);
    }
}

std::vector<uint8_t> Canvas::colours() const {
    GLuint from = framebuffer();
    if (samples_ > 1) {
        gl_->BlitNamedFramebuffer(from, plain_.get(), 0, 0, size_.width, size_.height, 0, 0, size_.width,
                                  size_.height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
        from = plain_.get();
    }
    gl_->BindFramebuffer(GL_READ_FRAMEBUFFER, from);
    gl_->PixelStorei(GL_PACK_ALIGNMENT, 1);
    size_t row = size_t(size_.width) * 3;
    std::vector<uint8_t> upwards(row * size_t(size_.height));
    gl_->ReadPixels(0, 0, size_.width, size_.height, GL_RGB, GL_UNSIGNED_BYTE, upwards.data());
    return from_the_top(upwards, row);
}

std::vector<float> Canvas::depths() const {
    gl_->BindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer());
    gl_->PixelStorei(GL_PACK_ALIGNMENT, 1);
    size_t row = size_t(size_.width);
    std::vector<float> upwards(row * size_t(size_.height));
    gl_->ReadPixels(0, 0, size_.width, size_.height, GL_DEPTH_COMPONENT, GL_FLOAT, upwards.data());
    return from_the_top(upwards, row);
}

}  // namespace caprock::gl
