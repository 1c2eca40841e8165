#include "pratique/kind/dates.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/kind/among.h"

namespace pratique::release {

DateForms find_date_forms(const Table& table, const Schema& schema,
                          const std::map<std::string, std::string>& said,
                          const std::string& place) {
  for (const auto& [name, form] : said) {
    if (schema.role_of(name) != Role::quasi_identifier) {
      throw Error::input(fmt::format("--date-form: '{}' is not a quasi-identifier", name))
          .hint("Only quasi-identifiers are made coarser, so only their form matters.");
    }
  }
  DateForms forms;
  for (const auto& name : schema.quasi_identifiers) {
    const auto spec = schema.hierarchies.find(name);
    if (spec != schema.hierarchies.end() && spec->second != "date" && spec->second != "flat")
      continue;
    const auto fitting = date_forms(table.column(name).dictionary);
    const auto word = said.find(name);
    if (word != said.end()) {
      const auto form = date_form_of_name(word->second);
      if (!form || std::find(fitting.begin(), fitting.end(), *form) == fitting.end()) {
        throw Error::input(fmt::format("the values of '{}' are not all dates of the form '{}'",
                                       name, word->second))
            .at(place)
            .hint("The forms are month-first (03/25/1970) and day-first (25.03.1970).");
      }
      forms[name] = *form;
    } else if (fitting.size() > 1) {
      throw Error::input(
          fmt::format("the dates of '{}' do not show which number is the month", name))
          .at(place)
          .hint(fmt::format("Say --date-form {0}=month-first (March 5 is 03/05) or {0}=day-first.",
                            name));
    } else if (fitting.size() == 1 && fitting.front() != DateForm::iso) {
      forms[name] = fitting.front();
    }
  }
  return forms;
}

DateForms recorded_date_forms(const Json& parameters) {
  DateForms forms;
  const auto recorded = parameters.find("dates");
  if (recorded == parameters.end() || !recorded->is_object()) return forms;
  for (const auto& [name, form] : recorded->items()) {
    if (const auto known =
            form.is_string() ? date_form_of_name(form.get<std::string>()) : std::nullopt)
      forms[name] = *known;
  }
  return forms;
}

void write_as_days(Table& table, const DateForms& forms) {
  for (auto& column : table.columns) {
    if (const auto form = forms.find(column.name); form != forms.end())
      write_as_iso(column, form->second);
  }
}

void write_plain_dates_as_days(Table& table, const std::vector<std::string>& columns) {
  for (auto& column : table.columns) {
    if (!among(columns, column.name)) continue;
    const auto fitting = date_forms(column.dictionary);
    if (fitting.size() == 1 && fitting.front() != DateForm::iso)
      write_as_iso(column, fitting.front());
  }
}

}  // namespace pratique::release
