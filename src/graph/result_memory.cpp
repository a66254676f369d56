#include "graph/result_memory.h"

#include <algorithm>

namespace caprock {

namespace {

std::set<const Buffer*> buffers_of(const MadeFields& made) {
    std::set<const Buffer*> buffers;
    for (const auto& [name, field] : made)
        if (field.plane().buffer) buffers.insert(field.plane().buffer.get());
    return buffers;
}

// Of a result and of those it is made of that are not there, each once.
double seconds_to_make(std::span<const KeptResult> results, size_t index) {
    std::vector<size_t> left = {index};
    std::set<size_t> counted;
    double seconds = 0;
    while (!left.empty()) {
        const size_t next = left.back();
        left.pop_back();
        if (!counted.insert(next).second) continue;
        seconds += results[next].seconds;
        for (size_t from : results[next].made_of)
            if (!results[from].kept) left.push_back(from);
    }
    return seconds;
}

}  // namespace

const MadeFields* ResultMemory::find(const ContentKey& key) const {
    auto found = places_.find(key);
    if (found == places_.end()) return nullptr;
    const std::optional<MadeFields>& made = kept_[found->second].made;
    return made ? &*made : nullptr;
}

void ResultMemory::keep(const ContentKey& key, const std::vector<ContentKey>& made_of, double seconds,
                        MadeFields made) {
    auto [place, fresh] = places_.emplace(key, kept_.size());
    if (fresh) kept_.emplace_back();
    kept_[place->second] = {key, made_of, seconds, std::move(made)};
    keep_to_limit();
}

void ResultMemory::forget_but(const std::set<ContentKey>& keys) {
    std::erase_if(kept_, [&](const Kept& kept) { return !keys.contains(kept.key); });
    places_.clear();
    for (size_t i = 0; i < kept_.size(); i++) places_[kept_[i].key] = i;
}

void ResultMemory::clear() {
    others_.clear();
    kept_.clear();
    places_.clear();
}

template <typename Condition>
bool ResultMemory::drop_if(const Condition& condition) {
    bool any = false;
    for (Kept& kept : kept_) {
        if (!kept.made || !condition(*kept.made)) continue;
        kept.made.reset();
        any = true;
    }
    return any;
}

bool ResultMemory::drop_all() {
    return drop_if([](const MadeFields&) { return true; });
}

bool ResultMemory::drop_what_only_devices_have() {
    return drop_if([](const MadeFields& made) {
        return !std::ranges::all_of(made, [](const auto& entry) { return entry.second.on_host(); });
    });
}

// ---- the limit -------------------------------------------------------------------------------------------

// How many of the results hold each buffer.
std::map<const Buffer*, int> ResultMemory::holders() const {
    std::map<const Buffer*, int> holders;
    for (const Kept& kept : kept_)
        if (kept.made)
            for (const Buffer* buffer : buffers_of(*kept.made)) holders[buffer]++;
    for (const Field& field : others_)
        if (field.plane().buffer) holders.erase(field.plane().buffer.get());
    return holders;
}

uint64_t ResultMemory::bytes() const {
    uint64_t bytes = 0;
    for (const auto& [buffer, count] : holders()) bytes += buffer->bytes();
    return bytes;
}

void ResultMemory::keep_to_limit() {
    while (bytes() > most_bytes_) {
        const std::map<const Buffer*, int> shared = holders();
        std::vector<KeptResult> results;
        for (const Kept& kept : kept_) {
            KeptResult& result = results.emplace_back(KeptResult{kept.seconds, kept.made.has_value(), 0, {}});
            for (const ContentKey& key : kept.made_of)
                if (auto found = places_.find(key); found != places_.end())
                    result.made_of.push_back(found->second);
            if (!kept.made) continue;
            for (const Buffer* buffer : buffers_of(*kept.made))
                if (auto found = shared.find(buffer); found != shared.end() && found->second == 1)
                    result.frees += buffer->bytes();
        }
        kept_[soonest_made_again(results).value()].made.reset();
    }
}

std::optional<size_t> soonest_made_again(std::span<const KeptResult> results) {
    const bool any_frees = std::ranges::any_of(
        results, [](const KeptResult& result) { return result.kept && result.frees > 0; });
    std::optional<size_t> soonest;
    double least = 0;
    for (size_t i = 0; i < results.size(); i++) {
        if (!results[i].kept || (results[i].frees == 0 && any_frees)) continue;
        const double seconds = seconds_to_make(results, i);
        if (soonest && seconds >= least) continue;
        soonest = i;
        least = seconds;
    }
    return soonest;
}

}  // namespace caprock
