// Membership by linkage (Wang et al., Learning your identity and disease from research papers, CCS
// 2009): a paper that prints r2 of pairs of SNPs prints a statistic of the people it studied, and
// a member pulls it towards their own genotypes.
//
//   T = sum over pairs of (r(pool) - r(reference)) z(a) z(b)
//
// with z a genotype less its mean in the reference, over its deviation there; genotypes need no
// phase. r2 has no sign: it is taken from the reference, where linkage is strong enough to tell it
// (|r| of two standard errors), as the paper recovers it; other pairs are left out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/genomes/format/genotype_set.h"

namespace pratique::genomes {

// A place of the genome, of one variant each.
struct SnpPlace {
  std::string chrom;  // without "chr"
  std::int64_t position = 0;
  friend auto operator<=>(const SnpPlace&, const SnpPlace&) = default;
};

struct PublishedPair {
  SnpPlace a;
  SnpPlace b;
  double r2 = 0;
};

// What a paper on these people would print: r2, to two digits, of every SNP and those next to it.
[[nodiscard]] std::vector<PublishedPair> pairs_to_publish(const GenotypeSet& pool,
                                                          std::size_t neighbours);

class PairMembership {
 public:
  // `counted` are the people of the reference whose linkage is taken.
  PairMembership(const std::vector<PublishedPair>& pairs, const GenotypeSet& reference,
                 const std::vector<std::size_t>& counted, Progress& progress);

  // Leaves out pairs of which these people have not both SNPs.
  void keep_pairs_of(const GenotypeSet& people);
  [[nodiscard]] std::size_t pairs() const { return pairs_.size(); }
  // By person.
  [[nodiscard]] std::vector<double> scores(const GenotypeSet& people, Progress& progress) const;

 private:
  struct WeighedPair {
    std::size_t a;  // in snps_
    std::size_t b;
    double weight;
  };
  struct Snp {
    Variant variant;
    double mean;
    double deviation;
  };
  // By SNP of ours the variant of theirs, and whether its alleles are exchanged.
  struct FoundSnp {
    std::optional<std::size_t> variant = {};
    bool exchanged = false;
  };
  [[nodiscard]] std::vector<FoundSnp> found_in(const GenotypeSet& people) const;

  std::vector<Snp> snps_;
  std::vector<WeighedPair> pairs_;
};

}  // namespace pratique::genomes
