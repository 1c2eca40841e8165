// Every set of items that an adversary may know: how many patients match, and what they share.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "pratique/verify/internal/released_codes.h"

namespace pratique::verify {

class KnownSets {
 public:
  // No set of public items may match fewer than k patients, nor more than one in h of them have the
  // same sensitive item.
  KnownSets(const ReleasedCodes& release, const std::vector<bool>& sensitive, double h,
            std::uint64_t k)
      : release_(release), sensitive_(sensitive), h_(h), k_(k) {}

  // All sets of 1 to `most` public items that occur in these records.
  void check(const std::vector<std::uint32_t>& records, int most) { look_at(records, 0, most); }

  // The first set that is not as it must be, in words; empty when there is none.
  [[nodiscard]] const std::string& fault() const { return fault_; }
  // Patients of the smallest set so far; infinite when nothing was checked.
  [[nodiscard]] double smallest() const { return smallest_; }

 private:
  struct Shown {
    Code item;
    std::uint64_t patients;
  };
  void look_at(const std::vector<std::uint32_t>& records, Code from, int more);
  void judge(std::uint64_t patients, std::vector<Shown>& shown);
  [[nodiscard]] std::string names() const;

  const ReleasedCodes& release_;
  const std::vector<bool>& sensitive_;
  double h_;
  std::uint64_t k_;
  double smallest_ = std::numeric_limits<double>::infinity();
  std::vector<Code> chosen_;
  std::string fault_;
};

}  // namespace pratique::verify
