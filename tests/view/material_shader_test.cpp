// The graphics card's material weights against the processor's, and every way of painting the ground.
#include "base/random.h"
#include "gl_pictures.h"
#include "support/fields.h"
#include "surface_points.h"
#include "view/gl/shader_texts.h"

#include <cmath>
#include <random>

namespace caprock::test {
namespace {

constexpr int points_wide = 64;
constexpr int points_high = 64;
constexpr int points_in_all = points_wide * points_high;

std::string shader_text(std::string_view name) {
    if (const NamedText* found = find_text(shader_texts(), name)) return std::string(found->text);
    ADD_FAILURE() << "no shader text " << name;
    return "";
}

// Runs an expression of materials.glsl for many points, one to a pixel, into floats.
class PointShader {
  public:
    PointShader(const gl::Functions& gl, const std::string& statements)
        : gl_(gl), program_(gl, gl.CreateProgram()), nothing_(gl::make_vertex_array(gl)) {
        GLuint name = 0;
        gl.CreateRenderbuffers(1, &name);
        target_ = gl::Renderbuffer(gl, name);
        gl.NamedRenderbufferStorageMultisample(name, 0, GL_RGBA32F, points_wide, points_high);
        gl.CreateFramebuffers(1, &name);
        framebuffer_ = gl::Framebuffer(gl, name);
        gl.NamedFramebufferRenderbuffer(name, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, target_.get());
        EXPECT_EQ(gl.CheckNamedFramebufferStatus(name, GL_FRAMEBUFFER), GLenum(GL_FRAMEBUFFER_COMPLETE));
        add(GL_VERTEX_SHADER, shader_text("everywhere.vert"));
        add(GL_FRAGMENT_SHADER, shader_text("materials.glsl") + R"(
            struct Values { float x, y, height, slope, curvature, flow, material, mask; };
            layout(std430, binding = 0) readonly buffer Points { Values points[]; };
            layout(location = 0) out vec4 result;
            uniform int part;
            void main() {
                Values values = points[int(gl_FragCoord.y) * 64 + int(gl_FragCoord.x)];
                SurfacePoint point = SurfacePoint(vec2(values.x, values.y), values.height, values.slope,
                    values.curvature, values.flow, values.material, values.mask);
                )" + statements + "}");
        gl.LinkProgram(program_.get());
        GLint well = 0;
        gl.GetProgramiv(program_.get(), GL_LINK_STATUS, &well);
        EXPECT_TRUE(well);
    }

    std::vector<std::array<float, 4>> run(const MaterialSet& set, const std::vector<SurfacePoint>& points,
                                          int part = 0) {
        gl::Buffer block = gl::make_buffer(gl_);
        PackedMaterialSet bytes = packed(set, heights);
        gl_.NamedBufferData(block.get(), sizeof bytes, &bytes, GL_STREAM_DRAW);
        gl_.BindBufferBase(GL_UNIFORM_BUFFER, 1, block.get());
        static_assert(sizeof(SurfacePoint) == 8 * sizeof(float));
        gl::Buffer values = gl::make_buffer(gl_);
        gl_.NamedBufferData(values.get(), GLsizeiptr(points.size() * sizeof(SurfacePoint)), points.data(),
                            GL_STREAM_DRAW);
        gl_.BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, values.get());
        gl_.BindFramebuffer(GL_FRAMEBUFFER, framebuffer_.get());
        gl_.Viewport(0, 0, points_wide, points_high);
        gl_.Disable(GL_DEPTH_TEST);
        gl_.Disable(GL_BLEND);
        gl_.UseProgram(program_.get());
        GLint place = gl_.GetUniformLocation(program_.get(), "part");
        if (place >= 0) gl_.ProgramUniform1i(program_.get(), place, part);
        gl_.BindVertexArray(nothing_.get());
        gl_.DrawArrays(GL_TRIANGLES, 0, 3);
        std::vector<std::array<float, 4>> results(points_in_all);
        gl_.ReadPixels(0, 0, points_wide, points_high, GL_RGBA, GL_FLOAT, results.data());
        gl_.BindVertexArray(0);
        gl_.UseProgram(0);
        return results;
    }

