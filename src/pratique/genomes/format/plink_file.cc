#include "pratique/genomes/format/plink_file.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/genomes/format/internal/variants_at_place.h"

namespace pratique::genomes {
namespace {

std::string stem_of(const std::string& path) {
  for (const std::string_view ending : {".bed", ".bim", ".fam"}) {
    if (path.ends_with(ending)) return path.substr(0, path.size() - ending.size());
  }
  return path;
}

std::vector<std::string> plink_fields(const std::string& line) {
  std::istringstream words(line);
  std::vector<std::string> fields;
  for (std::string word; words >> word;) fields.push_back(word);
  return fields;
}

bool is_position(const std::string& text, std::int64_t& position) {
  const auto read = std::from_chars(text.data(), text.data() + text.size(), position);
  return read.ec == std::errc() && read.ptr == text.data() + text.size() && position >= 0;
}

// By the two bits of a genotype: two of A1, missing, one, none.
constexpr std::array<Dosage, 4> kDosageOfBits = {2, kMissingDosage, 1, 0};

class PlinkFile final : public GenotypeFile {
 public:
  explicit PlinkFile(const std::string& path) : stem_(stem_of(path)) {
    for (const char* ending : {".bed", ".bim", ".fam"}) require_readable_file(stem_ + ending);
    read_people();
    bed_.open(stem_ + ".bed", std::ios::binary);
    bim_.open(stem_ + ".bim");
    std::array<char, 3> magic{};
    constexpr std::array<char, 3> kVariantMajor = {0x6c, 0x1b, 0x01};
    if (!bed_.read(magic.data(), magic.size()) || magic != kVariantMajor) {
      throw Error::input("the file is no PLINK bed file with a block per variant")
          .at(stem_ + ".bed")
          .hint("plink --make-bed writes one.");
    }
    block_.resize((samples_.size() + 3) / 4);
    dosages_.resize(samples_.size());
  }

  [[nodiscard]] const std::vector<std::string>& samples() const override { return samples_; }
  [[nodiscard]] const Variant& variant() const override { return variant_; }
  [[nodiscard]] std::span<const Dosage> dosages() const override { return dosages_; }

  bool next() override {
    do {
      if (!next_line()) return at_end();
      if (!bed_.read(block_.data(), static_cast<std::streamsize>(block_.size()))) {
        throw Error::input("the bed file ends before the last variant of the bim file")
            .at(stem_ + ".bed");
      }
      refuse_more_people();
      // plink writes 0 for an allele that nobody has, or whose letter it does not know.
    } while (variant_.reference == "0" || variant_.alternative == "0" || !seen_.take(variant_));
    for (std::size_t s = 0; s < samples_.size(); ++s) {
      const auto byte = static_cast<unsigned char>(block_[s / 4]);
      dosages_[s] = kDosageOfBits[byte >> (2 * (s % 4)) & 3U];
    }
    return true;
  }

  // A bed file has two alleles for everybody, though men have one X and one Y, women no Y, and all
  // one mitochondrial genome.
  [[nodiscard]] AlleleCount count() const override {
    AlleleCount counted;
    const bool on_x = variant_.chrom == "X" && !shared_with_y_;
    const bool on_y = variant_.chrom == "Y";
    for (std::size_t s = 0; s < samples_.size(); ++s) {
      if (on_y && sexes_[s] == kFemale) continue;
      if (variant_.chrom != "MT" && !on_y && !(on_x && sexes_[s] == kMale)) {
        counted.add(dosages_[s]);
      } else if (dosages_[s] == 0 || dosages_[s] == 2) {
        // One that is called as both counts as neither, as plink has it.
        counted.alternative += dosages_[s] / 2U;
        ++counted.alleles;
      }
    }
    return counted;
  }

 private:
  static constexpr char kMale = '1';
  static constexpr char kFemale = '2';

