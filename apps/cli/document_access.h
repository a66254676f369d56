// Documents as commands open them, find layers in them and leave them.
#pragma once

#include "document/commands.h"
#include "options.h"
#include "terminal.h"

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace caprock::cli {

// Throws Error unless a document may have this name, NAME.caprock: for one that is to be made.
void check_project_name(const std::string& path);

// ---- settings --------------------------------------------------------------------------------------------

// Of everything that opens a document.
struct MemorySettings {
    std::string memory;

    void describe(Declaration& d);
    uint64_t bytes() const;  // 0 unless given
};

// Of everything that changes one.
struct ChangeSettings {
    MemorySettings memory;
    bool thumbnail = true;
    QuietSettings quiet;

    void describe(Declaration& d);
};

// Of everything that computes one.
struct ComputeSettings {
    std::string device = "auto";
    int threads = 0;

    void describe(Declaration& d);
    // For work on so many cells.
    RunContext context(Terminal& terminal, int64_t cells) const;
};

// ---- words -----------------------------------------------------------------------------------------------

// What stands on the line of a command of documents: the project first, then other words and options.
struct DocumentWords {
    std::string path;
    std::vector<std::string> others;
    std::set<std::string> given;  // names of options
};
// `command`: its name without 'document'. Throws Error with its usage unless there are `least` to `most` other words.
DocumentWords read_document_words(const std::string& command, Declaration& declaration,
                                  const std::vector<std::string>& words, size_t least, size_t most);
// "document add: must be: caprock document add P.caprock ..."
[[noreturn]] void refuse_usage(const std::string& command);

// The number of the layer that a word means: its number, or its name whatever the case. Throws Error with the candidates
// where that is none or several.
int layer_named(const DocumentState& state, const std::string& word);
std::vector<int> layers_named(const DocumentState& state, const std::vector<std::string>& words);
// "layer 3 (Hills)"
std::string layer_text(const Layer& layer);

// ---- opening and closing ---------------------------------------------------------------------------------

// A document that a command changes.
class DocumentSession {
  public:
    DocumentSession(const std::string& path, const ChangeSettings& settings);
    // Takes over one that was just made.
    DocumentSession(std::unique_ptr<Document> document, const ChangeSettings& settings);

    Document& document() { return *document_; }
    const DocumentState& state() const { return document_->state(); }
    Terminal& terminal() { return terminal_; }
    int layer(const std::string& word) const { return layer_named(state(), word); }

    // Says which layers have lost their effect, draws the thumbnail where that is quick, and returns when all is on
    // disk. Throws Error with what stands in the way of that.
    int finish();

  private:
    // Where the file is not in its place any longer, the document is kept under another name, and that is said.
    void flush();

    ChangeSettings settings_;
    Terminal terminal_;
    std::unique_ptr<Document> document_;
    std::set<std::string> problems_;  // there were before
};

// Warnings of documents go to the terminal.
DocumentOptions document_options(const MemorySettings& memory, Terminal& terminal);

// A shaded relief of the window, 256 pixels along its longer side, as PNG. Empty where it takes longer than so many
// seconds; 0: however long it takes.
std::string drawn_thumbnail(Document& document, Terminal& terminal, const ComputeSettings& compute,
                            double most_seconds);

}  // namespace caprock::cli
