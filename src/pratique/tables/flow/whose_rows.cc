#include "pratique/tables/flow/whose_rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "pratique/columns/role_advice.h"
#include "pratique/core/ascii.h"
#include "pratique/core/error.h"
#include "pratique/data/date_form.h"
#include "pratique/kind/among.h"
#include "pratique/kind/shell_quoted.h"
#include "pratique/tables/model/spelling.h"

namespace pratique::tables::flow {

namespace {

// Whether the name alone says that it names people. Counting the values of every column would cost
// more than whatever is asked for.
bool is_called_like_a_person(const std::string& column) {
  columns::ColumnContent repeating;
  repeating.type = columns::ColumnType::code;
  repeating.rows = 1000;
  repeating.distinct = 500;
  return columns::names_a_person(column, repeating);
}

// As people read the values: spellings of one are one, and 7 is a number however it is written.
columns::ColumnContent content_as_read(const ValueCounts& values) {
  Dictionary plain;
  std::vector<std::uint64_t> counts;
  for (Code code = 0; code < values.values.size(); ++code) {
    const Code read = plain.intern(without_spelling(values.values.value(code)));
    if (read == counts.size()) counts.push_back(0);
    counts[read] += values.counts[code];
  }
  const auto joined = columns::read_content(plain, counts);
  auto content = columns::read_content(values.values, values.counts);
  content.distinct = joined.distinct;
  content.unique = joined.unique;
  content.missing = joined.missing;
  if (joined.type == columns::ColumnType::integer || joined.type == columns::ColumnType::decimal)
    content.type = joined.type;
  // A time of day does not make a date the number of anybody.
  if (!date_forms(values.values).empty()) content.type = columns::ColumnType::date;
  return content;
}

// The columns that repeat and may say whose the rows are. Where one numbers people, it alone;
// names, which several people may have, only where no number tells all rows apart.
std::vector<std::string> repeated_people(const Source& source,
                                         const std::vector<std::string>& identifiers,
                                         const std::vector<std::string>& others, const Run& run) {
  std::vector<std::string> candidates = identifiers;
  std::copy_if(others.begin(), others.end(), std::back_inserter(candidates),
               is_called_like_a_person);
  std::string person;
  std::string name;
  bool numbered = false;
  std::vector<std::string> repeated;
  if (candidates.empty()) return repeated;
  run.engine.count_values(source, candidates, run.progress, [&](const ValueCounts& values) {
    if (!person.empty()) return;
    const auto content = content_as_read(values);
    if (content.distinct == content.present()) {
      numbered =
          numbered || (content.missing == 0 && columns::numbers_each_person(values.name, content));
      return;
    }
    const bool named = columns::names_a_person(values.name, content);
    if (named && !columns::is_called_a_name(values.name, content)) {
      person = values.name;
    } else if (named) {
      if (name.empty()) name = values.name;
    } else if (release::among(identifiers, values.name) &&
               columns::identifier_may_say_whose_rows(values.name, content)) {
      repeated.push_back(values.name);
    }
  });
  if (!person.empty()) return {person};
  if (!name.empty() && !numbered) return {name};
  return repeated;
}

}  // namespace

void require_a_row_per_person(const Source& population, const std::string& person, const Run& run,
                              const std::string& what, const std::string& option) {
  const bool has_person = release::among(population.columns, person);
  // Two people of a register may well be called the same.
  std::vector<std::string> numbers;
  std::copy_if(population.columns.begin(), population.columns.end(), std::back_inserter(numbers),
               [](const auto& name) { return lower(name).find("name") == std::string::npos; });
  const auto columns = repeated_people(
      population, has_person ? std::vector{person} : std::vector<std::string>(), numbers, run);
  if (columns.empty()) return;
  const std::string& repeated = columns.front();
  throw Error::input(
      fmt::format("'{}' repeats in the {}, whose rows are counted as people", repeated, what))
      .at(population.name)
      .hint(fmt::format(
          "{} If every row is a different person all the same, leave '{}' out of that file, or add "
          "--rows-are-people",
          option.empty() ? "Keep one row for each person."
                         : fmt::format("If people have several rows, count people instead: {} {}.",
                                       option, release::shell_quoted(repeated)),
          repeated));
}

void ask_whose_rows(const Source& source, const std::vector<std::string>& identifiers,
                    const std::vector<std::string>& others, const Run& run) {
  const auto repeated = repeated_people(source, identifiers, others, run);
  if (repeated.empty()) return;
  const std::string first = release::shell_quoted(repeated.front());
  throw Error::input(fmt::format("'{}' {}: are rows with the same value of one person?",
                                 fmt::join(repeated, "', '"),
                                 repeated.size() > 1 ? "repeat" : "repeats"))
      .at(source.name)
      .hint(fmt::format(
          "If every row is a different person all the same, add --rows-are-people. If "
          "people have several rows, count people instead: --person {}{}",
          first, repeated.size() > 1 ? ", or whichever of these says whose a row is" : ""));
}

}  // namespace pratique::tables::flow
