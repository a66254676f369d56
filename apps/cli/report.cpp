#include "report.h"

#include "base/text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace caprock::cli {

namespace {

std::string projection_name(const std::string& well_known_text) {
    size_t open = well_known_text.find('"');
    size_t close = well_known_text.find('"', open + 1);
    return open == std::string::npos ? "" : well_known_text.substr(open + 1, close - open - 1);
}

std::string counted(int64_t count, const char* thing) {
    return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

std::string facts_text(const DocumentFacts& document) {
    std::string text;
    if (document.computed.width > 0)
        text += fmt::format("  part of {} x {} cells that are computed with\n", document.computed.width,
                            document.computed.height);
    text += fmt::format("  layers  {}{}\n", document.layers,
                        document.groups > 0 ? ", with " + counted(document.groups, "group") : "");
    text += fmt::format("  history {}{}\n", counted(document.steps, "step"),
                        document.undone > 0 ? fmt::format(", {} undone", document.undone) : "");
    return text + fmt::format("  file    {}\n", bytes_text(document.bytes));
}

}  // namespace

TerrainFacts::OfLines facts_of(const std::string& name, const LineSet& lines) {
    return {name, lines.size(), lines.point_count(), lines.length(), lines.fingerprint()};
}

std::string lines_text_of(const std::vector<TerrainFacts::OfLines>& all) {
    if (all.empty()) return "";
    size_t widest = 5;
    for (const TerrainFacts::OfLines& lines : all) widest = std::max(widest, lines.name.size());
    std::string text = fmt::format("  {:<{}} {:>12} {:>12} {:>12}  {}\n", "lines", widest, "count", "points",
                                   "length", "fingerprint");
    for (const TerrainFacts::OfLines& lines : all)
        text += fmt::format("  {:<{}} {:>12} {:>12} {:>12.6g}  {}\n", lines.name, widest, lines.lines,
                            lines.points, lines.length, fingerprint_text(lines.fingerprint));
    return text;
}

Json lines_json_of(const std::vector<TerrainFacts::OfLines>& all) {
    Json json = Json::array();
    for (const TerrainFacts::OfLines& lines : all)
        json.push_back({{"name", lines.name},
                        {"count", lines.lines},
                        {"points", lines.points},
                        {"length", lines.length},
                        {"fingerprint", fingerprint_text(lines.fingerprint)}});
    return json;
}

TerrainFacts facts_of(const Terrain& terrain) {
    TerrainFacts facts{terrain, {}, {}};
    for (const std::string& name : terrain.line_names())
        facts.lines.push_back(facts_of(name, terrain.lines(name)));
    for (const std::string& name : terrain.names()) {
        const Field& field = terrain.field(name);
        facts.fields.push_back({name, statistics(field), fingerprint(field)});
        facts.shape.remove(name);
    }
    return facts;
}

TerrainFacts facts_of(TerrainSource& source, Progress* progress) {
    TerrainFacts facts{source.shape(), {}, {}};
    for (const auto& [name, lines] : source.lines()) facts.lines.push_back(facts_of(name, lines));
    const Rect& all = facts.shape.rect();
    const std::vector<std::string> names = source.names();
    if (progress) progress->expect(int64_t(names.size()) * all.cells());
    // Files are made to give this many.
    constexpr int rows = 256;
    static_assert(rows % rows_measured_together == 0);
    for (const std::string& name : names) {
        RunningStatistics statistics;
        RunningFingerprint fingerprint;
        for (int top = all.top; top < all.bottom; top += rows) {
            const Field piece =
                source.read_field(name, {all.left, top, all.right, std::min(top + rows, all.bottom)});
            statistics.add(piece);
            fingerprint.add(piece);
            if (progress) progress->advance(piece.rect().cells());
        }
        facts.fields.push_back({name, statistics.result(), fingerprint.result()});
    }
    return facts;
}

std::string info_text(const TerrainFacts& facts, const std::string& title, const DocumentFacts* document) {
    const Terrain& terrain = facts.shape;
    const Grid& grid = terrain.grid();
    Size size = terrain.rect().size();
    std::string text = fmt::format("{}\n", title);
    text += fmt::format("  size    {} x {} cells of {} m ({} x {} m)\n", size.width, size.height,
                        number_text(grid.cell), number_text(size.width * grid.cell),
                        number_text(size.height * grid.cell));
    text += fmt::format("  range   {} m\n", interval_text(grid.range));
    if (const Georeference* georeference = terrain.georeference()) {
        const auto& t = georeference->transform;
        std::string name = projection_name(georeference->projection);
        text += fmt::format("  place   {}, corner at {:.3f}, {:.3f}\n",
                            name.empty() ? "no coordinate system" : name, t[0], t[3]);
        if (!georeference->vertical_unit.empty())
            text += fmt::format("  heights {}\n", georeference->vertical_unit);
    }
    if (document) text += facts_text(*document);
    size_t widest = 5;
    for (const TerrainFacts::OfField& field : facts.fields) widest = std::max(widest, field.name.size());
    text += fmt::format("  {:<{}} {:>12} {:>12} {:>12} {:>12} {:>10}  {}\n", "field", widest, "lowest",
                        "highest", "mean", "deviation", "missing", "fingerprint");
    for (const TerrainFacts::OfField& field : facts.fields) {
        const FieldStatistics& s = field.statistics;
        text +=
            fmt::format("  {:<{}} {:>12.5g} {:>12.5g} {:>12.5g} {:>12.5g} {:>10}  {}\n", field.name, widest,
                        s.low, s.high, s.mean, s.deviation, s.missing, fingerprint_text(field.fingerprint));
    }
    return text + lines_text_of(facts.lines);
}

std::string ledger_text(const std::vector<LedgerLine>& ledger) {
    if (ledger.empty()) return "ledger: no simulation was run\n";
    std::string text =
        fmt::format("ledger, cubic metres\n  {:<28} {:>12} {:>12} {:>12} {:>12} {:>12} {:>9}\n", "", "before",
                    "in", "out", "after", "moved", "error");
    for (const LedgerLine& line : ledger) {
        const LedgerEntry& e = line.entry;
        text += fmt::format("  {:<28} {:>12.6g} {:>12.6g} {:>12.6g} {:>12.6g} {:>12.6g} {:>9.1e}\n",
                            line.operation + " " + e.quantity, e.before, e.in, e.out, e.after, e.moved,
                            e.error());
    }
    return text;
}

std::string info_json(const TerrainFacts& facts, const std::string& file,
                      const std::vector<LedgerLine>* ledger, const DocumentFacts* document) {
    const Terrain& terrain = facts.shape;
    const Grid& grid = terrain.grid();
    Json json;
    if (!file.empty()) json["file"] = file;
    json["size"] = {terrain.rect().width(), terrain.rect().height()};
    json["cell"] = grid.cell;
    json["range"] = {grid.range.low, grid.range.high};
    if (const Georeference* georeference = terrain.georeference())
        json["georeference"] = {{"projection", georeference->projection},
                                {"transform", georeference->transform},
                                {"vertical_unit", georeference->vertical_unit}};
    if (document)
        json["document"] = {{"layers", document->layers},
                            {"groups", document->groups},
                            {"steps", document->steps},
                            {"undone", document->undone},
                            {"bytes", document->bytes}};
    json["fields"] = Json::array();
    for (const TerrainFacts::OfField& field : facts.fields) {
        const FieldStatistics& s = field.statistics;
        // JSON has no infinities.
        auto number = [](double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); };
        json["fields"].push_back({{"name", field.name},
                                  {"lowest", number(s.low)},
                                  {"highest", number(s.high)},
                                  {"mean", number(s.mean)},
                                  {"deviation", number(s.deviation)},
                                  {"cells", s.cells},
                                  {"missing", s.missing},
                                  {"fingerprint", fingerprint_text(field.fingerprint)}});
    }
    if (!facts.lines.empty()) json["lines"] = lines_json_of(facts.lines);
    if (ledger) {
        json["ledger"] = Json::array();
        for (const LedgerLine& line : *ledger) {
            const LedgerEntry& e = line.entry;
            json["ledger"].push_back({{"operation", line.operation},
                                      {"quantity", e.quantity},
                                      {"before", e.before},
                                      {"in", e.in},
                                      {"out", e.out},
                                      {"after", e.after},
                                      {"moved", e.moved},
                                      {"error", e.error()}});
        }
    }
    // File names need not be UTF-8; JSON must be.
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace caprock::cli
