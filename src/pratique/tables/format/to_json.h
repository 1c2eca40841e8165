// What the commands of `tables` print, under the keys that scripts rely on.
#pragma once

#include "pratique/core/json.h"

namespace pratique::tables {

struct Assessment;
struct LinkageAttack;
struct Profile;

// l_distinct, l_entropy, t and alpha are those of the worst sensitive column; `sensitive` has them
// column by column. All of them are absent without one, and k_map without a population.
[[nodiscard]] Json to_json(const Assessment& assessment);
// Each count has its share of the targets beside it: linked_uniquely, linked_uniquely_share.
[[nodiscard]] Json to_json(const LinkageAttack& attack);
[[nodiscard]] Json to_json(const Profile& profile);

}  // namespace pratique::tables
