#include "painting/application.h"

#include "base/error.h"
#include "base/mathematics.h"
#include "base/random.h"
#include "kernels.h"
#include "operation/evaluate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace caprock {

namespace {

// A pass at full strength leaves so much of what was there.
constexpr double least_left = 1.0 / 4096;

// 0 is north, 90 east; y goes to the south.
double compass_degrees(double ahead_x, double ahead_y) { return arc_tangent(ahead_x, -ahead_y) * 180 / pi; }

// How far a point lies from the straight line between two others.
double distance_from(const PenSample& point, const PenSample& from, const PenSample& to) {
    double along_x = to.x - from.x;
    double along_y = to.y - from.y;
    double x = point.x - from.x;
    double y = point.y - from.y;
    double square = along_x * along_x + along_y * along_y;
    double share = square > 0 ? std::clamp((x * along_x + y * along_y) / square, 0.0, 1.0) : 0;
    x -= share * along_x;
    y -= share * along_y;
    return std::sqrt(x * x + y * y);
}

// As few points of a line as leave none of the others more than an eighth of a cell aside: what follows a path takes time
// for each.
LineSet path_of(const std::vector<PenSample>& line, double cell) {
    constexpr size_t longest = 256;  // points that a straight piece may stand for
    Line path;
    constexpr double nearest = 1e-4;  // metres: a hand that rests trembles
    auto keep = [&](const PenSample& point) {
        if (!path.points.empty() && std::abs(path.points.back().x - point.x) < nearest &&
            std::abs(path.points.back().y - point.y) < nearest)
            return;
        path.points.emplace_back(point.x, point.y);
    };
    size_t kept = 0;
    for (size_t i = 0; i < line.size(); i++) {
        bool straight = i - kept <= longest;
        for (size_t between = kept + 1; between < i && straight; between++)
            straight = distance_from(line[between], line[kept], line[i]) <= cell / 8;
        if (i > kept && !straight) {
            kept = i - 1;
            keep(line[kept]);
        }
        if (i == 0) keep(line[0]);
    }
    if (line.empty()) return {};
    keep(line.back());
    return LineSet({path});
}

}  // namespace

std::unique_ptr<Application> Application::of(const Brush& brush, PaintSurface& surface, RunContext& context,
                                             const PenSample& start, uint32_t seed) {
    switch (brush.apply(surface.grid())) {
        case BrushSettings::Apply::add:
            return make_adding(brush, surface, context, start, seed);
        case BrushSettings::Apply::each:
            return make_one_by_one(brush, surface, context, start, seed);
        default:
            return make_covering(brush, surface, context, start, seed);
    }
}

Application::Application(const Brush& brush, PaintSurface& surface, RunContext& context,
                         const PenSample& start, uint32_t seed)
    : brush_(brush),
      surface_(surface),
      context_(context),
      start_(start),
      seed_(seed),
      curve_(brush.settings.curve.begin(), brush.settings.curve.end()),
      nothing_(surface.grid()),
      work_(nothing_, context, unwatched_) {
    if (brush.operation) operation_ = operation_on(*brush.operation, surface.field());
    // Of other fields than height there is none where nothing was painted; a height may be missing.
    fills_ = !is_ground(surface.field()) || brush.fills_missing();
    // An empty table cannot be handed over.
    if (curve_.empty()) curve_.push_back(0);
    if (brush.apply(surface.grid()) != BrushSettings::Apply::add)
        rate_ = -natural_logarithm(std::max(1 - brush.settings.strength, least_left));
}

// ---- tiles -----------------------------------------------------------------------------------------------

StrokeTile& Application::tile(const TileIndex& index) {
    auto found = tiles_.find(index);
    if (found != tiles_.end()) return found->second;
    StrokeTile& made = tiles_[index];
    // A tile that nobody painted is not brought from the host.
    made.canvas =
        surface_.has_tile(index) ? surface_.painted(index.rect()) : blank(index.rect(), surface_.blank());
    return made;
}

const Field& Application::below(const TileIndex& index, StrokeTile& tile) {
    if (tile.below.empty()) tile.below = surface_.below(part(index));
    return tile.below;
}

const Field& Application::before(const TileIndex& index, StrokeTile& tile) {
    if (!tile.before.empty()) return tile.before;
    const Field painted = tile.canvas.cropped(part(index));
    tile.before = surface_.mask() ? painted : surface_.seen(part(index), painted, below(index, tile));
    return tile.before;
}

