// k-anonymity of DNA sequences, from the released FASTA file alone: every sequence stands there at
// least k times, letter by letter, so that whoever knows a person's DNA finds k entries that fit
// equally well, or none.
//
// The file is read here, by no code that wrote it. It must hold nothing but that: headers of digits
// alone, which name nobody; letters of IUPAC-IUB for bases, and no gaps, whose places would tell
// more than the letters do. Numbers that count up with the file, or that stand twice, fail: the
// first show the order in which sequences were written, the second join entries.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "pratique/data/number.h"
#include "pratique/verify/internal/claim_reader.h"
#include "pratique/verify/internal/model_claims.h"

namespace pratique::verify {
namespace {

constexpr std::string_view kIupacLetters = "ACGTRYSWKMBDHVN";

struct ReleasedSequences {
  std::vector<std::string> names;
  std::map<std::string, std::uint64_t, std::less<>> counts;
  std::string fault;  // empty: none
};

void close_entry(ReleasedSequences& read, std::string& letters) {
  if (read.names.empty()) return;
  if (letters.empty()) read.fault = "an entry has no sequence";
  ++read.counts[letters];
  letters.clear();
}

ReleasedSequences entries_of(std::string_view text) {
  ReleasedSequences read;
  std::string letters;
  while (!text.empty() && read.fault.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.starts_with('>')) {
      close_entry(read, letters);
      read.names.emplace_back(line.substr(1));
    } else if (read.names.empty()) {
      read.fault = "the file does not begin with a header";
    } else {
      letters += line;
      if (line.find_first_not_of(kIupacLetters) != std::string_view::npos)
        read.fault = "a sequence has a character that is no IUPAC letter of a base";
    }
  }
  if (read.fault.empty()) close_entry(read, letters);
  return read;
}

std::string fault_of_names(const std::vector<std::string>& names) {
  for (const auto& name : names) {
    if (name.empty() || !std::all_of(name.begin(), name.end(),
                                     [](unsigned char c) { return std::isdigit(c) != 0; }))
      return "a header holds more than a number";
  }
  const std::set<std::string_view> different(names.begin(), names.end());
  if (different.size() < names.size()) return "two entries have the same number";
  constexpr std::size_t kFewestToTell = 8;  // fewer come in order by chance
  const auto less = [](const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  };
  if (names.size() >= kFewestToTell && std::is_sorted(names.begin(), names.end(), less))
    return "the numbers of the entries count up";
  return {};
}

ReleasedSequences released_sequences(const ClaimContext& context) {
  if (context.release.format != FileFormat::sets) throw malformed("a table has no sequences");
  ReleasedSequences read = entries_of(context.engine.read_text(context.release, context.progress));
  if (read.fault.empty() && read.counts.empty()) read.fault = "the file has no sequence";
  if (read.fault.empty()) read.fault = fault_of_names(read.names);
  return read;
}

// How often the rarest letter of any sequence stands in it.
std::uint64_t rarest_letter(const ReleasedSequences& read) {
  std::uint64_t rarest = std::numeric_limits<std::uint64_t>::max();
  for (const auto& [letters, count] : read.counts) {
    std::map<char, std::uint64_t> in_sequence;
    for (const char letter : letters) ++in_sequence[letter];
    for (const auto& [letter, times] : in_sequence) rarest = std::min(rarest, times);
  }
  return rarest;
}

}  // namespace

// Binned SNPs (Lin, Hewett and Altman 2002): at least `across` sequences are equal, and in each
// every value stands at least `within` times. Values are those of the hierarchy of purines and
// pyrimidines.
ClaimResult check_snp_bins(const ClaimContext& context) {
  ClaimResult result;
  const auto across = static_cast<std::uint64_t>(whole_in(context.claim, "across"));
  const auto within = static_cast<std::uint64_t>(whole_in(context.claim, "within"));
  result.required = static_cast<double>(across);
  ReleasedSequences read = released_sequences(context);
  std::uint64_t smallest = read.names.size();
  for (const auto& [letters, count] : read.counts) {
    smallest = std::min(smallest, count);
    if (letters.find_first_not_of("ACGTRYN") != std::string::npos)
      read.fault = "a sequence has a letter that is not in the hierarchy";
  }
  if (!read.fault.empty()) {
    result.explanation = read.fault;
    return result;
  }
  const std::uint64_t rarest = rarest_letter(read);
  result.achieved = static_cast<double>(smallest);
  result.holds = smallest >= across && rarest >= within;
  result.explanation = fmt::format(
      "every sequence stands there at least {} times (of {}), and every value in it at least {} "
      "times (of {})",
      smallest, across, rarest, within);
  return result;
}

// Masked loci: sequences of one length, with N in every named column.
ClaimResult check_masked_loci(const ClaimContext& context) {
  ClaimResult result;
  const Json loci = context.claim.value("loci", Json());
  if (!loci.is_array() || loci.empty()) throw malformed("'loci' is no list of columns");
  result.required = static_cast<double>(loci.size());
  const ReleasedSequences read = released_sequences(context);
  if (!read.fault.empty()) {
    result.explanation = read.fault;
    return result;
  }
  std::uint64_t hidden = 0;
  for (const auto& locus : loci) {
    if (!locus.is_number_integer() || locus.get<std::int64_t>() < 1)
      throw malformed("'loci' has what is no column");
    const auto column = locus.get<std::size_t>() - 1;
    const bool everywhere =
        std::all_of(read.counts.begin(), read.counts.end(), [&](const auto& entry) {
          return entry.first.size() == read.counts.begin()->first.size() &&
                 column < entry.first.size() && entry.first[column] == 'N';
        });
    hidden += everywhere ? 1 : 0;
  }
  result.achieved = static_cast<double>(hidden);
  result.holds = hidden == loci.size();
  result.explanation = fmt::format("{} of {} columns are N in every sequence", hidden, loci.size());
  return result;
}

ClaimResult check_sequence_anonymity(const ClaimContext& context) {
  ClaimResult result;
  const auto k = static_cast<std::uint64_t>(whole_in(context.claim, "k"));
  result.required = static_cast<double>(k);
  const ReleasedSequences read = released_sequences(context);
  if (!read.fault.empty()) {
    result.explanation = read.fault;
    return result;
  }
  std::uint64_t smallest = read.names.size();
  for (const auto& [letters, count] : read.counts) smallest = std::min(smallest, count);
  result.achieved = static_cast<double>(smallest);
  result.holds = smallest >= k;
  result.explanation =
      result.holds
          ? fmt::format(
                "every sequence stands there at least {} times ({} sequences, {} different)",
                smallest, read.names.size(), read.counts.size())
          : fmt::format("a sequence stands there {} times, fewer than {}", smallest, k);
  return result;
}

}  // namespace pratique::verify
