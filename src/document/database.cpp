#include "document/database.h"

#include <cerrno>
#include <filesystem>
#include <fmt/format.h>
#include <sqlite3.h>
#include <utility>

namespace caprock {

namespace {

DatabaseError::Kind kind_of(int code) {
    switch (code & 0xff) {
        case SQLITE_CORRUPT:
        case SQLITE_NOTADB:
        case SQLITE_INTERRUPT:
            return DatabaseError::Kind::damaged;
        case SQLITE_FULL:
            return DatabaseError::Kind::full;
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
            return DatabaseError::Kind::busy;
        default:
            return DatabaseError::Kind::other;
    }
}

// What an operating system says in more ways than one: the disk is full, the user's share of it, or the largest file.
bool means_full(int system_error) {
    return system_error == ENOSPC || system_error == EDQUOT || system_error == EFBIG;
}

bool is_full(sqlite3* handle, int code) {
    int kind = code & 0xff;
    if (kind == SQLITE_FULL) return true;
    if (kind != SQLITE_IOERR && kind != SQLITE_CANTOPEN) return false;
    if (means_full(sqlite3_system_errno(handle))) return true;
    if (code != SQLITE_IOERR_WRITE) return false;
    // What the files themselves remember of their last failure.
    for (int which : {SQLITE_FCNTL_FILE_POINTER, SQLITE_FCNTL_JOURNAL_POINTER}) {
        sqlite3_file* file = nullptr;
        int reason = 0;
        if (sqlite3_file_control(handle, "main", which, &file) != SQLITE_OK || !file || !file->pMethods)
            continue;
        if (file->pMethods->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &reason) == SQLITE_OK &&
            means_full(reason))
            return true;
    }
    return false;
}

std::string uri_escaped(const std::string& path) {
    std::string escaped;
    for (char c : path) {
        if (c == '%' || c == '?' || c == '#') {
            escaped += fmt::format("%{:02x}", int(c));
        } else {
            escaped += c;
        }
    }
    return escaped;
}

bool has_log(const std::string& path) {
    std::error_code unknown;
    std::string log =
        std::filesystem::weakly_canonical(path, unknown).string() + "-wal";  // beside the file, not a link
    uintmax_t size = std::filesystem::file_size(log, unknown);
    return !unknown && size > 0;
}

// A program that ends while another connection clears up after a crash waits this long for it.
constexpr int patience_ms = 5000;
// The longest text or blob; the text of the largest document is well below.
constexpr int most_bytes = 96 << 20;
// How often steps are counted.
constexpr int steps_at_a_time = 10000;

}  // namespace

Database::Database(const std::string& path, Access access) : access_(access), use_(path) {
    bool reads = access == Access::read || access == Access::lenient;
    if (!reads) {
        int flags = SQLITE_OPEN_READONLY;
        if (access == Access::create) flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
        if (access == Access::write) flags = SQLITE_OPEN_READWRITE;
        open(path, flags, nullptr);
        return;
    }
    try {
        reading_ = std::make_unique<ReadingLock>(path);
    } catch (const Error& error) {
        throw DatabaseError(error.what(), DatabaseError::Kind::other);
    }
    // Nobody changes the file now, so that it is read without locks; and the log only grows, so that it is read up to
    // where it ends now, with an index in memory. With locks SQLite would need files of its own beside the file, which
    // a reader may have no right to make, and the owner none to write.
    if (!has_log(path)) {
        open("file:" + uri_escaped(path) + "?immutable=1", SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nullptr);
    } else {
        open(path, SQLITE_OPEN_READONLY, "unix-none");
        sqlite3_exec(handle_, "PRAGMA locking_mode = EXCLUSIVE", nullptr, nullptr, nullptr);
    }
    leave_log(true);
}

