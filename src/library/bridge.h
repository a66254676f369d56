// Both sides of the library: the rooms, as core, and what users see of them. The rooms come first. Whoever includes this sees
// `Terrain` of users as Terrain, inside the namespace v1, and that of the rooms as core::Terrain.
#pragma once

#include "base/error.h"
#include "base/memory.h"
#include "base/progress.h"
#include "base/text.h"
#include "base/text_file.h"
#include "compute/devices.h"
#include "document/document.h"
#include "document/document_terrain.h"
#include "document/plan.h"
#include "field/field.h"
#include "formats/formats.h"
#include "formats/line_files.h"
#include "formats/terrain_reader.h"
#include "graph/chain_graph.h"
#include "graph/evaluator.h"
#include "graph/execution_memory.h"
#include "graph/executor.h"
#include "graph/graph_source.h"
#include "operation/declaration.h"
#include "operation/evaluate.h"
#include "operation/kernel_operation.h"
#include "operation/operation.h"
#include "operation/presets.h"
#include "operation/recipe.h"
#include "terrain/terrain.h"
#include "version.h"

#include <fmt/format.h>

// Taken while there is one of each name: later ones would be two.
namespace caprock::core {

using caprock::ByteOrder;
using caprock::Cancelled;
using caprock::DeviceError;
using caprock::Error;
using caprock::Field;
using caprock::FieldStatistics;
using caprock::Georeference;
using caprock::Grid;
using caprock::Interval;
using caprock::Line;
using caprock::LineAttribute;
using caprock::LinePoint;
using caprock::LineSet;
using caprock::NamedLines;
using caprock::OutOfMemory;
using caprock::PictureMeaning;
using caprock::Progress;
using caprock::ReadOptions;
using caprock::Rect;
using caprock::Terrain;
using caprock::WriteOptions;

using caprock::fingerprint;
using caprock::preset;
using caprock::preset_names;
using caprock::read_lines;
using caprock::statistics;
using caprock::write_lines;

}  // namespace caprock::core

#include <caprock/chain.h>
#include <caprock/error.h>
#include <caprock/field.h>
#include <caprock/files.h>
#include <caprock/grid.h>
#include <caprock/land.h>
#include <caprock/lines.h>
#include <caprock/run.h>
#include <caprock/terrain.h>