  private:
    void add(GLenum kind, const std::string& text) {
        std::string source = "#version 450 core\n" + text;
        const char* start = source.c_str();
        gl::ShaderObject shader(gl_, gl_.CreateShader(kind));
        gl_.ShaderSource(shader.get(), 1, &start, nullptr);
        gl_.CompileShader(shader.get());
        char log[2000] = "";
        gl_.GetShaderInfoLog(shader.get(), sizeof log, nullptr, log);
        EXPECT_STREQ(log, "");
        gl_.AttachShader(program_.get(), shader.get());
    }

    const gl::Functions& gl_;
    gl::ProgramObject program_;
    gl::VertexArray nothing_;
    gl::Renderbuffer target_;
    gl::Framebuffer framebuffer_;
};

class MaterialShader : public GlPictures {};

TEST_F(MaterialShader, WeightsAreThoseOfTheProcessor) {
    PointShader shader(functions(), R"(
        float weights[8];
        material_weights(point, weights);
        result = vec4(weights[4 * part], weights[4 * part + 1], weights[4 * part + 2], weights[4 * part + 3]);
    )");
    std::vector<SurfacePoint> points = random_points(points_in_all, 21, 60000);
    for (const std::string& name : material_set_names()) {
        MaterialSet set = material_set(name);
        double worst = 0;
        int mixed = 0;
        for (int part : {0, 1}) {
            std::vector<std::array<float, 4>> results = shader.run(set, points, part);
            for (size_t i = 0; i < points.size(); i++) {
                MaterialWeights expected = material_weights(set, heights, points[i]);
                for (size_t j = 0; j < 4; j++) {
                    double weight = expected[size_t(part) * 4 + j];
                    worst = std::max(worst, std::fabs(double(results[i][j]) - weight));
                    mixed += weight > 0.01 && weight < 0.99;
                }
            }
        }
        EXPECT_LT(worst, 1e-3) << name;
        EXPECT_GT(mixed, 500) << name;
    }
}

TEST_F(MaterialShader, NoiseIsThatOfTheProcessor) {
    PointShader shader(functions(), R"(
        result = vec4(material_noise(point.position, 0.02, 7u), material_noise(point.position, 1.0, 99u),
                      material_noise(point.position, 0.0003, 0u), material_macro_variation(point.position));
    )");
    std::vector<SurfacePoint> points = random_points(points_in_all, 21, 60000);
    MaterialSet set = material_set(default_material_set);
    set.macro = {0.5, 120};
    std::vector<std::array<float, 4>> results = shader.run(set, points);
    for (size_t i = 0; i < points.size(); i++) {
        auto noise = [&](float frequency, uint32_t seed) {
            return material_noise(points[i].x, points[i].y, frequency, seed);
        };
        ASSERT_NEAR(results[i][0], noise(0.02f, 7), 1e-4);
        ASSERT_NEAR(results[i][1], noise(1.0f, 99), 1e-4);
        ASSERT_NEAR(results[i][2], noise(0.0003f, 0), 1e-4);
        ASSERT_NEAR(results[i][3], 1 + 0.5 * double(noise(float(1 / 120.0), 0x6d616372u)), 1e-4);
    }
}

TEST_F(MaterialShader, ProjectionsAddUpToOne) {
    // A normal from two numbers of the point.
    PointShader shader(functions(), R"(
        vec3 normal = normalize(vec3(point.curvature, 2.0 * point.flow - 1.0, point.mask));
        vec3 shares = material_projections(normal);
        result = vec4(shares, 0.0);
    )");
    MaterialSet set = material_set(default_material_set);
    std::vector<SurfacePoint> points = random_points(points_in_all, 21, 60000);
    for (TextureProjection projection : {TextureProjection::vertical, TextureProjection::triplanar}) {
        set.projection = projection;
        std::vector<std::array<float, 4>> results = shader.run(set, points);
        for (size_t i = 0; i < points.size(); i++) {
            const SurfacePoint& point = points[i];
            ASSERT_NEAR(results[i][0] + results[i][1] + results[i][2], 1, 1e-5);
            double across = 2 * double(point.flow) - 1;
            double squares = double(point.curvature) * double(point.curvature) + across * across +
                             double(point.mask) * double(point.mask);
            double above = projection == TextureProjection::vertical
                               ? 1
                               : double(point.mask) * double(point.mask) / squares;
            ASSERT_NEAR(results[i][2], above, 1e-4);
        }
    }
}

// ---- whole pictures ----------------------------------------------------------------------------------------------

class StripedColours : public ColourSource {
  public:
    Rect rect() const override { return Rect::of({200, 150}); }
    void read(const Rect& region, int stride, Bytes* to) const override {
        for (int y = region.top; y < region.bottom; y += stride)
            for (int x = region.left; x < region.right; x += stride)
                *to++ = x / 16 % 2 ? Bytes{220, 40, 40} : Bytes{40, 40, 220};
    }
};

class GroundPaints : public GlPictures {
  protected:
    static constexpr double cell = 2;
    static constexpr Size picture = {160, 120};
    Rect rect = Rect::of({200, 150});
    Field land = made_field(rect, [](int x, int y) {
        return float(600 + 25 * std::sin(x * 0.07) * std::cos(y * 0.05) + 5 * std::sin(x * 0.4));
    });
    gl::TerrainRenderer renderer{functions()};
    gl::Canvas canvas{functions(), picture, 1};

