#include "view/gl/terrain_renderer.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>

namespace caprock::gl {

namespace {

constexpr int node_quads = DetailPyramid::node_quads;

// shaders/frame.glsl
struct FrameBlock {
    float projection[16];
    float eye[4];
    float eye_in_cell[4];
    int32_t eye_cell[4];
    float detail[4];
    float sun[4];
    float sun_colour[4];
    float sky_colour[4];
    float fog[4];
    float plain_colour[4];
    float lines[4];
    float ring[4];
    float light_area[4];
    float water_look[4];
};
static_assert(sizeof(FrameBlock) == 64 + 13 * 16);

// shaders/tiles.glsl
struct LadderBlock {
    float first;
    float errors[DetailLadder::steps];
    float unused;
};
struct TileBlock {
    int32_t place[4];
    int32_t page[4];
    LadderBlock inside;
    LadderBlock edges[8];
};
static_assert(sizeof(TileBlock) == 320);

LadderBlock packed(const DetailLadder& ladder) {
    LadderBlock block{ladder.first, {}, 0};
    std::ranges::copy(ladder.errors, block.errors);
    return block;
}

void set(float (&to)[4], const Light& light, double last) {
    to[0] = light.red;
    to[1] = light.green;
    to[2] = light.blue;
    to[3] = float(last);
}

PageKey page_of(const DetailTile& tile, int level) {
    // A page is 8 tiles of its own level wide.
    constexpr int tiles_of_page = std::countr_zero(unsigned(PageCache::quads / node_quads));
    int times = tiles_of_page + level - tile.level;
    return {level, tile.x >> times, tile.y >> times};
}

}  // namespace

TerrainRenderer::TerrainRenderer(const Functions& gl, int64_t texture_bytes)
    : gl_(gl),
      texture_bytes_(texture_bytes),
      walls_(gl),
      ground_lines_(gl),
      nothing_(make_vertex_array(gl)),
      frame_(make_buffer(gl)),
      tiles_(make_buffer(gl)),
      materials_(make_buffer(gl)) {
    for (size_t i = 0; i < meshes_.size(); i++) meshes_[i] = make_mesh(node_quads >> i);
    clear_light_map();
}

TerrainRenderer::~TerrainRenderer() = default;

TerrainRenderer::Mesh TerrainRenderer::make_mesh(int quads) const {
    std::vector<uint8_t> places;
    for (int y = 0; y <= quads; y++)
        for (int x = 0; x <= quads; x++) {
            places.push_back(uint8_t(x));
            places.push_back(uint8_t(y));
        }
    // Triangles run counter-clockwise as seen from above, where y points down.
    std::vector<uint16_t> indices;
    for (int y = 0; y < quads; y++)
        for (int x = 0; x < quads; x++) {
            auto corner = [&](int dx, int dy) { return uint16_t((y + dy) * (quads + 1) + x + dx); };
            for (uint16_t index :
                 {corner(0, 0), corner(0, 1), corner(1, 1), corner(0, 0), corner(1, 1), corner(1, 0)})
                indices.push_back(index);
        }
    Mesh mesh;
    mesh.vertices = make_vertex_array(gl_);
    mesh.places = make_buffer(gl_);
    mesh.indices = make_buffer(gl_);
    mesh.count = int(indices.size());
    gl_.NamedBufferData(mesh.places.get(), GLsizeiptr(places.size()), places.data(), GL_STATIC_DRAW);
    gl_.NamedBufferData(mesh.indices.get(), GLsizeiptr(indices.size() * 2), indices.data(), GL_STATIC_DRAW);
    GLuint array = mesh.vertices.get();
    gl_.VertexArrayVertexBuffer(array, 0, mesh.places.get(), 0, 2);
    gl_.VertexArrayElementBuffer(array, mesh.indices.get());
    gl_.EnableVertexArrayAttrib(array, 0);
    gl_.VertexArrayAttribIFormat(array, 0, 2, GL_UNSIGNED_BYTE, 0);
    gl_.VertexArrayAttribBinding(array, 0, 0);
    return mesh;
}

void TerrainRenderer::set_scene(const Scene& scene) {
    pages_.reset();
    pyramid_ = std::make_unique<DetailPyramid>(scene.heights);
    pages_ = std::make_unique<PageCache>(gl_, *pyramid_, scene.grid.cell, scene.fields, texture_bytes_);
    selection_ = {};
    walls_are_built_ = false;
    lines_are_built_ = lines_.empty();
    fields_ = scene.fields;
    grid_ = scene.grid;
    clear_light_map();
}

void TerrainRenderer::set_fields(const SurfaceFields& fields) {
    fields_ = fields;
    pages_->set_fields(fields);
}

void TerrainRenderer::clear_light_map() {
    light_map_ = {};
    light_size_ = {1, 1};
}

void TerrainRenderer::set_light_map(const LightMap& map, int coarser) {
    Size size = map.size();
    if (!light_map_ || size != light_size_) {
        light_map_ = make_texture(gl_, GL_TEXTURE_2D);
        gl_.TextureStorage2D(light_map_.get(), 1, GL_RG8, size.width, size.height);
        for (GLenum wrap : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T})
            gl_.TextureParameteri(light_map_.get(), wrap, GL_CLAMP_TO_EDGE);
        for (GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
            gl_.TextureParameteri(light_map_.get(), filter, GL_LINEAR);
    }
    light_size_ = size;
    light_cells_ = double(map.cells_per_texel()) * coarser;
    update_light_map(map, Rect::of(size));
}

void TerrainRenderer::update_light_map(const LightMap& map, const Rect& texels) {
    Rect part = texels.intersected(Rect::of(map.size()));
    if (part.empty()) return;
    const uint8_t* first =
        map.texels().data() + (size_t(part.top) * size_t(map.size().width) + size_t(part.left)) * 2;
    gl_.PixelStorei(GL_UNPACK_ALIGNMENT, 1);
    gl_.PixelStorei(GL_UNPACK_ROW_LENGTH, map.size().width);
    gl_.TextureSubImage2D(light_map_.get(), 0, part.left, part.top, part.width(), part.height(), GL_RG,
                          GL_UNSIGNED_BYTE, first);
    gl_.PixelStorei(GL_UNPACK_ROW_LENGTH, 0);
}

void TerrainRenderer::bind_materials(const MaterialSet& set) {
    if (!material_colours_) {
        constexpr int side = 512;
        constexpr int mipmaps = 10;
        // They take a second of one core to make, and every picture has a renderer of its own.
        static const std::vector<MaterialTexture> textures = material_textures(side);
        auto make = [&](GLenum format, const std::vector<uint8_t> MaterialTexture::*bytes) {
            Texture texture = make_texture(gl_, GL_TEXTURE_2D_ARRAY);
            gl_.TextureStorage3D(texture.get(), mipmaps, format, side, side, GLsizei(textures.size()));
            gl_.PixelStorei(GL_UNPACK_ALIGNMENT, 1);
            for (size_t i = 0; i < textures.size(); i++)
                gl_.TextureSubImage3D(texture.get(), 0, 0, 0, GLint(i), side, side, 1, GL_RGBA,
                                      GL_UNSIGNED_BYTE, (textures[i].*bytes).data());
            gl_.GenerateTextureMipmap(texture.get());
            gl_.TextureParameteri(texture.get(), GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
            gl_.TextureParameteri(texture.get(), GL_TEXTURE_MAG_FILTER, GL_LINEAR);
            gl_.TextureParameteri(texture.get(), GL_TEXTURE_WRAP_S, GL_REPEAT);
            gl_.TextureParameteri(texture.get(), GL_TEXTURE_WRAP_T, GL_REPEAT);
            return texture;
        };
        material_colours_ = make(GL_SRGB8_ALPHA8, &MaterialTexture::albedo);
        material_surfaces_ = make(GL_RGBA8, &MaterialTexture::surface);
    }
    gl_.BindTextureUnit(8, material_colours_.get());
    gl_.BindTextureUnit(9, material_surfaces_.get());
    PackedMaterialSet block = packed(set, grid_.range);
    gl_.NamedBufferData(materials_.get(), sizeof block, &block, GL_STREAM_DRAW);
    gl_.BindBufferBase(GL_UNIFORM_BUFFER, 1, materials_.get());
}

void TerrainRenderer::update(const Scene& scene, const Rect& changed) {
    fields_ = scene.fields;
    pyramid_->update(scene.heights, changed);
    pages_->update(scene.fields, changed);
    walls_are_built_ = false;
    if (lines_are_built_ && !lines_.empty()) ground_lines_.update(*pyramid_, changed);
}

void TerrainRenderer::check() const {
    if (gl_.GetGraphicsResetStatus() != GL_NO_ERROR) throw GlError("the graphics driver was reset");
    GLenum error = gl_.GetError();
    if (error == GL_OUT_OF_MEMORY) throw GlError("the graphics card is out of memory");
    if (error != GL_NO_ERROR) throw GlError(fmt::format("OpenGL failed (error {:#x})", error));
}

Box TerrainRenderer::bounds(const SceneLook& look) const {
    const DetailPyramid::Node& top = pyramid_->node(pyramid_->levels() - 1, 0, 0);
    WorldArea span = grid_.span_of(pyramid_->rect());
    double low = top.any ? double(top.low) : 0;
    double high = top.any ? double(top.high) : 0;
    if (look.walls) low = Walls::base_of(*pyramid_, grid_.cell);
    double times = look.detail.exaggeration;
    return {{span.left, span.top, low * times}, {span.right, span.bottom, high * times}};
}

Program& TerrainRenderer::program(const std::string& vertex, const std::string& fragment,
                                  const std::vector<std::string>& definitions) {
    std::string name = vertex + " " + fragment;
    for (const std::string& definition : definitions) name += " " + definition;
    auto found = programs_.find(name);
    if (found == programs_.end())
        found = programs_.emplace(name, Program(gl_, vertex, fragment, definitions)).first;
    return found->second;
}

// The layer of each tile's page. Where there is no room for all of them, coarser ones are taken, as far as they hold
// the tile's samples.
std::vector<int> TerrainRenderer::find_pages(std::vector<DetailTile>& tiles) {
    for (int coarser = 0;; coarser++) {
        std::vector<PageKey> wanted;
        wanted.reserve(tiles.size());
        bool any_left = false;
        for (DetailTile& tile : tiles) {
            if (coarser > 0) tile.page_level = std::min(tile.page_level + 1, tile.level);
            any_left |= tile.page_level < tile.level;
            wanted.push_back(page_of(tile, tile.page_level));
        }
        std::vector<PageKey> different = wanted;
        std::ranges::sort(different);
        auto again = std::ranges::unique(different);
        int64_t count = again.begin() - different.begin();
        if (count <= pages_->capacity() || !any_left) return pages_->layers_of(wanted);
    }
}

void TerrainRenderer::fill_frame(const Camera& camera, Size viewport, const SceneLook& look) {
    FrameBlock block{};
    Matrix4 matrix = projection(camera, viewport, nearest(grid_.cell));
    std::ranges::transform(matrix.values, block.projection, [](double value) { return float(value); });
    Rect rect = pyramid_->rect();
    const Vector3& eye = camera.position;
    auto nearest_cell = [&](double metres, int first, int end) {
        return int(std::clamp(grid_.nearest_cell(metres), double(first), end - 1.0)) - first;
    };
    int cell_x = nearest_cell(eye.x, rect.left, rect.right);
    int cell_y = nearest_cell(eye.y, rect.top, rect.bottom);
    auto set4 = [](auto& to, auto... values) {
        size_t i = 0;
        ((to[i++] = std::remove_reference_t<decltype(to[0])>(values)), ...);
    };
    set4(block.eye, eye.x, eye.y, eye.z, 0);
    WorldPoint sample = grid_.place_of(rect.left + cell_x, rect.top + cell_y);
    set4(block.eye_in_cell, eye.x - sample.x, eye.y - sample.y, grid_.cell, look.detail.exaggeration);
    set4(block.eye_cell, cell_x, cell_y, rect.width() - 1, rect.height() - 1);
    set4(block.detail, selection_.allowed(), selection_.bias_distance(), look.detail.distance_bias,
         selection_.allowed() / look.detail.error);
    Vector3 sun = direction_to(look.sun);
    set4(block.sun, sun.x, sun.y, sun.z, look.lighting_exaggeration);
    set(block.sun_colour, look.sun_colour, 0);
    set(block.sky_colour, look.sky_colour, 0);
    set(block.fog, look.haze_colour,
        look.visibility > 0 ? std::log(2.0) / (look.visibility * look.visibility) : 0.0);
    set(block.plain_colour, look.plain_colour, 0);
    Interval limits = look.slope_limits.value_or(Interval{0, 0});
    set4(block.lines, look.contours, look.grid, limits.low, limits.high);
    if (look.ring)
        set4(block.ring, look.ring->x - sample.x, look.ring->y - sample.y, look.ring->radius,
             look.ring->full);
    set4(block.light_area, fields_.mask ? 1 : 0, 3, 1 / (light_cells_ * light_size_.width),
         1 / (light_cells_ * light_size_.height));
    const DetailPyramid::Node& all = pyramid_->node(pyramid_->levels() - 1, 0, 0);
    double span = all.any ? std::max(double(all.high) - double(all.low), grid_.cell) : 1;
    set4(block.water_look, look.clear_water, span / 9, 0, 0);
    gl_.NamedBufferData(frame_.get(), sizeof block, &block, GL_STREAM_DRAW);
    gl_.BindBufferBase(GL_UNIFORM_BUFFER, 0, frame_.get());
}

void TerrainRenderer::set_lines(std::vector<DrawnLines> lines) {
    if (lines == lines_) return;
    lines_ = std::move(lines);
    lines_are_built_ = false;
}

void TerrainRenderer::draw_lines(Size viewport) {
    if (!lines_are_built_) ground_lines_.build(*pyramid_, grid_, lines_);
    lines_are_built_ = true;
    if (ground_lines_.empty()) return;
    Program& line = program("line.vert", "line.frag");
    line.use();
    line.set("viewport_width", float(viewport.width));
    line.set("viewport_height", float(viewport.height));
    gl_.BindVertexArray(nothing_.get());
    // Where two sets go the same way, the later one is seen whole.
    float nearer = 1.003f;
    ground_lines_.draw([&](const DrawnLines& look, int first_piece) {
        line.set("nearer", nearer);
        nearer += 0.0003f;
        line.set("first_piece", first_piece);
        line.set("half_width", float(look.width / 2));
        line.set("ink_red", float(look.colour.red) / 255);
        line.set("ink_green", float(look.colour.green) / 255);
        line.set("ink_blue", float(look.colour.blue) / 255);
    });
}

FrameReport TerrainRenderer::draw(GLuint framebuffer, Size viewport, const Camera& camera,
                                  const SceneLook& look) {
    return draw(framebuffer, viewport, camera, look, Rect::of(viewport));
}

FrameReport TerrainRenderer::draw(GLuint framebuffer, Size viewport, const Camera& camera,
                                  const SceneLook& look, const Rect& part) {
    FrameReport report;
    size_t programs = programs_.size();
    int64_t uploaded = pages_->uploaded_texels();
    DetailSettings detail = look.detail;
    std::vector<DetailTile> tiles = selection_.select(*pyramid_, grid_, camera, viewport, detail);
    std::vector<int> layers = find_pages(tiles);
    // With too little room for the pages, ground that is less exact is better than none.
    for (int tries = 0; tries < 16 && std::ranges::find(layers, -1) != layers.end(); tries++) {
        detail.error *= 1.5;
        detail.texel *= 1.5;
        tiles = selection_.select(*pyramid_, grid_, camera, viewport, detail);
        layers = find_pages(tiles);
    }

    // Tiles with the same mesh are drawn together, nearest first.
    // Four meshes, without holes and with.
    std::array<std::vector<TileBlock>, 8> groups;
    for (size_t i = 0; i < tiles.size(); i++) {
        const DetailTile& tile = tiles[i];
        if (layers[i] < 0) continue;
        PageKey page = page_of(tile, tile.page_level);
        int quads_power = std::countr_zero(unsigned(tile.quads));
        int step = tile.level + std::countr_zero(unsigned(node_quads)) - quads_power;
        TileBlock block{
            {tile.x * (node_quads << tile.level), tile.y * (node_quads << tile.level), step, quads_power},
            {page.x * (PageCache::quads << page.level), page.y * (PageCache::quads << page.level), page.level,
             layers[i]},
            packed(tile.inside),
            {}};
        std::ranges::transform(tile.edges, block.edges, packed);
        size_t mesh = size_t(std::countr_zero(unsigned(node_quads)) - quads_power);
        groups[mesh + (tile.holes ? meshes_.size() : 0)].push_back(block);
        report.tiles++;
        report.triangles += 2 * int64_t(tile.quads) * tile.quads;
    }
    std::vector<TileBlock> all;
    for (const auto& group : groups) all.insert(all.end(), group.begin(), group.end());

    gl_.BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    // OpenGL counts rows from the lowest.
    gl_.Viewport(-part.left, part.bottom - viewport.height, viewport.width, viewport.height);
    gl_.ClipControl(GL_LOWER_LEFT, GL_ZERO_TO_ONE);
    gl_.Enable(GL_DEPTH_TEST);
    gl_.DepthFunc(GL_GREATER);
    gl_.DepthMask(GL_TRUE);
    gl_.Disable(GL_CULL_FACE);
    gl_.Disable(GL_BLEND);
    const float background[] = {look.background.red, look.background.green, look.background.blue, 1};
    const float farthest = 0;
    gl_.ClearNamedFramebufferfv(framebuffer, GL_COLOR, 0, background);
    gl_.ClearNamedFramebufferfv(framebuffer, GL_DEPTH, 0, &farthest);
    fill_frame(camera, viewport, look);
    if (!all.empty()) {
        pages_->bind();
        if (light_map_) gl_.BindTextureUnit(3, light_map_.get());
        if (look.paint == GroundPaint::materials) bind_materials(look.materials);
        gl_.NamedBufferData(tiles_.get(), GLsizeiptr(all.size() * sizeof(TileBlock)), all.data(),
                            GL_STREAM_DRAW);
        gl_.BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, tiles_.get());
        std::vector<std::string> definitions;
        if (look.paint == GroundPaint::materials) definitions.emplace_back("MATERIALS");
        if (look.paint == GroundPaint::colours && fields_.colours) definitions.emplace_back("COLOURS");
        if (fields_.depth) definitions.emplace_back("WATER");
        if (fields_.material) definitions.emplace_back("ROCKS");
        if (light_map_) definitions.emplace_back("LIGHT_MAP");
        if (look.visibility > 0) definitions.emplace_back("HAZE");
        if (look.contours > 0 || look.grid > 0 || look.slope_limits || look.ring)
            definitions.emplace_back("LINES");
        gl_.Enable(GL_CLIP_DISTANCE0);
        gl_.Enable(GL_CLIP_DISTANCE1);
        if (look.wire_frame) gl_.PolygonMode(GL_FRONT_AND_BACK, GL_LINE);
        int first = 0;
        for (size_t i = 0; i < groups.size(); i++) {
            if (i == meshes_.size()) definitions.emplace_back("HOLES");
            if (groups[i].empty()) continue;
            Program& ground = program("terrain.vert", "terrain.frag", definitions);
            ground.use();
            ground.set("first_tile", first);
            const Mesh& mesh = meshes_[i % meshes_.size()];
            gl_.BindVertexArray(mesh.vertices.get());
            gl_.DrawElementsInstancedBaseInstance(GL_TRIANGLES, mesh.count, GL_UNSIGNED_SHORT, nullptr,
                                                  GLsizei(groups[i].size()), 0);
            first += int(groups[i].size());
        }
        if (look.wire_frame) gl_.PolygonMode(GL_FRONT_AND_BACK, GL_FILL);
        gl_.Disable(GL_CLIP_DISTANCE0);
        gl_.Disable(GL_CLIP_DISTANCE1);
    }
    if (look.walls) {
        if (!walls_are_built_) walls_.build(*pyramid_, Walls::base_of(*pyramid_, grid_.cell));
        walls_are_built_ = true;
        program("wall.vert", "wall.frag").use();
        walls_.draw();
    }
    if (!lines_.empty()) draw_lines(viewport);
    if (look.sky) {
        program("everywhere.vert", "sky.frag").use();
        gl_.BindVertexArray(nothing_.get());
        // Only where nothing has been drawn: at the farthest depth.
        gl_.DepthFunc(GL_GEQUAL);
        gl_.DrawArrays(GL_TRIANGLES, 0, 3);
    }
    gl_.BindVertexArray(0);
    gl_.UseProgram(0);
    gl_.DepthFunc(GL_LESS);
    gl_.ClipControl(GL_LOWER_LEFT, GL_NEGATIVE_ONE_TO_ONE);
    report.new_programs = programs_.size() > programs;
    report.pages = pages_->resident();
    report.uploaded_texels = pages_->uploaded_texels() - uploaded;
    return report;
}

}  // namespace caprock::gl
