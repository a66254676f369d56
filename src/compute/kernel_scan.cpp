#include "compute/kernel_scan.h"

#include "base/text.h"
#include "compute/dialect_texts.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>
#include <string_view>

namespace caprock {

namespace {

// Nobody reads more than these at once.
constexpr size_t most_problems = 20;

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n'; }

enum class TokenKind { word, number, mark };
struct Token {
    TokenKind kind;
    std::string_view text;
    size_t begin;
    size_t end() const { return begin + text.size(); }
    bool is(std::string_view other) const { return text == other; }
};

// What other languages have and the dialect does not, each with what to do about it.
const std::map<std::string_view, const char*>& refused_words() {
    static const std::map<std::string_view, const char*> words = [] {
        std::map<std::string_view, const char*> all = {
            {"double", "is another rounding; the dialect has float"},
            {"_Pragma", "is not of the dialect: devices would differ"},
            {"static", "is not of the dialect: a helper is declared FN"},
        };
        for (const char* word : {"asm",
                                 "extern",
                                 "thread_local",
                                 "mutable",
                                 "volatile",
                                 "goto",
                                 "template",
                                 "class",
                                 "namespace",
                                 "using",
                                 "operator",
                                 "new",
                                 "delete",
                                 "throw",
                                 "try",
                                 "catch",
                                 "virtual",
                                 "friend",
                                 "this",
                                 "typename",
                                 "constexpr",
                                 "auto",
                                 "decltype",
                                 "alignas",
                                 "union",
                                 "long",
                                 "short",
                                 "char",
                                 "inline",
                                 "wchar_t",
                                 "reinterpret_cast",
                                 "const_cast",
                                 "static_cast",
                                 "dynamic_cast"})
            all[word] = "is not of the dialect";
        for (const char* word : {"half", "global", "local", "constant", "private", "kernel", "event_t",
                                 "pipe", "complex", "imaginary", "quad"})
            all[word] = "is reserved in OpenCL C; take another name";
        return all;
    }();
    return words;
}

const std::set<std::string, std::less<>>& dialect_words() {
    static const std::set<std::string, std::less<>> words = [] {
        std::set<std::string, std::less<>> all;
        for (const KernelText& known : dialect_texts()) {
            std::string_view text = known.text;
            if (!std::string_view(known.name).starts_with("dialect/")) continue;
            constexpr std::string_view define = "#define ";
            for (size_t at = text.find(define); at != text.npos; at = text.find(define, at + 1)) {
                size_t begin = at + define.size();
                size_t end = begin;
                while (end < text.size() && (is_letter(text[end]) || is_digit(text[end]))) end++;
                all.emplace(text.substr(begin, end - begin));
            }
        }
        return all;
    }();
    return words;
}

bool is_utf8(std::string_view text) {
    for (size_t i = 0; i < text.size();) {
        auto lead = static_cast<unsigned char>(text[i]);
        size_t length = lead < 0x80                   ? 1
                        : lead >= 0xc2 && lead < 0xe0 ? 2
                        : lead >= 0xe0 && lead < 0xf0 ? 3
                        : lead >= 0xf0 && lead < 0xf5 ? 4
                                                      : 0;
        if (length == 0 || i + length > text.size()) return false;
        for (size_t k = 1; k < length; k++)
            if ((static_cast<unsigned char>(text[i + k]) & 0xc0) != 0x80) return false;
        i += length;
    }
    return true;
}

class Scanner {
  public:
    Scanner(const std::string& text, const std::string& file) {
        kernel_.file = file;
        check_bytes(text);
        kernel_.text.reserve(text.size() + 1);
        for (size_t i = 0; i < text.size(); i++)
            if (text[i] != '\r' || i + 1 == text.size() || text[i + 1] != '\n') kernel_.text += text[i];
        if (kernel_.text.empty() || kernel_.text.back() != '\n') kernel_.text += '\n';
        for (size_t i = 0; i < kernel_.text.size(); i++)
            if (kernel_.text[i] == '\n') line_ends_.push_back(i);
    }

