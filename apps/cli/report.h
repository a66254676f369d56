// What `info` says of a terrain.
#pragma once

#include "terrain/terrain.h"

#include <string>

namespace caprock::cli {

std::string info_text(const Terrain& terrain, const std::string& title);
std::string info_json(const Terrain& terrain, const std::string& file);

}  // namespace caprock::cli
