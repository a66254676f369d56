// How hard the rock of every cell is (Table mountains §2.3): material indices bound to a table, or hardness that
// rises evenly with them.
#include "base/error.h"
#include "base/text.h"
#include "kernels.h"
#include "operation/operation.h"
#include "operations/materials/hardness_table.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>

namespace caprock {

namespace {

// The lowest and the highest material of a layer, read as kernels/hardness.kernel reads them.
struct Indices {
    float lowest = 0;
    float highest = 0;
};

Indices indices_of(const FoldedCells& materials) {
    const auto [low, high] = materials.as<kernel::ExtentFolds>();
    if (low > high) return {};  // every cell is missing
    auto index = [](float value) { return std::max(std::floor(value + 0.5f), 0.0f); };
    return {index(low), index(high)};
}

std::string values_text(size_t count) { return fmt::format("{} value{}", count, count == 1 ? "" : "s"); }

// What a table that falls leads to (Table mountains, Fig. 18 d); nothing where it rises throughout.
std::string warning_of(const std::vector<double>& table) {
    auto first = std::ranges::adjacent_find(table, std::greater());
    if (first == table.end()) return "";
    auto below = first - table.begin();
    return fmt::format(
        "hardness falls from {:.6g} (material {}) to {:.6g} (material {}): harder rock under softer "
        "erodes to calderas",
        first[0], below, first[1], below + 1);
}

struct Hardness {
    std::vector<double> table;
    std::vector<std::string> minerals;
    InputFile table_file = hardness_table_file();
    bool normalise = false;
    int count = 0;
    int merge_top = 0;

    void describe(Declaration& d) const {
        d.summary("how hard each material is; indices between two count as the nearer, below 0 as the first");
        d.source("Table mountains, section 2.3");
        d.table("table", table).range(0, 1).help("hardness of materials 0, 1, 2, ...");
        d.words("minerals", minerals).help("the same by minerals: " + listed(mineral_names(), "or"));
        d.file("table-file", table_file)
            .help("the same from JSON: [0.75, \"quartz\", {\"name\": \"marl\", \"hardness\": 0.2}]");
        d.flag("normalise", normalise)
            .help("0 for the lowest material that is there, 1 for the highest, the others between");
        d.integer("count", count)
            .range(0, most_materials)
            .slider(0, 32)
            .help(
                "without a table, hardness is index / (count - 1), or 0 if count is 1; "
                "count 0: one more than the highest index");
        d.integer("merge-top", merge_top)
            .range(0, most_materials)
            .slider(0, 16)
            .help("so many materials from the top are as hard as the topmost");
        d.reads("material");
        d.makes("hardness");
    }

    bool has_table() const { return !table.empty() || !minerals.empty() || table_file.named(); }

    Reach reach(const Grid&) const {
        bool by_what_is_there = !has_table() && (normalise || count == 0);
        return by_what_is_there ? Reach::fold() : Reach::point();
    }

    void check(const Grid&) const {
        std::vector<std::string> given;
        if (!table.empty()) given.emplace_back("table");
        if (!minerals.empty()) given.emplace_back("minerals");
        if (table_file.named()) given.emplace_back("table-file");
        if (normalise) given.emplace_back("normalise");
        if (normalise && count > 0) given.emplace_back("count");
        if (given.size() > 1)
            throw Error(fmt::format("{} each say how hard materials are; give one of them", listed(given)));
        // What a name or a file says is found out now, not when the chain has come this far.
        if (has_table()) bound_table();
    }

    FoldedCells fold(Work& work) const {
        work.progress().expect(2 * work.rect().cells());
        return work.folded(kernel::extent, work.rect(), {.field = work.terrain().field("material")});
    }

    void run(Work& work, const FoldedCells& materials) const {
        std::vector<double> bound = has_table() ? bound_table() : std::vector<double>();
        WorkTerrain& terrain = work.terrain();
        const Field& material = terrain.field("material");
        Indices indices = indices_of(materials);
        Field hardness(terrain.rect());
        if (has_table()) {
            by_table(work, bound, indices, material, hardness);
        } else {
            by_index(work, indices, material, hardness);
        }
        terrain.set("hardness", std::move(hardness));
    }

    std::vector<double> bound_table() const {
        std::vector<double> bound = !table.empty()      ? table
                                    : !minerals.empty() ? hardness_of_minerals(minerals)
                                                        : hardness_table_in(table_file);
        if (count > 0 && bound.size() != size_t(count))
            throw Error(fmt::format("count is {}, but the table has {}", count, values_text(bound.size())));
        size_t merged = std::min(bound.size(), size_t(merge_top));
        std::fill(bound.end() - ptrdiff_t(merged), bound.end(), bound.back());
        return bound;
    }

    static void by_table(Work& work, const std::vector<double>& bound, const Indices& indices,
                         const Field& material, Field& hardness) {
        if (indices.highest >= float(bound.size()))
            throw Error(fmt::format("material {} has no hardness: the table has {} (0 to {})",
                                    indices.highest, values_text(bound.size()), bound.size() - 1));
        std::vector<float> entries(bound.begin(), bound.end());
        work.launch(kernel::hardness_by_table, hardness.rect(),
                    {.material = material, .hardness = hardness, .table = entries});
        if (std::string warning = warning_of(bound); !warning.empty()) work.warn(warning);
    }

    void by_index(Work& work, const Indices& indices, const Field& material, Field& hardness) const {
        int most = count > 0 ? count : most_materials;
        if (indices.highest >= float(most))
            throw Error(fmt::format("material {} has no hardness: {} {} (0 to {})", indices.highest,
                                    count > 0 ? "count is" : "there may be", most, most - 1));
        float lowest = normalise ? indices.lowest : 0;
        float highest = count > 0 ? float(count - 1) : indices.highest;
        float merged = highest - float(std::max(merge_top, 1) - 1);
        work.launch(kernel::hardness_by_index, hardness.rect(),
                    {.material = material,
                     .hardness = hardness,
                     .lowest = lowest,
                     .span = highest - lowest,
                     .merged = merged});
    }
};

REGISTER_OPERATION("hardness", "materials", Hardness);

}  // namespace

}  // namespace caprock
