// Roads and canals: the ground is cut and filled to a line that is no steeper than it may be.
#include "base/error.h"
#include "base/mathematics.h"
#include "kernels.h"
#include "operation/operation.h"
#include "operations/block_lists.h"
#include "operations/construction/road_line.h"
#include "operations/line_places.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace caprock {

namespace {

// ROAD_BLOCK_COLUMNS, _ROWS and ROAD_ENTRY of the kernel.
constexpr int piece_block_width = 32;
constexpr int piece_block_height = 16;
constexpr size_t piece_entry_length = 8;
// Places along a line are counted in floats, and kept.
constexpr double most_places = 4e6;
// Entries of lists, 32 bytes each.
constexpr int64_t most_listed_pieces = 100000000;

// What the cross-section is made of, in metres; the kernel says how.
struct Section {
    double half_bed, shoulder, slope, depth;
    double bend;        // of the shoulder: its square times this is how far it rises
    double edge;        // how near to the slopes ground is rounded off
    double depth_edge;  // and the upper edges of a canal
    double bank =
        0;  // from the bed's edge to where the slopes begin: a canal's inner side and the path beside it
    double width;  // of what counts as about as near as the nearest

    Section(double width_of_bed, double shoulder_width, double slope_ratio, double depth_of_bed, double cell)
        : half_bed(width_of_bed / 2), shoulder(shoulder_width), slope(slope_ratio), depth(depth_of_bed) {
        bend = shoulder > 0 ? slope / (2 * shoulder) : 0;
        edge = slope * shoulder / 2;
        depth_edge = std::min(edge, depth);
        width = std::max(width_of_bed, 2 * cell);
        if (depth > 0) bank = outside_for(depth + depth_edge) + shoulder;
    }

    // How far outside slopes may have come to a height.
    double outside_for(double height) const {
        double at_shoulder = bend * shoulder * shoulder;
        return height < at_shoulder ? std::sqrt(height / bend) : height / slope + shoulder / 2;
    }

    // How far away pieces may be that have a part in what becomes of ground that differs from the line by no more than
    // `height`.
    double reach(double height) const {
        double outside = bank + outside_for(height + edge);
        return half_bed + outside + width + outside;
    }
};

// A straight piece of the line.
struct Piece {
    Place from, ahead;
    double length;
    double along;  // of its beginning
};

struct Road {
    LinesValue path;
    double width = 16;
    double shoulder = 8;
    double slope = 34;
    double grade = 0.08;
    double smoothing = 200;
    double bend = 60;
    double depth = 0;
    std::string mask;
    std::string lines;

    void describe(Declaration& d) const {
        d.summary("a road or canal along a line, cut into the ground and filled up where it must be");
        d.lines("path", path)
            .help("where it goes, \"x,y x,y ...\" in metres; without, from the western to the eastern side");
        d.number("width", width)
            .range(0, 10000)
            .slider(2, 100)
            .logarithmic()
            .unit("m")
            .help("of the flat bed");
        d.number("shoulder", shoulder)
            .range(0, 10000)
            .slider(0, 50)
            .unit("m")
            .help("over which the bed goes over into the slopes beside it");
        d.number("slope", slope)
            .range(1, 85)
            .slider(10, 60)
            .unit("degrees")
            .help("of what is cut and filled beside the bed");
        d.number("grade", grade)
            .range(0, 10)
            .slider(0, 0.3)
            .help("the steepest it may be along its line, metres of height for each metre; 0 is level");
        d.number("smoothing", smoothing)
            .range(0, 100000)
            .slider(0, 2000)
            .unit("m")
            .help("of the line over which hills and valleys are evened out, whatever the grade");
        d.number("bend", bend)
            .range(0, 100000)
            .slider(0, 500)
            .unit("m")
            .help("from where a curve begins to the corner of the path that it rounds");
        d.number("depth", depth)
            .range(0, 10000)
            .slider(0, 20)
            .unit("m")
            .help("of a canal, whose bed lies this far below the line, between banks; 0 is a road");
        d.field("mask", mask)
            .help("mask to make: 1 on the bed, 0 from the shoulder's end on; none unless named");
        d.text("lines", lines)
            .help("name of the lines to make: where it goes, with its heights; none unless named");
        d.changes("height");
        if (!lines.empty()) d.makes_lines(lines);
        if (!mask.empty()) d.makes(mask);
        d.works_with(mask.empty() ? 1 : 2);
    }

    void check(const Grid& grid) const {
        if (is_ground(mask)) throw Error("mask: height is what is cut and filled; give it another name");
        if (!lines.empty()) check_line_name(lines);
        // Those of the terrain are seen only when it runs.
        if (!path.is_named()) courses_on(grid, path.lines());
    }

    // The ground all along the line decides how high it is.
    Reach reach(const Grid&) const { return Reach::whole(); }

