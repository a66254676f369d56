// What nodes made, kept for the next time that somebody asks: change the erosion, and the faults are not made again.
#pragma once

#include "field/field.h"
#include "graph/content_key.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace caprock {

// The fields of one node, by name.
using MadeFields = std::vector<std::pair<std::string, Field>>;

// Whole fields by the keys of the nodes that made them, as many as the budget allows. What had to make room is still known
// as something that was made once. For one thread at a time.
class ResultMemory {
  public:
    explicit ResultMemory(uint64_t most_bytes) : most_bytes_(most_bytes) {}

    // Null where it is not there, or not any more.
    const MadeFields* find(const ContentKey& key) const;
    bool knows(const ContentKey& key) const { return places_.contains(key); }
    // `made_of`: the keys of the nodes that it was made of.
    void keep(const ContentKey& key, const std::vector<ContentKey>& made_of, double seconds, MadeFields made);

    // Cells that are there anyway, and count for nothing.
    void set_others(std::vector<Field> fields) { others_ = std::move(fields); }
    // Forgets all that is not of these.
    void forget_but(const std::set<ContentKey>& keys);
    // These say whether there was any.
    bool drop_all();
    bool drop_what_only_devices_have();
    void clear();

    uint64_t bytes() const;

  private:
    struct Kept {
        ContentKey key;
        std::vector<ContentKey> made_of;
        double seconds = 0;              // that it took
        std::optional<MadeFields> made;  // until it had to make room
    };
    template <typename Condition>
    bool drop_if(const Condition& condition);
    std::map<const Buffer*, int> holders() const;
    void keep_to_limit();

    uint64_t most_bytes_;
    std::vector<Field> others_;
    std::vector<Kept> kept_;
    std::map<ContentKey, size_t> places_;
};

// A result in the eyes of somebody who has to let one go.
struct KeptResult {
    double seconds = 0;           // that it took
    bool kept = false;            // whether it is there
    uint64_t frees = 0;           // bytes that no other result holds
    std::vector<size_t> made_of;  // others, by their number
};
// The one to let go: the one made again soonest, with all that it is made of and is not there; one that frees nothing only
// when none does. Which parameter changes next is not known, but what a change costs is: each that goes makes the next one
// dearer, so those that stay are spread over the time that all of them take.
std::optional<size_t> soonest_made_again(std::span<const KeptResult> results);

}  // namespace caprock
