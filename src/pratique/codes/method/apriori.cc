#include "pratique/codes/method/internal/cut.h"
#include "pratique/codes/method/km_methods.h"

namespace pratique::codes {

Recoding anonymise_by_apriori(const Task& task, Progress& progress) {
  LabelledRecords records = label_with_codes(task);
  const auto cut = find_cut(task, records, progress);
  return recode_by_tree(task.sets, *task.tree, [&](std::size_t, Code code) { return cut[code]; });
}

}  // namespace pratique::codes