void Database::open(const std::string& name, int flags, const char* system) {
    int code = sqlite3_open_v2(name.c_str(), &handle_, flags | SQLITE_OPEN_NOMUTEX, system);
    if (code != SQLITE_OK) {
        bool full = handle_ && is_full(handle_, code);
        std::string reason = handle_ ? sqlite3_errmsg(handle_) : sqlite3_errstr(code);
        sqlite3_close(handle_);
        if (full) throw DatabaseError("the disk is full", DatabaseError::Kind::full);
        throw DatabaseError(reason, kind_of(code));
    }
    sqlite3_extended_result_codes(handle_, 1);
    sqlite3_busy_timeout(handle_, patience_ms);
    bool lenient = access_ == Access::lenient;
    // A file may have been made by somebody who means ill: nothing in its schema is run, no damage is made worse.
    sqlite3_db_config(handle_, SQLITE_DBCONFIG_DEFENSIVE, !lenient, nullptr);
    // Nothing is written: it is how SQLite calls looking over more than it would.
    sqlite3_db_config(handle_, SQLITE_DBCONFIG_WRITABLE_SCHEMA, lenient, nullptr);
    sqlite3_db_config(handle_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(handle_, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
    sqlite3_db_config(handle_, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
    sqlite3_limit(handle_, SQLITE_LIMIT_LENGTH, most_bytes);
}

std::unique_ptr<Database> Database::for_reading(const std::string& path) {
    auto opened = [&](Access access) {
        auto database = std::make_unique<Database>(path, access);
        database->integer("PRAGMA schema_version");  // looks at the file for the first time
        return database;
    };
    try {
        return opened(written_by_this_process(path) ? Access::beside : Access::read);
    } catch (const DatabaseError& error) {
        if (error.kind() == DatabaseError::Kind::damaged) return opened(Access::lenient);
        // Without its log it would be one of the past, or of pieces of several.
        if (error.kind() == DatabaseError::Kind::other && has_log(path))
            throw DatabaseError(fmt::format("its last changes are in the file beside it that ends in '-wal', "
                                            "which cannot be read ({})",
                                            error.what()),
                                error.kind());
        throw;
    }
}

void Database::leave_log(bool leave) {
    sqlite3_db_config(handle_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, leave, nullptr);
}

void Database::limit_steps(uint64_t most) {
    most_steps_ = most;
    sqlite3_progress_handler(handle_, most > 0 ? steps_at_a_time : 0, count_steps, this);
}

int Database::count_steps(void* database) {
    auto* self = static_cast<Database*>(database);
    self->steps_ += steps_at_a_time;
    return self->steps_ > self->most_steps_;
}

Database::~Database() {
    for (auto& [text, statement] : statements_) sqlite3_finalize(statement);
    sqlite3_close_v2(handle_);
}

void Database::fail(int code) const {
    if (is_full(handle_, code)) throw DatabaseError("the disk is full", DatabaseError::Kind::full);
    if ((code & 0xff) == SQLITE_INTERRUPT)
        throw DatabaseError("a table has more rows than there is room for", kind_of(code));
    if ((code & 0xff) == SQLITE_NOTADB)
        throw DatabaseError("it is no project of Caprock, or its first bytes are damaged", kind_of(code));
    throw DatabaseError(sqlite3_errmsg(handle_), kind_of(code));
}

void Database::script(const std::string& statements) {
    int code = sqlite3_exec(handle_, statements.c_str(), nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) fail(code);
}

std::optional<int64_t> Database::integer(std::string_view statement) {
    Query made = query(statement);
    if (!made.next() || made.is_null(0)) return std::nullopt;
    return made.integer(0);
}

int64_t Database::changes() const { return sqlite3_changes64(handle_); }

Database::Query Database::prepared(std::string_view statement) {
    steps_ = 0;
    auto found = statements_.find(statement);
    if (found != statements_.end()) {
        sqlite3_stmt* kept = found->second;
        statements_.erase(found);
        return Query(*this, kept);
    }
    sqlite3_stmt* made = nullptr;
    int code = sqlite3_prepare_v3(handle_, statement.data(), int(statement.size()), SQLITE_PREPARE_PERSISTENT,
                                  &made, nullptr);
    if (code != SQLITE_OK) fail(code);
    return Query(*this, made);
}

// ---- queries ---------------------------------------------------------------------------------------------

Database::Query::Query(Query&& other) noexcept
    : database_(other.database_), statement_(std::exchange(other.statement_, nullptr)) {}

Database::Query::~Query() {
    if (!statement_) return;
    sqlite3_reset(statement_);
    sqlite3_clear_bindings(statement_);
    auto [at, is_new] = database_.statements_.emplace(sqlite3_sql(statement_), statement_);
    if (!is_new) sqlite3_finalize(statement_);
}

bool Database::Query::next() {
    int code = sqlite3_step(statement_);
    if (code == SQLITE_ROW) return true;
    if (code != SQLITE_DONE) database_.fail(code);
    return false;
}

int64_t Database::Query::integer(int column) const { return sqlite3_column_int64(statement_, column); }
double Database::Query::number(int column) const { return sqlite3_column_double(statement_, column); }
bool Database::Query::is_null(int column) const {
    return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

std::string_view Database::Query::bytes(int column) const {
    const void* data = sqlite3_column_blob(statement_, column);
    int size = sqlite3_column_bytes(statement_, column);
    if (!data || size <= 0) return {};
    return {static_cast<const char*>(data), size_t(size)};
}
std::string Database::Query::text(int column) const { return std::string(bytes(column)); }

void Database::Query::bind(int index, int64_t value) {
    int code = sqlite3_bind_int64(statement_, index, value);
    if (code != SQLITE_OK) database_.fail(code);
}
void Database::Query::bind(int index, double value) {
    int code = sqlite3_bind_double(statement_, index, value);
    if (code != SQLITE_OK) database_.fail(code);
}
void Database::Query::bind(int index, std::string_view value) {
    int code = sqlite3_bind_text64(statement_, index, value.data() ? value.data() : "", value.size(),
                                   SQLITE_TRANSIENT, SQLITE_UTF8);
    if (code != SQLITE_OK) database_.fail(code);
}
void Database::Query::bind(int index, std::nullptr_t) {
    int code = sqlite3_bind_null(statement_, index);
    if (code != SQLITE_OK) database_.fail(code);
}
void Database::Query::bind_bytes(int index, std::string_view value) {
    int code = sqlite3_bind_blob64(statement_, index, value.data() ? value.data() : "", value.size(),
                                   SQLITE_TRANSIENT);
    if (code != SQLITE_OK) database_.fail(code);
}

// ---- transactions ----------------------------------------------------------------------------------------

Database::Transaction::Transaction(Database& database) : database_(database) {
    database_.script("BEGIN IMMEDIATE");
}

Database::Transaction::~Transaction() {
    if (!open_) return;
    // A failure of its own makes SQLite roll back by itself; then there is nothing left to do.
    sqlite3_exec(database_.handle_, "ROLLBACK", nullptr, nullptr, nullptr);
}

void Database::Transaction::commit() {
    database_.script("COMMIT");
    open_ = false;
}

}  // namespace caprock
