// Pieces of a release of allele frequencies: its table, and what a membership test gains from it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pratique/engine/engine.h"
#include "pratique/genomes/format/genotypes.h"
#include "pratique/kind/run.h"

namespace pratique::genomes::flow {

// Rows chrom, pos, ref, alt and further columns, with the values they point at.
class FrequencyRows {
 public:
  explicit FrequencyRows(std::vector<std::string> further);
  void add(const Variant& variant, const std::vector<std::string>& cells);
  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  // Valid while this lives.
  [[nodiscard]] Output output() const;

 private:
  std::vector<std::string> names_;
  std::vector<std::vector<std::string>> values_;
  std::vector<Code> rows_;
};

// With n people and m independent SNPs, members and others are sqrt(m / n) deviations apart under
// the likelihood-ratio test (attack/membership.h). An error of variance e beside the sampling
// variance v = f (1 - f) / 2n of a frequency keeps v / (v + e) of that: a SNP adds this to the
// square of the distance.
[[nodiscard]] double squared_distance_of(double frequency, double people, double error_variance);
// power (by false-positive rate) and power_at_5, for members so far from others.
[[nodiscard]] Json expected_power(double squared_distance);

// Without noughts at the end.
[[nodiscard]] std::string decimal_text(double value);

// The variants that a file lists, in its order, each once: genotypes, or a table
// chrom,pos,ref,alt.
[[nodiscard]] std::vector<Variant> listed_variants(const std::string& path, const Run& run);

}  // namespace pratique::genomes::flow
