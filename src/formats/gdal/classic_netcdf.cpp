#include "formats/gdal/classic_netcdf.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <vector>

namespace caprock::gdal {

namespace {

// More than a sound header has of anything; what is larger is damaged.
constexpr uint64_t most_entries = 100000;

struct CutOff {};

// The header, as "The NetCDF Classic Format Specification" has it: numbers are big-endian, counts are of 4 bytes, in
// version 5 of 8, names and values padded to 4.
class Header {
  public:
    Header(std::ifstream& file, int version)
        : file_(file), wide_counts_(version == 5), wide_places_(version != 1) {}

    // Where the last byte of the last variable ends.
    uint64_t end_of_data() {
        uint64_t records = count();
        bool streaming = records == (wide_counts_ ? UINT64_MAX : UINT32_MAX);
        if (streaming) records = 0;
        read_dimensions();
        skip_attributes();
        uint64_t end = 0;
        uint64_t last_record_end = 0;
        uint64_t record_bytes = 0;
        number(4);
        for (uint64_t left = entries(); left > 0; left--) {
            Variable variable = read_variable();
            if (!variable.of_records) {
                end = std::max(end, variable.begin + variable.bytes);
            } else {
                last_record_end = std::max(last_record_end, variable.begin + variable.bytes);
                record_bytes += variable.bytes;
            }
        }
        // Padding between records is left aside: it would only make them longer.
        if (records > 0) end = std::max(end, last_record_end + (records - 1) * record_bytes);
        return end;
    }

  private:
    struct Variable {
        uint64_t begin = 0;
        uint64_t bytes = 0;  // of one record, where it has records
        bool of_records = false;
    };

    uint64_t number(int bytes) {
        uint64_t value = 0;
        for (int i = 0; i < bytes; i++) {
            int byte = file_.get();
            if (byte == std::char_traits<char>::eof()) throw CutOff();
            value = value << 8 | uint64_t(byte);
        }
        return value;
    }
    uint64_t count() { return number(wide_counts_ ? 8 : 4); }
    uint64_t entries() {
        uint64_t value = count();
        if (value > most_entries) throw CutOff();
        return value;
    }
    void skip_padded(uint64_t bytes) {
        file_.ignore(std::streamsize((bytes + 3) / 4 * 4));
        if (!file_) throw CutOff();
    }
    void skip_name() { skip_padded(count()); }

    static uint64_t bytes_of_type(uint64_t type) {
        constexpr uint64_t bytes[] = {0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8};
        if (type < 1 || type >= std::size(bytes)) throw CutOff();
        return bytes[type];
    }

    void read_dimensions() {
        number(4);  // which list it is; 0 where there is none
        for (uint64_t left = entries(); left > 0; left--) {
            skip_name();
            lengths_.push_back(count());
        }
    }
    void skip_attributes() {
        number(4);
        for (uint64_t left = entries(); left > 0; left--) {
            skip_name();
            uint64_t bytes = bytes_of_type(number(4));
            skip_padded(count() * bytes);
        }
    }
    Variable read_variable() {
        Variable variable;
        skip_name();
        uint64_t cells = 1;
        uint64_t dimensions = entries();
        for (uint64_t i = 0; i < dimensions; i++) {
            uint64_t which = count();
            if (which >= lengths_.size()) throw CutOff();
            // The dimension without a length is that of the records.
            variable.of_records |= lengths_[which] == 0;
            cells *= std::max<uint64_t>(lengths_[which], 1);
        }
        skip_attributes();
        variable.bytes = cells * bytes_of_type(number(4));
        count();  // the same in the file's own words, which are wrong for large variables
        variable.begin = number(wide_places_ ? 8 : 4);
        return variable;
    }

    std::ifstream& file_;
    bool wide_counts_;
    bool wide_places_;
    std::vector<uint64_t> lengths_;
};

}  // namespace

bool is_cut_off_netcdf(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    char magic[4] = {};
    if (!file.read(magic, 4) || magic[0] != 'C' || magic[1] != 'D' || magic[2] != 'F') return false;
    int version = magic[3];
    if (version != 1 && version != 2 && version != 5) return false;
    std::error_code unknown;
    uint64_t bytes = std::filesystem::file_size(path, unknown);
    if (unknown) return false;
    try {
        return Header(file, version).end_of_data() > bytes;
    } catch (const CutOff&) {
        return true;
    }
}

}  // namespace caprock::gdal
