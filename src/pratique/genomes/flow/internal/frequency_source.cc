#include "pratique/genomes/flow/internal/frequency_source.h"

#include <fmt/format.h>

#include <cmath>

#include "pratique/core/ascii.h"
#include "pratique/core/error.h"
#include "pratique/data/number.h"
#include "pratique/genomes/attack/association.h"
#include "pratique/genomes/flow/internal/named_columns.h"

namespace pratique::genomes::flow {
namespace {

std::string frequency_column(const Source& source, std::initializer_list<std::string_view> names,
                             const char* what) {
  if (const auto column = likely_column(source, names)) return *column;
  throw Error::input(fmt::format("the table has no column {}", what))
      .at(source.name)
      .hint("A table of frequencies has the columns chrom, pos, ref, alt and frequency.");
}

// Small numbers may be written with an exponent.
std::optional<double> any_number(std::string_view text) {
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

std::optional<std::string> column_spelt(const Source& source,
                                        std::initializer_list<std::string_view> names) {
  for (const auto name : names) {
    for (const auto& column : source.columns) {
      if (lower(column) == name) return column;
    }
  }
  return std::nullopt;
}

std::optional<std::string> p_value_column(const Source& source) {
  return column_spelt(source, {"p_value", "p-value", "pvalue", "pval", "p"});
}
std::optional<std::string> any_frequency_column(const Source& source) {
  return column_spelt(source, {"frequency", "freq", "af", "alt_freqs", "alt_frequency", "cases"});
}

[[noreturn]] void refuse_again(const std::string& path, std::size_t row) {
  throw Error::input("a variant stands in the table twice")
      .at(fmt::format("{}:{}", path, row + 2))
      .hint("A variant has one frequency; with the alleles exchanged it is the same variant.");
}

// Which way an odds ratio or an effect points; nothing where it does not.
std::optional<bool> is_higher(std::string_view text, bool ratio) {
  if (text == "+" || text == "-") return text == "+";
  const auto value = any_number(text);
  const double none = ratio ? 1 : 0;
  if (!value || *value == none) return std::nullopt;
  return *value > none;
}

}  // namespace

FrequencyTable read_frequencies(const std::string& path, const Run& run) {
  if (looks_like_genotypes(path)) {
    const auto file = GenotypeFile::open(path);
    return count_frequencies(*file, run.progress);
  }
  const Source source = run.open(path);
  const std::string chrom =
      frequency_column(source, {"chrom", "chr", "chromosome", "#chrom"}, "chrom");
  const std::string pos = frequency_column(source, {"pos", "position", "bp"}, "pos");
  const std::string ref = frequency_column(source, {"ref", "reference", "a2"}, "ref");
  const std::string alt = frequency_column(source, {"alt", "alternative", "a1"}, "alt");
  const std::string frequency = frequency_column(
      source, {"frequency", "freq", "af", "alt_freqs", "alt_frequency", "cases"}, "frequency");
  const Table table = run.engine.load(source, {chrom, pos, ref, alt, frequency}, run.progress);
  FrequencyTable read;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto cell = [&](std::size_t column) { return table.columns[column].text(row); };
    if (cell(4).empty()) continue;
    const double value = any_number(cell(4)).value_or(-1);
    if (!(value >= 0 && value <= 1) || !is_number(cell(1))) {
      throw Error::input("a position is no number, or a frequency is not from 0 to 1")
          .at(fmt::format("{}:{}", path, row + 2));
    }
    const Variant variant{.chrom = std::string(cell(0)),
                          .position = static_cast<std::int64_t>(to_double(cell(1))),
                          .reference = std::string(cell(2)),
                          .alternative = std::string(cell(3))};
    if (read.of(variant)) refuse_again(path, row);
    read.set(variant, value);
  }
  return read;
}

bool has_p_values(const std::string& path, const Run& run) {
  if (looks_like_genotypes(path)) return false;
  const Source source = run.open(path);
  return p_value_column(source).has_value() && !any_frequency_column(source);
}

RecoveredFrequencies recover_frequencies(const std::string& path, const FrequencyTable& controls,
                                         double cases_size, double controls_size, const Run& run) {
  const Source source = run.open(path);
  const auto ratio = column_spelt(source, {"odds_ratio", "or", "odds"});
  const auto effect = column_spelt(source, {"beta", "effect", "direction"});
  if (!ratio && !effect) {
    throw Error::input("p-values without a direction do not tell the frequencies of cases")
        .at(source.name)
        .hint("Give a column odds_ratio, beta or direction beside p_value.");
  }
  const Table table =
      run.engine.load(source,
                      {frequency_column(source, {"chrom", "chr", "chromosome", "#chrom"}, "chrom"),
                       frequency_column(source, {"pos", "position", "bp"}, "pos"),
                       frequency_column(source, {"ref", "reference", "a2"}, "ref"),
                       frequency_column(source, {"alt", "alternative", "a1"}, "alt"),
                       p_value_column(source).value(), ratio ? *ratio : *effect},
                      run.progress);
  const AssociationSizes sizes{2 * cases_size, 2 * controls_size};
  RecoveredFrequencies recovered;
  FrequencyTable listed;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto cell = [&](std::size_t column) { return table.columns[column].text(row); };
    if (cell(4).empty()) continue;
    const auto p_value = any_number(cell(4));
    if (!p_value || *p_value < 0 || *p_value > 1 || !is_number(cell(1))) {
      throw Error::input("a position is no number, or a p-value is not from 0 to 1")
          .at(fmt::format("{}:{}", path, row + 2));
    }
    ++recovered.rows;
    const Variant variant{.chrom = std::string(cell(0)),
                          .position = static_cast<std::int64_t>(to_double(cell(1))),
                          .reference = std::string(cell(2)),
                          .alternative = std::string(cell(3))};
    if (listed.of(variant)) refuse_again(path, row);
    listed.set(variant, 0);
    const auto control = controls.of(variant);
    const auto higher = is_higher(cell(5), ratio.has_value());
    if (!control) continue;
    // Without a direction only cases that are like the controls are certain.
    if (!higher && *p_value < 1) continue;
    const auto frequency = frequency_from_p_value(*p_value, *control, higher.value_or(true), sizes);
    if (frequency) recovered.pool.set(variant, *frequency);
  }
  return recovered;
}

