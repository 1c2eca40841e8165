#include "pratique/codes/format/code_cells.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>

#include "pratique/core/ascii.h"
#include "pratique/core/error.h"
#include "pratique/data/code_systems.h"
#include "pratique/kind/shell_quoted.h"

namespace pratique::codes {
namespace {

using Names = std::vector<std::string>;

// DX1 is of DX; empty where a name does not end with a number.
std::string family_of(const std::string& name) {
  const auto last = name.find_last_not_of("0123456789");
  if (last == std::string::npos || last + 1 == name.size()) return {};
  return name.substr(0, last + 1);
}

bool is_of_diagnoses(const std::string& family) {
  constexpr std::array kWords = {"dx", "diag", "dgns"};
  const std::string text = lower(family);
  return std::any_of(kWords.begin(), kWords.end(),
                     [&](const char* word) { return text.find(word) != std::string::npos; });
}

template <typename Take>
void each_code(std::string_view cell, const std::string& separator, const Take& take) {
  constexpr std::string_view kAroundCode = " \t";
  while (true) {
    const auto end = separator.empty() ? std::string_view::npos : cell.find(separator);
    std::string_view code = cell.substr(0, end);
    if (!separator.empty()) {
      const auto begin = code.find_first_not_of(kAroundCode);
      code = begin == std::string_view::npos
                 ? std::string_view()
                 : code.substr(begin, code.find_last_not_of(kAroundCode) - begin + 1);
    }
    if (!code.empty()) take(code);
    if (end == std::string_view::npos) return;
    cell.remove_prefix(end + separator.size());
  }
}

}  // namespace

std::vector<std::string> code_columns_of(const Names& columns, const std::string& code,
                                         const Names& wide, const std::string& place) {
  const auto exists = [&](const std::string& name) {
    return std::find(columns.begin(), columns.end(), name) != columns.end();
  };
  const auto is_pattern = [&](const std::string& entry) {
    return entry.size() > 1 && entry.ends_with('*') && !exists(entry);
  };
  const auto any = [&](const std::string& entry) {
    return exists(entry) ||
           (is_pattern(entry) && std::any_of(columns.begin(), columns.end(), [&](const auto& name) {
              return name.starts_with(entry.substr(0, entry.size() - 1));
            }));
  };
  Names chosen;
  if (exists(code) && std::none_of(wide.begin(), wide.end(), any)) return {code};
  for (const auto& entry : wide) {
    const bool pattern = is_pattern(entry);
    const std::size_t before = chosen.size();
    for (const auto& name : columns) {
      if (pattern ? name.starts_with(entry.substr(0, entry.size() - 1)) : name == entry) {
        chosen.push_back(name);
      }
    }
    if (chosen.size() == before && pattern) {
      throw Error::input(
          fmt::format("no column begins with '{}'", entry.substr(0, entry.size() - 1)))
          .at(place)
          .hint("pratique tables profile FILE lists the columns.");
    }
    if (chosen.size() == before) (void)column_index(columns, entry, place);
  }
  if (!chosen.empty()) return chosen;
  if (exists(code)) return {code};
  std::map<std::string, Names> families;
  for (const auto& name : columns) {
    const auto family = family_of(name);
    if (!family.empty() && is_of_diagnoses(family)) families[family].push_back(name);
  }
  std::erase_if(families, [](const auto& family) { return family.second.size() < 2; });
  if (families.size() == 1) return families.begin()->second;
  if (families.empty()) {
    Names likely;
    for (const auto& name : columns) {
      if (is_of_diagnoses(name)) likely.push_back(name);
    }
    if (likely.empty()) return {code};
    throw Error::input(fmt::format("there is no column '{}' of codes", code))
        .at(place)
        .hint(likely.size() == 1
                  ? fmt::format("Name it: --code {}", release::shell_quoted(likely.front()))
                  : fmt::format("Name the columns that hold them: --codes {}",
                                release::shell_quoted(fmt::format("{}", fmt::join(likely, ",")))));
  }
  Names words;
  for (const auto& [family, names] : families) words.push_back(family + "*");
  throw Error::input("several groups of columns may hold the codes")
      .at(place)
      .hint(fmt::format("Name one: --codes {}", fmt::join(words, ", or --codes ")));
}

std::string detect_separator(const Table& table, const std::vector<std::size_t>& columns) {
  const auto written_in = [&](const std::string& separator) {
    Dictionary codes;
    std::vector<std::uint64_t> counts;
    for (const auto c : columns) {
      for (const auto cell : table.columns[c].dictionary.values()) {
        each_code(cell, separator, [&](std::string_view code) {
          const Code number = codes.intern(code);
          if (number == counts.size()) counts.push_back(0);
          ++counts[number];
        });
      }
    }
    return detect_code_system(codes, counts) != nullptr;
  };
  if (written_in("")) return {};
  for (const char* separator : {";", "|", ",", " "}) {
    if (written_in(separator)) return separator;
  }
  return {};
}

CodeRows one_code_a_row(Table table, const std::vector<std::size_t>& codes,
                        const std::string& separator, const std::string& name,
                        const std::string& place) {
  const Column& patient = table.columns.front();
  if (const auto nobody = patient.dictionary.find("")) {
    const auto row = std::find(patient.codes.begin(), patient.codes.end(), *nobody);
    if (row != patient.codes.end()) {
      throw Error::input(fmt::format("a cell of the column '{}' is empty", patient.name))
          .at(fmt::format("{}, row {}", place, row - patient.codes.begin() + 1))
          .hint("Remove the rows without it; codes of nobody cannot be shared.");
    }
  }
  CodeRows rows;
  Column who;
  Column code;
  who.name = patient.name;
  code.name = name;
  // The codes of every cell, once for each text.
  std::vector<std::vector<std::vector<Code>>> in_cell;
  for (const auto c : codes) {
    in_cell.emplace_back();
    for (const auto cell : table.columns[c].dictionary.values()) {
      in_cell.back().emplace_back();
      each_code(cell, separator, [&](std::string_view text) {
        in_cell.back().back().push_back(code.dictionary.intern(text));
      });
    }
  }
  std::vector<std::uint32_t> row_of;
  std::vector<bool> has_codes(patient.dictionary.size(), false);
  for (std::uint32_t row = 0; row < patient.codes.size(); ++row) {
    for (std::size_t i = 0; i < codes.size(); ++i) {
      for (const Code number : in_cell[i][table.columns[codes[i]].codes[row]]) {
        has_codes[patient.codes[row]] = true;
        who.codes.push_back(who.dictionary.intern(patient.text(row)));
        code.codes.push_back(number);
        row_of.push_back(row);
      }
    }
  }
  rows.patients_without_codes =
      static_cast<std::uint64_t>(std::count(has_codes.begin(), has_codes.end(), false));
  rows.row_of = row_of;
  rows.table.columns.push_back(std::move(who));
  rows.table.columns.push_back(std::move(code));
  for (std::size_t c = 1; c < table.columns.size(); ++c) {
    if (std::find(codes.begin(), codes.end(), c) != codes.end()) continue;
    Column& other = table.columns[c];
    std::vector<Code> values;
    values.reserve(row_of.size());
    for (const auto row : row_of) values.push_back(other.codes[row]);
    other.codes = std::move(values);
    rows.table.columns.push_back(std::move(other));
  }
  return rows;
}

}  // namespace pratique::codes
