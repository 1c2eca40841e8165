#include "pratique/tables/flow/whose_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "pratique/columns/role_advice.h"
#include "pratique/core/ascii.h"
#include "pratique/core/error.h"
#include "pratique/kind/among.h"
#include "pratique/kind/shell_quoted.h"

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

}  // namespace

namespace {

// The first column that repeats and may say whose the rows are; empty: none.
std::string repeated_person(const Source& source, const std::vector<std::string>& identifiers,
                            const std::vector<std::string>& others, const Run& run) {
  std::vector<std::string> candidates = identifiers;
  std::copy_if(others.begin(), others.end(), std::back_inserter(candidates),
               is_called_like_a_person);
  std::string repeated;
  if (candidates.empty()) return repeated;
  run.engine.count_values(source, candidates, run.progress, [&](const ValueCounts& values) {
    if (!repeated.empty()) return;
    const auto content = columns::read_content(values.values, values.counts);
    const bool may_say = columns::may_say_whose_rows(values.name, content);
    if (may_say &&
        (release::among(identifiers, values.name) || columns::names_a_person(values.name, content)))
      repeated = values.name;
  });
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
  const std::string repeated = repeated_person(
      population, has_person ? std::vector{person} : std::vector<std::string>(), numbers, run);
  if (repeated.empty()) return;
  throw Error::input(
      fmt::format("'{}' repeats in the {}, whose rows are counted as people", repeated, what))
      .at(population.name)
      .hint(fmt::format(
          "{} If every row is somebody else's all the same, leave '{}' out of that file, or add "
          "--rows-are-people",
          option.empty() ? "Keep one row for each person."
                         : fmt::format("If people have several rows, count people instead: {} {}.",
                                       option, release::shell_quoted(repeated)),
          repeated));
}

void ask_whose_rows(const Source& source, const std::vector<std::string>& identifiers,
                    const std::vector<std::string>& others, const Run& run) {
  const std::string repeated = repeated_person(source, identifiers, others, run);
  if (repeated.empty()) return;
  throw Error::input(
      fmt::format("'{}' repeats: are rows with the same value of one person?", repeated))
      .at(source.name)
      .hint(fmt::format("If every row is somebody else's all the same, add --rows-are-people. If "
                        "people have several rows, count people instead: --person {}",
                        release::shell_quoted(repeated)));
}

}  // namespace pratique::tables::flow