Field& Application::dose(const TileIndex& index, StrokeTile& tile) {
    if (tile.dose.empty()) tile.dose = blank(part(index), 0);
    return tile.dose;
}

Field& Application::ground(const TileIndex& index, StrokeTile& tile) {
    if (tile.ground.empty()) tile.ground = copied(before(index, tile));
    return tile.ground;
}

Field& Application::result(StrokeTile& tile) {
    tile.changes++;
    if (tile.result.empty()) tile.result = copied(tile.canvas);
    return tile.result;
}

Field Application::blank(const Rect& cells, float value) {
    Field made(cells);
    work_.launch(kernel::brush_blank, cells, {.result = made, .value = value});
    return made;
}

Field Application::copied(const Field& field) {
    Field copy(field.rect());
    work_.launch(kernel::copy, field.rect(), {.part = field, .result = copy});
    return copy;
}

void Application::show(const TileIndex& index, StrokeTile& tile, const Rect& cells) {
    Interval limits = surface_.limits();
    const Field& seen_before = before(index, tile);
    // Below a mask there is nothing; what is not added to is not looked at.
    const Field& under = surface_.mask() ? seen_before : below(index, tile);
    work_.launch(kernel::brush_canvas, cells,
                 {.canvas = tile.canvas,
                  .below = under,
                  .before = seen_before,
                  .after = tile.ground,
                  .result = result(tile),
                  .adds = surface_.adds(),
                  .fills = fills_,
                  .low = float(limits.low),
                  .high = float(limits.high)});
    changed(cells);
}

std::vector<Application::Share> Application::shares(std::span<const Dab> dabs) const {
    std::map<TileIndex, Share> all;
    for (const Dab& dab : dabs) {
        Rect cells = dab.cells().intersected(surface_.extent());
        for (const TileIndex& index : tiles_over(cells)) {
            Share& share = all[index];
            share.index = index;
            share.cells = share.cells.united(cells.intersected(index.rect()));
            share.dabs.push_back(dab);
        }
    }
    std::vector<Share> list;
    for (auto& [index, share] : all) list.push_back(std::move(share));
    return list;
}

Application::LaidDabs Application::laid_dabs(const Rect& cells, std::span<const Dab> dabs) const {
    // Where a dab lies is rounded: by its tile, which is the same in whatever portion it comes.
    Rect home = tile_at(cells.left, cells.top).rect();
    return {dab_table(dabs, brush_.settings, tip_side(), home.left, home.top, rate_),
            brush_.tip.empty() ? nullptr : &brush_.tip, home.left, home.top};
}

void Application::changed(const Rect& cells) { changed_ = changed_.united(cells); }

Rect Application::take_changed() { return std::exchange(changed_, Rect{}); }

// ---- the ground ------------------------------------------------------------------------------------------

std::optional<double> Application::height_at(double x, double y) {
    const Rect& extent = surface_.extent();
    double cell_x = std::clamp(x, double(extent.left), double(extent.right - 1));
    double cell_y = std::clamp(y, double(extent.top), double(extent.bottom - 1));
    int left = std::min(int(std::floor(cell_x)), extent.right - 2);
    int top = std::min(int(std::floor(cell_y)), extent.bottom - 2);
    double sum = 0;
    double weights = 0;
    for (int dy = 0; dy < 2; dy++)
        for (int dx = 0; dx < 2; dx++) {
            int at_x = std::max(left + dx, extent.left);
            int at_y = std::max(top + dy, extent.top);
            double weight =
                std::max(1 - std::abs(cell_x - at_x), 0.0) * std::max(1 - std::abs(cell_y - at_y), 0.0);
            if (weight <= 0) continue;
            TileIndex index = tile_at(at_x, at_y);
            float value = before(index, tile(index)).at(at_x, at_y);
            if (is_missing(value)) continue;
            sum += weight * double(value);
            weights += weight;
        }
    if (weights <= 0) return {};
    return sum / weights;
}

