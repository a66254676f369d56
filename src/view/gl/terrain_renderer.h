// Draws a terrain in three dimensions, into whatever framebuffer it is given.
#pragma once

#include "base/interval.h"
#include "view/detail_selection.h"
#include "view/gl/ground_lines.h"
#include "view/gl/page_cache.h"
#include "view/gl/walls.h"
#include "view/scene_look.h"

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace caprock::gl {

struct FrameReport {
    int tiles = 0;
    int64_t triangles = 0;
    int pages = 0;
    int64_t uploaded_texels = 0;
    bool new_programs = false;  // whether it needed any that no frame before it did
};

class TerrainRenderer {
  public:
    static constexpr int64_t usual_texture_bytes = int64_t(512) << 20;

    // Metres to the near plane, on cells of so many metres.
    static double nearest(double cell) { return 0.05 * cell; }

    // Of the context that is current, as in every call.
    TerrainRenderer(const Functions& gl, int64_t texture_bytes = usual_texture_bytes);
    ~TerrainRenderer();

    void set_scene(const Scene& scene);
    // Other colours, masks and so on over the same heights.
    void set_fields(const SurfaceFields& fields);
    // Shadows and open sky; without one everything is in full light. Of a map that was set before, only these texels are
    // sent, as LightMap::update gives them.
    // A map of every n-th cell is `coarser` by n.
    void set_light_map(const LightMap& map, int coarser = 1);
    void update_light_map(const LightMap& map, const Rect& texels);
    void clear_light_map();
    // The same terrain, different only in these cells. They are on the screen with the next frame.
    void update(const Scene& scene, const Rect& changed);

    // Lines on the ground, in the order in which they are drawn.
    void set_lines(std::vector<DrawnLines> lines);

    const DetailPyramid& pyramid() const { return *pyramid_; }
    // All that is drawn, in the world.
    Box bounds(const SceneLook& look) const;

    // Throws GlError when the driver has failed or the context was lost: what has been drawn since may be nothing.
    void check() const;

    FrameReport draw(GLuint framebuffer, Size viewport, const Camera& camera, const SceneLook& look);
    // Only these pixels of it, counted from the upper left, into a framebuffer of their size: a picture that is too large
    // for one framebuffer, or takes too long to be drawn at once.
    FrameReport draw(GLuint framebuffer, Size viewport, const Camera& camera, const SceneLook& look,
                     const Rect& part);

  private:
    // The triangles of a tile, of so many quads each way.
    struct Mesh {
        VertexArray vertices;
        Buffer places;
        Buffer indices;
        int count = 0;
    };

    Mesh make_mesh(int quads) const;
    Program& program(const std::string& vertex, const std::string& fragment,
                     const std::vector<std::string>& definitions = {});
    std::vector<int> find_pages(std::vector<DetailTile>& tiles);
    void bind_materials(const MaterialSet& set);
    void draw_lines(Size viewport);
    void fill_frame(const Camera& camera, Size viewport, const SceneLook& look);

    const Functions& gl_;
    int64_t texture_bytes_;
    std::unique_ptr<DetailPyramid> pyramid_;
    std::unique_ptr<PageCache> pages_;
    DetailSelection selection_;
    Grid grid_;
    std::array<Mesh, 4> meshes_;  // 32, 16, 8, 4 quads
    Walls walls_;
    bool walls_are_built_ = false;
    std::vector<DrawnLines> lines_;
    GroundLines ground_lines_;
    bool lines_are_built_ = true;
    VertexArray nothing_;
    Buffer frame_;
    Buffer tiles_;
    Buffer materials_;
    Texture light_map_;
    Size light_size_ = {1, 1};
    double light_cells_ = 1;  // of the terrain, a side of a texel
    Texture material_colours_;
    Texture material_surfaces_;
    SurfaceFields fields_;
    std::map<std::string, Program> programs_;
};

}  // namespace caprock::gl
