// Coordinate reference systems as text: what GDAL knows of one is in it, so that nothing is lost on the way to another
// file.
#pragma once

#include "formats/gdal/session.h"
#include "terrain/terrain.h"

#include <ogr_spatialref.h>
#include <string>

namespace caprock::gdal {

// Well-known text: of the older kind (WKT1), which every program reads, where that says everything, else WKT2. A system
// with an epoch is COORDINATEMETADATA[..., EPOCH[...]], as WKT2 has it.
std::string system_text(const OGRSpatialReference& system);
// East before north, as rasters have it. Empty where there is none, or none that can be understood.
OGRSpatialReference system_of(const Georeference& georeference);

bool is_same(const OGRSpatialReference& one, const OGRSpatialReference& other);

// The unit of the system's third axis in metres; 1 where it has none.
double metres_up(const OGRSpatialReference& system);
// Whether that axis counts depths.
bool points_down(const OGRSpatialReference& system);
// The same system, with heights in metres.
OGRSpatialReference in_metres_up(const OGRSpatialReference& system);

// Gives a file that was written the system of its terrain, beside it (.aux.xml) where its format does not know such.
// False where it is lost all the same.
bool keep_system(const std::string& path, const Georeference& georeference);

}  // namespace caprock::gdal
