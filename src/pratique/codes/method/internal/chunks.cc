#include "pratique/codes/method/internal/chunks.h"

#include <algorithm>
#include <bit>
#include <span>

namespace pratique::codes {
namespace {

using Bits = std::vector<std::uint64_t>;

// Whether the records of `bits` have any of the codes, with up to `more` of them
// together, at least k times or never.
bool frequent_or_none(const Bits& bits, std::span<const CodeBits* const> codes, std::uint64_t k,
                      int more) {
  if (more == 0) return true;
  Bits both(bits.size());
  for (std::size_t i = codes.size(); i-- > 0;) {
    std::uint64_t support = 0;
    for (std::size_t w = 0; w < bits.size(); ++w) {
      both[w] = bits[w] & codes[i]->bits[w];
      if (both[w] == 0) continue;  // as a rule
      support += static_cast<std::uint64_t>(std::popcount(both[w]));
      if (support >= k && more == 1) break;
    }
    if (support == 0) continue;
    if (support < k || !frequent_or_none(both, codes.first(i), k, more - 1)) return false;
  }
  return true;
}

}  // namespace

std::vector<std::vector<Code>> make_chunks(std::vector<CodeBits> codes, std::uint64_t k, int m) {
  std::sort(codes.begin(), codes.end(), [](const CodeBits& a, const CodeBits& b) {
    return a.support != b.support ? a.support > b.support : a.code < b.code;
  });
  std::vector<const CodeBits*> waiting;
  for (const auto& code : codes) waiting.push_back(&code);
  std::vector<std::vector<Code>> chunks;
  while (!waiting.empty()) {
    std::vector<const CodeBits*> chosen;
    std::vector<const CodeBits*> later;
    for (const auto* code : waiting) {
      (frequent_or_none(code->bits, chosen, k, m - 1) ? chosen : later).push_back(code);
    }
    chunks.emplace_back();
    for (const auto* code : chosen) chunks.back().push_back(code->code);
    waiting = std::move(later);
  }
  return chunks;
}

}  // namespace pratique::codes
