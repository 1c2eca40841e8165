#include "pratique/kind/numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/data/hierarchy_csv.h"
#include "pratique/data/number.h"
#include "pratique/kind/among.h"
#include "pratique/kind/dates.h"

namespace pratique::release {
namespace {

// A file of labels over plain numbers, as hierarchy draft writes it: then the values are numbers,
// too, in whatever form. What else is wrong with the file is said where it is read.
bool is_tree_of_numbers(const std::string& spec) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(spec, none)) return false;
  try {
    const Hierarchy tree = read_hierarchy_csv(spec);
    std::size_t numbers = 0;
    for (Hierarchy::Node leaf = 0; leaf < tree.leaf_count(); ++leaf) {
      if (tree.label(leaf).empty()) continue;
      if (!is_number(tree.label(leaf))) return false;
      ++numbers;
    }
    return numbers > 0;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

bool are_read_as_numbers(const Schema& schema, const std::string& column) {
  const auto spec = schema.hierarchies.find(column);
  return spec == schema.hierarchies.end() || spec->second == "flat" ||
         spec->second.starts_with("interval") || is_tree_of_numbers(spec->second);
}

NumberForms find_number_forms(const Table& table, const Schema& schema,
                              const std::map<std::string, std::string>& said,
                              const std::string& place) {
  for (const auto& [name, form] : said) {
    if (schema.role_of(name) != Role::quasi_identifier) {
      throw Error::input(fmt::format("--number-form: '{}' is not a quasi-identifier", name))
          .hint("Only quasi-identifiers are made coarser, so only their form matters.");
    }
  }
  NumberForms forms;
  for (const auto& name : schema.quasi_identifiers) {
    const auto fitting = number_forms(table.column(name).dictionary);
    if (fitting.empty() && said.count(name) == 0) continue;  // no need to read a tree
    if (!are_read_as_numbers(schema, name)) continue;
    if (const auto word = said.find(name); word != said.end()) {
      const auto form = number_form_of_name(word->second);
      if (!form || std::find(fitting.begin(), fitting.end(), *form) == fitting.end()) {
        throw Error::input(fmt::format("the values of '{}' are not all numbers of the form '{}'",
                                       name, word->second))
            .at(place)
            .hint(
                "The forms are decimal-comma (12,5) and thousands-comma (1,234); a unit that all "
                "values share (70 kg) is found by itself.");
      }
      forms[name] = *form;
    } else if (fitting.size() > 1) {
      throw Error::input(
          fmt::format("the numbers of '{}' do not show whether their comma is a decimal one", name))
          .at(place)
          .hint(fmt::format("Say --number-form {0}=decimal-comma (1,234 is a little over one) or "
                            "{0}=thousands-comma.",
                            name));
    } else if (fitting.size() == 1) {
      forms[name] = fitting.front();
    }
  }
  return forms;
}

NumberForms recorded_number_forms(const Json& parameters) {
  NumberForms forms;
  const auto recorded = parameters.find("numbers");
  if (recorded == parameters.end() || !recorded->is_object()) return forms;
  for (const auto& [name, form] : recorded->items()) {
    if (const auto known =
            form.is_string() ? number_form_of_name(form.get<std::string>()) : std::nullopt)
      forms[name] = *known;
  }
  return forms;
}

void write_as_numbers(Table& table, const NumberForms& forms) {
  for (auto& column : table.columns) {
    if (const auto form = forms.find(column.name); form != forms.end())
      write_as_plain_numbers(column, form->second);
  }
}

void write_unmistakable_numbers(Table& table, const std::vector<std::string>& columns) {
  for (auto& column : table.columns) {
    if (!among(columns, column.name)) continue;
    const auto fitting = number_forms(column.dictionary);
    if (fitting.size() == 1) write_as_plain_numbers(column, fitting.front());
  }
}

void write_as_recorded(Table& table, const Json& parameters) {
  write_as_days(table, recorded_date_forms(parameters));
  write_as_numbers(table, recorded_number_forms(parameters));
}

bool was_rewritten(const Json& parameters, const std::string& column) {
  return recorded_date_forms(parameters).count(column) > 0 ||
         recorded_number_forms(parameters).count(column) > 0;
}

}  // namespace pratique::release
