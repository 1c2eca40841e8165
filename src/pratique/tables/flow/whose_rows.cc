#include "pratique/tables/flow/whose_rows.h"

#include <fmt/format.h>

#include "pratique/columns/role_advice.h"
#include "pratique/core/error.h"
#include "pratique/kind/among.h"
#include "pratique/kind/shell_quoted.h"

namespace pratique::tables::flow {

void ask_whose_rows(const Source& source, const std::vector<std::string>& identifiers,
                    const std::vector<std::string>& others, const Run& run) {
  std::vector<std::string> candidates = identifiers;
  candidates.insert(candidates.end(), others.begin(), others.end());
  if (candidates.empty()) return;
  std::string repeated;
  run.engine.count_values(source, candidates, run.progress, [&](const ValueCounts& values) {
    if (!repeated.empty()) return;
    const auto content = columns::read_content(values.values, values.counts);
    const bool may_say = columns::may_say_whose_rows(values.name, content);
    if (may_say &&
        (release::among(identifiers, values.name) || columns::names_a_person(values.name, content)))
      repeated = values.name;
  });
  if (repeated.empty()) return;
  throw Error::input(
      fmt::format("'{}' repeats: are rows with the same value of one person?", repeated))
      .at(source.name)
      .hint(fmt::format("If every row is somebody else's all the same, add --rows-are-people. If "
                        "people have several rows, count people instead: --person {}",
                        release::shell_quoted(repeated)));
}

}  // namespace pratique::tables::flow
