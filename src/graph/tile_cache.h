// Tiles in memory, as many as the budget allows, by their keys. What was not asked for the longest time goes first,
// and what took long to make stays a few rounds longer. For any number of threads.
#pragma once

#include "field/field.h"
#include "graph/content_key.h"

#include <cstdint>
#include <list>
#include <mutex>
#include <optional>
#include <unordered_map>

namespace caprock {

class TileCache {
  public:
    explicit TileCache(uint64_t budget) : budget_(budget) {}

    enum class Making { quick, slow };  // whether it would take long to have it again
    // The field is to have its own, dense cells.
    void put(const ContentKey& key, Field field, Making making);
    std::optional<Field> find(const ContentKey& key);
    bool has(const ContentKey& key) const;

    void set_budget(uint64_t budget);
    uint64_t budget() const;
    uint64_t bytes() const;
    void clear();

  private:
    struct Entry {
        ContentKey key;
        Field field;
        uint64_t bytes = 0;
        int lives = 0;  // how often it is passed over when something has to go
        int full_lives = 0;
    };
    void keep_to_budget();

    mutable std::mutex guard_;
    uint64_t budget_;
    uint64_t bytes_ = 0;
    std::list<Entry> entries_;  // the last one asked for first
    std::unordered_map<ContentKey, std::list<Entry>::iterator, ContentKeyHash> places_;
};

}  // namespace caprock
