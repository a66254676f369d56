#include "operations/construction/road_line.h"

#include <algorithm>
#include <cmath>

namespace caprock {

namespace {

// Lines that a rounded corner is made of. Then a quarter of a turn goes by less than six degrees at a time.
constexpr int lines_in_corner = 16;

Place towards(const Place& from, const Place& to, double share) {
    return {from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share};
}

double height_at(const Field::Rows& rows, const Rect& rect, double x, double y) {
    // As far outside as half a cell the border's cells are meant.
    if (!(x >= rect.left - 0.5 && x <= rect.right - 0.5 && y >= rect.top - 0.5 && y <= rect.bottom - 0.5))
        return missing;
    double left = std::floor(x);
    double top = std::floor(y);
    double sum = 0;
    double weights = 0;
    for (int j = 0; j < 2; j++)
        for (int i = 0; i < 2; i++) {
            double weight = (i == 0 ? left + 1 - x : x - left) * (j == 0 ? top + 1 - y : y - top);
            int column = std::clamp(int(left) + i, rect.left, rect.right - 1);
            int row = std::clamp(int(top) + j, rect.top, rect.bottom - 1);
            float height = rows[row][column - rect.left];
            if (weight <= 0 || !std::isfinite(height)) continue;
            sum += weight * double(height);
            weights += weight;
        }
    return weights > 0 ? sum / weights : double(missing);
}

}  // namespace

std::vector<Place> rounded_corners(const std::vector<Place>& places, double before) {
    std::vector<Place> line;
    auto add = [&](const Place& place) {
        if (line.empty() || line.back().x != place.x || line.back().y != place.y) line.push_back(place);
    };
    for (size_t i = 0; i < places.size(); i++) {
        if (i == 0 || i + 1 == places.size() || before <= 0) {
            add(places[i]);
            continue;
        }
        const Place& corner = places[i];
        double to_last = distance(corner, places[i - 1]);
        double to_next = distance(corner, places[i + 1]);
        double way = std::min({before, to_last / 2, to_next / 2});
        Place begin = towards(corner, places[i - 1], way / to_last);
        Place end = towards(corner, places[i + 1], way / to_next);
        for (int part = 0; part <= lines_in_corner; part++) {
            double share = double(part) / lines_in_corner;
            add(towards(towards(begin, corner, share), towards(corner, end, share), share));
        }
    }
    return line;
}

Profile ground_along(const Grid& grid, const Field& height, const Course& course, int count) {
    const Field::Rows rows = height.rows();
    Profile profile;
    for (int i = 0; i < count; i++) {
        Place place = course.at(course.length() * i / (count - 1), 0).place;
        profile.push_back(height_at(rows, height.rect(), place.x / grid.cell, place.y / grid.cell));
    }
    return profile;
}

bool bridge(Profile& profile) {
    const size_t none = profile.size();
    size_t known = none;
    for (size_t i = 0; i < profile.size(); i++) {
        if (std::isnan(profile[i])) continue;
        for (size_t between = known == none ? 0 : known + 1; between < i; between++) {
            double share = known == none ? 1 : double(between - known) / double(i - known);
            double from = known == none ? profile[i] : profile[known];
            profile[between] = from + (profile[i] - from) * share;
        }
        known = i;
    }
    if (known == none) return false;
    std::fill(profile.begin() + ptrdiff_t(known), profile.end(), profile[known]);
    return true;
}

Profile smoothed(const Profile& profile, int places) {
    // Sums from the beginning on. They are taken from the first height, so that high ground costs no precision.
    std::vector<double> sums = {0};
    for (double height : profile) sums.push_back(sums.back() + (height - profile[0]));
    Profile result;
    const int last = int(profile.size()) - 1;
    for (int i = 0; i <= last; i++) {
        int around = std::min({places, i, last - i});
        double sum = sums[size_t(i + around + 1)] - sums[size_t(i - around)];
        result.push_back(profile[0] + sum / (2 * around + 1));
    }
    return result;
}

Profile grade_limited(const Profile& profile, double most) {
    Profile above = profile;
    Profile below = profile;
    auto pass = [&](size_t from, size_t to) {
        above[to] = std::max(above[to], above[from] - most);
        below[to] = std::min(below[to], below[from] + most);
    };
    for (size_t i = 1; i < profile.size(); i++) pass(i - 1, i);
    for (size_t i = profile.size(); i-- > 1;) pass(i, i - 1);
    for (size_t i = 0; i < profile.size(); i++) above[i] = (above[i] + below[i]) / 2;
    return above;
}

Profile meeting_ends(Profile limited, double begin, double end, double most) {
    const size_t last = limited.size() - 1;
    double too_far = std::fabs(end - begin) - most * double(last);
    if (too_far > 0) {
        double by = end > begin ? too_far / 2 : -too_far / 2;
        begin += by;
        end -= by;
    }
    for (size_t i = 0; i <= last; i++) {
        double from_begin = most * double(i);
        double from_end = most * double(last - i);
        limited[i] = std::max(limited[i], std::max(begin - from_begin, end - from_end));
        limited[i] = std::min(limited[i], std::min(begin + from_begin, end + from_end));
    }
    return limited;
}

}  // namespace caprock
