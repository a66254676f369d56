#include "operations/blending/multi_resolution.h"

#include "kernels.h"
#include "operations/shaping/pyramid.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace caprock {

namespace {

// Coarse cells of 4096 fine ones: beyond that a landscape has next to nothing left to tell apart.
constexpr int most_levels = 12;

// Octave 0 is all that is larger than the width; the last weight goes on for all that are finer.
double weight_of(const std::vector<double>& weights, int octave) {
    return weights.empty() ? 1 : weights[std::min(size_t(octave), weights.size() - 1)];
}

// A level above the terrain's own.
struct CoarserLevel {
    Weighted difference;
    Field mask;   // sums of the same weights; empty where there is no mask
    Field blend;  // what this level and all coarser ones add, times the weights

    const Field* mask_or_none() const { return mask.empty() ? nullptr : &mask; }
};

}  // namespace

// Cells of the coarsest level are half as large as the width: that far an edge of the mask is spread on the way there
// and back. A width between two levels is part of the way from the blend of so many levels to that of one more: the
// result neither jumps while the width grows, nor is it another one at another resolution.
MultiResolution::MultiResolution(double width_in_cells, const std::vector<double>& weights)
    : even_(std::ranges::adjacent_find(weights, std::not_equal_to<>()) == weights.end()) {
    double part = 1;
    if (width_in_cells > 2) {
        double fraction = std::frexp(width_in_cells / 2, &levels_);  // of 2^levels, from a half on
        part = 2 * fraction - 1;
        if (part == 0) {
            levels_--;
            part = 1;
        }
        if (levels_ > most_levels) {
            levels_ = most_levels;
            part = 1;
        }
    }
    for (int level = 0; level <= levels_; level++) {
        int octave = levels_ - level;
        double of_more = part * weight_of(weights, octave);
        double of_fewer = octave > 0 ? (1 - part) * weight_of(weights, octave - 1) : 0;
        shares_.push_back(float(of_more + of_fewer));
        // With one level fewer, this one is the coarsest and has nothing left out.
        coarse_shares_.push_back(float(octave > 1 ? of_more + of_fewer : of_more));
    }
}

Field MultiResolution::blended(Work& work, const BlendInput& input) const {
    const std::vector<Rect> rects = pyramid_rects(input.below.rect(), levels_);
    int64_t cells = rects[0].cells();
    for (int i = 1; i <= levels_; i++) cells += (i > 1 && input.mask ? 3 : 2) * rects[size_t(i)].cells();
    work.progress().expect(cells);
    const auto low = float(input.range.low);
    const auto high = float(input.range.high);

    std::vector<CoarserLevel> levels(rects.size());  // the first stays empty: it is the input
    levels[1].difference = Weighted::on(rects[1], true);
    if (input.mask) levels[1].mask = Field(rects[1]);
    work.launch_around(2, kernel::blend_halve, rects[1],
                       {.below = input.below,
                        .source = input.source,
                        .mask = input.mask,
                        .sum_out = levels[1].difference.value,
                        .weight_out = levels[1].difference.weight,
                        .mask_out = input.mask ? &levels[1].mask : nullptr,
                        .opacity = input.opacity,
                        .unit_source = input.unit_source,
                        .low = low,
                        .high = high});
    for (size_t i = 2; i < levels.size(); i++) {
        levels[i].difference = halved(work, levels[i - 1].difference, rects[i], true);
        if (input.mask) levels[i].mask = halved_sums(work, levels[i - 1].mask, rects[i]);
    }

    const float even_mask = input.mask ? 1.0f : input.opacity;
    const Field* none = nullptr;
    for (int i = levels_; i > 0; i--) {
        CoarserLevel& level = levels[size_t(i)];
        const CoarserLevel* coarser = i < levels_ ? &levels[size_t(i) + 1] : nullptr;
        level.blend = Field(rects[size_t(i)]);
        work.launch_around(1, kernel::blend_level, level.blend.rect(),
                           {.sum = level.difference.value,
                            .weight = level.difference.weight,
                            .mask = level.mask_or_none(),
                            .coarse_sum = coarser ? &coarser->difference.value : none,
                            .coarse_weight = coarser ? &coarser->difference.weight : none,
                            .coarse_blend = coarser ? &coarser->blend : none,
                            .blend_out = level.blend,
                            .share = even_mask * share(i),
                            .coarse_share = even_mask * coarse_share(i)});
    }
    const CoarserLevel& coarser = levels[1];
    Field result(rects[0]);
    work.launch_around(1, kernel::blend_finest, rects[0],
                       {.below = input.below,
                        .source = input.source,
                        .mask = input.mask,
                        .coarse_sum = coarser.difference.value,
                        .coarse_weight = coarser.difference.weight,
                        .coarse_blend = coarser.blend,
                        .result = result,
                        .takes = input.takes,
                        .opacity = input.opacity,
                        .unit_source = input.unit_source,
                        .low = low,
                        .high = high,
                        .share = share(0),
                        .coarse_share = coarse_share(0)});
    return result;
}

}  // namespace caprock
