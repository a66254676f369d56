#include "formats/gdal/system.h"

#include "base/text.h"

#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <gdal_pam.h>
#include <memory>
#include <optional>

namespace caprock::gdal {

namespace {

constexpr const char* metadata_word = "COORDINATEMETADATA[";
constexpr const char* epoch_word = ",EPOCH[";

std::string exported(const OGRSpatialReference& system, const char* format) {
    ErrorCollector unsaid;
    const char* options[] = {format, nullptr};
    char* text = nullptr;
    OGRErr status = system.exportToWkt(&text, options);
    std::string result = text && status == OGRERR_NONE ? text : "";
    CPLFree(text);
    return result;
}

OGRSpatialReference parsed(const std::string& text) {
    ErrorCollector unsaid;
    OGRSpatialReference system;
    system.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
    std::string inner = text;
    std::optional<double> epoch;
    if (text.starts_with(metadata_word)) {
        size_t begin = std::string(metadata_word).size();
        size_t at = text.rfind(epoch_word);
        if (at == std::string::npos) return system;
        inner = text.substr(begin, at - begin);
        size_t number = at + std::string(epoch_word).size();
        epoch = parse_number(text.substr(number, text.find(']', number) - number));
    }
    if (!inner.empty() && system.importFromWkt(inner.c_str()) != OGRERR_NONE) system.Clear();
    system.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
    if (epoch) system.SetCoordinateEpoch(*epoch);
    return system;
}

// The heights' part of a compound system: the same datum in metres, under a name without the old unit.
std::string vertical_text_in_metres(const OGRSpatialReference& system) {
    const OGR_SRSNode* vertical = system.GetAttrNode("VERT_CS");
    if (!vertical || vertical->GetChildCount() < 1) return "";
    std::unique_ptr<OGR_SRSNode> node(vertical->Clone());
    std::string name = node->GetChild(0)->GetValue();
    node->GetChild(0)->SetValue(name.substr(0, name.find(" (")).c_str());
    // The code is that of the system in another unit.
    if (int code = node->FindChild("AUTHORITY"); code >= 0) node->DestroyChild(code);
    OGR_SRSNode* unit = node->GetNode("UNIT");
    if (!unit || unit->GetChildCount() < 2) return "";
    unit->GetChild(0)->SetValue("metre");
    unit->GetChild(1)->SetValue("1");
    while (unit->GetChildCount() > 2) unit->DestroyChild(2);
    char* text = nullptr;
    node->exportToWkt(&text);
    std::string result = text ? text : "";
    CPLFree(text);
    return result;
}

}  // namespace

bool is_same(const OGRSpatialReference& one, const OGRSpatialReference& other) {
    ErrorCollector unsaid;
    return one.IsSame(&other) && one.GetAxesCount() == other.GetAxesCount() &&
           one.GetCoordinateEpoch() == other.GetCoordinateEpoch();
}

std::string system_text(const OGRSpatialReference& system) {
    if (system.IsEmpty()) return "";
    OGRSpatialReference timeless = system;
    timeless.SetCoordinateEpoch(0);
    std::string text = exported(timeless, "FORMAT=WKT1_GDAL");
    if (text.empty() || !is_same(parsed(text), timeless)) text = exported(timeless, "FORMAT=WKT2_2019");
    double epoch = system.GetCoordinateEpoch();
    if (text.empty() || !(epoch > 0)) return text;
    return fmt::format("{}{}{}{}]]", metadata_word, text, epoch_word, number_text(epoch));
}

OGRSpatialReference system_of(const Georeference& georeference) { return parsed(georeference.projection); }

double metres_up(const OGRSpatialReference& system) {
    if (system.GetAxesCount() < 3) return 1;
    ErrorCollector unsaid;
    double metres = 0;
    if (!system.GetAxis(nullptr, 2, nullptr, &metres) || !(metres > 0)) return 1;
    return metres;
}

bool points_down(const OGRSpatialReference& system) {
    if (system.GetAxesCount() < 3) return false;
    ErrorCollector unsaid;
    OGRAxisOrientation way = OAO_Up;
    system.GetAxis(nullptr, 2, &way);
    return way == OAO_Down;
}

OGRSpatialReference in_metres_up(const OGRSpatialReference& system) {
    if (metres_up(system) == 1) return system;
    ErrorCollector unsaid;
    OGRSpatialReference flat = system;
    if (!system.IsCompound()) {
        flat.DemoteTo2D(nullptr);
        OGRSpatialReference high = flat;
        return high.PromoteTo3D(nullptr) == OGRERR_NONE ? high : flat;  // metres above the ellipsoid
    }
    flat.StripVertical();
    flat.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
    OGRSpatialReference above = parsed(vertical_text_in_metres(system));
    if (above.IsEmpty()) return flat;
    OGRSpatialReference both;
    std::string name = fmt::format("{} + {}", flat.GetName(), above.GetName());
    if (both.SetCompoundCS(name.c_str(), &flat, &above) != OGRERR_NONE) return flat;
    both.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
    both.SetCoordinateEpoch(system.GetCoordinateEpoch());
    return both;
}

bool keep_system(const std::string& path, const Georeference& georeference) {
    OGRSpatialReference wanted = system_of(georeference);
    if (wanted.IsEmpty()) return true;
    ErrorCollector unsaid;
    auto opened = [&] { return Dataset(GDALDataset::Open(path.c_str(), GDAL_OF_RASTER)); };
    auto has_it = [&](GDALDataset& file) {
        const OGRSpatialReference* found = file.GetSpatialRef();
        return found && is_same(*found, wanted);
    };
    Dataset file = opened();
    if (!file || has_it(*file)) return true;
    std::string beside = path + ".aux.xml";
    std::error_code unknown;
    bool was_there = std::filesystem::exists(beside, unknown);
    auto* with_files = dynamic_cast<GDALPamDataset*>(file.get());
    if (!with_files) return false;
    with_files->GDALPamDataset::SetSpatialRef(&wanted);
    file.reset();
    file = opened();
    if (file && has_it(*file)) return true;
    file.reset();
    if (!was_there) std::filesystem::remove(beside, unknown);
    return false;
}

}  // namespace caprock::gdal
