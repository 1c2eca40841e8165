#include "pratique/verify/identifying_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "pratique/verify/internal/column_words.h"
#include "pratique/verify/internal/identifying_text.h"

namespace pratique::verify {
namespace {

bool is_said(std::string_view cell) { return !cell.empty() && cell != "*"; }

// What a code or a number of a group may be called as well: there other things decide.
bool may_be_of_a_group(const std::string& word) {
  const std::set<std::string> groups = {"patientennummer", "fallnummer", "number of a patient"};
  return groups.count(word) > 0;
}

// Numbers that look like others of these are left to whoever knows the column.
bool is_sure(std::string_view what) {
  const std::set<std::string_view> sure = {"an email address", "a web address",
                                           "a social security number"};
  return sure.count(what) > 0;
}

std::optional<std::string> why_it_identifies(const ValueCounts& values) {
  std::uint64_t present = 0;
  std::size_t distinct = 0;
  std::map<std::string_view, std::uint64_t> records_of;
  for (Code code = 0; code < values.values.size(); ++code) {
    const auto cell = values.values.value(code);
    if (values.counts[code] == 0 || !is_said(cell)) continue;
    present += values.counts[code];
    ++distinct;
    if (const auto what = identifier_in_text(cell); is_sure(what))
      records_of[what] += values.counts[code];
  }
  if (distinct <= 2) return std::nullopt;
  if (const auto word = forbidden_name(words_of(values.name)); word && !may_be_of_a_group(*word))
    return fmt::format("is called '{}'", *word);
  for (const auto& [what, records] : records_of) {
    if (2 * records >= present) return fmt::format("has {} in most records", what);
  }
  return std::nullopt;
}

}  // namespace

std::vector<IdentifyingColumn> identifying_columns(Engine& engine, const Source& source,
                                                   const std::vector<std::string>& columns,
                                                   Progress& progress) {
  std::vector<IdentifyingColumn> identifying;
  engine.count_values(source, columns, progress, [&](const ValueCounts& values) {
    if (auto why = why_it_identifies(values)) identifying.push_back({values.name, std::move(*why)});
  });
  return identifying;
}

std::vector<std::string> columns_without_pseudonyms(Engine& engine, const Source& source,
                                                    const std::vector<std::string>& columns,
                                                    Progress& progress) {
  constexpr std::size_t kDigits = 32;
  std::vector<std::string> others;
  engine.count_values(source, columns, progress, [&](const ValueCounts& values) {
    const auto is_digit = [](unsigned char c) { return std::isdigit(c) != 0; };
    const auto is_hexadecimal = [](unsigned char c) {
      return std::isxdigit(c) != 0 && std::isupper(c) == 0;
    };
    for (Code code = 0; code < values.values.size(); ++code) {
      const auto cell = values.values.value(code);
      if (values.counts[code] == 0 || !is_said(cell)) continue;
      const bool pseudonym =
          cell.size() == kDigits && std::all_of(cell.begin(), cell.end(), is_hexadecimal);
      const bool number = cell.size() <= 9 && std::all_of(cell.begin(), cell.end(), is_digit) &&
                          std::stoul(std::string(cell)) <= values.values.size();
      if (pseudonym || number) continue;
      others.push_back(values.name);
      return;
    }
  });
  return others;
}

}  // namespace pratique::verify