    ScannedKernel scanned() {
        blank_comments();
        read_lines();
        read_tokens();
        check_words();
        check_brackets();
        stop_if_wrong();
        read_declaration();
        stop_if_wrong();
        std::erase_if(kernel_.comments,
                      [&](const ScannedComment& comment) { return comment.line > kernel_.line; });
        return std::move(kernel_);
    }

  private:
    [[noreturn]] void refuse_all() const { throw KernelError(kernel_.file, problems_); }
    void problem(int line, std::string message) {
        problems_.push_back({line, std::move(message)});
        if (problems_.size() >= most_problems) refuse_all();
    }
    [[noreturn]] void refuse(int line, std::string message) {
        problem(line, std::move(message));
        refuse_all();
    }
    void stop_if_wrong() {
        std::ranges::stable_sort(problems_, {}, &KernelProblem::line);
        if (!problems_.empty()) refuse_all();
    }

    int line_at(size_t place) const {
        return 1 + int(std::ranges::lower_bound(line_ends_, place) - line_ends_.begin());
    }

    void check_bytes(const std::string& text) {
        if (text.size() > most_kernel_text)
            refuse(0, fmt::format("larger than {}: that is no kernel", bytes_text(most_kernel_text)));
        if (trimmed(text).empty()) refuse(0, "it is empty; a kernel begins with KERNEL(name, INOUT(height))");
        int line = 1;
        for (size_t i = 0; i < text.size(); i++) {
            char c = text[i];
            bool ends_line = c == '\r' && i + 1 < text.size() && text[i + 1] == '\n';
            if (static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\t' && !ends_line)
                refuse(line, fmt::format("a byte {} is in it: that is no text", int(c)));
            line += c == '\n';
        }
        if (!is_utf8(text)) refuse(0, "it is not UTF-8");
    }

    // What is not comment, in a text of the same length and lines.
    void blank_comments() {
        const std::string& text = kernel_.text;
        code_ = text;
        for (size_t i = 0; i < text.size(); i++) {
            if (text[i] != '/' || i + 1 == text.size()) continue;
            if (text[i + 1] == '/') {
                size_t end = text.find('\n', i);
                if (text[end - 1] == '\\')
                    problem(line_at(i),
                            "a comment that ends in \\ goes on in the next line; end it otherwise");
                add_comments(i + 2, end);
                blank(i, end);
                i = end;
            } else if (text[i + 1] == '*') {
                size_t end = text.find("*/", i + 2);
                if (end == std::string::npos) refuse(line_at(i), "this comment does not end; it lacks a */");
                add_comments(i + 2, end);
                blank(i, end + 2);
                i = end + 1;
            }
        }
    }
    void blank(size_t begin, size_t end) {
        for (size_t i = begin; i < end; i++)
            if (code_[i] != '\n') code_[i] = ' ';
    }
    void add_comments(size_t begin, size_t end) {
        int line = line_at(begin);
        for (const std::string& part :
             split(std::string_view(kernel_.text).substr(begin, end - begin), '\n')) {
            std::string words = trimmed(part);
            size_t first = words.find_first_not_of("*/ ");
            kernel_.comments.push_back({line++, first == std::string::npos ? "" : words.substr(first)});
        }
    }

    // Directives are read and taken out of the code: what stays is what a compiler sees as code. Bodies of macros
    // stay in it, to be looked at like the rest.
    void read_lines() {
        for (size_t begin = 0; begin < code_.size();) {
            size_t end = code_.find('\n', begin);
            // A line that ends in \ goes on.
            while (end != std::string::npos && end > begin && ends_in_backslash(begin, end))
                end = code_.find('\n', end + 1);
            if (end == std::string::npos) end = code_.size();
            size_t first = begin;
            while (first < end && (is_space(code_[first]) || code_[first] == '\\')) first++;
            if (first < end && (code_[first] == '#' || code_.compare(first, 2, "%:") == 0))
                read_directive(begin, first, end);
            begin = end + 1;
        }
    }
    bool ends_in_backslash(size_t begin, size_t end) const {
        while (end > begin && (code_[end - 1] == ' ' || code_[end - 1] == '\t')) end--;
        return end > begin && code_[end - 1] == '\\';
    }

    void read_directive(size_t begin, size_t first, size_t end) {
        int line = line_at(first);
        size_t at = first + 1;
        auto skip = [&] {
            while (at < end && (code_[at] == ' ' || code_[at] == '\t')) at++;
        };
        auto word = [&] {
            size_t from = at;
            while (at < end && (is_letter(code_[at]) || is_digit(code_[at]))) at++;
            return code_.substr(from, at - from);
        };
        skip();
        std::string name = word();
        skip();
        static const std::set<std::string, std::less<>> plain = {"if",   "ifdef", "ifndef", "elif",
                                                                 "else", "endif", "error"};
        if (code_[first] == '#' && name == "include") {
            std::string what = trimmed(std::string_view(code_).substr(at, end - at));
            if (what.size() < 2 || what.front() != '"' || what.find('"', 1) != what.size() - 1 ||
                !is_shared_header(what.substr(1, what.size() - 2)))
                problem(line, fmt::format("#include {}: only the dialect's own headers can be included: {}",
                                          one_line(what), listed(shared_headers())));
            else
                kernel_.includes.push_back({begin, end, what.substr(1, what.size() - 2)});
            blank(begin, end);
        } else if (code_[first] == '#' && (name == "define" || name == "undef")) {
            std::string defined = word();
            if (dialect_words().contains(defined))
                problem(line, fmt::format("#{} {}: that is a word of the dialect", name, defined));
            blank(begin, name == "define" ? at : end);
        } else if (code_[first] == '#' && (name.empty() || plain.contains(name))) {
            if (name == "error") {
                blank(begin, end);
            } else {
                blank(begin, at);
            }
        } else {
            problem(line, fmt::format("#{} is not of the dialect", name));
            blank(begin, end);
        }
    }
    static std::vector<std::string> shared_headers() {
        std::vector<std::string> names;
        for (const KernelText& known : dialect_texts())
            if (!std::string_view(known.name).starts_with("dialect/"))
                names.push_back(fmt::format("\"{}\"", known.name));
        return names;
    }
    static bool is_shared_header(const std::string& name) {
        return !name.starts_with("dialect/") &&
               std::ranges::any_of(dialect_texts(),
                                   [&](const KernelText& text) { return name == text.name; });
    }

    void read_tokens() {
        std::string_view code = code_;
        for (size_t i = 0; i < code.size();) {
            if (is_space(code[i]) || code[i] == '\\') {
                i++;
                continue;
            }
            size_t end = i + 1;
            TokenKind kind = TokenKind::mark;
            if (is_letter(code[i])) {
                kind = TokenKind::word;
                while (end < code.size() && (is_letter(code[end]) || is_digit(code[end]))) end++;
            } else if (is_digit(code[i]) || (code[i] == '.' && end < code.size() && is_digit(code[end]))) {
                kind = TokenKind::number;
                while (end < code.size() &&
                       (is_letter(code[end]) || is_digit(code[end]) || code[end] == '.' ||
                        ((code[end] == '+' || code[end] == '-') && has_exponent(code, i, end))))
                    end++;
            }
            tokens_.push_back({kind, code.substr(i, end - i), i});
            i = end;
        }
    }
    // Whether a sign at `end` belongs to the number: 1e-3f, 0x1p-3f, but not 0x1e-3.
    static bool has_exponent(std::string_view code, size_t begin, size_t end) {
        char before = char(std::tolower(static_cast<unsigned char>(code[end - 1])));
        bool hex = code.substr(begin, 2) == "0x" || code.substr(begin, 2) == "0X";
        return before == (hex ? 'p' : 'e');
    }

    void check_words() {
        for (const Token& token : tokens_) {
            auto refuse_token = [&](const std::string& why) {
                problem(line_at(token.begin), fmt::format("'{}' {}", one_line(token.text), why));
            };
            if (token.kind == TokenKind::word) {
                auto refused = refused_words().find(token.text);
                if (refused != refused_words().end()) refuse_token(refused->second);
                if (token.text.starts_with("__"))
                    refuse_token("belongs to a compiler: the same text would differ between devices");
            } else if (token.kind == TokenKind::number) {
                check_number(token.text, refuse_token);
            } else if (token.is("\"") || token.is("'") || token.is("`") || token.is("$") || token.is("@")) {
                refuse_token("is not of the dialect: a kernel has no texts");
            } else if (static_cast<unsigned char>(token.text[0]) >= 0x80) {
                refuse(line_at(token.begin), "letters beyond ASCII belong in comments");
            }
        }
    }
    template <typename Refuse>
    static void check_number(std::string_view number, const Refuse& refuse_token) {
        bool hex = number.starts_with("0x") || number.starts_with("0X");
        bool whole = number.find_first_of(hex ? ".pP" : ".eE") == number.npos;
        char last = number.back();
        if (!whole && last != 'f' && last != 'F')
            refuse_token(
                fmt::format("is a double, another rounding; write {}f",
                            is_digit(last) || last == '.' ? number : number.substr(0, number.size() - 1)));
    }

    void check_brackets() {
        std::vector<Token> open;
        for (const Token& token : tokens_) {
            if (token.kind != TokenKind::mark) continue;
            if (token.is("{") || token.is("(")) open.push_back(token);
            if (!token.is("}") && !token.is(")")) continue;
            const char* partner = token.is("}") ? "{" : "(";
            if (open.empty() || !open.back().is(partner)) {
                problem(line_at(token.begin), fmt::format("this {} has no {}", token.text, partner));
                return;
            }
            open.pop_back();
        }
        if (!open.empty())
            problem(line_at(open.back().begin), fmt::format("this {} is not closed", open.back().text));
    }

    // ---- the declaration ---------------------------------------------------------------------------------

    const Token& token_at(size_t index) {
        if (index >= tokens_.size()) refuse(kernel_.line, "the kernel ends before its declaration does");
        return tokens_[index];
    }
    void expect(size_t index, std::string_view mark, const char* where) {
        if (!token_at(index).is(mark))
            refuse(line_at(tokens_[index].begin),
                   fmt::format("'{}' is expected {}, not '{}'", mark, where, one_line(tokens_[index].text)));
    }

    void read_declaration() {
        std::vector<size_t> found;
        for (size_t i = 0; i < tokens_.size(); i++)
            if (tokens_[i].is("KERNEL")) found.push_back(i);
        if (found.empty()) refuse(0, "there is no kernel in it; one begins with KERNEL(name, INOUT(height))");
        if (found.size() > 1) refuse(line_at(tokens_[found[1]].begin), "a second kernel; a file holds one");
        size_t at = found[0];
        kernel_.begin = tokens_[at].begin;
        kernel_.line = line_at(kernel_.begin);
        expect(++at, "(", "after KERNEL");
        const Token& name = token_at(++at);
        kernel_.name = name.text;
        bool plain =
            kernel_.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos;
        if (!plain || !std::islower(static_cast<unsigned char>(kernel_.name[0])) || kernel_.name.size() > 60)
            refuse(line_at(name.begin),
                   fmt::format("'{}': a kernel's name is made of lower-case letters, digits and _",
                               one_line(kernel_.name)));
        expect(++at, ",", "after the kernel's name; it has at least one parameter");
        kernel_.comma = tokens_[at].begin;
        while (true) {
            read_parameter(++at);
            if (token_at(at).is(")")) break;
            expect(at, ",", "after a parameter");
        }
        expect(++at, "{", "after the declaration");
        kernel_.brace = tokens_[at].begin;
        for (size_t i = 0; i + 3 < tokens_.size(); i++) {
            if (!tokens_[i].is("HAS") || !tokens_[i + 1].is("(")) continue;
            for (ScannedParameter& parameter : kernel_.parameters)
                if (tokens_[i + 2].is(parameter.name)) parameter.asked_for = true;
        }
    }

    // KIND(name) or KIND(type, name); leaves `at` behind it.
    void read_parameter(size_t& at) {
        std::string kind(token_at(at).text);
        int line = line_at(tokens_[at].begin);
        if (tokens_[at].kind != TokenKind::word)
            refuse(line, fmt::format("a parameter is expected, such as IN(hardness), not '{}'", kind));
        expect(++at, "(", "after the kind of a parameter");
        std::vector<Token> words;
        while (!token_at(++at).is(")")) {
            if (tokens_[at].kind == TokenKind::word) {
                words.push_back(tokens_[at]);
            } else if (!tokens_[at].is(",")) {
                refuse(line,
                       fmt::format("{}: a name is expected, not '{}'", kind, one_line(tokens_[at].text)));
            }
        }
        at++;
        std::string type = words.size() == 2 ? std::string(words[0].text) : "";
        std::optional<ParameterKind> known = known_kind(kind, type, words.size());
        if (!known) {
            refuse(line, unknown_kind_text(kind, type, words.size()));
        }
        const Token& name = words.back();
        kernel_.parameters.push_back({*known, std::string(name.text), line, name.begin, name.end()});
    }
    static std::optional<ParameterKind> known_kind(const std::string& kind, const std::string& type,
                                                   size_t words) {
        if (words == 1) {
            if (kind == "IN") return ParameterKind::in;
            if (kind == "OUT") return ParameterKind::out;
            if (kind == "INOUT") return ParameterKind::inout;
            if (kind == "AROUND") return ParameterKind::around;
            if (kind == "ANYWHERE") return ParameterKind::anywhere;
        }
        if (words == 2 && kind == "UNIFORM") {
            if (type == "float") return ParameterKind::uniform_float;
            if (type == "int") return ParameterKind::uniform_int;
            if (type == "uint") return ParameterKind::uniform_uint;
        }
        return std::nullopt;
    }
    static std::string unknown_kind_text(const std::string& kind, const std::string& type, size_t words) {
        static const std::set<std::string, std::less<>> refused = {
            "TABLE", "FOLD_MIN", "FOLD_MAX", "FOLD_SUM",  "TALLY",       "ALONG",       "DOWN",
            "FINER", "COARSER",  "IN_STACK", "OUT_STACK", "INOUT_STACK", "AROUND_STACK"};
        if (refused.contains(kind))
            return fmt::format("{}: a kernel of a file cannot have one; it has fields and uniforms", kind);
        if (kind == "UNIFORM" && words == 2)
            return fmt::format("UNIFORM: a uniform is a float, an int or a uint, not a '{}'", one_line(type));
        if (kind == "UNIFORM") return "UNIFORM: it has a type and a name: UNIFORM(float, step)";
        std::vector<std::string> kinds = {"IN", "OUT", "INOUT", "AROUND", "ANYWHERE", "UNIFORM"};
        if (std::ranges::find(kinds, kind) != kinds.end())
            return fmt::format("{}: it has one name: {}(height)", kind, kind);
        return fmt::format("'{}' is no kind of parameter; there is {}{}", one_line(kind), listed(kinds),
                           suggestion(kind, kinds));
    }

    ScannedKernel kernel_;
    std::vector<size_t> line_ends_;
    std::string code_;
    std::vector<Token> tokens_;
    std::vector<KernelProblem> problems_;
};

}  // namespace

ScannedKernel scan_kernel(const std::string& text, const std::string& file) {
    return Scanner(text, file).scanned();
}

}  // namespace caprock
