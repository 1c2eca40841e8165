// Names of people who do not exist. First names, initials and surnames are drawn independently with
// the skew that names have (Zipf's law), so that some people share a name and most do not.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/crypto/random.h"

namespace pratique::synthetic {

enum class Sex : std::uint8_t { female, male };

struct Name {
  Sex sex = Sex::female;
  std::uint8_t first = 0;
  std::uint8_t initial = 0;
  std::uint16_t last = 0;
};

class NameModel {
 public:
  NameModel();
  [[nodiscard]] Name draw(Sex sex, SeededRandom& random) const;

 private:
  AliasTable female_;
  AliasTable male_;
  AliasTable initials_;
  AliasTable surnames_;
};

// "Mary J Thornfield"
[[nodiscard]] std::string text_of(const Name& name);

// One typing error: letters swapped, one lost, doubled or replaced. The result may be the same when
// the letters are.
[[nodiscard]] std::string mistype(std::string text, SeededRandom& random);

}  // namespace pratique::synthetic