namespace {

// Least squares of a plane over points of a disc, each with u and v from -1 to 1.
class PlaneFit {
  public:
    void add(double u, double v, double height) {
        double point[3] = {1, u, v};
        for (int i = 0; i < 3; i++) {
            sums_[i] += point[i] * height;
            for (int j = 0; j < 3; j++) squares_[i][j] += point[i] * point[j];
        }
    }
    bool any() const { return squares_[0][0] > 0; }
    // Height in the middle, and the rise along u and v. Level where the points are too few, or in a line.
    std::array<double, 3> plane() const {
        const auto& m = squares_;
        auto minor = [&](int a, int b, int c, int d) { return m[a][b] * m[c][d] - m[a][d] * m[c][b]; };
        double determinant =
            m[0][0] * minor(1, 1, 2, 2) - m[0][1] * minor(1, 0, 2, 2) + m[0][2] * minor(1, 0, 2, 1);
        if (!(determinant > 1e-6 * m[0][0] * m[0][0] * m[0][0])) return {sums_[0] / m[0][0], 0, 0};
        std::array<double, 3> made{};
        for (int k = 0; k < 3; k++) {
            double n[3][3];
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++) n[i][j] = j == k ? sums_[i] : m[i][j];
            made[size_t(k)] = (n[0][0] * (n[1][1] * n[2][2] - n[1][2] * n[2][1]) -
                               n[0][1] * (n[1][0] * n[2][2] - n[1][2] * n[2][0]) +
                               n[0][2] * (n[1][0] * n[2][1] - n[1][1] * n[2][0])) /
                              determinant;
        }
        return made;
    }

  private:
    double sums_[3] = {};
    double squares_[3][3] = {};
};

}  // namespace

// The plane that fits the ground under a dab best, by its middle: least squares over points of a lattice. Where some of them
// are missing, the others decide; where all are, there is none.
std::optional<Application::FittedPlane> Application::plane_under(const Dab& dab) {
    if (last_plane_ && last_plane_->first == dab.number) return last_plane_->second;
    constexpr int points = 9;
    double sum = 0, sum_x = 0, sum_y = 0, weights = 0, squares = 0;
    PlaneFit known;
    bool whole = true;
    for (int j = 0; j < points; j++)
        for (int i = 0; i < points; i++) {
            double u = (i - (points - 1) / 2) / ((points - 1) / 2.0);
            double v = (j - (points - 1) / 2) / ((points - 1) / 2.0);
            if (u * u + v * v > 1) continue;
            std::optional<double> height = height_at(dab.x + u * dab.radius, dab.y + v * dab.radius);
            whole = whole && height;
            if (!height) continue;
            known.add(u, v, *height);
            sum += *height;
            sum_x += *height * u;
            sum_y += *height * v;
            weights += 1;
            squares += u * u;
        }
    double metres = dab.radius * surface_.grid().cell;
    std::optional<FittedPlane> plane;
    if (whole) {
        // A whole lattice has its middle in the middle, and the sums stand for themselves.
        plane = FittedPlane{sum / weights, sum_x / squares / metres, sum_y / squares / metres};
    } else if (known.any()) {
        auto [height, along_u, along_v] = known.plane();
        plane = FittedPlane{height, along_u / metres, along_v / metres};
    }
    last_plane_ = {dab.number, plane};
    return plane;
}

double Application::value_of(BrushSource source, double own, const Dab* dab) {
    double cell = surface_.grid().cell;
    auto start_plane = [&] {
        if (!start_plane_) {
            Dab at;
            at.x = start_.x / cell;
            at.y = start_.y / cell;
            at.radius = std::max(brush_.settings.radius / cell, 1.0);
            at.number = ~uint32_t(0);
            start_plane_ = plane_under(at);
        }
        if (!start_plane_)
            throw Error("the ground is missing where the stroke begins; begin it where there is some");
        return *start_plane_;
    };
    switch (source) {
        case BrushSource::start_x:
            return start_.x;
        case BrushSource::start_y:
            return start_.y;
        case BrushSource::start_height:
            if (std::optional<double> height = height_at(start_.x / cell, start_.y / cell)) return *height;
            return start_plane().height;
        case BrushSource::start_grade_x:
            return start_plane().grade_x;
        case BrushSource::start_grade_y:
            return start_plane().grade_y;
        default:
            break;
    }
    if (!dab) return own;
    switch (source) {
        case BrushSource::direction:
            return own + compass_degrees(dab->ahead_x, dab->ahead_y);
        case BrushSource::centre_x:
            return dab->x * cell;
        case BrushSource::centre_y:
            return dab->y * cell;
        case BrushSource::centre_height:
            if (std::optional<double> height = height_at(dab->x, dab->y)) return *height;
            [[fallthrough]];
        // Where there is no ground at all under a dab, there is nothing for it to change either.
        case BrushSource::mean_height:
            return plane_under(*dab) ? plane_under(*dab)->height : own;
        case BrushSource::mean_grade_x:
            return plane_under(*dab) ? plane_under(*dab)->grade_x : own;
        case BrushSource::mean_grade_y:
            return plane_under(*dab) ? plane_under(*dab)->grade_y : own;
        case BrushSource::radius:
            return own * dab->radius * cell;
        case BrushSource::move_x:
            return own * dab->move_x;
        case BrushSource::move_y:
            return own * dab->move_y;
        case BrushSource::pressure:
            return own * dab->pressure;
        case BrushSource::tilt:
            return dab->tilt;
        default:
            return own;
    }
}

