// Claims about released genotypes and statistics of alleles, from the released file alone.
//
// The files are read here, by no code that wrote them, and must hold nothing but what the claim is
// about: of VCF the bare header, variants without ID, QUAL, FILTER and INFO, people under different
// numbers that do not count up, and calls of two alleles; of a table its columns.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "pratique/data/number.h"
#include "pratique/verify/internal/claim_reader.h"
#include "pratique/verify/internal/model_claims.h"
#include "pratique/verify/internal/released_variants.h"

namespace pratique::verify {
namespace {

std::vector<std::string_view> tab_fields(std::string_view line) {
  std::vector<std::string_view> fields;
  while (true) {
    const auto tab = line.find('\t');
    fields.push_back(line.substr(0, tab));
    if (tab == std::string_view::npos) return fields;
    line.remove_prefix(tab + 1);
  }
}

bool only_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(),
                                      [](unsigned char c) { return std::isdigit(c) != 0; });
}

std::string fault_of_samples(const std::vector<std::string_view>& header) {
  constexpr std::array<std::string_view, 9> kFixed = {"#CHROM", "POS",    "ID",   "REF",   "ALT",
                                                      "QUAL",   "FILTER", "INFO", "FORMAT"};
  if (header.size() <= kFixed.size() || !std::equal(kFixed.begin(), kFixed.end(), header.begin()))
    return "the header is not that of a VCF with genotypes";
  const std::vector<std::string_view> names(header.begin() + kFixed.size(), header.end());
  if (!std::all_of(names.begin(), names.end(), only_digits))
    return "a sample is called by more than a number";
  if (std::set<std::string_view>(names.begin(), names.end()).size() < names.size())
    return "two samples have the same number";
  constexpr std::size_t kFewestToTell = 8;  // fewer come in order by chance
  const auto less = [](std::string_view a, std::string_view b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  };
  if (names.size() >= kFewestToTell && std::is_sorted(names.begin(), names.end(), less))
    return "the numbers of the samples count up";
  return {};
}

// The lines that a header must have, each once and in this order: a chromosome is named where a
// line of the file has it, and nowhere else.
bool is_bare_header(const std::vector<std::string_view>& lines,
                    const std::vector<std::string_view>& chromosomes) {
  constexpr std::string_view kFormat =
      "##FORMAT=<ID=GT,Number=1,Type=String,Description=\"Genotype\">";
  if (lines.size() != chromosomes.size() + 2 || lines.front() != "##fileformat=VCFv4.2" ||
      lines.back() != kFormat)
    return false;
  for (std::size_t c = 0; c < chromosomes.size(); ++c) {
    if (lines[c + 1] != fmt::format("##contig=<ID={}>", chromosomes[c])) return false;
  }
  return true;
}

// A line of several bases tells of each of their places.
struct LineWithCalls {
  std::string chrom;
  std::int64_t first = 0;
  std::int64_t last = 0;
};
struct ReleasedCalls {
  std::map<std::string, bool, std::less<>> all_missing;  // by place: every call there
  std::vector<LineWithCalls> long_lines;                 // of more than one base
  std::string fault;                                     // empty: none
};

std::string fault_of_calls(const std::vector<std::string_view>& fields, std::size_t columns) {
  constexpr std::size_t kFirstCall = 9;
  if (fields.size() != columns) return "a line has more or fewer calls than there are samples";
  for (const std::size_t c : {std::size_t{2}, std::size_t{5}, std::size_t{6}, std::size_t{7}}) {
    if (fields[c] != ".") return "a line has an ID, QUAL, FILTER or INFO";
  }
  if (fields[8] != "GT") return "a line has more than genotypes";
  for (std::size_t c = kFirstCall; c < fields.size(); ++c) {
    if (fields[c] != "0/0" && fields[c] != "0/1" && fields[c] != "1/1" && fields[c] != "./.")
      return "a call is no genotype without phase";
  }
  return {};
}

