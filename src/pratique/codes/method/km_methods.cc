#include "pratique/codes/method/km_methods.h"

#include <algorithm>
#include <numeric>

#include "pratique/codes/method/internal/cut.h"
#include "pratique/codes/method/internal/removal.h"

namespace pratique::codes {

Recoding anonymise_by_apriori(const Task& task, Progress& progress) {
  LabelledRecords records = label_with_codes(task);
  auto cut = find_cut(task, records, progress);
  if (const auto allowed = codes_that_may_go(task); allowed > 0) {
    (void)lower_by_removal(task, records, cut, allowed, progress);
  }
  return recode_by_labels(task, records);
}

Recoding suppress_rare_codes(const Task& task, Progress& progress) {
  const LabelledRecords records = label_with_codes(task);
  const auto supports = task.sets.supports();
  std::vector<Code> order(supports.size());
  std::iota(order.begin(), order.end(), 0);
  // Ties by text, so that the order of the input does not matter.
  std::sort(order.begin(), order.end(), [&](Code a, Code b) {
    return supports[a] != supports[b] ? supports[a] > supports[b]
                                      : task.sets.codes.value(a) < task.sets.codes.value(b);
  });
  RareSets rare(records, task.parameters.k, task.parameters.m);
  rare.exclude(order, true);
  std::vector<bool> kept(supports.size(), false);
  progress.begin("suppressing rare codes", order.size());
  for (const Code code : order) {
    progress.advance(1);
    if (supports[code] < task.parameters.k) break;
    kept[code] = rare.count(records.with(code), task.parameters.m - 1, 1) == 0;
    if (kept[code]) rare.exclude(std::span(&code, 1), false);
  }
  return recode_by_suppression(task.sets, task.tree, kept);
}

}  // namespace pratique::codes
