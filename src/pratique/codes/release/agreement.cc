#include "pratique/codes/release/agreement.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "pratique/data/number.h"
#include "pratique/kind/among.h"
#include "pratique/kind/recorded_figures.h"

namespace pratique::release {
namespace {

// The column of a claim; empty where it names none.
std::string column_of(const Manifest& manifest, const char* key) {
  for (const auto& claim : *manifest.claims) {
    if (claim.contains(key) && claim[key].is_string()) return claim[key].get<std::string>();
  }
  return "";
}

// Numbers of this release: from 1 to how many there are; who has no code left has a number, too.
bool are_numbers(const Dictionary& patients, double most) {
  return std::all_of(
      patients.values().begin(), patients.values().end(), [&](std::string_view text) {
        return !text.empty() &&
               std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; }) &&
               text.size() <= 12 && to_double(text) >= 1 && to_double(text) <= most;
      });
}

}  // namespace

void contradict_codes(const Evidence& evidence, std::vector<std::string>& contradictions) {
  const std::string patient = column_of(evidence.manifest, "patient");
  if (!evidence.release || patient.empty()) return;  // of sets, or in clusters: without columns
  const Json& results = *evidence.manifest.results;
  if (evidence.manifest.format < 2) return;
  Names known = names_in(results, "unchanged");
  known.push_back(patient);
  known.push_back(column_of(evidence.manifest, "code"));
  for (const char* key : {"quasi_identifiers", "code_columns"}) {
    const Names more = names_in(*evidence.manifest.parameters, key);
    known.insert(known.end(), more.begin(), more.end());
  }
  const auto& columns = evidence.release->columns;
  if (!std::all_of(columns.begin(), columns.end(),
                   [&](const std::string& name) { return among(known, name); })) {
    contradictions.emplace_back("the released file has columns that it does not list");
  }
  if (!among(columns, patient)) return;
  const auto patients = evidence.engine.group(*evidence.release, {patient}, evidence.progress);
  const Dictionary& numbers = patients.groups.columns.front().dictionary;
  const Json recorded = results.value("patients_out", Json(0));
  const double most = std::max(static_cast<double>(numbers.size()),
                               recorded.is_number() ? recorded.get<double>() : 0);
  if (!are_numbers(numbers, most)) {
    contradictions.emplace_back("patients are not numbered by this release alone");
  }
}

}  // namespace pratique::release