ReleasedCalls released_calls(std::string_view text) {
  ReleasedCalls read;
  ReleasedVariants variants;
  std::vector<std::string_view> header;
  std::vector<std::string_view> chromosomes;
  std::size_t columns = 0;
  while (!text.empty() && read.fault.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (columns == 0 && line.starts_with("##")) {
      header.push_back(line);
      continue;
    }
    const auto fields = tab_fields(line);
    if (columns == 0) {
      columns = fields.size();
      read.fault = fault_of_samples(fields);
      continue;
    }
    read.fault = fault_of_calls(fields, columns);
    if (read.fault.empty())
      read.fault = variants.fault_of_next(fields[0], fields[1], fields[3], fields[4]);
    if (!read.fault.empty()) break;
    if (chromosomes.empty() || chromosomes.back() != fields[0]) chromosomes.push_back(fields[0]);
    const bool missing =
        std::all_of(fields.begin() + 9, fields.end(), [](auto call) { return call == "./."; });
    auto [place, is_new] =
        read.all_missing.emplace(fmt::format("{}:{}", fields[0], fields[1]), missing);
    if (!is_new) place->second = place->second && missing;
    if (missing || fields[3].size() == 1) continue;
    const std::int64_t first = std::stoll(std::string(fields[1]));
    read.long_lines.push_back(
        {std::string(fields[0]), first, first + static_cast<std::int64_t>(fields[3].size()) - 1});
  }
  if (read.fault.empty() && read.all_missing.empty()) read.fault = "the file has no variant";
  if (read.fault.empty() && !is_bare_header(header, chromosomes))
    read.fault = "the header holds more than it must, or less";
  return read;
}

// A cell of a row as a number; nothing for what is none.
std::optional<double> number_at(const Table& table, std::size_t column, std::size_t row) {
  const std::string_view text = table.columns[column].text(row);
  try {
    std::size_t end = 0;
    const std::string word(text);
    const double value = std::stod(word, &end);
    if (end == word.size() && std::isfinite(value)) return value;
  } catch (const std::exception&) {
    return std::nullopt;
  }
  return std::nullopt;
}

// The places of variants in a table of them.
std::string fault_of_table(const ClaimContext& context) {
  const Table table =
      context.engine.load(context.release, {"chrom", "pos", "ref", "alt"}, context.progress);
  ReleasedVariants variants;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto cell = [&](std::size_t column) { return table.columns[column].text(row); };
    if (auto fault = variants.fault_of_next(cell(0), cell(1), cell(2), cell(3)); !fault.empty())
      return fault;
  }
  return {};
}

// Whether a line that has calls is about a place, though it begins before.
bool is_told_by_another(const ReleasedCalls& read, const std::string& locus) {
  const auto colon = locus.rfind(':');
  constexpr std::size_t kMostDigits = 18;
  if (colon == std::string::npos || locus.size() - colon - 1 > kMostDigits ||
      !only_digits(std::string_view(locus).substr(colon + 1)))
    throw malformed("'loci' has what is no place");
  const std::int64_t place = std::stoll(locus.substr(colon + 1));
  return std::any_of(read.long_lines.begin(), read.long_lines.end(), [&](const auto& line) {
    return line.first <= place && place <= line.last && locus.compare(0, colon, line.chrom) == 0;
  });
}

// The written number may be rounded in its sixth digit.
bool is_written(double written, double exact) {
  constexpr double kSlack = 1e-4;
  constexpr double kLeast = 1e-290;
  return std::abs(written - exact) <= kSlack * std::abs(exact) + kLeast;
}

}  // namespace

// Masked loci of genotypes: no call at any of the named places.
ClaimResult check_masked_genotypes(const ClaimContext& context) {
  ClaimResult result;
  const Json loci = context.claim.value("loci", Json());
  if (!loci.is_array() || loci.empty()) throw malformed("'loci' is no list of places");
  if (context.release.format != FileFormat::sets) throw malformed("a table has no genotypes");
  result.required = static_cast<double>(loci.size());
  const std::string text = context.engine.read_text(context.release, context.progress);
  const ReleasedCalls read = released_calls(text);
  if (!read.fault.empty()) {
    result.explanation = read.fault;
    return result;
  }
  std::uint64_t hidden = 0;
  for (const auto& locus : loci) {
    if (!locus.is_string()) throw malformed("'loci' has what is no place");
    const auto place = locus.get<std::string>();
    const auto missing = read.all_missing.find(place);
    hidden +=
        missing != read.all_missing.end() && missing->second && !is_told_by_another(read, place)
            ? 1
            : 0;
  }
  result.achieved = static_cast<double>(hidden);
  result.holds = hidden == loci.size();
  result.explanation = fmt::format("{} of {} places have no call of anybody", hidden, loci.size());
  return result;
}

