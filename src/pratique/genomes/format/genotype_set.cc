#include "pratique/genomes/format/genotype_set.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <charconv>
#include <numeric>
#include <tuple>
#include <unordered_set>

#include "pratique/core/error.h"

namespace pratique::genomes {
namespace {

// Chromosomes with a number first, by it, then X, Y, MT, then all others by name.
std::tuple<std::uint64_t, std::string_view> rank_of(std::string_view chrom) {
  constexpr std::uint64_t kX = 1'000'000;
  std::uint64_t number = 0;
  const auto read = std::from_chars(chrom.data(), chrom.data() + chrom.size(), number);
  if (read.ec == std::errc() && read.ptr == chrom.data() + chrom.size() && number < kX)
    return {number, chrom};
  if (chrom == "X") return {kX, chrom};
  if (chrom == "Y") return {kX + 1, chrom};
  if (chrom == "MT") return {kX + 2, chrom};
  return {kX + 3, chrom};
}

// By place, and of one that stands there twice the first of the file.
void put_in_order(GenotypeSet& set) {
  std::vector<std::size_t> order;
  std::unordered_set<std::uint64_t> seen;
  for (std::size_t v = 0; v < set.variants.size(); ++v) {
    if (seen.contains(set.variants[v].exchanged_key())) continue;
    if (seen.insert(set.variants[v].key()).second) order.push_back(v);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return stands_before(set.variants[a], set.variants[b]);
  });
  if (order.size() == set.variants.size() && std::is_sorted(order.begin(), order.end())) return;
  std::vector<Variant> variants;
  std::vector<AlleleCount> alleles;
  for (const std::size_t v : order) {
    variants.push_back(std::move(set.variants[v]));
    alleles.push_back(set.alleles[v]);
  }
  set.variants = std::move(variants);
  set.alleles = std::move(alleles);
  set.store.keep(order);
}

}  // namespace

bool stands_before(const Variant& a, const Variant& b) {
  return std::tuple(rank_of(a.chrom), a.position, std::string_view(a.reference),
                    std::string_view(a.alternative)) < std::tuple(rank_of(b.chrom), b.position,
                                                                  std::string_view(b.reference),
                                                                  std::string_view(b.alternative));
}

GenotypeSet read_genotypes(const std::string& path, Progress& progress) {
  const auto file = GenotypeFile::open(path);
  if (file->samples().empty()) {
    throw Error::input("the file has no genotypes")
        .at(path)
        .hint("It needs people: a VCF, BCF or PLINK file with samples.");
  }
  GenotypeSet set{.samples = file->samples(),
                  .variants = {},
                  .alleles = {},
                  .store = GenotypeStore(file->samples().size())};
  progress.begin("reading genotypes", 0);
  bool any = false;
  while (file->next()) {
    const AlleleCount counted = file->count();
    progress.advance(1);
    any = true;
    if (counted.alleles == 0) continue;
    set.variants.push_back(file->variant());
    put_in_capitals(set.variants.back());
    set.alleles.push_back(counted);
    set.store.add(file->dosages());
  }
  if (!any) throw Error::input("the file has no variant").at(path);
  if (set.variants.empty()) {
    throw Error::input("nobody has a call at any variant of the file")
        .at(path)
        .hint("Genotypes stand in the field GT; bcftools query -f '[%GT ]\\n' shows them.");
  }
  put_in_order(set);
  return set;
}

void require_usual_names(std::span<const Variant> variants, const std::string& path) {
  // As assemblies of people call them: 1, X, MT, 1_KI270706v1_random, Un_GL000218v1, KI270706.1,
  // NC_000001.11, HLA-A*01:01:01:01, hs37d5.
  static const RE2 kChromosome(
      R"([0-9]{1,2}|X|Y|MT|Un|EBV|hs3[78]d[0-9]|([0-9]{1,2}|X|Y|Un|MT)_[A-Z]{2}[0-9]{6}v[0-9](_random|_alt|_fix)?|)"
      R"([A-Z]{2}_?[0-9]{6,9}(\.[0-9]{1,2})?|HLA-[A-Z0-9]{1,5}\*[0-9:]{2,16}[NQLS]?)");
  static const RE2 kKindOfChange(
      R"(<(DEL|INS|DUP|INV|CNV|BND|CN[0-9]{1,2})(:(ME|ALU|L1|LINE1|SVA|HERV|TANDEM|MT))*>)");
  const auto refuse = [&](const char* what, std::size_t variant, const char* hint) {
    throw Error::input(fmt::format("{}, and would leave with the release", what))
        .at(fmt::format("{}, variant {} by place", path, variant + 1))
        .hint(hint);
  };
  const auto is_usual = [](const std::string& allele) {
    constexpr std::string_view kLettersOfBases = "ACGTNRYSWKMBDHV";
    return allele.find_first_not_of(kLettersOfBases) == std::string::npos ||
           RE2::FullMatch(allele, kKindOfChange);
  };
  std::string_view last_chromosome;
  for (std::size_t v = 0; v < variants.size(); ++v) {
    const Variant& variant = variants[v];
    if (variant.chrom != last_chromosome && !RE2::FullMatch(variant.chrom, kChromosome)) {
      refuse("a chromosome has a name that no assembly gives it", v,
             "bcftools annotate --rename-chrs renames chromosomes: 1 to 22, X, Y and MT.");
    }
    last_chromosome = variant.chrom;
    if (!is_usual(variant.reference) || !is_usual(variant.alternative)) {
      refuse("an allele is neither bases nor a kind of change that VCF lists", v,
             "Leave breakends and names of your own out: bcftools view -e 'ALT~\"[<\\[\\]]\"'.");
    }
  }
}

}  // namespace pratique::genomes
