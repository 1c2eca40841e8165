// The body of a request, framed as RFC 9112, section 6, has it and in no other way.
//
// Two programs that disagree on where a body ends see different requests (request smuggling), so
// whatever can be read in two ways is refused: Content-Length and Transfer-Encoding together,
// several lengths, a length that is not all digits, a coding other than chunked, a chunk whose size
// or line end is not as it must be. Content codings are refused too: what is stored is what was
// sent, and nothing small becomes large. What frames a chunk is bounded, so it takes no memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pratique::net {

struct BodyFrame {
  bool chunked = false;
  std::uint64_t bytes = 0;  // when it is not chunked
  [[nodiscard]] bool empty() const { return !chunked && bytes == 0; }
};

// From all headers, with their names in lower case. Throws Problem 400, 415 or 501.
[[nodiscard]] BodyFrame body_frame(const std::vector<std::pair<std::string, std::string>>& headers);

// Gives up to so many bytes; none or less at the end.
using BodySource = std::function<std::ptrdiff_t(char* into, std::size_t bytes)>;
// Gives the body in blocks until `take` returns false. False when the body was not read to its end.
[[nodiscard]] bool read_body(const BodyFrame& frame, const BodySource& source,
                             const std::function<bool(std::string_view)>& take);

}  // namespace pratique::net