    void run(Work& work) const {
        WorkTerrain& terrain = work.terrain();
        const Grid& grid = terrain.grid();
        const Rect& rect = terrain.rect();
        const std::vector<std::vector<Place>> courses = courses_on(grid, terrain.lines(path));
        work.progress().expect(int64_t(2 * courses.size() + (mask.empty() ? 0 : courses.size() - 1)) *
                               rect.cells());
        Field height = terrain.height();
        Field beds;
        std::vector<Line> centres;
        // One after the other: where roads meet, the later one follows the ground that the earlier left.
        for (const std::vector<Place>& places : courses) {
            Field bed = mask.empty() ? Field() : Field(rect);
            height = built(work, places, height, mask.empty() ? nullptr : &bed, centres);
            if (mask.empty()) continue;
            beds = beds.empty() ? bed : either(work, beds, bed);
        }
        terrain.set("height", std::move(height));
        if (!mask.empty()) terrain.set(mask, std::move(beds));
        if (!lines.empty()) terrain.set_lines(lines, LineSet(std::move(centres)));
    }

    static Field either(Work& work, const Field& one, const Field& other) {
        constexpr int greater = 1;  // COMBINE_MAX of the kernel
        Field both(one.rect());
        work.launch(kernel::mask_combine, one.rect(),
                    {.mask = one, .other = other, .result = both, .by = greater});
        return both;
    }

    // The ground with one road in it. Where that goes, with its heights, comes to `centres`.
    Field built(Work& work, const std::vector<Place>& course, const Field& before, Field* bed,
                std::vector<Line>& centres) const {
        const Grid& grid = work.terrain().grid();
        const Rect& rect = work.terrain().rect();
        const std::vector<Piece> pieces = pieces_through(rounded_corners(course, bend));
        const double length = pieces.back().along + pieces.back().length;
        const int places = int(std::ceil(grid.metres_to_cells(length))) + 2;
        const Section section(width, shoulder, tangent_of_degrees(slope), depth, grid.cell);

        kernel::ExtentFolds extent = work.fold(kernel::extent, rect, {.field = before});
        Profile line = ground_under(grid, before, pieces, places);
        BlockLists blocks(piece_block_width, piece_block_height);
        blocks.begin(rect);
        std::vector<float> list;
        if (bridge(line)) {
            line = levelled(std::move(line), length / (places - 1));
            auto [lowest, highest] = std::minmax_element(line.begin(), line.end());
            double differs = std::max(double(extent.high) - *lowest, *highest - double(extent.low));
            double reach = section.reach(std::max(differs, 0.0));
            for (size_t i = 0; i < pieces.size(); i++) {
                add_piece(blocks, i, pieces[i], reach, grid.cell);
                if (blocks.listed() > most_listed_pieces)
                    throw Error("path: too many corners, or slopes too gentle, for so large a terrain");
            }
            if (!lines.empty()) centres.push_back(centre_line(pieces, line));
        } else {
            work.warn("no ground is known along the path, so nothing is built");
        }
        blocks.close();
        list.resize(piece_entry_length * blocks.entries());
        double places_per_metre = length > 0 ? (places - 1) / length : 0;
        blocks.fill([&](size_t entry, size_t piece, int column, int row) {
            put_entry(&list[piece_entry_length * entry], pieces[piece], blocks.block_left(column) * grid.cell,
                      blocks.block_top(row) * grid.cell, grid.cell, places_per_metre);
        });
        work.progress().check();

        const std::vector<float> profile(line.begin(), line.end());
        Field height(rect);
        work.launch(kernel::road, rect,
                    {.before = before,
                     .height = height,
                     .mask = bed,
                     .list_begins = blocks.begins(),
                     .list = list,
                     .profile = profile,
                     .left = rect.left,
                     .top = rect.top,
                     .block_columns = blocks.columns(),
                     .cell = float(grid.cell),
                     .last = places - 1,
                     .places_per_metre = float(places_per_metre),
                     .width = float(section.width),
                     .half_bed = float(section.half_bed),
                     .shoulder = float(section.shoulder),
                     .bend = float(section.bend),
                     .slope = float(section.slope),
                     .edge = float(section.edge),
                     .depth = float(section.depth),
                     .depth_edge = float(section.depth_edge),
                     .bank = float(section.bank)});
        return height;
    }

    // Its corners, and in between the places of the profile.
    Line centre_line(const std::vector<Piece>& pieces, const Profile& profile) const {
        Line centre{{}, false, {{"width", width}}};
        if (depth > 0) centre.attributes["depth"] = depth;
        const double last = double(profile.size() - 1);
        const double length = pieces.back().along + pieces.back().length;
        const double step = length / last;
        auto add = [&](const Piece& piece, double along, double height) {
            centre.points.emplace_back(piece.from.x + piece.ahead.x * along,
                                       piece.from.y + piece.ahead.y * along, height);
        };
        size_t next = 1;
        for (const Piece& piece : pieces) {
            const double at = step > 0 ? std::clamp(piece.along / step, 0.0, last - 1) : 0;
            const auto before = size_t(at);
            add(piece, 0, profile[before] + (profile[before + 1] - profile[before]) * (at - double(before)));
            for (; next + 1 < profile.size() && double(next) * step < piece.along + piece.length; next++)
                if (double(next) * step > piece.along)
                    add(piece, double(next) * step - piece.along, profile[next]);
        }
        if (length > 0) add(pieces.back(), pieces.back().length, profile.back());
        return centre;
    }

