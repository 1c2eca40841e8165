#include "pratique/genomes/flow/attack_dictionary.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "pratique/core/ascii.h"
#include "pratique/core/error.h"
#include "pratique/genomes/attack/dictionary.h"
#include "pratique/genomes/attack/enumeration.h"
#include "pratique/genomes/flow/internal/named_columns.h"

namespace pratique::genomes::flow {
namespace {

// Social Security numbers there are (attack/enumeration.h).
constexpr double kAllSsns = 898.0 * 99 * 9999;

// What was tried, and what came of it: of a register or of all values there are.
struct Tried {
  DictionaryFinding finding = {};
  std::uint64_t values = 0;
  const char* tried_as = "people";
  // Names of the columns that say who it is, and of each match what they hold.
  std::vector<std::string> names = {};
  std::vector<std::uint32_t> pseudonyms = {};
  std::vector<std::vector<std::string>> owners = {};

  [[nodiscard]] bool any() const { return finding.tries > 0 && finding.of > finding.unreadable; }
  [[nodiscard]] double share() const {
    return finding.of == 0 ? 0
                           : static_cast<double>(finding.broken) / static_cast<double>(finding.of);
  }
};

Tried try_register(const DictionaryRequest& request, const Column& column,
                   const PseudonymScheme& scheme, const Run& run) {
  const Source file = run.open(request.register_file);
  std::vector<std::string> on;
  for (const auto& name : request.on) on.push_back(column_called(file, name));
  const Table people = run.engine.load(file, on, run.progress);
  Tried tried;
  tried.finding = genomes::attack_dictionary(column, people, scheme, run.progress);
  tried.values = people.rows();
  tried.names = on;
  for (const auto& match : tried.finding.matches) {
    tried.pseudonyms.push_back(match.pseudonym);
    auto& owner = tried.owners.emplace_back();
    for (const auto& field : people.columns) owner.emplace_back(field.text(match.person));
  }
  return tried;
}

Tried try_all(const DictionaryRequest& request, const Column& column,
              const std::vector<unsigned>& areas, const PseudonymScheme& scheme, const Run& run) {
  const auto what = request.every == "date" ? Enumerated::date : Enumerated::ssn;
  const auto enumerated = enumerate_values(column, what, areas, scheme, run.progress);
  Tried tried;
  tried.finding = {.broken = enumerated.broken,
                   .ambiguous = enumerated.ambiguous,
                   .of = enumerated.of,
                   .unreadable = enumerated.unreadable,
                   .tries = enumerated.tries,
                   .by_chance = enumerated.by_chance,
                   .seconds = enumerated.seconds,
                   .made_as = enumerated.made_as};
  tried.values = enumerated.values;
  tried.tried_as = "values";
  tried.names = {request.every};
  for (const auto& match : enumerated.matches) {
    tried.pseudonyms.push_back(match.pseudonym);
    tried.owners.push_back({match.value});
  }
  return tried;
}

void write_matches(const Tried& tried, const Column& pseudonyms, const std::string& out,
                   const Run& run) {
  std::vector<Code> rows(tried.pseudonyms.size());
  std::iota(rows.begin(), rows.end(), 0U);
  std::vector<std::vector<std::string>> values(tried.names.size() + 1);
  for (std::size_t m = 0; m < rows.size(); ++m) {
    values[0].emplace_back(pseudonyms.dictionary.value(tried.pseudonyms[m]));
    for (std::size_t c = 0; c < tried.names.size(); ++c)
      values[c + 1].push_back(tried.owners[m][c]);
  }
  Output output;
  output.is_private = true;
  output.row_count = rows.size();
  output.columns.push_back({"pseudonym", &rows, values.data()});
  for (std::size_t c = 0; c < tried.names.size(); ++c)
    output.columns.push_back({tried.names[c], &rows, &values[c + 1]});
  run.engine.write(output, out, run.progress);
}

Json result_of(const Tried& tried, const PseudonymScheme& scheme) {
  const DictionaryFinding& finding = tried.finding;
  const double rate = static_cast<double>(finding.tries) / std::max(finding.seconds, 1e-9);
  Json result = {
      {"broken", finding.broken},
      {"of", finding.of},
      {"share", tried.any() ? Json(tried.share()) : Json(nullptr)},
      {"tries", finding.tries},
      {"seconds", finding.seconds},
      {"ambiguous", finding.ambiguous},
      {"unreadable", finding.unreadable},
      {"by_chance", finding.by_chance},
      {"made_as", finding.broken == 0 ? Json(nullptr) : Json(finding.made_as)},
      {"scheme", std::string(name_of(scheme.digest)) + (scheme.salt.empty() ? "" : " with a salt")},
      {tried.tried_as, tried.values},
      {"tries_per_second", rate},
      {"all_ssns_seconds", rate > 0 ? kAllSsns / rate : 0.0},
      {"tried", tried.any()}};
  if (!finding.all_tried) result["note"] = "not all spellings were tried: there are too many";
  if (!tried.any())
    result["note"] = "not tried: there was no pseudonym that could be a digest, or nobody to try";
  return result;
}

// Encryption that gives equal names equal pseudonyms tells by a known pair who else has it: the
// same person, wherever they are. Nobody else's pseudonym follows from it.
std::set<std::uint32_t> broken_by_pairs(const Column& pseudonyms, const Table& known) {
  std::set<std::string_view> pairs;
  for (std::size_t row = 0; row < known.rows(); ++row)
    pairs.insert(known.columns.front().text(row));
  const auto values = pseudonyms.dictionary.values();
  std::set<std::uint32_t> broken;
  for (std::uint32_t code = 0; code < values.size(); ++code) {
    if (!values[code].empty() && pairs.contains(values[code])) broken.insert(code);
  }
  return broken;
}

}  // namespace

Outcome attack_dictionary(const DictionaryRequest& request, const Run& run) {
  const PseudonymScheme scheme = parse_scheme(request.scheme);
  const auto areas = parse_areas(request.areas);
  if (request.every.empty() && (request.register_file.empty() || request.on.empty())) {
    throw Error::input("there is nobody to try")
        .hint(
            "Give people with --register and --on, or try all numbers or dates that there are with "
            "--every ssn or --every date.");
  }
  const Source file = run.open(request.pseudonyms);
  const Table pseudonyms =
      run.engine.load(file, {column_called(file, request.column)}, run.progress);
  const Column& column = pseudonyms.columns.front();
  const Tried tried = request.every.empty() ? try_register(request, column, scheme, run)
                                            : try_all(request, column, areas, scheme, run);
  Json result = result_of(tried, scheme);
  double share = tried.share();
  if (!request.known.empty()) {
    const Source known_file = run.open(request.known);
    std::string name = request.column;
    const auto has = [&](const std::string& wanted) {
      return std::any_of(known_file.columns.begin(), known_file.columns.end(),
                         [&](const auto& own) { return lower(own) == lower(wanted); });
    };
    if (!has(name)) name = "pseudonym";
    const Table known =
        run.engine.load(known_file, {column_called(known_file, name)}, run.progress);
    result["known_pairs"] = known.rows();
    std::set<std::uint32_t> broken = broken_by_pairs(column, known);
    result["broken_by_pairs"] = broken.size();
    broken.insert(tried.pseudonyms.begin(), tried.pseudonyms.end());
    if (tried.finding.of > 0)
      share = static_cast<double>(broken.size()) / static_cast<double>(tried.finding.of);
    result["share_with_pairs"] = tried.any() ? Json(share) : Json(nullptr);
  }
  if (!request.out.empty()) {
    write_matches(tried, column, request.out, run);
    result["out"] = request.out;
  }
  return {result, !request.fail_above || (tried.any() && share <= *request.fail_above)};
}

}  // namespace pratique::genomes::flow
