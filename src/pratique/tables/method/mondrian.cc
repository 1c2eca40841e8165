#include "pratique/tables/method/mondrian.h"

#include "pratique/core/error.h"
#include "pratique/tables/method/internal/class_mending.h"
#include "pratique/tables/method/internal/mondrian_partition.h"

namespace pratique::tables {

Recoding mondrian(const ProtectionInput& input, const Models& models,
                  const MondrianOptions& options, Progress& progress) {
  if (options.label != nullptr && options.target != nullptr) {
    throw Error::input("Mondrian cuts for a label or for a number, not for both")
        .hint("Name a class label or a numeric target, not both.");
  }
  const LossSpace space(input, options.style, options.loss);
  const auto search = [&](const ProtectionInput& searched, Items records) {
    progress.begin("cutting", records.size());
    return partition(searched, models, space, options, std::move(records), 0, progress);
  };
  const auto classes = classes_by(search, input, models, space, options.style, progress);
  return recoding_of(input, classes, options.style);
}

}  // namespace pratique::tables
