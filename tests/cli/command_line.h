// The caprock command as tests use it, in a folder of its own.
#pragma once

#include "cli/process.h"
#include "support/folder.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace caprock::test {

// Words as they would be typed: split at spaces that do not stand between quotes.
inline std::vector<std::string> words_of(const std::string& line) {
    std::vector<std::string> words;
    bool quoted = false;
    bool begun = false;
    for (char letter : line) {
        if (letter == ' ' && !quoted) {
            begun = false;
            continue;
        }
        if (!begun) words.emplace_back();
        begun = true;
        if (letter == '"') {
            quoted = !quoted;
        } else {
            words.back() += letter;
        }
    }
    return words;
}

inline std::vector<std::string> lines_of(const std::string& text) {
    std::stringstream stream(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

inline bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

class CommandLine : public testing::Test {
  protected:
    Outcome caprock(const std::vector<std::string>& words,
                    const std::map<std::string, std::string>& environment = {}) {
        return run_program({.arguments = words, .environment = environment, .folder = folder_.path()});
    }
    Outcome caprock(const std::string& line, const std::map<std::string, std::string>& environment = {}) {
        return caprock(words_of(line), environment);
    }

    // Must succeed and say nothing but its result.
    std::string done(const std::string& line, const std::map<std::string, std::string>& environment = {}) {
        Outcome outcome = caprock(line, environment);
        EXPECT_EQ(outcome.code, 0) << line << "\n" << outcome.err;
        EXPECT_EQ(outcome.err, "") << line;
        return outcome.out;
    }

    // What info says of a file's cells and place, without its name.
    std::string facts(const std::string& file) {
        const std::string text = done("info " + file);
        return text.substr(text.find("size"));
    }

    // Must be refused with code 2 and one line on stderr that has these parts; nothing is written.
    void refused_words(const std::vector<std::string>& words, const std::vector<std::string>& parts) {
        std::string shown;
        for (const std::string& word : words) shown += " '" + word + "'";
        SCOPED_TRACE("caprock" + shown);
        std::set<std::string> before = folder_.names();
        Outcome outcome = caprock(words);
        EXPECT_EQ(outcome.code, 2);
        EXPECT_EQ(outcome.out, "");
        EXPECT_TRUE(outcome.err.starts_with("caprock: ")) << outcome.err;
        EXPECT_EQ(outcome.err.find('\n'), outcome.err.size() - 1) << outcome.err;
        for (const std::string& part : parts)
            EXPECT_TRUE(contains(outcome.err, part)) << part << "\n" << outcome.err;
        EXPECT_EQ(folder_.names(), before);
    }
    void refused(const std::string& line, const std::vector<std::string>& parts) {
        refused_words(words_of(line), parts);
    }

    nlohmann::json info(const std::string& file) {
        return nlohmann::json::parse(done("info --json " + file));
    }
    std::string fingerprint_of(const std::string& file, size_t field = 0) {
        return info(file)["fields"].at(field)["fingerprint"];
    }

    Folder folder_;
};

}  // namespace caprock::test
