#include "assessment/assessment_text.h"

namespace caprock {

namespace {

const char* likeness_word(Likeness likeness) {
    switch (likeness) {
        case Likeness::alike:
            return "alike";
        case Likeness::less:
            return "less";
        case Likeness::more:
            return "more";
        case Likeness::unknown:
            break;
    }
    return "unknown";
}

Json measure_json(const Finding& finding, const Yardstick& yardstick) {
    Json json;
    json["name"] = finding.measure->key;
    json["title"] = finding.measure->title;
    json["value"] = finding.here.known() ? Json(finding.here.value()) : Json(nullptr);
    if (!finding.here.known()) json["why"] = finding.here.why();
    json["range"] = finding.range ? Json({finding.range->low, finding.range->high}) : Json(nullptr);
    if (yardstick.land) {
        const Measured theirs = finding.measure->value(*yardstick.land);
        json["reference"] = theirs.known() ? Json(theirs.value()) : Json(nullptr);
    }
    json["likeness"] = likeness_word(finding.likeness);
    return json;
}

Json bins_json(std::span<const FactorBins::Bin> bins, const char* x, const char* y) {
    Json json = Json::array();
    for (const FactorBins::Bin& bin : bins) json.push_back({{x, bin.x}, {y, bin.y}, {"cells", bin.count}});
    return json;
}

Json curves_json(const Assessment& land) {
    Json json;
    json["hypsometry"] = Json::array();
    for (const CurvePoint& point : land.hypsometry.curve)
        json["hypsometry"].push_back({{"share", point.x}, {"height", point.y}});
    json["slope_area"] = bins_json(land.concavity.bins, "area", "slope");
    json["hack"] = bins_json(land.hack.bins, "area", "length");
    json["orders"] = Json::array();
    for (const Horton::Order& order : land.horton.orders)
        json["orders"].push_back({{"order", order.order},
                                  {"streams", order.streams},
                                  {"length", order.length},
                                  {"area", order.area}});
    json["slopes"] = Json::array();
    for (int degree = 0; degree < 90; degree++) json["slopes"].push_back(land.slopes.share(degree));
    json["roughness"] = Json::array();
    for (const Roughness::Scale& scale : land.roughness.scales)
        json["roughness"].push_back(
            {{"distance", scale.cells * land.cell}, {"deviation", scale.deviation}, {"pairs", scale.pairs}});
    return json;
}

}  // namespace

Json assessment_json(const AssessedLand& land, const Yardstick& yardstick) {
    const Assessment& a = land.assessment;
    Json json;
    json["file"] = land.name;
    json["size"] = {a.size.width, a.size.height};
    json["cell"] = a.cell;
    json["known"] = a.known;
    json["missing"] = a.missing;
    json["heights"] = a.known > 0 ? Json({a.lowest, a.highest}) : Json(nullptr);
    json["held_against"] = yardstick.name;
    json["measures"] = Json::array();
    Json unlike = Json::array();
    for (const Finding& finding : compared(a, yardstick)) {
        json["measures"].push_back(measure_json(finding, yardstick));
        if (finding.unlike()) unlike.push_back(words_of(finding, yardstick));
    }
    json["landforms"] = Json::object();
    for (size_t form = 0; form < geomorphon_count; form++)
        json["landforms"][std::string(name_of(Geomorphon(form)))] = a.landforms.cells[form];
    json["curves"] = curves_json(a);
    json["unlike"] = std::move(unlike);
    const std::string remark = remark_on(a, yardstick);
    if (!remark.empty()) json["note"] = remark;
    return json;
}

}  // namespace caprock
