// How near interpolate and fill-holes come to heights that were taken away: the tables of docs/repair.md.
//     caprock-repair-errors DEM ...
#include "base/error.h"
#include "base/telling.h"
#include "compute/cpu_device.h"
#include "formats/formats.h"
#include "operation/evaluate.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <functional>
#include <utility>
#include <vector>

namespace caprock {

namespace {

// The height at a place between the nearest known cells on both sides along a line; that of the nearer end where there
// is only one; missing where there is none.
double between(const std::function<float(int)>& height, int at, int count) {
    int before = at;
    int after = at;
    while (before >= 0 && is_missing(height(before))) before--;
    while (after < count && is_missing(height(after))) after++;
    if (before < 0 && after >= count) return missing;
    if (before < 0) return height(after);
    if (after >= count) return height(before);
    double share = double(at - before) / double(after - before);
    return height(before) + (height(after) - height(before)) * share;
}

// Along the row and along the column, averaged.
Field bilinear(const Field& field) {
    Field result = field.copied();
    Field::Rows rows = field.rows();
    Size size = field.rect().size();
    for (int y = 0; y < size.height; y++)
        for (int x = 0; x < size.width; x++) {
            if (!is_missing(rows[y][x])) continue;
            double across = between([&](int i) { return rows[y][i]; }, x, size.width);
            double down = between([&](int i) { return rows[i][x]; }, y, size.height);
            double mean = std::isnan(across) ? down : std::isnan(down) ? across : (across + down) / 2;
            result.set(x, y, float(mean));
        }
    return result;
}

// What filled cells differ from true ones by, added up, and how far they leave the range of the known ones.
struct Errors {
    double squares = 0;
    int64_t count = 0;
    double beyond = 0;

    void add(const Field& filled, const Field& holed, const Field& truth) {
        const FieldStatistics known = statistics(holed);
        Field::Rows rows = filled.rows();
        Field::Rows gaps = holed.rows();
        Field::Rows true_rows = truth.rows();
        for (int y = 0; y < truth.rect().bottom; y++)
            for (int x = 0; x < truth.rect().right; x++) {
                if (!is_missing(gaps[y][x]) || is_missing(true_rows[y][x])) continue;
                double difference = double(rows[y][x]) - double(true_rows[y][x]);
                squares += difference * difference;
                count++;
                beyond = std::max({beyond, known.low - double(rows[y][x]), double(rows[y][x]) - known.high});
            }
    }
    double root_mean_square() const { return std::sqrt(squares / double(count)); }
};

using Filling = std::function<Field(const Terrain& holed)>;

// A disc is missing, in four places one after the other: half way to each corner from the middle of the terrain, or with
// its middle on each side of the border.
void print_large_holes(const Terrain& truth, const std::vector<Filling>& fillings) {
    say("\n| hole | harmonic | biharmonic | --tension 0 | beyond, biharmonic | beyond, --tension 0 |\n"
        "| --- | --- | --- | --- | --- | --- |\n");
    const Size size = truth.rect().size();
    for (bool at_border : {false, true})
        for (int radius : {5, 10, 20, 40, 80}) {
            std::vector<Errors> errors(fillings.size());
            for (auto [x, y] : at_border ? std::vector<std::pair<int, int>>{{0, 2}, {2, 0}, {4, 2}, {2, 4}}
                                         : std::vector<std::pair<int, int>>{{1, 1}, {3, 1}, {1, 3}, {3, 3}}) {
                Field height = truth.height();
                Field::WritableRows rows = height.writable_rows();
                for (int v = 0; v < size.height; v++)
                    for (int u = 0; u < size.width; u++)
                        if (std::hypot(u - (size.width - 1) * x / 4, v - (size.height - 1) * y / 4) < radius)
                            rows[v][u] = missing;
                Terrain holed = truth;
                holed.set("height", std::move(height));
                for (size_t i = 0; i < fillings.size(); i++)
                    errors[i].add(fillings[i](holed), holed.height(), truth.height());
            }
            say("| {} cells across{} | {:.1f} | {:.1f} | {:.1f} | {:.0f} | {:.0f} |\n", 2 * radius,
                at_border ? ", at the border" : "", errors[0].root_mean_square(),
                errors[1].root_mean_square(), errors[2].root_mean_square(), errors[1].beyond,
                errors[2].beyond);
        }
}

void print_errors(const std::string& path) {
    RunContext context{make_cpu_device(chosen_cpu_level()), nullptr, {}};
    Terrain truth = read_terrain(path, {}, {});
    Interval range = truth.grid().range;
    say("{}: {} x {} cells of {} m, heights {} to {} m\n\n", path, truth.rect().width(),
        truth.rect().height(), truth.grid().cell, range.low, range.high);
    say("| removed | bilinear | interpolate | interpolate --scale 0 | harmonic | biharmonic | --tension 0 |\n"
        "| --- | --- | --- | --- | --- | --- | --- |\n");
    auto with = [&](const char* name, auto... parameters) -> Filling {
        return [&context, operation = std::shared_ptr(operation_with(name, {parameters...}))](
                   const Terrain& holed) { return run(*operation, holed, context).height(); };
    };
    using Pair = std::pair<std::string_view, ParameterValue>;
    const Filling harmonic = with("fill-holes", Pair{"method", "harmonic"});
    const Filling biharmonic = with("fill-holes", Pair{"method", "biharmonic"});
    const Filling plate = with("fill-holes", Pair{"tension", 0.0});
    for (double fraction : {0.3, 0.6, 0.9}) {
        Terrain holed = run(*operation_with("decimate", {{"fraction", fraction}}), truth, context);
        auto error = [&](const Field& filled) {
            Errors errors;
            errors.add(filled, holed.height(), truth.height());
            return errors.root_mean_square();
        };
        say("| {:.0f} % | {:.2f} | {:.2f} | {:.2f} | {:.2f} | {:.2f} | {:.2f} |\n", 100 * fraction,
            error(bilinear(holed.height())), error(with("interpolate")(holed)),
            error(with("interpolate", Pair{"scale", 0.0})(holed)), error(harmonic(holed)),
            error(biharmonic(holed)), error(plate(holed)));
    }
    print_large_holes(truth, {harmonic, biharmonic, plate});
}

}  // namespace

}  // namespace caprock

int main(int count, char** words) {
    caprock::secure_standard_streams();
    try {
        for (int i = 1; i < count; i++) caprock::print_errors(words[i]);
        caprock::flush_said_or_stop();
        return 0;
    } catch (const std::exception& error) {
        caprock::tell(fmt::format("caprock-repair-errors: {}\n", error.what()));
        return 1;
    }
}
