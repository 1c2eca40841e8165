#include "pratique/genomes/flow/internal/frequency_source.h"

#include <fmt/format.h>

#include "pratique/core/error.h"
#include "pratique/data/number.h"
#include "pratique/genomes/flow/internal/named_columns.h"

namespace pratique::genomes::flow {
namespace {

std::string frequency_column(const Source& source, std::initializer_list<std::string_view> names,
                             const char* what) {
  if (const auto found = likely_column(source, names)) return *found;
  throw Error::input(fmt::format("the table has no column {}", what))
      .at(source.name)
      .hint("A table of frequencies has the columns chrom, pos, ref, alt and frequency.");
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
      source, {"frequency", "freq", "af", "alt_freqs", "alt_frequency"}, "frequency");
  const Table table = run.engine.load(source, {chrom, pos, ref, alt, frequency}, run.progress);
  FrequencyTable read;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto cell = [&](std::size_t column) { return table.columns[column].text(row); };
    if (cell(4).empty()) continue;
    // Small frequencies may be written with an exponent.
    double value = -1;
    try {
      std::size_t end = 0;
      const std::string text(cell(4));
      value = std::stod(text, &end);
      if (end != text.size()) value = -1;
    } catch (const std::exception&) {
      value = -1;
    }
    if (!(value >= 0 && value <= 1) || !is_number(cell(1))) {
      throw Error::input("a position is no number, or a frequency is not from 0 to 1")
          .at(fmt::format("{}:{}", path, row + 2));
    }
    read.by_variant[variant_key(cell(0), static_cast<std::int64_t>(to_double(cell(1))), cell(2),
                                cell(3))] = static_cast<float>(value);
  }
  return read;
}

}  // namespace pratique::genomes::flow
