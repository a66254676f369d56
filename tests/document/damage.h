// Project files that somebody has changed behind the document's back.
#pragma once

#include "document/database.h"
#include "document/driver/driving.h"
#include "support/folder.h"
#include "support/refusals.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <unistd.h>
#include <vector>

namespace caprock::test {

using Json = nlohmann::ordered_json;

// One statement after another, on a file that is not open. The database is the one of the document room: it checks
// nothing of what the tables mean.
template <typename... Values>
void change_file(const std::string& path, const std::string& statement, const Values&... values) {
    Database database(path, Database::Access::write);
    database.run(statement, values...);
    database.run("PRAGMA wal_checkpoint(TRUNCATE)");
}

inline Json document_json(const std::string& path) {
    Database database(path, Database::Access::read);
    Database::Query query = database.query("SELECT text FROM document WHERE id = 1");
    return query.next() ? Json::parse(query.text(0)) : Json();
}

// Both copies of the text.
inline void set_document_text(const std::string& path, const std::string& text) {
    change_file(path, "UPDATE document SET text = ?", text);
}

// What is told while something is done.
struct Told {
    std::vector<std::string> messages;
    std::function<void(const std::string&)> listener() {
        return [this](const std::string& message) { messages.push_back(message); };
    }
    std::string all() const {
        std::string text;
        for (const std::string& message : messages) text += message + "\n";
        return text;
    }
};

inline bool has_words(const std::string& text, const std::string& words) {
    return text.find(words) != std::string::npos;
}

// Each file is written and brought to the disk a dozen times, and no power fails here: a disk of memory, where there is
// one with room, saves most of the time.
inline std::string quick_disk() {
    const char* memory = "/dev/shm";
    std::error_code none;
    std::filesystem::space_info space = std::filesystem::space(memory, none);
    bool usable = !none && space.available > (uint64_t(1) << 30) && ::access(memory, W_OK) == 0;
    return usable ? memory : test::build_folder;
}

// Across several tiles.
inline DriverCommand large_stroke() {
    DriverCommand command;
    command.x = command.y = 260;
    command.radius = 120;
    command.height = 30;
    command.title = "a large stroke";
    return command;
}

// A document that the driver's commands have been done to, closed.
inline DriverModel make_driven(const std::string& path, int commands, uint64_t seed = never_forgets | 5) {
    auto document = made_for_driver(path);
    DriverModel model(seed);
    while (model.done() < commands) {
        do_command(*document, driver_command(seed, model.done() + 1));
        model.next();
    }
    return model;
}

}  // namespace caprock::test
