#include "operation/input_file.h"

#include "base/error.h"
#include "base/text_file.h"

#include <fmt/format.h>
#include <stdexcept>
#include <utility>
#include <xxhash.h>

namespace caprock {

namespace {

std::string fingerprint_of(const std::string& text) {
    XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace

void InputFile::name(std::string path) {
    path_ = std::move(path);
    content_.reset();
}

void InputFile::take(std::string text) {
    std::string key = fingerprint_of(text);
    content_ = std::make_shared<const Content>(Content{std::move(text), std::move(key)});
}

void InputFile::put(std::string path, std::string content) {
    path_ = std::move(path);
    take(std::move(content));
}

void InputFile::fetch() {
    if (!content_ && !path_.empty()) take(from_disk());
}

void InputFile::fetch_again() {
    if (!path_.empty()) take(from_disk());
}

std::string InputFile::from_disk() const {
    try {
        return text_of_file(path_, longest_, no_such_thing_);
    } catch (const Error& error) {
        throw Error(fmt::format("{}: {}", title(), error.what()));
    }
}

std::string InputFile::text() const { return content_ ? content_->text : from_disk(); }

const std::string& InputFile::fingerprint() const {
    if (!content_) throw std::logic_error("a file that was not read has no fingerprint");
    return content_->fingerprint;
}

bool InputFile::differs_on_disk() const {
    if (!content_ || path_.empty()) return false;
    try {
        return from_disk() != content_->text;
    } catch (const std::exception&) {
        return false;
    }
}

bool InputFile::operator==(const InputFile& other) const {
    if (path_ != other.path_ || read() != other.read()) return false;
    return !read() || content_->fingerprint == other.content_->fingerprint;
}

std::string InputFile::title() const { return path_.empty() ? "the file" : fmt::format("'{}'", path_); }

}  // namespace caprock