    // What the parameter says, or across the land. Throws Error for what is no line, or one that is too long.
    std::vector<std::vector<Place>> courses_on(const Grid& grid, const LineSet& given) const {
        if (!path.given()) return {{middle_of_side(grid, 90), middle_of_side(grid, 270)}};
        std::vector<std::vector<Place>> courses = courses_of(given);
        std::erase_if(courses, [](const std::vector<Place>& places) { return places.size() < 2; });
        if (courses.empty()) throw Error("path: one place is no line; give two or more");
        for (const std::vector<Place>& places : courses) {
            double length = 0;
            for (const Piece& piece : pieces_through(places)) length += piece.length;
            if (grid.metres_to_cells(length) > most_places)
                throw Error(fmt::format("path: {:.0f} m are more than {:.0f} cells of {} m", length,
                                        most_places, grid.cell));
        }
        return courses;
    }

    // At least one: on land of one column the western side is the eastern one.
    static std::vector<Piece> pieces_through(const std::vector<Place>& line) {
        std::vector<Piece> pieces;
        double along = 0;
        for (size_t i = 1; i < line.size(); i++) {
            Place way{line[i].x - line[i - 1].x, line[i].y - line[i - 1].y};
            double length = std::sqrt(way.x * way.x + way.y * way.y);
            if (length == 0) continue;
            pieces.push_back({line[i - 1], {way.x / length, way.y / length}, length, along});
            along += length;
        }
        if (pieces.empty() && !line.empty()) pieces.push_back({line[0], {1, 0}, 0, 0});
        return pieces;
    }

    static Profile ground_under(const Grid& grid, const Field& height, const std::vector<Piece>& pieces,
                                int places) {
        std::vector<Place> line;
        for (const Piece& piece : pieces) line.push_back(piece.from);
        const Piece& last = pieces.back();
        if (last.length == 0)
            line.push_back({last.from.x + 1e-9, last.from.y});
        else
            line.push_back(
                {last.from.x + last.ahead.x * last.length, last.from.y + last.ahead.y * last.length});
        return ground_along(grid, height, Course::through(line), places);
    }

    // Smoothed twice, so that no single rock shows; limited, but on the ground at both ends; and what corners that leaves
    // rounded.
    Profile levelled(Profile line, double step) const {
        const int around =
            step > 0 ? int(std::min(smoothing / 4 / step, double(line.size()))) : int(line.size());
        line = smoothed(smoothed(line, around), around);
        double begin = line.front();
        double end = line.back();
        return smoothed(meeting_ends(grade_limited(line, grade * step), begin, end, grade * step), around);
    }

    // The blocks with cells that are no farther from a piece than `reach`, and some more.
    static void add_piece(BlockLists& blocks, size_t index, const Piece& piece, double reach, double cell) {
        const Place to{piece.from.x + piece.ahead.x * piece.length,
                       piece.from.y + piece.ahead.y * piece.length};
        const double top = std::min(piece.from.y, to.y);
        const double bottom = std::max(piece.from.y, to.y);
        blocks.for_rows(
            (top - reach) / cell, (bottom + reach) / cell, [&](int row, double first, double last) {
                // The part of the piece that these rows are in reach of.
                double high = std::clamp(first * cell - reach, top, bottom);
                double low = std::clamp(last * cell + reach, top, bottom);
                auto x_at = [&](double y) {
                    return piece.from.x + (y - piece.from.y) * (piece.ahead.x / piece.ahead.y);
                };
                bool level = std::fabs(piece.ahead.y) < 1e-6;
                double a = level ? piece.from.x : x_at(high);
                double b = level ? to.x : x_at(low);
                blocks.add(index, row, (std::min(a, b) - reach) / cell, (std::max(a, b) + reach) / cell);
            });
    }

    // A point of the piece's line that is near to the block makes all numbers small.
    static void put_entry(float* entry, const Piece& piece, double left, double top, double cell,
                          double places_per_metre) {
        double middle_x = left + piece_block_width * cell / 2;
        double middle_y = top + piece_block_height * cell / 2;
        double at =
            std::clamp((middle_x - piece.from.x) * piece.ahead.x + (middle_y - piece.from.y) * piece.ahead.y,
                       0.0, piece.length);
        double place = (piece.along + at) * places_per_metre;
        entry[0] = float(piece.from.x + piece.ahead.x * at - left);
        entry[1] = float(piece.from.y + piece.ahead.y * at - top);
        entry[2] = float(piece.ahead.x);
        entry[3] = float(piece.ahead.y);
        entry[4] = float(-at);
        entry[5] = float(piece.length - at);
        entry[6] = float(std::floor(place));
        entry[7] = float(place - std::floor(place));
    }
};

REGISTER_OPERATION("road", "construction", Road);

}  // namespace

}  // namespace caprock
