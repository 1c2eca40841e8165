// Genotypes of many people, read one variant at a time: VCF and BCF (through htslib), PLINK's bed,
// bim and fam (a reader of our own). Memory is that of one variant, whatever the length of the
// file.
//
// A variant is one alternative allele against the reference: a site with several alternatives is
// several variants, each counted for itself, so that no allele is lost or counted as another. The
// dosage is how many copies of it somebody has, 0, 1 or 2; of haploid calls (Y, mitochondria, X of
// men) one copy is 2 of 2. Phased and unphased calls count alike. A call with a missing allele is
// missing. Sites without an alternative are passed over, as are alternatives that stand for what is
// not listed (*, <*>, <NON_REF>), and PLINK's variants with an allele 0, which is not known; of a
// variant that stands at its place twice the first counts, and a symbolic allele that does is
// refused. Frequencies count alleles, not people (count()): a man's X is one.
//
// What cannot be read is refused with the file and, where the format has lines, the line.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pratique::genomes {

using Dosage = std::uint8_t;
inline constexpr Dosage kMissingDosage = 3;

struct Variant {
  std::string chrom;  // as plain_chromosome() says
  std::int64_t position = 0;
  std::string reference;
  std::string alternative;
  std::optional<double> frequency = {};  // as INFO/AF says
  // Places from `position` on that it is about; 0: as many as the reference has letters.
  std::int64_t covers = 0;

  [[nodiscard]] std::int64_t last_position() const {
    const auto letters = static_cast<std::int64_t>(reference.size());
    return position + std::max<std::int64_t>({covers, letters, 1}) - 1;
  }

  // The same for the same variant in every file; with the alleles exchanged another.
  [[nodiscard]] std::uint64_t key() const;
  [[nodiscard]] std::uint64_t exchanged_key() const;
};

// Alternative alleles over all, missing calls left out; nothing where all are.
struct AlleleCount {
  std::uint64_t alternative = 0;
  std::uint64_t alleles = 0;

  void add(Dosage dosage) {
    if (dosage == kMissingDosage) return;
    alternative += dosage;
    alleles += 2;
  }
  [[nodiscard]] std::optional<double> frequency() const {
    if (alleles == 0) return std::nullopt;
    return static_cast<double>(alternative) / static_cast<double>(alleles);
  }
};

class GenotypeFile {
 public:
  virtual ~GenotypeFile() = default;
  [[nodiscard]] virtual const std::vector<std::string>& samples() const = 0;
  // Goes to the next variant; false: there is none.
  virtual bool next() = 0;
  [[nodiscard]] virtual const Variant& variant() const = 0;
  // By sample. Empty where the file has no samples.
  [[nodiscard]] virtual std::span<const Dosage> dosages() const = 0;
  // Alleles of everybody, as bcftools counts them: of a haploid call one, and of a call with a
  // missing allele the other one.
  [[nodiscard]] virtual AlleleCount count() const;

  // By name (.bed, .bim, .fam) and content. Throws Error::input.
  [[nodiscard]] static std::unique_ptr<GenotypeFile> open(const std::string& path);
};

// Whether a file looks like one of these rather than a table.
[[nodiscard]] bool looks_like_genotypes(const std::string& path);
// The files that a name stands for: itself, or the three of PLINK, bed first.
[[nodiscard]] std::vector<std::string> files_beside(const std::string& path);

// Without "chr"; X, Y and MT as such, where a file has 23, 24, 26 or M (PLINK), or 25 for the part
// of X that men have twice.
[[nodiscard]] std::string_view plain_chromosome(std::string_view chrom);
// Bases as every file that leaves has them; symbolic alleles stay as they are.
void put_in_capitals(Variant& variant);
[[nodiscard]] std::uint64_t variant_key(std::string_view chrom, std::int64_t position,
                                        std::string_view reference, std::string_view alternative);

}  // namespace pratique::genomes
