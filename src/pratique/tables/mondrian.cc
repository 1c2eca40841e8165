#include "pratique/tables/mondrian.h"

#include "pratique/core/error.h"
#include "pratique/tables/internal/mondrian_partition.h"

namespace pratique::tables {

Recoding mondrian(const ProtectionInput& input, const Models& models,
                  const MondrianOptions& options, Progress& progress) {
  if (options.label != nullptr && options.target != nullptr) {
    throw Error::input("a Mondrian for a label and one for a number are two")
        .hint("Name a class label or a numeric target, not both.");
  }
  Items items = all_items(input);
  require_feasible(input, models, items);
  const LossSpace space(input, options.style, options.loss);
  progress.begin("cutting", items.size());
  const auto classes = partition(input, models, space, options, std::move(items), 0, progress);
  return recoding_of(input, classes, options.style);
}

}  // namespace pratique::tables
