#include "pratique/genomes/format/vcf_release.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "pratique/core/file.h"
#include "pratique/crypto/random.h"
#include "pratique/genomes/format/random_numbers.h"

namespace pratique::genomes {
namespace {

constexpr std::array<std::string_view, 4> kCallOfDosage = {"0/0", "0/1", "1/1", "./."};

}  // namespace

VcfRelease::VcfRelease(std::vector<Variant> variants, std::vector<std::vector<Dosage>> people,
                       std::uint64_t seed)
    : variants_(std::move(variants)),
      people_(std::move(people)),
      numbers_(random_numbers(people_.size(), seed)) {
  std::sort(people_.begin(), people_.end());
  SeededRandom order(seed, kOrderStream);
  order.shuffle(people_);
}

std::vector<std::string> VcfRelease::chromosomes() const {
  std::vector<std::string> names;
  for (const auto& variant : variants_) {
    if (std::find(names.begin(), names.end(), variant.chrom) == names.end())
      names.push_back(variant.chrom);
  }
  return names;
}

std::vector<release::ArtefactFile> VcfRelease::files(const std::string& /*path*/) const {
  // The format, a line for each chromosome, FORMAT, the header.
  return {{.format = "vcf", .rows = 3 + chromosomes().size() + variants_.size()}};
}

std::string VcfRelease::text() const {
  std::string text = "##fileformat=VCFv4.2\n";
  for (const auto& chrom : chromosomes()) text += fmt::format("##contig=<ID={}>\n", chrom);
  text += "##FORMAT=<ID=GT,Number=1,Type=String,Description=\"Genotype\">\n";
  text += "#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT";
  for (const std::uint64_t number : numbers_) text += fmt::format("\t{}", number);
  text += '\n';
  for (std::size_t v = 0; v < variants_.size(); ++v) {
    const Variant& variant = variants_[v];
    text += fmt::format("{}\t{}\t.\t{}\t{}\t.\t.\t.\tGT", variant.chrom, variant.position,
                        variant.reference, variant.alternative);
    for (const auto& person : people_) {
      text += '\t';
      text += kCallOfDosage[person[v]];
    }
    text += '\n';
  }
  return text;
}

void VcfRelease::write(Engine& /*engine*/, std::size_t /*file*/, const std::string& path,
                       Progress& /*progress*/) const {
  write_file_atomically(path, text());
}

Source VcfRelease::reopen(Engine& engine, const std::vector<std::string>& paths,
                          Progress& progress) const {
  return engine.open_sets(paths.front(), progress);
}

}  // namespace pratique::genomes
