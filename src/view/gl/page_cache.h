// The parts of a terrain that the graphics card has: pages of 256 x 256 quads, at the level of detail they are seen at,
// in layers of array textures. There is room for so many; those not drawn for the longest time give way.
#pragma once

#include "view/detail_pyramid.h"
#include "view/gl/objects.h"
#include "view/scene.h"

#include <compare>
#include <map>
#include <memory>
#include <vector>

namespace caprock::gl {

struct PageKey {
    int level = 0;
    int x = 0;
    int y = 0;

    auto operator<=>(const PageKey&) const = default;
};

class PageCache {
  public:
    static constexpr int quads = 256;
    static constexpr int frame = 1;         // samples before the first
    static constexpr int side = quads + 4;  // texels: 257 samples, the frame, and one for good measure

    // Room for so many bytes of texture, or for as many pages as the driver allows.
    PageCache(const Functions& gl, const DetailPyramid& pyramid, double cell, SurfaceFields fields,
              int64_t bytes);

    int capacity() const { return capacity_; }
    int resident() const { return int(pages_.size()); }
    int64_t uploaded_texels() const { return uploaded_; }

    // Brings the pages here, several at a time, and marks them as needed now. The layer of each, or -1 for those that
    // there is no room for.
    std::vector<int> layers_of(const std::vector<PageKey>& wanted);

    // Some cells have changed: brings their texels again, of the pages that are here.
    void update(SurfaceFields fields, const Rect& changed);
    void set_fields(SurfaceFields fields);

    // Binds the textures to units 0 to 2 and 4, 6, 7.
    void bind() const;

  private:
    struct Page {
        int layer = 0;
        int64_t used = 0;  // when, in calls of layers_of
    };
    struct Content;

    Content content(const PageKey& page, const Rect& texels) const;
    void upload(int layer, const Rect& texels, const Content& content);
    Texture array_texture(GLenum format, GLint filter) const;
    void make_optional_textures();

    const Functions& gl_;
    const DetailPyramid& pyramid_;
    double cell_;
    SurfaceFields fields_;
    int capacity_ = 0;
    int64_t now_ = 0;
    int64_t uploaded_ = 0;
    std::map<PageKey, Page> pages_;
    std::vector<int> free_;
    Texture heights_;
    Texture slopes_;
    Texture marks_;
    Texture colours_;
    Texture depths_;
    Texture materials_;
};

}  // namespace caprock::gl
