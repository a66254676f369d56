#include "view/gl/page_cache.h"

#include "terrain/grid.h"

#include <algorithm>
#include <cmath>
#include <tbb/parallel_for.h>

namespace caprock::gl {

namespace {

// Curvature is that of ground seen through squares of so many cells: of single cells it would be noise.
constexpr int curvature_level = 2;

}  // namespace

struct PageCache::Content {
    std::vector<float> heights;
    std::vector<float> slopes;
    std::vector<uint8_t> marks;
    std::vector<Bytes> colours;
    std::vector<float> depths;
    std::vector<uint8_t> materials;
};

PageCache::PageCache(const Functions& gl, const DetailPyramid& pyramid, double cell, SurfaceFields fields,
                     int64_t bytes)
    : gl_(gl), pyramid_(pyramid), cell_(cell), fields_(std::move(fields)) {
    // Heights, slopes and marks, colours, depths and materials.
    constexpr int64_t bytes_of_page = int64_t(side) * side * (4 + 4 + 4 + 4 + 4 + 1);
    GLint most = 0;
    gl.GetIntegerv(GL_MAX_ARRAY_TEXTURE_LAYERS, &most);
    // More pages than the terrain has at all levels are of no use either.
    int64_t all = 0;
    for (int level = 0; level < pyramid.levels(); level++) {
        Size size = pyramid.size(level);
        all += int64_t((size.width + 7) / 8) * ((size.height + 7) / 8);
    }
    capacity_ = int(std::clamp<int64_t>(std::min({bytes / bytes_of_page, all, int64_t(most)}), 1, most));
    heights_ = array_texture(GL_R32F, GL_NEAREST);
    slopes_ = array_texture(GL_RG16F, GL_LINEAR);
    marks_ = array_texture(GL_RGBA8, GL_LINEAR);
    make_optional_textures();
    for (int layer = capacity_; layer-- > 0;) free_.push_back(layer);
}

Texture PageCache::array_texture(GLenum format, GLint filter) const {
    Texture texture = make_texture(gl_, GL_TEXTURE_2D_ARRAY);
    gl_.TextureStorage3D(texture.get(), 1, format, side, side, capacity_);
    gl_.TextureParameteri(texture.get(), GL_TEXTURE_MIN_FILTER, filter);
    gl_.TextureParameteri(texture.get(), GL_TEXTURE_MAG_FILTER, filter);
    gl_.TextureParameteri(texture.get(), GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    gl_.TextureParameteri(texture.get(), GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    return texture;
}

void PageCache::make_optional_textures() {
    if (fields_.colours && !colours_) colours_ = array_texture(GL_SRGB8, GL_LINEAR);
    if (fields_.depth && !depths_) depths_ = array_texture(GL_R32F, GL_LINEAR);
    if (fields_.material && !materials_) materials_ = array_texture(GL_R8, GL_NEAREST);
}

void PageCache::set_fields(SurfaceFields fields) {
    fields_ = std::move(fields);
    make_optional_textures();
    pages_.clear();
    free_.clear();
    for (int layer = capacity_; layer-- > 0;) free_.push_back(layer);
}

std::vector<int> PageCache::layers_of(const std::vector<PageKey>& wanted) {
    now_++;
    std::vector<PageKey> absent;
    for (const PageKey& key : wanted) {
        auto found = pages_.find(key);
        if (found == pages_.end()) {
            if (std::ranges::find(absent, key) == absent.end()) absent.push_back(key);
        } else {
            found->second.used = now_;
        }
    }
    // Those not used for the longest time go first.
    std::vector<std::pair<int64_t, PageKey>> idle;
    for (const auto& [key, page] : pages_)
        if (page.used < now_) idle.emplace_back(page.used, key);
    std::ranges::sort(idle);
    size_t next_idle = 0;
    std::vector<std::pair<PageKey, int>> placed;
    for (const PageKey& key : absent) {
        if (free_.empty()) {
            if (next_idle == idle.size()) break;
            auto found = pages_.find(idle[next_idle++].second);
            free_.push_back(found->second.layer);
            pages_.erase(found);
        }
        placed.emplace_back(key, free_.back());
        pages_[key] = {free_.back(), now_};
        free_.pop_back();
    }
    constexpr size_t at_once = 32;  // what is made is held until it is sent
    for (size_t first = 0; first < placed.size(); first += at_once) {
        size_t count = std::min(at_once, placed.size() - first);
        std::vector<Content> made(count);
        tbb::parallel_for(size_t(0), count, [&](size_t i) {
            made[i] = content(placed[first + i].first, Rect::of({side, side}));
        });
        for (size_t i = 0; i < count; i++) upload(placed[first + i].second, Rect::of({side, side}), made[i]);
    }
    std::vector<int> layers;
    layers.reserve(wanted.size());
    for (const PageKey& key : wanted) {
        auto found = pages_.find(key);
        layers.push_back(found == pages_.end() ? -1 : found->second.layer);
    }
    return layers;
}

void PageCache::update(SurfaceFields fields, const Rect& changed) {
    bool same_fields = !fields.flow == !fields_.flow && !fields.mask == !fields_.mask &&
                       !fields.material == !fields_.material && !fields.depth == !fields_.depth &&
                       !fields.colours == !fields_.colours;
    // What has come or gone has done so everywhere.
    if (!same_fields) return set_fields(std::move(fields));
    fields_ = std::move(fields);
    Rect rect = pyramid_.rect();
    for (const auto& [key, page] : pages_) {
        // Slopes look one sample around, curvature two blocks; coarse texels are means of whole blocks.
        int around = 2 << std::max(key.level, curvature_level);
        int span = quads << key.level;
        auto texel = [&](int cell, int first) { return ((cell - first) >> key.level) + frame; };
        Rect wider = changed.expanded(around);
        Rect texels =
            Rect{texel(wider.left - rect.left, key.x * span), texel(wider.top - rect.top, key.y * span),
                 texel(wider.right - rect.left, key.x * span) + 2,
                 texel(wider.bottom - rect.top, key.y * span) + 2}
                .intersected(Rect::of({side, side}));
        if (!texels.empty()) upload(page.layer, texels, content(key, texels));
    }
}

PageCache::Content PageCache::content(const PageKey& page, const Rect& texels) const {
    Content made;
    int level = page.level;
    int stride = 1 << level;
    int width = texels.width();
    int height = texels.height();
    size_t count = size_t(width) * size_t(height);
    // Of the first texel, counted in samples of this level.
    int first_x = page.x * quads - frame + texels.left;
    int first_y = page.y * quads - frame + texels.top;

    made.heights.resize(count);
    pyramid_.samples(first_x * stride, first_y * stride, level, {width, height}, made.heights.data());

    // Slopes of means, so that they are those of the ground around a sample and not of single cells far apart.
    Size around = {width + 2, height + 2};
    std::vector<float> means(size_t(around.cells()));
    pyramid_.means(first_x - 1, first_y - 1, level, around, means.data());
    made.slopes.resize(2 * count);
    float run = float(1 / (cell_ * stride));
    // Blocks cover whole cells, so a sample lies this far beyond the corner of four of them; at level 0 in the middle of one.
    float beyond_corner = float(cells_to_pixels(0) / stride);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const float* at = means.data() + size_t(y + 1) * size_t(around.width) + size_t(x + 1);
            float* to = made.slopes.data() + 2 * (size_t(y) * size_t(width) + size_t(x));
            if (level == 0) {
                to[0] = (at[1] - at[-1]) * 0.5f * run;
                to[1] = (at[around.width] - at[-around.width]) * 0.5f * run;
            } else {
                auto between = [&](float before, float after) {
                    return before + beyond_corner * (after - before);
                };
                auto across = [&](const float* row) { return between(row[0] - row[-1], row[1] - row[0]); };
                auto down = [&](const float* column) {
                    return between(column[0] - column[-around.width], column[around.width] - column[0]);
                };
                float north = across(at - around.width), south = across(at + around.width);
                float west = down(at - 1), east = down(at + 1);
                to[0] = (across(at) + between(north, south)) * 0.5f * run;
                to[1] = (down(at) + between(west, east)) * 0.5f * run;
            }
        }

    made.marks.assign(4 * count, 0);
    std::vector<uint8_t> coverage(count);
    pyramid_.coverage(first_x * stride, first_y * stride, level, {width, height}, coverage.data());
    int rough = std::max(level, curvature_level);
    int finer = rough - level;
    int block_x = (first_x >> finer) - 2;
    int block_y = (first_y >> finer) - 2;
    Size blocks = {(width >> finer) + 6, (height >> finer) + 6};
    std::vector<float> ground(size_t(blocks.cells()));
    pyramid_.means(block_x, block_y, rough, blocks, ground.data());
    std::vector<float> curvature(ground.size());
    float block_run = float(1 / (cell_ * (1 << rough)));
    for (int y = 1; y + 1 < blocks.height; y++)
        for (int x = 1; x + 1 < blocks.width; x++) {
            size_t at = size_t(y) * size_t(blocks.width) + size_t(x);
            float around_it = ground[at - 1] + ground[at + 1] + ground[at - size_t(blocks.width)] +
                              ground[at + size_t(blocks.width)];
            curvature[at] = (4 * ground[at] - around_it) * block_run;
        }
    // Between the middles of blocks, which cover whole cells; first down and then across.
    auto place_of = [&](int first, int texel, int block) {
        double cell = std::ldexp(double(first + texel), level);
        return float(pixels_to_cells(std::ldexp(cells_to_pixels(cell), -rough)) - block);
    };
    std::vector<int> left_block(static_cast<size_t>(width));
    std::vector<float> beyond(static_cast<size_t>(width));
    for (int x = 0; x < width; x++) {
        float place = place_of(first_x, x, block_x);
        left_block[size_t(x)] = int(place);
        beyond[size_t(x)] = place - float(int(place));
    }
    std::vector<float> bent(static_cast<size_t>(blocks.width));
    for (int y = 0; y < height; y++) {
        float place = place_of(first_y, y, block_y);
        const float* upper = curvature.data() + size_t(int(place)) * size_t(blocks.width);
        float down = place - float(int(place));
        for (int i = 0; i < blocks.width; i++)
            bent[size_t(i)] = upper[i] + down * (upper[i + blocks.width] - upper[i]);
        for (int x = 0; x < width; x++) {
            size_t at = size_t(y) * size_t(width) + size_t(x);
            const float* from = bent.data() + left_block[size_t(x)];
            made.marks[4 * at] = coverage[at];
            made.marks[4 * at + 1] =
                byte_of(0.5f + 0.5f * (from[0] + beyond[size_t(x)] * (from[1] - from[0])));
        }
    }

    // Other fields: the cells at the samples, which is enough for what is only looked at.
    Rect rect = pyramid_.rect();
    int left = rect.left + first_x * stride;
    int top = rect.top + first_y * stride;
    Rect region = {left, top, left + (width - 1) * stride + 1, top + (height - 1) * stride + 1};
    auto read = [&](const std::shared_ptr<const CellSource>& source, std::vector<float>& to) {
        to.resize(count);
        read_beyond(*source, region, stride, to.data());
    };
    std::vector<float> cells;
    if (fields_.flow) {
        read(fields_.flow, cells);
        for (size_t i = 0; i < count; i++) made.marks[4 * i + 2] = byte_of(cells[i]);
    }
    if (fields_.mask) {
        read(fields_.mask, cells);
        for (size_t i = 0; i < count; i++) made.marks[4 * i + 3] = byte_of(cells[i]);
    }
    if (fields_.material) {
        read(fields_.material, cells);
        made.materials.resize(count);
        for (size_t i = 0; i < count; i++) made.materials[i] = byte_of(cells[i] / 255.0f);
    }
    if (fields_.depth) read(fields_.depth, made.depths);
    if (fields_.colours) {
        made.colours.resize(count);
        read_beyond(*fields_.colours, region, stride, made.colours.data());
    }
    return made;
}

void PageCache::upload(int layer, const Rect& texels, const Content& content) {
    gl_.PixelStorei(GL_UNPACK_ALIGNMENT, 1);
    auto send = [&](const Texture& texture, GLenum format, GLenum type, const void* data) {
        gl_.TextureSubImage3D(texture.get(), 0, texels.left, texels.top, layer, texels.width(),
                              texels.height(), 1, format, type, data);
    };
    send(heights_, GL_RED, GL_FLOAT, content.heights.data());
    send(slopes_, GL_RG, GL_FLOAT, content.slopes.data());
    send(marks_, GL_RGBA, GL_UNSIGNED_BYTE, content.marks.data());
    if (!content.colours.empty()) send(colours_, GL_RGB, GL_UNSIGNED_BYTE, content.colours.data());
    if (!content.depths.empty()) send(depths_, GL_RED, GL_FLOAT, content.depths.data());
    if (!content.materials.empty()) send(materials_, GL_RED, GL_UNSIGNED_BYTE, content.materials.data());
    uploaded_ += texels.cells();
}

void PageCache::bind() const {
    gl_.BindTextureUnit(0, heights_.get());
    gl_.BindTextureUnit(1, slopes_.get());
    gl_.BindTextureUnit(2, marks_.get());
    if (colours_) gl_.BindTextureUnit(4, colours_.get());
    if (depths_) gl_.BindTextureUnit(6, depths_.get());
    if (materials_) gl_.BindTextureUnit(7, materials_.get());
}

}  // namespace caprock::gl
