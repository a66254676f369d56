// Textures of the ground that come with the house: eight kinds, made by our own generators when they are asked for.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace caprock {

enum class MaterialKind { grass, rock, sand, snow, dirt, gravel, scree, mud };

constexpr std::array<MaterialKind, 8> material_kinds = {
    MaterialKind::grass, MaterialKind::rock,   MaterialKind::sand,  MaterialKind::snow,
    MaterialKind::dirt,  MaterialKind::gravel, MaterialKind::scree, MaterialKind::mud};

std::string_view name_of(MaterialKind kind);
std::optional<MaterialKind> material_kind(std::string_view name);
std::vector<std::string> material_kind_names();

// A square that goes on seamlessly on all sides, row by row from the top; rows run south as those of a terrain do.
struct MaterialTexture {
    int side = 0;
    std::vector<uint8_t>
        albedo;  // four bytes a texel: red, green and blue as sRGB, and the height in the texture
    // Four bytes a texel: x (east) and y (south) of the normal, 0 and 255 standing for -1 and 1; roughness; and how
    // much of the sky the hollows between grains leave, 255 being all of it.
    std::vector<uint8_t> surface;
    double relief = 0;  // what 255 of the height stands for, as a share of the texture's side

    bool operator==(const MaterialTexture&) const = default;
};

// The side is a power of two from 16 to 4096; anything else throws Error. The same bits for the same side, on any number
// of threads.
MaterialTexture material_texture(MaterialKind kind, int side);
// All of them, in the order of the kinds.
std::vector<MaterialTexture> material_textures(int side);

}  // namespace caprock
