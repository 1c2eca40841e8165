// Any bytes as the body of a request, with a length or in chunks: nothing is given that was not
// sent, nothing is read behind the end, and what frames a chunk stays small.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "pratique/net/body.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pratique::net;
  std::string_view wire(reinterpret_cast<const char*>(data), size);
  if (wire.empty()) return 0;
  const bool chunked = wire.front() == 'C';
  wire.remove_prefix(1);
  const BodyFrame frame{chunked, wire.size() / 2};
  const std::size_t sent = wire.size();
  std::size_t taken = 0;
  const bool complete = read_body(
      frame,
      [&](char* into, std::size_t bytes) {
        const std::size_t given = std::min({bytes, wire.size(), std::size_t{7}});
        std::memcpy(into, wire.data(), given);
        wire.remove_prefix(given);
        return static_cast<std::ptrdiff_t>(given);
      },
      [&](std::string_view block) {
        taken += block.size();
        return true;
      });
  const std::size_t read = sent - wire.size();
  if (taken > read) std::abort();
  if (!chunked && (!complete || taken != frame.bytes || read != taken)) std::abort();
  // The shortest body in chunks is its last one: 0, two line ends.
  if (chunked && complete && read < taken + 5) std::abort();
  return 0;
}
