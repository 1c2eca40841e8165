// The classes of a table whose cells are exact or `*`, while a method builds them.
//
// A point is a distinct combination of quasi-identifier values. A class shows the values of its
// representative point outside of its mask (bit a: attribute a is `*`); each pattern belongs to one
// class at most. Records are held as portions of the input's groups.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "pratique/tables/model/class_counts.h"
#include "pratique/tables/model/model.h"

namespace pratique::tables {

class SuppressionClasses {
 public:
  using Mask = std::uint64_t;
  using Point = std::uint32_t;
  using Id = std::uint32_t;
  static constexpr Id kNone = 0xffffffffU;

  struct Portion {
    std::uint32_t group;
    std::uint64_t records;
  };
  using Portions = std::vector<Portion>;

  struct Class {
    Mask mask = 0;
    Point representative = 0;
    Portions portions;
    std::vector<Point> points;  // whose home it is
    std::uint64_t records = 0;
    bool alive = true;
  };

  // Points that satisfy the models by themselves become classes, the others have no home.
  SuppressionClasses(const ProtectionInput& input, const Models& models);

  [[nodiscard]] std::size_t attributes() const { return attributes_; }
  [[nodiscard]] std::size_t points() const { return home_.size(); }
  [[nodiscard]] Id home(Point point) const { return home_[point]; }
  [[nodiscard]] std::uint64_t records(Point point) const { return records_[point]; }
  [[nodiscard]] Point point_of(std::uint32_t group) const { return point_of_[group]; }
  [[nodiscard]] Code cell(Point point, std::size_t attribute) const {
    return cells_[point * attributes_ + attribute];
  }
  [[nodiscard]] const std::vector<Class>& classes() const { return classes_; }
  [[nodiscard]] std::uint64_t suppressed_cells() const;
  [[nodiscard]] std::size_t homeless() const { return homeless_; }  // with records

  // Points that agree outside of the mask have the same key; others nearly never.
  [[nodiscard]] std::uint64_t key(Point point, Mask mask) const;
  [[nodiscard]] bool agree(Point a, Point b, Mask mask) const;
  // The class that shows what the point shows under the mask.
  [[nodiscard]] Id find(Mask mask, Point point) const;

  // Whether models look at no more than the number of records: then spare() answers.
  [[nodiscard]] bool size_only() const { return size_only_; }
  // Only where size_only(): how many records are missing for the models to hold, and how many a
  // class can lose.
  [[nodiscard]] std::optional<std::uint64_t> missing(std::uint64_t records,
                                                     std::uint64_t most) const;
  [[nodiscard]] std::uint64_t spare(Id id) const;

  // Whether the models hold for what was put together: begin(), add..., holds().
  void begin() { together_.clear(), records_together_ = 0; }
  void add_point(Point point);
  void add_class(Id id);
  void add(const Portions& portions);
  [[nodiscard]] bool holds();
  // Without `without`, which is a part of the class.
  [[nodiscard]] bool holds_without(Id id, const Portions& without);

  // Parts of one group become one portion, so that its people of the population count once.
  static void merge(Portions& portions);
  // Some of the class's records, its groups in proportion.
  [[nodiscard]] Portions sample(Id id, std::uint64_t records) const;

  // The class of a pattern, made where there is none. It is the caller who sees to the models.
  Id open(Mask mask, Point representative);
  void settle(Point point, Id id);  // a homeless point
  // A part of `from`, which is gone when it has no records left; its points then have no class.
  void take(Id from, const Portions& portions, Id to);
  void dissolve(Id from, Id to);  // all of it, points too
  // The class shows what `representative`, one of its own, shows under a smaller mask. A class that
  // shows that already takes the records over.
  void tighten(Id id, Mask mask, Point representative);

 private:
  [[nodiscard]] static bool records_hold(const Models& models, std::uint64_t records) {
    return all_hold(models, {records, 0, {}});
  }
  void forget(Id id);

  const ProtectionInput& input_;
  const Models& models_;
  std::size_t attributes_;
  bool size_only_;
  ClassCounter counter_;
  std::uint64_t records_together_ = 0;  // since begin()
  Portions together_;                   // these too where models look at more than their number
  std::vector<Point> point_of_;
  std::vector<std::uint32_t> begin_;  // of each point's groups
  std::vector<std::uint32_t> groups_;
  std::vector<Code> cells_;            // point by point
  std::vector<std::uint64_t> hashes_;  // beside cells_
  std::vector<std::uint64_t> records_;
  std::vector<Id> home_;
  std::size_t homeless_ = 0;
  std::vector<Class> classes_;
  std::unordered_multimap<std::uint64_t, Id> by_pattern_;
};

}  // namespace pratique::tables
