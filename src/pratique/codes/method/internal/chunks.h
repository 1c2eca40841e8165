// The second step of disassociation: codes of a cluster are told apart into chunks, each of them
// k^m-anonymous.
#pragma once

#include <cstdint>
#include <vector>

#include "pratique/data/table.h"

namespace pratique::codes {

// A code and which of the records have it, a bit for each.
struct CodeBits {
  Code code;
  std::uint64_t support;
  std::vector<std::uint64_t> bits;
};

// Every code has at least k records. The result: the codes of each chunk.
[[nodiscard]] std::vector<std::vector<Code>> make_chunks(std::vector<CodeBits> codes,
                                                         std::uint64_t k, int m);

}  // namespace pratique::codes
