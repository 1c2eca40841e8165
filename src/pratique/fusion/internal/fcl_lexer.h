// The words, numbers and signs of FCL text, each with its place.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/core/error.h"

namespace pratique::fusion {

struct FclToken {
  enum class Kind { word, number, sign, end };
  Kind kind = Kind::end;
  std::string_view text;  // of the source
  std::string word;       // upper case
  double number = 0;
  std::size_t at = 0;  // byte of the source
};

class FclLexer {
 public:
  FclLexer(std::string_view text, const std::string& place) : text_(text), place_(place) {}

  [[nodiscard]] std::vector<FclToken> all();
  [[nodiscard]] Error error_at(std::size_t byte, const std::string& message) const;

 private:
  void skip_blanks_and_comments();
  [[nodiscard]] FclToken next();
  [[nodiscard]] FclToken number();

  std::string_view text_;
  const std::string& place_;
  std::size_t at_ = 0;
};

[[nodiscard]] bool is_reserved_in_fcl(std::string_view upper_case_word);

}  // namespace pratique::fusion