std::vector<PublishedPair> read_pairs(const std::string& path, const Run& run) {
  const Source source = run.open(path);
  const auto needed = [&](std::initializer_list<std::string_view> names) {
    if (const auto column = column_spelt(source, names)) return *column;
    throw Error::input("the table of pairs has not the columns chrom, pos_a, pos_b and r2")
        .at(source.name)
        .hint("plink's CHR_A, BP_A, CHR_B, BP_B, R2 are read, too.");
  };
  const std::string chrom_a = needed({"chrom", "chrom_a", "chr_a", "#chrom_a", "chr"});
  const auto chrom_b = column_spelt(source, {"chrom_b", "chr_b"});
  const std::string pos_a = needed({"pos_a", "bp_a"});
  const std::string pos_b = needed({"pos_b", "bp_b"});
  const std::string r2_column = needed({"r2", "r^2", "unphased_r2", "phased_r2"});
  std::vector<std::string> columns = {chrom_a, pos_a, pos_b, r2_column};
  if (chrom_b) columns.push_back(*chrom_b);
  const Table table = run.engine.load(source, columns, run.progress);
  const auto place = [&](std::size_t row, const std::string& of, const std::string& at) {
    std::string chrom(plain_chromosome(table.column(of).text(row)));
    const std::string_view position = table.column(at).text(row);
    if (!is_number(position)) {
      throw Error::input("a position is no number").at(fmt::format("{}:{}", path, row + 2));
    }
    return SnpPlace{std::move(chrom), static_cast<std::int64_t>(to_double(position))};
  };
  std::vector<PublishedPair> pairs;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (table.column(r2_column).text(row).empty()) continue;
    const auto r2 = any_number(table.column(r2_column).text(row));
    if (!r2 || *r2 < 0 || *r2 > 1) {
      throw Error::input("an r2 is not from 0 to 1").at(fmt::format("{}:{}", path, row + 2));
    }
    pairs.push_back(
        {place(row, chrom_a, pos_a), place(row, chrom_b.value_or(chrom_a), pos_b), *r2});
  }
  return pairs;
}

}  // namespace pratique::genomes::flow
