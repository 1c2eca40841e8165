#include "pratique/verify/internal/released_variants.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "pratique/data/number.h"

namespace pratique::verify {
namespace {

bool is_digit_of_name(char c) { return c >= '0' && c <= '9'; }
bool is_capital_in_name(char c) { return c >= 'A' && c <= 'Z'; }

// 9 for digits, A for capitals, other characters as they are.
std::string shape_of(std::string_view name) {
  std::string shape(name);
  for (char& c : shape) {
    if (is_digit_of_name(c)) c = '9';
    if (is_capital_in_name(c)) c = 'A';
  }
  return shape;
}

bool is_main_chromosome(std::string_view name) {
  constexpr std::array<std::string_view, 4> kLetters = {"X", "Y", "MT", "Un"};
  if (std::find(kLetters.begin(), kLetters.end(), name) != kLetters.end()) return true;
  return (name.size() == 1 || name.size() == 2) &&
         std::all_of(name.begin(), name.end(), is_digit_of_name);
}

// KI270706v1, behind the chromosome that it is thought to be of.
bool is_piece(std::string_view name) {
  const auto line = name.find('_');
  if (line == std::string_view::npos || !is_main_chromosome(name.substr(0, line))) return false;
  std::string_view rest = name.substr(line + 1);
  for (const std::string_view ending : {"_random", "_alt", "_fix"}) {
    if (rest.ends_with(ending)) {
      rest.remove_suffix(ending.size());
      break;
    }
  }
  return shape_of(rest) == "AA999999v9";
}

// NC_000001.11, KI270706.1, GL000191.
bool is_accession(std::string_view name) {
  std::string shape = shape_of(name);
  for (const std::string_view version : {".9", ".99"}) {
    if (shape.ends_with(version)) {
      shape.resize(shape.size() - version.size());
      break;
    }
  }
  if (!shape.starts_with("AA")) return false;
  shape.erase(0, shape.starts_with("AA_") ? 3 : 2);
  constexpr std::size_t kFewest = 6;
  constexpr std::size_t kMost = 9;
  return shape.size() >= kFewest && shape.size() <= kMost &&
         shape.find_first_not_of('9') == std::string::npos;
}

// HLA-A*01:01:01:01 and HLA-DRB1*03:01:01:01N.
bool is_hla_allele(std::string_view name) {
  constexpr std::string_view kBegin = "HLA-";
  if (!name.starts_with(kBegin)) return false;
  name.remove_prefix(kBegin.size());
  const auto star = name.find('*');
  if (star == std::string_view::npos || star == 0) return false;
  std::string_view fields = name.substr(star + 1);
  constexpr std::string_view kExpression = "NQLS";
  if (!fields.empty() && kExpression.find(fields.back()) != std::string_view::npos)
    fields.remove_suffix(1);
  constexpr std::size_t kLongestGene = 5;
  constexpr std::size_t kLongestFields = 16;
  return star <= kLongestGene && !fields.empty() && fields.size() <= kLongestFields &&
         fields.find_first_not_of("0123456789:") == std::string_view::npos &&
         std::all_of(name.begin(), name.begin() + static_cast<std::ptrdiff_t>(star),
                     [](char c) { return is_digit_of_name(c) || is_capital_in_name(c); });
}

bool is_known_chromosome(std::string_view name) {
  return is_main_chromosome(name) || name == "EBV" || shape_of(name) == "hs99d9" ||
         is_piece(name) || is_accession(name) || is_hla_allele(name);
}

bool is_bases(std::string_view allele) {
  return !allele.empty() && allele.find_first_not_of("ACGTNRYSWKMBDHV") == std::string_view::npos;
}

// <DEL>, <DUP:TANDEM>, <INS:ME:ALU>, <CN0>.
bool is_kind_of_change(std::string_view allele) {
  if (allele.size() < 3 || !allele.starts_with('<') || !allele.ends_with('>')) return false;
  allele = allele.substr(1, allele.size() - 2);
  constexpr std::array<std::string_view, 14> kWords = {"DEL", "INS",  "DUP", "INV",   "CNV",
                                                       "BND", "ME",   "ALU", "L1",    "LINE1",
                                                       "SVA", "HERV", "MT",  "TANDEM"};
  for (bool more = true; more;) {
    const auto colon = allele.find(':');
    const std::string_view word = allele.substr(0, colon);
    const std::string shape = shape_of(word);
    if (std::find(kWords.begin(), kWords.end(), word) == kWords.end() &&
        !(word.starts_with("CN") && (shape == "AA9" || shape == "AA99")))
      return false;
    more = colon != std::string_view::npos;
    if (more) allele.remove_prefix(colon + 1);
  }
  return true;
}

}  // namespace

std::string ReleasedVariants::fault_of_next(std::string_view chrom, std::string_view position,
                                            std::string_view reference,
                                            std::string_view alternative) {
  std::int64_t place = 0;
  const auto read = std::from_chars(position.data(), position.data() + position.size(), place);
  if (read.ec != std::errc() || read.ptr != position.data() + position.size() || place < 0 ||
      (position.size() > 1 && position.front() == '0'))
    return "a position is no whole number";
  if (!is_bases(reference) || !(is_bases(alternative) || is_kind_of_change(alternative)))
    return "an allele is neither bases nor a kind of change that VCF lists";
  if (chrom != chrom_ || chrom.empty()) {
    if (!is_known_chromosome(chrom)) return "a chromosome has a name that no assembly gives it";
    if (chromosomes_.contains(chrom)) return "the variants are not in the order of their places";
    chrom_ = chrom;
    chromosomes_.emplace(chrom);
    position_ = -1;
  }
  if (place < position_) return "the variants are not in the order of their places";
  if (place > position_) here_.clear();
  position_ = place;
  if (!here_.emplace(reference, alternative).second) return "a variant stands there twice";
  return {};
}

bool is_multiple_of_step(std::string_view text, double step) {
  constexpr std::size_t kLongest = 11;  // 0.123456789
  constexpr double kSlack = 1e-9;
  if (text.size() > kLongest || !is_number(text)) return false;
  const double value = to_double(text);
  if (!(value >= 0) || value > 1 || std::signbit(value)) return false;
  const double most = std::floor(1 / step + kSlack);
  std::string written = fmt::format("{:.9f}", std::min(std::round(value / step), most) * step);
  written.erase(written.find_last_not_of('0') + 1);
  if (written.ends_with('.')) written.pop_back();
  return text == written;
}

}  // namespace pratique::verify
