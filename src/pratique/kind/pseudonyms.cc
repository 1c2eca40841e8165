#include "pratique/kind/pseudonyms.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <span>

#include "pratique/crypto/hash.h"

namespace pratique::release {

std::string pseudonym(const SecretKey& key, const std::string& column, std::string_view value) {
  constexpr std::size_t kBytes = 16;
  // The length keeps ("ab", "c") and ("a", "bc") apart.
  const Sha256Digest digest = key.hmac(fmt::format("{}:{}:{}", column.size(), column, value));
  return to_hex(std::span(digest).first(kBytes));
}

std::vector<std::string> replace_identifiers(const Column& column, IdentifierTreatment treatment,
                                             const SecretKey& key) {
  std::vector<std::string> replaced;
  for (const auto value : column.dictionary.values()) {
    replaced.push_back(value.empty() ? std::string() : pseudonym(key, column.name, value));
  }
  if (treatment == IdentifierTreatment::surrogate) {
    std::vector<Code> order(replaced.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(),
              [&](Code a, Code b) { return replaced[a] < replaced[b]; });
    std::uint64_t number = 0;
    for (const Code code : order) {
      if (!replaced[code].empty()) replaced[code] = std::to_string(++number);
    }
  }
  return replaced;
}

}  // namespace pratique::release
