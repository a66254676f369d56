#include "operation/remembered_chain.h"

#include "base/error.h"
#include "base/memory.h"
#include "operation/chain.h"

#include <algorithm>
#include <utility>

namespace caprock {

namespace {

bool same_place(const Georeference* a, const Georeference* b) { return a && b ? *a == *b : a == b; }

}  // namespace

RememberedChain::RememberedChain() : RememberedChain(machine_memory() / 4) {}

// What is kept is a kindness: it must not be what the work lacks memory for.
template <typename Action>
auto RememberedChain::making_room(const Action& action) {
    try {
        return action();
    } catch (const OutOfMemory&) {
        if (!drop_all()) throw;
    }
    return action();
}

Terrain RememberedChain::run(std::span<const std::unique_ptr<Operation>> chain, const Terrain& start,
                             RunContext& context, const ChainListener& listener) {
    steps_run_ = 0;
    steps_kept_ = 0;
    if (!starts_from(start)) {
        forget();
        start_ = start;
    }
    making_room([&] { check_chain(chain, start, context.device->is_cpu()); });
    const std::vector<ChainStep> steps = steps_of(chain, start.grid());
    drop_from_first_change(steps);
    return run_and_if_need_be_again(
        context, [&] { return run_from_last_kept(steps, context, listener); },
        [&] { return drop_what_only_devices_have(); });
}

void RememberedChain::forget() {
    start_.reset();
    kept_.clear();
}

bool RememberedChain::starts_from(const Terrain& start) const {
    if (!start_ || start.grid() != start_->grid() || start.rect() != start_->rect()) return false;
    if (!same_place(start.georeference(), start_->georeference())) return false;
    if (start.names() != start_->names()) return false;
    return std::ranges::all_of(start.names(), [&](const std::string& name) {
        return start.field(name).shares_cells(start_->field(name));
    });
}

void RememberedChain::drop_from_first_change(const std::vector<ChainStep>& steps) {
    auto same = [](const ChainStep& step, const Kept& kept) {
        return !step.meaning.empty() && step.meaning == kept.meaning;
    };
    auto [change, first_changed] = std::ranges::mismatch(steps, kept_, same);
    // A chain that only became shorter may become longer again.
    if (change != steps.end()) kept_.erase(first_changed, kept_.end());
}

Terrain RememberedChain::run_from_last_kept(const std::vector<ChainStep>& steps, RunContext& context,
                                            const ChainListener& listener) {
    size_t next = std::min(steps.size(), kept_.size());
    while (next > 0 && !kept_[next - 1].after) next--;
    ChainState state = next > 0 ? *kept_[next - 1].after : ChainState{*start_, {}};
    steps_kept_ = int(next);
    for (; next < steps.size(); next++) {
        const std::shared_ptr<Device> device = context.device;
        double seconds = making_room([&] { return run_step(steps[next], state, context, listener); });
        steps_run_++;
        keep(next, {steps[next].meaning, seconds, state});
        // It may have failed without anybody missing what it had.
        if (context.device != device) drop_what_only_devices_have();
    }
    fetch(state.terrain, context);
    return state.terrain;
}

void RememberedChain::keep(size_t index, Kept step) {
    kept_.resize(std::max(kept_.size(), index + 1));
    kept_[index] = std::move(step);
    keep_to_limit();
}

template <typename Condition>
bool RememberedChain::drop_if(const Condition& condition) {
    bool any = false;
    for (Kept& kept : kept_) {
        if (!kept.after || !condition(*kept.after)) continue;
        kept.after.reset();
        any = true;
    }
    return any;
}

bool RememberedChain::drop_all() {
    return drop_if([](const ChainState&) { return true; });
}

bool RememberedChain::drop_what_only_devices_have() {
    return drop_if([](const ChainState& state) { return !state.on_host(); });
}

// ---- the limit -------------------------------------------------------------------------------------------

// How many of the terrains hold each buffer. Those of the start are there anyway.
std::map<const Buffer*, int> RememberedChain::holders() const {
    std::map<const Buffer*, int> holders;
    for (const Kept& kept : kept_)
        if (kept.after)
            for (const Buffer* buffer : kept.after->buffers()) holders[buffer]++;
    if (start_)
        for (const Buffer* buffer : ChainState{*start_, {}}.buffers()) holders.erase(buffer);
    return holders;
}

uint64_t RememberedChain::bytes_kept() const {
    uint64_t bytes = 0;
    for (const auto& [buffer, count] : holders()) bytes += buffer->bytes();
    return bytes;
}

void RememberedChain::keep_to_limit() {
    while (bytes_kept() > most_bytes_) {
        const std::map<const Buffer*, int> shared = holders();
        std::vector<KeptStep> steps;
        for (const Kept& kept : kept_) {
            KeptStep& step = steps.emplace_back(KeptStep{kept.seconds, kept.after.has_value(), 0});
            if (!kept.after) continue;
            for (const Buffer* buffer : kept.after->buffers())
                if (auto found = shared.find(buffer); found != shared.end() && found->second == 1)
                    step.frees += buffer->bytes();
        }
        kept_[soonest_made_again(steps).value()].after.reset();
    }
}

std::optional<size_t> soonest_made_again(std::span<const KeptStep> steps) {
    bool any_frees =
        std::ranges::any_of(steps, [](const KeptStep& step) { return step.kept && step.frees > 0; });
    std::optional<size_t> soonest;
    double least = 0;
    double since_last_kept = 0;
    for (size_t i = 0; i < steps.size(); i++) {
        since_last_kept += steps[i].seconds;
        if (!steps[i].kept) continue;
        if ((steps[i].frees > 0 || !any_frees) && (!soonest || since_last_kept < least)) {
            soonest = i;
            least = since_last_kept;
        }
        since_last_kept = 0;
    }
    return soonest;
}

}  // namespace caprock
