// SQLite, with errors as exceptions and statements that end with their scope. Only database.cpp knows its header.
#pragma once

#include "base/error.h"
#include "document/file_lock.h"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace caprock {

// What the database refused, and of what kind that was.
class DatabaseError : public Error {
  public:
    enum class Kind { damaged, full, busy, other };
    DatabaseError(const std::string& message, Kind kind) : Error(message), kind_(kind) {}
    Kind kind() const { return kind_; }

  private:
    Kind kind_;
};

class Database {
  public:
    // `read` shows the file, with its log, as it is now for as long as the connection lives, whatever others write; it
    // locks nobody out, and writes nothing, not even beside the file. `lenient` is the same and reads what it can of a
    // file that is shorter than it says. `beside` reads what this process itself writes, always the newest.
    enum class Access { create, write, beside, read, lenient };
    // Throws DatabaseError with the reason alone.
    Database(const std::string& path, Access access);
    // For reading, in the way that serves.
    static std::unique_ptr<Database> for_reading(const std::string& path);
    Access access() const { return access_; }
    ~Database();
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    // A statement with its values, from the first row on:
    //     for (Query q = database.query("SELECT x FROM t WHERE y = ?", 3); q.next();) q.integer(0);
    class Query {
      public:
        Query(Query&& other) noexcept;
        ~Query();
        bool next();
        int64_t integer(int column) const;
        double number(int column) const;
        std::string text(int column) const;
        std::string_view bytes(int column) const;  // good until next()
        bool is_null(int column) const;

      private:
        friend class Database;
        Query(Database& database, sqlite3_stmt* statement) : database_(database), statement_(statement) {}
        void bind(int index, int64_t value);
        void bind(int index, int value) { bind(index, int64_t(value)); }
        void bind(int index, double value);
        void bind(int index, std::string_view value);
        void bind(int index, const std::string& value) { bind(index, std::string_view(value)); }
        void bind(int index, const char* value) { bind(index, std::string_view(value)); }
        void bind(int index, std::nullptr_t);
        void bind_bytes(int index, std::string_view value);
        template <typename Value>
        void bind(int index, const std::optional<Value>& value) {
            if (value) {
                bind(index, *value);
            } else {
                bind(index, nullptr);
            }
        }
        template <typename Value>
        requires requires(const Value& value) { value.blob; }
        void bind(int index, const Value& value) { bind_bytes(index, value.blob); }

        Database& database_;
        sqlite3_stmt* statement_;
    };

    template <typename... Values>
    Query query(std::string_view statement, const Values&... values) {
        Query made = prepared(statement);
        int index = 0;
        (made.bind(++index, values), ...);
        return made;
    }
    // For statements whose rows nobody wants.
    template <typename... Values>
    void run(std::string_view statement, const Values&... values) {
        Query made = query(statement, values...);
        while (made.next()) {
        }
    }
    // Several statements without values.
    void script(const std::string& statements);
    std::optional<int64_t> integer(std::string_view statement);

    // Rolled back unless committed.
    class Transaction {
      public:
        explicit Transaction(Database& database);
        ~Transaction();
        void commit();

      private:
        Database& database_;
        bool open_ = true;
    };

    int64_t changes() const;

    // Whether SQLite brings the log into the file and removes it when the last connection ends. Unless told, it does.
    void leave_log(bool leave);
    // For those that share a connection.
    std::mutex& guard() { return guard_; }
    // Which file it reads, where it was opened for reading.
    std::string identity() const { return reading_ ? reading_->identity() : ""; }

    // A statement that takes more steps than that is given up as damage; 0: none is. In a hostile file pages may name
    // each other in circles, and to look at all rows of such a table takes for ever.
    void limit_steps(uint64_t most);

  private:
    Query prepared(std::string_view statement);
    [[noreturn]] void fail(int code) const;
    static int count_steps(void* database);

    void open(const std::string& name, int flags, const char* system);

    Access access_;
    std::unique_ptr<ReadingLock> reading_;  // outlives the connection
    FileUse use_;
    std::mutex guard_;
    sqlite3* handle_ = nullptr;
    uint64_t most_steps_ = 0;
    uint64_t steps_ = 0;                                            // of the statement that was begun last
    std::map<std::string, sqlite3_stmt*, std::less<>> statements_;  // prepared before, and not in use
};

// For binding bytes that are no text.
struct Blob {
    std::string_view blob;
};

}  // namespace caprock
