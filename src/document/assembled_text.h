// The text of a document, put together from those of its layers, which are kept: whoever drags a slider changes one layer, and
// the others are neither written nor read again.
#pragma once

#include "document/layer.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace caprock {

class AssembledText {
  public:
    // What document_text() gives, bit for bit. Throws Error for what parse_document() could not read again.
    std::string text_of(const DocumentState& state);

    // How many layers were written, and how many documents read whole, since this was made.
    int64_t layers_written() const { return layers_written_; }
    int64_t documents_read() const { return documents_read_; }

  private:
    // A layer by itself, without those within it.
    struct Piece {
        Layer layer;
        std::string text;   // as it stands in the document, from its first bracket to its last
        size_t inside = 0;  // of a group: where the layers within it go
        int depth = 0;      // lists and objects around it
        int64_t values = 0;
        bool used = false;
    };
    // Where a layer stands: one after the other, each so deep, they say how layers lie within groups.
    struct Place {
        int id;
        int depth;
        bool operator==(const Place&) const = default;
    };
    struct Draft {
        std::string text;
        int64_t values = 0;
        std::vector<Place> places;
        std::vector<int> changed;  // layers that were written for it
    };
    void append(const std::vector<Layer>& layers, int depth, Draft& draft);
    const Piece& piece_of(const Layer& layer, int depth, Draft& draft);
    void check(const DocumentState& state, const std::string& frame, const Draft& draft);

    std::map<int, Piece> pieces_;  // by the layers' numbers
    // Of the last text that was found to be readable: all but the layers, and where those stand.
    std::string frame_;
    std::vector<Place> places_;
    int64_t layers_written_ = 0;
    int64_t documents_read_ = 0;
};

}  // namespace caprock
