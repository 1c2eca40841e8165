#include "pratique/tables/method/internal/unsatisfied.h"

#include <fmt/format.h>

#include "pratique/core/error.h"
#include "pratique/tables/model/class_counts.h"

namespace pratique::tables::internal {

void throw_unsatisfied(const ProtectionInput& input, const Models& models) {
  ClassCounter counter(input);
  for (std::uint32_t group = 0; group < input.groups(); ++group) counter.add(group);
  const ClassView view = counter.view();
  std::string failing;
  for (const auto& model : models) {
    if (model->holds(view)) continue;
    if (!failing.empty()) failing += "; ";
    failing +=
        fmt::format("{} is {:.6g} where {} {:.6g} is required", model->name(), model->measure(view),
                    model->larger_is_safer() ? "at least" : "at most", model->required());
  }
  constexpr const char* kHint = "Ask less of the models, or allow more suppression.";
  if (failing.empty()) {
    throw Error::check("no generalisation that satisfies the models was found")
        .hint("Generalise more, or allow more suppression or more time.");
  }
  throw Error::check(fmt::format("no generalisation satisfies the models: even at the top of the "
                                 "lattice, where all {} records are one class, {}",
                                 view.records, failing))
      .hint(kHint);
}

}  // namespace pratique::tables::internal
