// Models that count the people of a population (k-map, delta-presence), for methods that recode
// locally. Who stands behind a class is whoever its cells contain: that is what the verifier
// counts, whoever the class was made of.
//
// k-map lets a person stand behind several classes. The search makes classes of records by the
// other models alone; then a class that breaks k-map is mended by what costs less:
//   widen   its cells also cover the nearest people, one after the other, until enough stand behind
//           it
//   unite   with the class that makes both lose least
// Classes whose cells become equal are one, and checked again. A step leaves every other class as
// it is, and fewer classes are left or one more holds, so this ends; the last resort is one class
// that covers everybody.
//
// delta-presence wants cells that share nobody. There, whatever the method, classes are what a
// strict Mondrian makes of records and people together, cut where both halves satisfy all models:
// its boxes are apart. With labels a cut goes between all children of a node at once, for two
// halves that both show the node would overlap. Then cells shrink to what the records need and as
// many of their own people as the models ask for; with a minimum above 0, to all of these.
//
// A model that is not monotone may break for the union of two classes that satisfy it, and classes
// whose cells read the same are a union to any reader. They are made one, and those that break are
// united with the classes nearest to them, as above.
#pragma once

#include <functional>

#include "pratique/tables/method/internal/loss_space.h"
#include "pratique/tables/method/internal/partition.h"

namespace pratique::tables {

// Classes of all records, made for the models that ModelCheck asks of this input.
using ClassSearch = std::function<std::vector<Items>(const ProtectionInput& input, Items records)>;

// Classes that satisfy all models; their items of no records are people whom the cells must cover.
// Throws Error::check when even one class of everybody breaks a model.
[[nodiscard]] std::vector<Items> classes_by(const ClassSearch& search, const ProtectionInput& input,
                                            const Models& models, const LossSpace& space,
                                            CellStyle style, Progress& progress);

}  // namespace pratique::tables
