// Finding what was meant from a few of its letters.
#pragma once

#include <QString>
#include <vector>

namespace caprock::editor {

struct FuzzyMatch {
    bool found = false;
    int score = 0;            // more is better
    std::vector<int> places;  // of the letters in the text
};

// Letters of the pattern in their order, wherever they stand, whatever their case; spaces in it are passed over. Letters
// that begin words or follow each other count for more.
FuzzyMatch fuzzy_match(const QString& text, const QString& pattern);

}  // namespace caprock::editor
