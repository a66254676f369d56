#include "dialogs/fuzzy_match.h"

#include <algorithm>
#include <limits>

namespace caprock::editor {

namespace {

constexpr int no_match = std::numeric_limits<int>::min() / 2;

bool begins_word(const QString& text, int at) {
    if (at == 0) return true;
    QChar before = text[at - 1];
    return !before.isLetterOrNumber() || (text[at].isUpper() && before.isLower());
}

int worth(const QString& text, int at) {
    if (at == 0) return 12;
    return begins_word(text, at) ? 9 : 1;
}

}  // namespace

FuzzyMatch fuzzy_match(const QString& text, const QString& pattern) {
    QString letters;
    for (QChar letter : pattern)
        if (!letter.isSpace()) letters += letter.toLower();
    FuzzyMatch match;
    if (letters.isEmpty()) {
        match.found = true;
        return match;
    }
    const QString low = text.toLower();
    const auto length = size_t(std::min(low.size(), text.size()));
    const auto count = size_t(letters.size());
    if (count > length) return match;
    // The best score with letter i at place j, and where the letter before stood.
    std::vector<std::vector<int>> best(count, std::vector<int>(length, no_match));
    std::vector<std::vector<int>> from(count, std::vector<int>(length, -1));
    for (size_t i = 0; i < count; i++) {
        int leading = no_match;  // the best of the letter before, anywhere to the left
        int leading_at = -1;
        for (size_t j = i; j < length; j++) {
            if (i > 0 && j > 0 && best[i - 1][j - 1] > leading) {
                leading = best[i - 1][j - 1];
                leading_at = int(j) - 1;
            }
            if (low[qsizetype(j)] != letters[qsizetype(i)]) continue;
            int here = worth(text, int(j));
            if (i == 0) {
                best[i][j] = here - std::min(int(j) / 4, 3);
                continue;
            }
            // A gap costs a little, however long.
            if (leading > no_match) {
                best[i][j] = leading + here - 2;
                from[i][j] = leading_at;
            }
            int next_to_it = best[i - 1][j - 1];
            if (next_to_it > no_match && next_to_it + std::max(here, 7) >= best[i][j]) {
                best[i][j] = next_to_it + std::max(here, 7);
                from[i][j] = int(j) - 1;
            }
        }
    }
    auto end = std::ranges::max_element(best.back());
    if (*end <= no_match) return match;
    match.found = true;
    // Of two that fit as well, the shorter is more likely meant.
    match.score = *end * 4 - int(length) / 4;
    match.places.resize(count);
    int at = int(end - best.back().begin());
    for (size_t i = count; i-- > 0;) {
        match.places[i] = at;
        at = from[i][size_t(at)];
    }
    return match;
}

}  // namespace caprock::editor
