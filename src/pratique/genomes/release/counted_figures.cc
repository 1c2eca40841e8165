#include "pratique/genomes/release/counted_figures.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string_view>

#include "pratique/core/error.h"
#include "pratique/genomes/format/fasta.h"
#include "pratique/kind/recorded_figures.h"

namespace pratique::genomes {
namespace {

// What a figure may be.
struct FigureRange {
  std::uint64_t least = 0;
  std::uint64_t most = 0;
};
using FigureRanges = std::map<std::string, FigureRange>;

std::uint64_t loci_claimed(const Manifest& manifest) {
  std::set<std::string> loci;
  for (const auto& claim : *manifest.claims) {
    const auto listed = claim.find("loci");
    if (listed == claim.end() || !listed->is_array()) continue;
    for (const auto& locus : *listed) loci.insert(locus.dump());
  }
  return loci.size();
}

FigureRanges ranges_in_sequences(const SequenceSet& read, std::uint64_t loci) {
  const std::set<Sequence> different(read.sequences.begin(), read.sequences.end());
  return {{"sequences", {read.size(), read.size()}},
          // Two groups may have become equal.
          {"groups", {different.size(), read.size()}},
          {"hidden", {loci, loci}}};
}

FigureRanges ranges_in_calls(const std::string& text, std::uint64_t loci) {
  std::uint64_t variants = 0;
  std::uint64_t without_calls = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.front() == '#') continue;
    ++variants;
    constexpr std::string_view kBeforeCalls = "\tGT\t";
    const auto calls = line.find(kBeforeCalls);
    without_calls +=
        calls != std::string::npos && line.find_first_of("0123456789", calls) == std::string::npos
            ? 1
            : 0;
  }
  // Several variants may stand at one place.
  return {{"variants_out", {variants, variants}}, {"hidden", {loci, without_calls}}};
}

FigureRanges ranges_in(const Manifest& manifest, const Source& released, Engine& engine,
                       Progress& progress) {
  if (released.format != FileFormat::sets) {
    const std::uint64_t rows = engine.count_rows(released, progress);
    return {{"variants_out", {rows, rows}}};
  }
  const std::uint64_t loci = loci_claimed(manifest);
  const std::string text = engine.read_text(released, progress);
  if (text.starts_with("##fileformat=VCF")) return ranges_in_calls(text, loci);
  try {
    return ranges_in_sequences(parse_fasta(released.name, text), loci);
  } catch (const Error&) {
    return {};
  }
}

}  // namespace

std::vector<std::string> miscounted_figures(const Manifest& manifest, const Source& released,
                                            Engine& engine, Progress& progress) {
  std::vector<std::string> wrong;
  for (const auto& [key, range] : ranges_in(manifest, released, engine, progress)) {
    const auto possible = [&of = range](double said) {
      return said >= static_cast<double>(of.least) && said <= static_cast<double>(of.most);
    };
    if (!release::recorded(*manifest.results, key.c_str(), possible)) wrong.push_back(key);
  }
  return wrong;
}

}  // namespace pratique::genomes
