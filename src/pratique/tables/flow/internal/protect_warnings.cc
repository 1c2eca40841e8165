#include "pratique/tables/flow/internal/protect_warnings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "pratique/data/number.h"
#include "pratique/kind/among.h"
#include "pratique/tables/model/spelling.h"

namespace pratique::tables::flow {
namespace {

// 3,5: a number to many, and a word to every number's reader here.
bool has_decimal_comma(std::string_view value) {
  const auto comma = value.find(',');
  if (comma == std::string_view::npos || comma == 0 || comma + 1 == value.size()) return false;
  std::string number(value);
  number[comma] = '.';
  return is_number(number);
}

// Before all others: whoever makes such a release hardly meant to.
void warn_where_nothing_is_left(const PreparedTable& prepared, const Recoding& recoding,
                                Json& warnings) {
  const auto& quasi_identifiers = prepared.schema.quasi_identifiers;
  std::string what;
  if (recoding.groups.empty()) {
    what = "NOTHING IS LEFT: no record leaves";
  } else if (!quasi_identifiers.empty() &&
             hidden_columns(prepared, recoding).size() == quasi_identifiers.size()) {
    what = fmt::format("NOTHING IS LEFT of the quasi-identifiers: every cell of {} is *",
                       fmt::join(quasi_identifiers, ", "));
  } else {
    return;
  }
  warnings.insert(warnings.begin(),
                  what +
                      ". Ask for less: a smaller k, weaker models, fewer quasi-identifiers, or "
                      "more --suppression");
}

// From here on, what a person's rows are overwritten with is no detail.
constexpr double kManyRows = 0.1;

double share_of_rows_changed(const PreparedTable& prepared) {
  if (!prepared.people || prepared.rows() == 0) return 0;
  return static_cast<double>(prepared.people->rows_changed()) /
         static_cast<double>(prepared.rows());
}

void warn_of_spellings(const PreparedTable& prepared, const Json& claims, Json& warnings) {
  std::set<std::string> counted;
  for (const auto& claim : claims) {
    if (claim.contains("l") || claim.contains("alpha") || claim.contains("share"))
      counted.insert(claim.value("sensitive", std::string()));
  }
  for (const auto& name : counted) {
    if (name.empty()) continue;
    const auto& values = prepared.table.groups.column(name).dictionary;
    const auto joined = joined_spellings(prepared.table.groups.column(name));
    if (!joined) continue;
    warnings.push_back(fmt::format(
        "'{}' has {} values that differ from others in spelling alone (capitals, blanks, points): "
        "they count as one",
        name, values.size() - joined->dictionary.size()));
  }
}

void warn_of_commas(const PreparedTable& prepared, Json& warnings) {
  for (const auto& names : {prepared.schema.quasi_identifiers, prepared.schema.sensitive}) {
    for (const auto& name : names) {
      if (release::among(prepared.not_measured(), name)) continue;
      const auto& values = prepared.table.groups.column(name).dictionary.values();
      const auto commas =
          static_cast<std::size_t>(std::count_if(values.begin(), values.end(), has_decimal_comma));
      if (commas == 0 || 2 * commas < values.size()) continue;
      warnings.push_back(
          fmt::format("'{}' has numbers with a decimal comma (3,5), which are words here: write "
                      "them with a point (3.5)",
                      name));
    }
  }
}

void warn_of_words_among_numbers(const PreparedTable& prepared, Json& warnings) {
  for (const auto& name : prepared.by_default) {
    if (prepared.schema.hierarchies.at(name) != "flat") continue;
    const auto& values = prepared.table.groups.column(name).dictionary.values();
    std::size_t numbers = 0;
    std::size_t words = 0;
    for (const auto value : values) {
      if (!value.empty()) ++(is_number(value) ? numbers : words);
    }
    constexpr std::size_t kSeveral = 10;
    constexpr std::size_t kForEachWord = 9;
    if (words == 0 || numbers < kSeveral || numbers < kForEachWord * words) continue;
    warnings.push_back(
        fmt::format("'{}' has {} value{} among {} that are, so all are taken for words, "
                    "and cells may list them: mend or empty {}",
                    name, words, words == 1 ? " that is not a number" : "s that are not numbers",
                    numbers, words == 1 ? "it" : "them"));
  }
}

void warn_of_people(const PreparedTable& prepared, std::uint64_t alone_by_rows, Json& warnings) {
  if (const double share = share_of_rows_changed(prepared); share >= kManyRows) {
    warnings.push_back(fmt::format(
        "{:.0f} % of the rows leave with the quasi-identifiers of their person's other "
        "rows: --person writes one set for each person (see rows_changed). Make "
        "quasi-identifiers that change from visit to visit sensitive, or leave them out",
        100 * share));
  }
  if (alone_by_rows > 0) {
    warnings.push_back(fmt::format(
        "{} {} the only one of their class with as many rows, which the numbers of --person "
        "show: "
        "whoever knows how often somebody came finds them. Keep as many rows of everybody (the "
        "first, the last) where visits need not be told",
        alone_by_rows, alone_by_rows == 1 ? "person is" : "people are"));
  }
}

}  // namespace

std::vector<std::string> hidden_columns(const PreparedTable& prepared, const Recoding& recoding) {
  std::vector<std::string> hidden;
  for (std::size_t q = 0; q < recoding.columns.size(); ++q) {
    const auto& column = recoding.columns[q];
    if (!column.codes.empty() && std::all_of(column.codes.begin(), column.codes.end(),
                                             [&](Code code) { return column.values[code] == "*"; }))
      hidden.push_back(prepared.schema.quasi_identifiers[q]);
  }
  return hidden;
}

Json warnings_about(const PreparedTable& prepared, const Recoding& recoding,
                    std::uint64_t alone_by_rows, const Json& claims) {
  Json warnings = Json::array();
  warn_of_spellings(prepared, claims, warnings);
  warn_of_commas(prepared, warnings);
  warn_of_words_among_numbers(prepared, warnings);
  if (!prepared.schema.quasi_identifiers.empty())
    warn_where_nothing_is_left(prepared, recoding, warnings);
  warn_of_people(prepared, alone_by_rows, warnings);
  return warnings;
}

}  // namespace pratique::tables::flow
