// How near interpolate and fill-holes come to heights that were taken away: the table of docs/repair.md.
//     caprock-repair-errors DEM ...
#include "base/error.h"
#include "compute/cpu_device.h"
#include "formats/formats.h"
#include "operation/evaluate.h"

#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <functional>

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

double error_of(const Field& filled, const Field& holed, const Field& truth) {
    double sum = 0;
    int64_t count = 0;
    Field::Rows rows = filled.rows();
    Field::Rows gaps = holed.rows();
    Field::Rows true_rows = truth.rows();
    for (int y = 0; y < truth.rect().bottom; y++)
        for (int x = 0; x < truth.rect().right; x++) {
            if (!is_missing(gaps[y][x]) || is_missing(true_rows[y][x])) continue;
            double difference = double(rows[y][x]) - double(true_rows[y][x]);
            sum += difference * difference;
            count++;
        }
    return std::sqrt(sum / double(count));
}

void print_errors(const std::string& path) {
    RunContext context{make_cpu_device(chosen_cpu_level()), nullptr, {}};
    Terrain truth = read_terrain(path, {}, {});
    Interval range = truth.grid().range;
    fmt::print("{}: {} x {} cells of {} m, heights {} to {} m\n\n", path, truth.rect().width(),
               truth.rect().height(), truth.grid().cell, range.low, range.high);
    fmt::print(
        "| removed | bilinear | interpolate | interpolate --scale 0 | harmonic | biharmonic |\n"
        "| --- | --- | --- | --- | --- | --- |\n");
    auto with = [&](const char* name, auto... parameters) {
        return [&context, operation = std::shared_ptr(operation_with(name, {parameters...}))](
                   const Terrain& holed) { return run(*operation, holed, context).height(); };
    };
    using Pair = std::pair<std::string_view, ParameterValue>;
    for (double fraction : {0.3, 0.6, 0.9}) {
        Terrain holed = run(*operation_with("decimate", {{"fraction", fraction}}), truth, context);
        auto error = [&](const Field& filled) { return error_of(filled, holed.height(), truth.height()); };
        fmt::print("| {:.0f} % | {:.2f} | {:.2f} | {:.2f} | {:.2f} | {:.2f} |\n", 100 * fraction,
                   error(bilinear(holed.height())), error(with("interpolate")(holed)),
                   error(with("interpolate", Pair{"scale", 0.0})(holed)),
                   error(with("fill-holes", Pair{"method", "harmonic"})(holed)),
                   error(with("fill-holes", Pair{"method", "biharmonic"})(holed)));
    }
}

}  // namespace

}  // namespace caprock

int main(int count, char** words) {
    try {
        for (int i = 1; i < count; i++) caprock::print_errors(words[i]);
        return 0;
    } catch (const std::exception& error) {
        fmt::print(stderr, "caprock-repair-errors: {}\n", error.what());
        return 1;
    }
}