  // The variant of the next line of bim; false: there is none.
  bool next_line() {
    std::string line;
    do {
      if (!std::getline(bim_, line)) return false;
      ++line_;
    } while (line.find_first_not_of(" \t\r") == std::string::npos);
    const auto fields = plink_fields(line);
    std::int64_t position = 0;
    if (fields.size() < 6 || !is_position(fields[3], position)) {
      throw Error::input("a line does not have the six fields of a variant")
          .at(fmt::format("{}.bim:{}", stem_, line_))
          .hint("They are chromosome, name, centimorgans, position, first and second allele.");
    }
    shared_with_y_ = fields[0] == "25" || fields[0] == "XY";
    variant_ = {.chrom = std::string(plain_chromosome(fields[0])),
                .position = position,
                .reference = fields[5],
                .alternative = fields[4]};
    return true;
  }

  // What fills the last byte of a block is 0: anything else is the genotype of somebody whom the
  // fam file does not name, and then nobody can tell whose the others are.
  void refuse_more_people() const {
    const std::size_t in_last = samples_.size() % 4;
    if (in_last == 0 || static_cast<unsigned char>(block_.back()) >> (2 * in_last) == 0) return;
    throw Error::input("the bed file has genotypes of more people than the fam file names")
        .at(stem_ + ".bed")
        .hint("The three files must be of one run of plink.");
  }

  bool at_end() {
    if (bed_.peek() != std::ifstream::traits_type::eof()) {
      throw Error::input("the bed file has more variants than the bim file")
          .at(stem_ + ".bed")
          .hint("The three files must be of one run of plink.");
    }
    return false;
  }

  // Whose name others have in other families: FAMILY_NAME, as plink calls them in a VCF.
  void name_by_family(const std::vector<std::string>& families) {
    std::map<std::string, std::size_t> times;
    for (const auto& name : samples_) ++times[name];
    for (std::size_t s = 0; s < samples_.size(); ++s) {
      if (times.at(samples_[s]) > 1) samples_[s] = families[s] + '_' + samples_[s];
    }
  }

  void read_people() {
    std::ifstream fam(stem_ + ".fam");
    std::string line;
    std::map<std::string, std::size_t> lines;
    std::vector<std::string> families;
    for (std::size_t number = 1; std::getline(fam, line); ++number) {
      const auto fields = plink_fields(line);
      if (fields.empty()) continue;
      if (fields.size() < 5) {
        throw Error::input("a line does not have the fields of a person")
            .at(fmt::format("{}.fam:{}", stem_, number));
      }
      // PLINK tells people apart by family and name.
      const auto [first, is_new] = lines.emplace(fields[0] + '\t' + fields[1], number);
      if (!is_new) {
        throw Error::input(fmt::format("this person stands in line {}, too", first->second))
            .at(fmt::format("{}.fam:{}", stem_, number))
            .hint("One sample for each person, under one name.");
      }
      samples_.push_back(fields[1]);
      families.push_back(fields[0]);
      sexes_.push_back(fields[4].size() == 1 ? fields[4].front() : '0');
    }
    name_by_family(families);
    if (samples_.empty()) throw Error::input("the file names nobody").at(stem_ + ".fam");
  }

  std::string stem_;
  std::ifstream bed_;
  std::ifstream bim_;
  std::size_t line_ = 0;
  std::vector<std::string> samples_;
  std::vector<char> sexes_;
  bool shared_with_y_ = false;
  VariantsAtPlace seen_;
  std::vector<char> block_;
  std::vector<Dosage> dosages_;
  Variant variant_;
};

}  // namespace

bool is_plink(const std::string& path) {
  std::error_code none;
  if (path.ends_with(".bim") || path.ends_with(".fam")) return true;
  if (!std::filesystem::exists(path, none)) return std::filesystem::exists(path + ".bed", none);
  return path.ends_with(".bed");
}

std::vector<std::string> plink_files(const std::string& path) {
  const std::string stem = stem_of(path);
  return {stem + ".bed", stem + ".bim", stem + ".fam"};
}

std::unique_ptr<GenotypeFile> open_plink(const std::string& path) {
  return std::make_unique<PlinkFile>(path);
}

}  // namespace pratique::genomes
