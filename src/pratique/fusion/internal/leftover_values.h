// Whose value is left over when two releases are subtracted, person by person (differencing.h).
//
// Let V be classes of one release and `alone` of their people not in classes U of the other. What V
// has more than U of each value, `surplus`, belongs to these people; they may also have values that
// cancelled against those of people who are in U alone: as many as there are more people than
// surplus, and of each value no more than U and V have in common. A person has one of the values of
// their own class. So the people alone and their values are a flow
//
//   class (as many as are alone in it)  ->  value (as often as the class has it)
//         ->  its surplus, all of it  |  what cancelled, `people - surplus` in all
//
// and a value is possible for somebody alone in a class where some such flow uses that arrow, and
// for somebody of the class who is in both where some flow does not use it up. An arrow that a flow
// does not use (or uses up) can be used (or spared) by another flow exactly where its ends are
// strongly connected in the residual graph (Régin 1994). Where U is one class this is all that
// follows from the two releases; else it is a part.
//
// Who is alone may be known to an adversary and not to whoever lists people: in the coarser classes
// of an earlier release those fit as well who joined after it. Then it is asked what would follow
// for the only one of each class, wherever the others are: a part of what may follow, and perhaps
// nobody of the class is.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "pratique/fusion/differencing.h"

namespace pratique::fusion::internal {

struct ClassPart {
  const ClassValues::Counts* values = nullptr;
  std::uint64_t alone = 0;
  std::uint64_t in_both = 0;
};

struct LeftOver {
  std::vector<ClassPart> classes;                  // V
  std::map<std::uint32_t, std::uint64_t> surplus;  // by value
  std::map<std::uint32_t, std::uint64_t> common;   // by value, of U and V
  // How many are alone in all classes, where it is not known of each; `in_both` is not asked then.
  std::optional<std::uint64_t> alone_in_all = {};
};

struct Narrowed {
  std::uint64_t alone = 0;
  std::uint64_t in_both = 0;
};

// People whom the difference leaves with fewer than l values that say different things, though
// their class has l. `said_by` as in ClassValues. None where no flow fits: then somebody is in
// other classes, or has another value, than was thought.
[[nodiscard]] Narrowed narrowed_by(const LeftOver& rest, std::span<const std::uint32_t> said_by,
                                   std::uint64_t l);

}  // namespace pratique::fusion::internal
