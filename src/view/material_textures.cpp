#include "view/material_textures.h"
namespace caprock {
namespace {
constexpr std::array<std::string_view, 8> names = {"grass", "rock",   "sand",  "snow",
                                                   "dirt",  "gravel", "scree", "mud"};
}
std::string_view name_of(MaterialKind kind) { return names[size_t(kind)]; }
std::optional<MaterialKind> material_kind(std::string_view name) {
    for (MaterialKind kind : material_kinds)
        if (name_of(kind) == name) return kind;
    return std::nullopt;
}
std::vector<std::string> material_kind_names() { return {names.begin(), names.end()}; }
}  // namespace caprock
