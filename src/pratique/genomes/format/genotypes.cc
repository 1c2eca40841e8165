#include "pratique/genomes/format/genotypes.h"

#include <zlib.h>

#include <array>
#include <memory>

#include "pratique/core/file.h"
#include "pratique/genomes/format/internal/vcf_file.h"
#include "pratique/genomes/format/plink_file.h"

namespace pratique::genomes {
namespace {

char capital_of(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - ('a' - 'A')) : c; }

// FNV-1a, then mixed: over 64 bits a file of a hundred million variants meets no other by chance.
std::uint64_t hashed(std::uint64_t state, std::string_view text) {
  // Letters of bases mean the same in either case.
  for (const char c : text)
    state = (state ^ static_cast<unsigned char>(capital_of(c))) * 0x100000001B3ULL;
  return (state ^ 0xFFU) * 0x100000001B3ULL;
}

struct CloseGzip {
  void operator()(gzFile file) const { gzclose(file); }
};

}  // namespace

std::string_view plain_chromosome(std::string_view chrom) {
  for (const std::string_view chr : {"chr", "Chr", "CHR"}) {
    if (chrom.size() > chr.size() && chrom.starts_with(chr)) {
      chrom.remove_prefix(chr.size());
      break;
    }
  }
  if (chrom == "23" || chrom == "25" || chrom == "XY") return "X";
  if (chrom == "24") return "Y";
  if (chrom == "26" || chrom == "M") return "MT";
  return chrom;
}

void put_in_capitals(Variant& variant) {
  for (std::string* allele : {&variant.reference, &variant.alternative}) {
    if (allele->starts_with('<')) continue;
    std::transform(allele->begin(), allele->end(), allele->begin(), capital_of);
  }
}

std::uint64_t variant_key(std::string_view chrom, std::int64_t position, std::string_view reference,
                          std::string_view alternative) {
  std::uint64_t state = hashed(0xCBF29CE484222325ULL, plain_chromosome(chrom));
  state = (state ^ static_cast<std::uint64_t>(position)) * 0x9E3779B97F4A7C15ULL;
  state ^= state >> 29U;
  state = hashed(hashed(state, reference), alternative);
  state = (state ^ state >> 32U) * 0xD6E8FEB86659FD93ULL;
  return state ^ state >> 32U;
}

std::uint64_t Variant::key() const { return variant_key(chrom, position, reference, alternative); }
std::uint64_t Variant::exchanged_key() const {
  return variant_key(chrom, position, alternative, reference);
}

bool looks_like_genotypes(const std::string& path) {
  if (is_plink(path)) return true;
  require_readable_file(path);
  // VCF, BCF, or either compressed; zlib reads what is not compressed, too.
  const std::unique_ptr<gzFile_s, CloseGzip> file(gzopen(path.c_str(), "rb"));
  std::array<char, 16> beginning{};
  const int read = file ? gzread(file.get(), beginning.data(), beginning.size()) : 0;
  if (read <= 0) return false;
  const std::string_view text(beginning.data(), static_cast<std::size_t>(read));
  return text.starts_with("##fileformat") || text.starts_with("BCF");
}

std::vector<std::string> files_beside(const std::string& path) {
  if (!is_plink(path)) return {path};
  return plink_files(path);
}

std::unique_ptr<GenotypeFile> GenotypeFile::open(const std::string& path) {
  return is_plink(path) ? open_plink(path) : open_vcf(path);
}

}  // namespace pratique::genomes