// Frequencies that were rounded: the table has nothing but variants and multiples of `step`.
ClaimResult check_rounded_frequencies(const ClaimContext& context) {
  ClaimResult result;
  const double step = number_in(context.claim, "step");
  if (!(step > 0) || step > 1) throw malformed("'step' out of range");
  result.required = step;
  const std::vector<std::string> wanted = {"chrom", "pos", "ref", "alt", "frequency"};
  if (context.release.columns != wanted) {
    result.explanation = "the table has other columns than chrom, pos, ref, alt and frequency";
    return result;
  }
  result.explanation = fault_of_table(context);
  if (!result.explanation.empty()) return result;
  std::uint64_t wrong = 0;
  context.engine.count_values(context.release, {"frequency"}, context.progress,
                              [&](const ValueCounts& counts) {
                                for (std::size_t v = 0; v < counts.values.size(); ++v) {
                                  const auto text = counts.values.value(static_cast<Code>(v));
                                  wrong += is_multiple_of_step(text, step) ? 0 : counts.counts[v];
                                }
                              });
  result.holds = wrong == 0;
  result.achieved = wrong == 0 ? step : 0;
  result.explanation = wrong == 0
                           ? fmt::format("every frequency is a multiple of {}", step)
                           : fmt::format("{} frequencies are no multiples of {}", wrong, step);
  return result;
}

// Statistics of an association that follow from rounded frequencies: chi-square of two
// frequencies f and q among a and b alleles is (f - q)^2 / (p (1 - p) (1 / a + 1 / b)), p the
// frequency of both together; the p-value is the chance of as much with one degree of freedom.
ClaimResult check_association_statistics(const ClaimContext& context) {
  ClaimResult result;
  const double step = number_in(context.claim, "step");
  const double a = 2 * number_in(context.claim, "cases");
  const double b = 2 * number_in(context.claim, "controls");
  if (!(step > 0) || step > 1 || !(a > 0) || !(b > 0)) throw malformed("a number is out of range");
  result.required = step;
  const std::vector<std::string> wanted = {"chrom", "pos",      "ref",        "alt",
                                           "cases", "controls", "chi_square", "p_value"};
  if (context.release.columns != wanted) {
    result.explanation = "the table has other columns than variants, two frequencies and a test";
    return result;
  }
  result.explanation = fault_of_table(context);
  if (!result.explanation.empty()) return result;
  const Table table = context.engine.load(
      context.release, {"cases", "controls", "chi_square", "p_value"}, context.progress);
  std::uint64_t wrong = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto f = number_at(table, 0, row);
    const auto q = number_at(table, 1, row);
    const auto chi_square = number_at(table, 2, row);
    const auto p_value = number_at(table, 3, row);
    bool fits = f && q && chi_square && p_value &&
                is_multiple_of_step(table.columns[0].text(row), step) &&
                is_multiple_of_step(table.columns[1].text(row), step);
    if (fits) {
      const double p = (a * *f + b * *q) / (a + b);
      const double variance = p * (1 - p) * (1 / a + 1 / b);
      const double exact = variance > 0 ? (*f - *q) * (*f - *q) / variance : 0;
      // Of the exact statistic: far out, one more digit of it changes the p-value much.
      fits =
          is_written(*chi_square, exact) && is_written(*p_value, std::erfc(std::sqrt(exact / 2)));
    }
    wrong += fits ? 0 : 1;
  }
  result.holds = wrong == 0;
  result.achieved = wrong == 0 ? step : 0;
  result.explanation =
      wrong == 0
          ? fmt::format("every frequency is a multiple of {}, and every test follows from two",
                        step)
          : fmt::format("{} rows are no multiples of {}, or tell more than those", wrong, step);
  return result;
}

// Frequencies with noise: that there is noise no file can show; that it holds frequencies of so
// many variants alone can be seen.
ClaimResult check_noisy_frequencies(const ClaimContext& context) {
  ClaimResult result;
  result.required = number_in(context.claim, "epsilon");
  const auto variants = static_cast<std::uint64_t>(whole_in(context.claim, "variants"));
  if (!(result.required > 0)) throw malformed("'epsilon' out of range");
  const std::vector<std::string> wanted = {"chrom", "pos", "ref", "alt", "frequency"};
  if (context.release.columns != wanted) {
    result.explanation = "the table has other columns than chrom, pos, ref, alt and frequency";
    return result;
  }
  result.explanation = fault_of_table(context);
  if (!result.explanation.empty()) return result;
  const Table table = context.engine.load(context.release, {"frequency"}, context.progress);
  constexpr double kStep = 1e-4;  // whatever the noise
  std::uint64_t wrong = 0;
  for (std::size_t row = 0; row < table.rows(); ++row)
    wrong += is_multiple_of_step(table.columns[0].text(row), kStep) ? 0 : 1;
  result.holds = wrong == 0 && table.rows() == variants;
  result.achieved = result.holds ? result.required : 0;
  result.explanation =
      result.holds
          ? fmt::format("attested: epsilon {}; the file holds frequencies of {} variants alone",
                        result.required, variants)
          : "the file is not a table of as many frequencies";
  return result;
}

}  // namespace pratique::verify