    static Camera camera() {
        Camera above;
        above.position = {200, 150, 750};
        above.pitch = -88;
        return above;
    }

    Scene scene(bool water, bool colours, bool material) const {
        Scene made = scene_of_heights(land, cell, heights);
        if (water)
            made.fields.depth = source_of(made_field(rect, [](int x, int) { return x < 100 ? 3.0f : 0.0f; }));
        if (colours) made.fields.colours = std::make_shared<StripedColours>();
        if (material)
            made.fields.material = source_of(made_field(rect, [](int x, int) { return float(x / 50); }));
        made.fields.flow = source_of(made_field(rect, [](int, int y) { return float(y) / 150; }));
        made.fields.mask =
            source_of(made_field(rect, [](int x, int y) { return float((x + y) % 100) / 100; }));
        return made;
    }

    std::vector<uint8_t> drawn(const SceneLook& look) {
        gl::FrameReport report = renderer.draw(canvas.framebuffer(), picture, camera(), look);
        EXPECT_GT(report.triangles, 0);
        return canvas.colours();
    }

    static std::array<double, 3> mean(const std::vector<uint8_t>& colours, int from, int to) {
        std::array<double, 3> sum{};
        for (int y = 0; y < picture.height; y++)
            for (int x = from; x < to; x++) {
                Bytes pixel = pixel_of(colours, picture, x, y);
                sum[0] += pixel.red;
                sum[1] += pixel.green;
                sum[2] += pixel.blue;
            }
        for (double& value : sum) value /= picture.height * (to - from);
        return sum;
    }

