// A region that is on no map: six counties, invented towns whose sizes follow Zipf's law, and ZIPs
// of about five thousand people, each with a position, a weight and a level of wealth. The first
// three digits of a ZIP are its county.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/crypto/random.h"

namespace pratique::synthetic {

struct Zip {
  std::string code;
  std::string_view town;
  std::string_view county;
  double east = 0;  // kilometres from the middle of the region
  double north = 0;
  double weight = 1;  // share of the people
  double wealth = 0;  // standard normal
};

class Region {
 public:
  Region(std::size_t population, SeededRandom random);
  [[nodiscard]] const std::vector<Zip>& zips() const { return zips_; }
  [[nodiscard]] std::size_t draw_zip(SeededRandom& random) const { return choice_[0].draw(random); }
  [[nodiscard]] double kilometres(std::size_t a, std::size_t b) const;

 private:
  std::vector<Zip> zips_;
  std::vector<AliasTable> choice_;  // one
};

struct Address {
  std::uint16_t number = 0;
  std::uint8_t street = 0;
  std::uint8_t type = 0;
};
[[nodiscard]] Address draw_address(SeededRandom& random);
// "17 Maple Street"
[[nodiscard]] std::string text_of(const Address& address);

[[nodiscard]] std::string hospital_name(std::string_view town, std::size_t number_in_town);

}  // namespace pratique::synthetic
