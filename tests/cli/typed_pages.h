// Commands of the documentation, typed as they stand there.
#pragma once

#include "cli/command_line.h"
#include "cli/page_commands.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace caprock::test {

class TypedPages : public CommandLine {
  protected:
    // Types all commands of a page. `typed` is told of each what it printed.
    template <typename Typed>
    int type_page(const std::string& path, const Typed& typed) {
        std::string page = page_text(path);
        int count = 0;
        for (const PageCommand& command : page_commands(path)) {
            SCOPED_TRACE(command.line);
            std::vector<std::string> words = words_of(command.line);
            words.erase(words.begin());
            Outcome outcome = caprock(words);
            EXPECT_EQ(outcome.code, 0) << outcome.err;
            if (outcome.code != 0) return count;
            count++;
            if (command.shows_its_output) {
                for (const std::string& line : lines_of(outcome.out))
                    EXPECT_TRUE(contains(page, "    " + line)) << path << " does not show\n" << line;
            }
            typed(command.line, outcome.out);
        }
        return count;
    }
};

}  // namespace caprock::test