    static bool any_magenta(const std::vector<uint8_t>& colours) {
        for (size_t i = 0; i < colours.size(); i += 3)
            if (colours[i] == 255 && colours[i + 1] == 0 && colours[i + 2] == 255) return true;
        return false;
    }
};

TEST_F(GroundPaints, EveryCombinationIsDrawnWithoutComplaint) {
    std::vector<std::vector<uint8_t>> pictures;
    for (bool water : {false, true}) {
        renderer.set_scene(scene(water, true, true));
        for (GroundPaint paint : {GroundPaint::plain, GroundPaint::colours, GroundPaint::materials}) {
            SceneLook look = bare();
            look.paint = paint;
            look.materials = material_set(default_material_set);
            pictures.push_back(drawn(look));
            EXPECT_FALSE(any_magenta(pictures.back()));
            // Everything that can be laid over it.
            look.contours = 5;
            look.grid = 50;
            look.slope_limits = Interval{5, 20};
            look.ring = BrushRing{200, 150, 40, 20};
            look.visibility = 500;
            look.sky = true;
            EXPECT_NE(drawn(look), pictures.back());
            look.wire_frame = true;
            drawn(look);
            for (const std::string& complaint : context().complaints())
                ADD_FAILURE() << complaint << " (paint " << int(paint) << ", water " << water << ")";
        }
    }
    for (size_t i = 0; i < pictures.size(); i++)
        for (size_t j = 0; j < i; j++) EXPECT_NE(pictures[i], pictures[j]) << i << " and " << j;
    // Water lies over the western half: it takes red, and leaves the eastern half as it was.
    for (size_t paint = 0; paint < 3; paint++) {
        std::array<double, 3> dry = mean(pictures[paint], 10, 60);
        std::array<double, 3> wet = mean(pictures[paint + 3], 10, 60);
        EXPECT_LT(wet[0] / wet[2], 0.8 * dry[0] / dry[2]) << paint;
        std::array<double, 3> east = mean(pictures[paint], 100, 150);
        std::array<double, 3> east_of_water = mean(pictures[paint + 3], 100, 150);
        for (size_t part = 0; part < 3; part++) EXPECT_NEAR(east[part], east_of_water[part], 0.5) << paint;
    }
}

TEST_F(GroundPaints, ColoursLieOnTheirCells) {
    renderer.set_scene(scene(false, true, false));
    SceneLook look = exact();
    look.paint = GroundPaint::colours;
    std::vector<uint8_t> colours = drawn(look);
    PictureByRays rays(land, cell, camera(), picture);
    int looked_at = 0;
    int wrong = 0;
    for (int y = 0; y < picture.height; y++)
        for (int x = 0; x < picture.width; x++) {
            std::optional<Seen> seen = rays.at(x, y);
            ASSERT_TRUE(seen);
            double column = seen->hit.position.x / cell - 0.5;
            double into = std::fmod(column, 16);
            if (into < 1 || into > 14) continue;  // where two stripes are mixed
            Bytes pixel = pixel_of(colours, picture, x, y);
            bool red = int(column) / 16 % 2;
            looked_at++;
            wrong += red ? pixel.red <= pixel.blue : pixel.blue <= pixel.red;
        }
    EXPECT_GT(looked_at, 10000);
    EXPECT_EQ(wrong, 0);
}

TEST_F(GroundPaints, MaterialsThatAreAskedForByRockFollowTheField) {
    MaterialSet set;
    MaterialLayer ground;
    ground.name = "ground";
    ground.tint = {0.2, 0.2, 1};
    MaterialLayer rock;
    rock.name = "rock";
    rock.texture = ground.texture;
    rock.tint = {1, 0.2, 0.2};
    rock.material = MaterialBand{1, 1, 0};
    set.layers = {ground, rock};
    set.macro.amount = 0;
    set.check();
    SceneLook look = exact();
    look.paint = GroundPaint::materials;
    look.materials = set;
    renderer.set_scene(scene(false, false, true));
    std::vector<uint8_t> colours = drawn(look);
    PictureByRays rays(land, cell, camera(), picture);
    int looked_at = 0;
    int wrong = 0;
    for (int y = 0; y < picture.height; y++)
        for (int x = 0; x < picture.width; x++) {
            std::optional<Seen> seen = rays.at(x, y);
            ASSERT_TRUE(seen);
            double column = seen->hit.position.x / cell;
            if (std::fabs(column - 50 * std::round(column / 50)) < 1) continue;
            Bytes pixel = pixel_of(colours, picture, x, y);
            looked_at++;
            wrong += (int(column) / 50 == 1) != (pixel.red > pixel.blue);
        }
    EXPECT_GT(looked_at, 10000);
    EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace caprock::test
