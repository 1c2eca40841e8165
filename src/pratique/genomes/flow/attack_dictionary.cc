#include "pratique/genomes/flow/attack_dictionary.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "pratique/core/ascii.h"
#include "pratique/core/error.h"
#include "pratique/genomes/attack/dictionary.h"
#include "pratique/genomes/flow/internal/named_columns.h"

namespace pratique::genomes::flow {
namespace {

// Social Security numbers there are: nine digits.
constexpr double kAllSsns = 1e9;

void write_matches(const DictionaryFinding& finding, const Column& pseudonyms, const Table& people,
                   const std::string& out, const Run& run) {
  std::vector<std::vector<Code>> codes(people.columns.size() + 1);
  std::vector<std::vector<std::string>> values(people.columns.size() + 1);
  for (const auto value : pseudonyms.dictionary.values()) values[0].emplace_back(value);
  for (std::size_t c = 0; c < people.columns.size(); ++c) {
    for (const auto value : people.columns[c].dictionary.values())
      values[c + 1].emplace_back(value);
  }
  for (const auto& match : finding.matches) {
    codes[0].push_back(match.pseudonym);
    for (std::size_t c = 0; c < people.columns.size(); ++c)
      codes[c + 1].push_back(people.columns[c].codes[match.person]);
  }
  Output output;
  output.is_private = true;
  output.row_count = finding.matches.size();
  output.columns.push_back({"pseudonym", codes.data(), values.data()});
  for (std::size_t c = 0; c < people.columns.size(); ++c)
    output.columns.push_back({people.columns[c].name, &codes[c + 1], &values[c + 1]});
  run.engine.write(output, out, run.progress);
}

// Encryption that gives equal names equal pseudonyms tells by a known pair who else has it: the
// same person, wherever they are. Nobody else's pseudonym follows from it.
std::uint64_t broken_by_pairs(const Column& pseudonyms, const Table& known) {
  std::set<std::string_view> pairs;
  for (std::size_t row = 0; row < known.rows(); ++row)
    pairs.insert(known.columns.front().text(row));
  const auto values = pseudonyms.dictionary.values();
  return static_cast<std::uint64_t>(std::count_if(values.begin(), values.end(), [&](auto value) {
    return !value.empty() && pairs.contains(value);
  }));
}

}  // namespace

Outcome attack_dictionary(const DictionaryRequest& request, const Run& run) {
  const PseudonymScheme scheme = parse_scheme(request.scheme);
  const Source file = run.open(request.pseudonyms);
  const Source people_file = run.open(request.register_file);
  const Table pseudonyms =
      run.engine.load(file, {column_called(file, request.column)}, run.progress);
  std::vector<std::string> on;
  for (const auto& name : request.on) on.push_back(column_called(people_file, name));
  const Table people = run.engine.load(people_file, on, run.progress);
  const DictionaryFinding finding =
      genomes::attack_dictionary(pseudonyms.columns.front(), people, scheme, run.progress);
  const bool tried = finding.tries > 0 && finding.of > finding.unreadable;
  const double share =
      finding.of == 0 ? 0 : static_cast<double>(finding.broken) / static_cast<double>(finding.of);
  const double rate = static_cast<double>(finding.tries) / std::max(finding.seconds, 1e-9);
  Json result = {
      {"broken", finding.broken},
      {"of", finding.of},
      {"share", tried ? Json(share) : Json(nullptr)},
      {"tries", finding.tries},
      {"seconds", finding.seconds},
      {"ambiguous", finding.ambiguous},
      {"unreadable", finding.unreadable},
      {"by_chance", finding.by_chance},
      {"made_as", finding.broken == 0 ? Json(nullptr) : Json(finding.made_as)},
      {"scheme", std::string(name_of(scheme.digest)) + (scheme.salt.empty() ? "" : " with a salt")},
      {"people", people.rows()},
      {"tries_per_second", rate},
      {"all_ssns_seconds", rate > 0 ? kAllSsns / rate : 0.0},
      {"tried", tried}};
  if (!tried)
    result["note"] = "not tried: there was no pseudonym that could be a digest, or nobody to try";
  if (!request.known.empty()) {
    const Source known_file = run.open(request.known);
    std::string column = request.column;
    const auto has = [&](const std::string& name) {
      return std::any_of(known_file.columns.begin(), known_file.columns.end(),
                         [&](const auto& own) { return lower(own) == lower(name); });
    };
    if (!has(column)) column = "pseudonym";
    const Table known =
        run.engine.load(known_file, {column_called(known_file, column)}, run.progress);
    result["known_pairs"] = known.rows();
    result["broken_by_pairs"] = broken_by_pairs(pseudonyms.columns.front(), known);
  }
  if (!request.out.empty()) {
    write_matches(finding, pseudonyms.columns.front(), people, request.out, run);
    result["out"] = request.out;
  }
  const bool passed = !request.fail_above || (tried && share <= *request.fail_above);
  return {result, passed};
}

}  // namespace pratique::genomes::flow
