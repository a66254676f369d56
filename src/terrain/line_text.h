// Lines as a user types them, and as JSON. Both read back to the last bit.
#pragma once

#include "base/json_text.h"
#include "terrain/line_set.h"

#include <string>
#include <string_view>

namespace caprock {

// "0,2200 500,1950; 1,2 3,4,250 close": points by spaces, lines by semicolons, x,y or x,y,height in metres. The word close at
// a line's end goes back to its beginning. Throws Error: "'1;2' is not a place; write x,y in metres".
LineSet parse_lines(std::string_view text);
// "1,2 3,4,250": every place is a line of one point. Semicolons may stand between them.
LineSet parse_points(std::string_view text);
// What parse_lines reads; attributes are left out.
std::string lines_text(const LineSet& lines);
std::string points_text(const LineSet& points);

// [{"points": [[0, 2200], [500, 1950, 31.5]], "closed": true, "attributes": {"name": "A 1", "lanes": 2, "width": 7.5}}]
Json lines_json(const LineSet& lines);
// Throws Error where it is not that.
LineSet lines_from_json(const Json& json);

}  // namespace caprock
