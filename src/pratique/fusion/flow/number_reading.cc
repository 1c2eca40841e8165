#include "pratique/fusion/flow/number_reading.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "pratique/core/ascii.h"
#include "pratique/core/error.h"
#include "pratique/data/missing_word.h"
#include "pratique/fusion/fcl.h"
#include "pratique/fusion/observations.h"
#include "pratique/kind/among.h"

namespace pratique::fusion::flow {
namespace {

bool looks_like_a_number(std::string_view text) {
  return std::any_of(text.begin(), text.end(), is_digit) &&
         std::none_of(text.begin(), text.end(),
                      [](unsigned char c) { return std::isalpha(c) != 0; });
}

}  // namespace

NumberReading::NumberReading(const std::vector<std::string>& said, const fusion::FuzzySystem* rules,
                             const std::string& target, const NameRequest& names, bool learns)
    : forms_({.numbers = said}, {}),
      rules_(rules),
      target_(fusion::fcl_identifier(target)),
      keys_{names.key, names.key_in_auxiliary()},
      learns_(learns) {}

bool NumberReading::is_read(const std::string& column) const {
  if (release::among(keys_, column)) return false;
  if (learns_) return true;
  const std::string name = fusion::fcl_identifier(column);
  return name == target_ ||
         (rules_ != nullptr &&
          std::any_of(rules_->inputs.begin(), rules_->inputs.end(), [&](const auto& input) {
            return fusion::fcl_identifier(input.name) == name;
          }));
}

release::NumberForms NumberReading::read(LoadedTable& loaded,
                                         const std::vector<std::string>& more) {
  std::vector<std::string> columns;
  for (const auto& column : loaded.table.columns) {
    if (is_read(column.name) || release::among(more, column.name)) columns.push_back(column.name);
  }
  auto forms = forms_.write_numbers(loaded.table, columns, loaded.source.name);
  refuse_unread(loaded);
  return forms.numbers;
}

LoadedTable NumberReading::load(const Run& run, const std::string& path) {
  LoadedTable loaded = load_table(run, path);
  (void)read(loaded);
  return loaded;
}

void NumberReading::refuse_unread(const LoadedTable& loaded) {
  if (rules_ == nullptr) return;
  constexpr double kFew = 0.1;
  for (const auto& input : rules_->inputs) {
    for (const auto& column : loaded.table.columns) {
      if (fusion::fcl_identifier(column.name) != fusion::fcl_identifier(input.name)) continue;
      std::vector<bool> unread;
      std::vector<bool> there;
      for (const auto text : column.dictionary.values()) {
        there.push_back(!text.empty() && text != "*" && !is_missing_word(text));
        unread.push_back(there.back() && looks_like_a_number(text) &&
                         fusion::read_input(text, input).empty());
      }
      std::uint64_t lost = 0;
      std::uint64_t present = 0;
      for (const Code code : column.codes) {
        lost += unread[code] ? 1 : 0;
        present += there[code] ? 1 : 0;
      }
      if (lost == 0) continue;
      if (static_cast<double>(lost) > kFew * static_cast<double>(present)) {
        throw Error::input(
            fmt::format("{} of the {} values of '{}', for which the rules ask, cannot be read",
                        lost, present, column.name))
            .at(loaded.source.name)
            .hint(
                "Write numbers as 1234.5 or, all of a column, as 1234,5, and ranges as 10..20; an "
                "adversary who cannot read them would seem to be weak.");
      }
      unread_[loaded.source.name][column.name] = lost;
    }
  }
}

void NumberReading::add_to(Json& result) const {
  if (!unread_.empty()) result["unread_cells"] = unread_;
}

}  // namespace pratique::fusion::flow
