// Trail re-identification: which de-identified element belongs to which identified one.
//
// The reserved side's trails are subtrails of their counterparts' (subtrails.h). On truthful data
// no algorithm here ever gives a false link.
//
//   complete    REIDIT-C (section 4.1): equal trails that nobody else has and that hold no `*`.
//   incomplete  REIDIT-I (4.2): a trail with one supertrail; both leave, and again. When both sides
//               have equally many elements, also a trail with one subtrail (the flip, 4.2.3).
//   multiple    REIDIT-M (appendix A): a trail with one supertrail, which may have many subtrails.
//   exact       all true loves (2.2): every pair that is in every maximum matching. No other
//               deterministic algorithm can find more (theorem 2). Where neither side is complete,
//               every pair that is in every possible world (internal/possible_worlds.h); no other
//               algorithm here is sound then.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/core/error.h"
#include "pratique/core/progress.h"
#include "pratique/trails/reserved.h"
#include "pratique/trails/world.h"

namespace pratique::trails {

enum class Algorithm { complete, incomplete, multiple, exact };

[[nodiscard]] std::string_view to_text(Algorithm algorithm);
[[nodiscard]] std::optional<Algorithm> algorithm_from_text(std::string_view text);
[[nodiscard]] std::vector<std::string> algorithm_names();

struct Link {
  Element deidentified = 0;
  Element identified = 0;
  bool operator==(const Link&) const = default;
};

struct AttackOptions {
  Algorithm algorithm = Algorithm::exact;
  // Counts the candidates of every element of the sub side, up to this many; 0: does not.
  std::uint64_t count_partners_to = 0;
};

struct Attack {
  std::vector<Link> links;          // by de-identified element
  std::size_t distinct_trails = 0;  // of the super side
  // Per element of the sub side (Disclosure::identified_is_sub) how many it may belong to, at most
  // count_partners_to; 0 for elements that were seen nowhere. For `exact`: the partners in some
  // maximum matching, its true unlinkability. For `incomplete` what REIDIT-I-K (9.1) leaves, for
  // `multiple` the supertrails, for `complete` the equal trails (or all, when there is a `*`).
  std::vector<std::uint64_t> partners;

  // How many de-identified elements have a link.
  [[nodiscard]] std::size_t reidentified() const;
  // Elements seen with fewer than k partners.
  [[nodiscard]] std::size_t fewer_partners_than(std::uint64_t k) const;
};

// Elements of the sub side that nobody on the other side can be: somebody's table is not truthful.
class ImpossibleTrails : public Error {
 public:
  ImpossibleTrails(bool identified, std::vector<Element> elements, std::size_t all);
  [[nodiscard]] bool identified() const { return identified_; }
  [[nodiscard]] const std::vector<Element>& elements() const { return elements_; }

 private:
  bool identified_;
  std::vector<Element> elements_;
};

// Throws ImpossibleTrails when a trail has no supertrail, and `exact` also when there are fewer
// supertrails than trails that need them.
[[nodiscard]] Attack attack(const World& world, const Disclosure& disclosure,
                            const AttackOptions& options, Progress& progress = Progress::silent());

}  // namespace pratique::trails
