// Methods for PS-rules (model/rules.h; Loukides, Gkoulalas-Divanis, Shao, DEXA 2010). Codes that
// stand on the right of a rule are sensitive and never generalised; the others are public, and each
// becomes one set of public codes in all records, such as (c|d).
//
//   rbat       top-down: all public codes are one set, which is split in two, again and again, as
//              long as the rules stand no worse; of a set that cannot be split, codes are freed one
//              by one in the same way.
//   bottom-up  codes as they are; of a rule that is not protected, a code's set is merged with the
//              one that helps the rules most for the least loss.
//
// How far the rules are from being protected is a number: for each, the missing share of k and what
// the confidence is above c. Where no split or merge lowers it to 0, the rarest code on the left of
// a rule that is left is suppressed in all records: then nothing matches it.
#pragma once

#include "pratique/codes/method/protection.h"

namespace pratique::codes {

[[nodiscard]] Recoding protect_rules_top_down(const Task& task, Progress& progress);
[[nodiscard]] Recoding protect_rules_bottom_up(const Task& task, Progress& progress);

}  // namespace pratique::codes
