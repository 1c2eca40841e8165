// Any bytes are a disassociated release or are refused with an Error that says where; what was read
// has clusters with records, and parts that are ascending and not empty.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string_view>

#include "pratique/core/error.h"
#include "pratique/data/disassociated.h"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

bool ascending(const std::vector<pratique::Code>& codes) {
  return std::adjacent_find(codes.begin(), codes.end(), std::greater_equal<>()) == codes.end();
}

void check(const std::vector<pratique::CodeChunk>& chunks) {
  for (const auto& chunk : chunks) {
    require(!chunk.parts.empty());
    for (const auto& part : chunk.parts) require(!part.empty() && ascending(part));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pratique;
  try {
    const DisassociatedSets sets =
        parse_disassociated({reinterpret_cast<const char*>(data), size}, "input");
    for (const auto& joint : sets.joints) {
      require(!joint.clusters.empty());
      check(joint.shared);
      for (const auto& cluster : joint.clusters) {
        require(cluster.records > 0 && ascending(cluster.items));
        check(cluster.chunks);
      }
    }
  } catch (const Error& error) {
    require(error.code() == ErrorCode::bad_input && !error.place().empty());
  }
  return 0;
}
