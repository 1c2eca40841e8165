// What a release may say of variants, by no code that wrote it: names of chromosomes that
// assemblies have, alleles of bases in capitals or kinds of changes that VCF lists, places in their
// order, and frequencies without digits that a step does not need. Anything else is room for a
// message.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace pratique::verify {

class ReleasedVariants {
 public:
  // The next one of a file: what is wrong with it, empty where nothing is.
  std::string fault_of_next(std::string_view chrom, std::string_view position,
                            std::string_view reference, std::string_view alternative);

 private:
  std::set<std::string, std::less<>> chromosomes_;  // that were before the last
  std::string chrom_;
  std::int64_t position_ = 0;
  std::set<std::pair<std::string, std::string>> here_;  // alleles at the last place
};

// Whether a frequency is a multiple of a step, in the only spelling there is of one: nine digits
// behind the point, without zeros at the end and without a point that nothing follows.
[[nodiscard]] bool is_multiple_of_step(std::string_view text, double step);

}  // namespace pratique::verify
