// Values of which there are few enough to try all, in the ways in which they are written.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/genomes/attack/enumeration.h"

namespace pratique::genomes {

// Dates as they are written.
[[nodiscard]] std::size_t date_spellings();
[[nodiscard]] std::string date_words(std::size_t spelling);  // "03/02/1950 (day first)"
[[nodiscard]] std::string date_spelt(int year, unsigned month, unsigned day, std::size_t spelling);

// One value; its spellings are written as they are asked for.
class SpeltValue {
 public:
  // Valid until the next; empty where the value has none of its own.
  [[nodiscard]] std::string_view spelt(std::size_t spelling) const { return texts_[spelling]; }
  [[nodiscard]] std::string_view canonical() const { return texts_.front(); }

 private:
  friend class ValueSpellings;
  std::vector<std::string> texts_;
};

class ValueSpellings {
 public:
  ValueSpellings(Enumerated what, std::vector<unsigned> areas);

  [[nodiscard]] std::size_t spellings() const;
  // "ssn as 123456789"
  [[nodiscard]] std::string in_words(std::size_t spelling) const;
  // Values come in blocks, of about ten thousand SSNs or a year.
  [[nodiscard]] std::size_t blocks() const;
  void each(std::size_t block, const std::function<void(const SpeltValue&)>& take) const;

 private:
  void each_ssn(unsigned area, unsigned group,
                const std::function<void(const SpeltValue&)>& take) const;
  void each_day(int year, const std::function<void(const SpeltValue&)>& take) const;
  Enumerated what_;
  std::vector<unsigned> areas_;
  int last_year_ = 0;
};

}  // namespace pratique::genomes