// ---- the operation ---------------------------------------------------------------------------------------

bool Application::differs_by_dab() const {
    auto of_stroke = [](const BrushBinding& binding) {
        switch (binding.source) {
            case BrushSource::start_x:
            case BrushSource::start_y:
            case BrushSource::start_height:
            case BrushSource::start_grade_x:
            case BrushSource::start_grade_y:
            case BrushSource::path:
                return true;
            default:
                return false;
        }
    };
    return brush_.settings.seeds == BrushSettings::Seeds::dab ||
           brush_.settings.coordinates == BrushSettings::Coordinates::dab ||
           !std::ranges::all_of(brush_.bindings, of_stroke);
}

std::unique_ptr<Operation> Application::bound(const Dab* dab, const std::vector<PenSample>& line) {
    std::unique_ptr<Operation> operation = operation_->clone();
    for (const BrushBinding& binding : brush_.bindings) {
        const Parameter& parameter = operation->schema().at(binding.parameter);
        if (binding.source == BrushSource::path) {
            operation->set(parameter, LinesValue(path_of(line, surface_.grid().cell)));
            continue;
        }
        double value = value_of(binding.source, std::get<double>(operation->value(parameter)), dab);
        const std::optional<Interval>& range = parameter.hard_range();
        if (range) value = std::clamp(value, range->low, range->high);
        operation->set(parameter, value);
    }
    const Parameter* seed = operation->schema().find("seed");
    if (seed && brush_.settings.seeds != BrushSettings::Seeds::fixed) {
        uint32_t own = std::get<uint32_t>(operation->value(*seed));
        bool by_dab = brush_.settings.seeds == BrushSettings::Seeds::dab && dab;
        operation->set(*seed, hashed(own, seed_, by_dab ? dab->number + 1 : 0));
    }
    return operation;
}

Terrain Application::made(const Operation& operation, const Rect& cells, const Rect& window,
                          const Field& ground, const std::map<std::string, Field>& passing) {
    Grid grid = surface_.grid();
    if (operation.reach(grid).kind() == Reach::Kind::whole) grid.extent = window;
    Terrain input(grid, window);
    input.set(surface_.field(), ground.cropped(window));
    for (const auto& [name, field] : passing) input.set(name, field.cropped(window));
    const FieldUse use = operation.fields();
    auto take = [&](const std::string& name) {
        if (!input.has(name) && surface_.has(name)) input.set(name, surface_.other(name, window));
    };
    for (const std::string& name : use.inputs) take(name);
    for (const std::string& name : use.optional_inputs) take(name);
    return evaluate(operation, input, cells, context_);
}

Field Application::generated(const Operation& operation, const Rect& cells, const Interval& range,
                             int origin_x, int origin_y, const Rect& window) {
    Grid grid = surface_.grid();
    grid.range = range;
    std::optional<int> halo = operation.reach(grid).halo();
    if (!halo) grid.extent = window;
    grid.extent = grid.extent.moved(-origin_x, -origin_y);
    Rect there = cells.moved(-origin_x, -origin_y);
    Terrain input(grid, halo ? there.expanded(*halo).intersected(grid.extent) : grid.extent);
    return evaluate(operation, input, there, context_).field(surface_.field()).moved(origin_x, origin_y);
}

}  // namespace caprock
