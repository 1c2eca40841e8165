// (k, k^m)-anonymity of demographics and codes together, from its definition: among the patients
// whose quasi-identifiers are the same text, whatever 1 to m items stand together in a record stand
// together in at least k, and there are at least k of them. So whoever knows a patient's
// demographics and m codes, and finds a record of a class that shows them, finds k of that class
// that show them by the very same items (as in km_claims.cc).
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "pratique/verify/internal/claim_reader.h"
#include "pratique/verify/internal/known_sets.h"
#include "pratique/verify/internal/model_claims.h"

namespace pratique::verify {
namespace {

// One set for each patient, in the order of the patients.
CodeSets one_by_one(const CodeSets& sets) {
  CodeSets all;
  for (std::uint32_t p = 0; p < sets.patients(); ++p) {
    const auto set = sets.set(sets.set_of[p]);
    all.items.insert(all.items.end(), set.begin(), set.end());
    all.first.push_back(all.items.size());
    all.counts.push_back(1);
    all.set_of.push_back(p);
  }
  return all;
}

}  // namespace

ClaimResult check_k_km(const ClaimContext& context) {
  const Json& claim = context.claim;
  const auto k = static_cast<std::uint64_t>(whole_in(claim, "k"));
  const auto m = static_cast<int>(whole_in(claim, "m"));
  auto columns = names_in(claim, "quasi_identifiers");
  if (context.release.format == FileFormat::sets) throw malformed("sets have no columns");
  columns.insert(columns.begin(), {text_in(claim, "patient"), text_in(claim, "code")});
  Table table = context.engine.load(context.release, columns, context.progress);
  const Column& patient = table.columns[0];

  ClaimResult result;
  result.required = static_cast<double>(k);
  std::vector<std::vector<Code>> cells(patient.dictionary.size());
  for (std::size_t row = 0; row < table.rows(); ++row) {
    std::vector<Code> mine;
    for (std::size_t c = 2; c < columns.size(); ++c) mine.push_back(table.columns[c].codes[row]);
    auto& known = cells[patient.codes[row]];
    if (known.empty()) known = mine;
    if (known != mine) {
      result.explanation = "a patient has two values of a quasi-identifier";
      return result;
    }
  }
  std::map<std::vector<Code>, std::vector<std::uint32_t>> classes;
  for (std::uint32_t p = 0; p < cells.size(); ++p) classes[cells[p]].push_back(p);

  CodeSets collected =
      collect_code_sets(patient, std::move(table.columns[1]), context.release.name);
  CodeSets all = one_by_one(collected);
  all.codes = std::move(collected.codes);
  const ReleasedCodes release(std::move(all), claim);
  const std::vector<bool> nothing_sensitive(release.sets.codes.size(), false);
  KnownSets known(release, nothing_sensitive, 1, k);
  double smallest_class = static_cast<double>(cells.size());
  context.progress.begin("counting sets of codes in every class", classes.size());
  for (const auto& [values, patients] : classes) {
    context.progress.advance(1);
    smallest_class = std::min(smallest_class, static_cast<double>(patients.size()));
    if (patients.size() < k) {
      result.explanation =
          fmt::format("{} patient{} with the same quasi-identifiers, fewer than {}",
                      patients.size(), patients.size() == 1 ? "" : "s", k);
    } else {
      known.check(patients, m);
      if (known.fault().empty()) continue;
      result.explanation =
          fmt::format("in a class of {} patients, {}", patients.size(), known.fault());
    }
    result.achieved = std::min(smallest_class, known.smallest());
    return result;
  }
  result.achieved = std::min(smallest_class, known.smallest());
  result.holds = true;
  result.explanation = fmt::format(
      "the quasi-identifiers and any {} codes match at least {} patients, or none", m, k);
  return result;
}

}  // namespace pratique::verify
