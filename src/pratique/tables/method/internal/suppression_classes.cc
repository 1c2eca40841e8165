#include "pratique/tables/method/internal/suppression_classes.h"

#include <algorithm>

#include "pratique/tables/equivalence_classes.h"

namespace pratique::tables {
namespace {

std::uint64_t split_mix(std::uint64_t x) {
  // The finaliser of SplitMix64.
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

bool looks_at_records_only(const ProtectionInput& input, const Models& models) {
  return input.population == nullptr &&
         std::none_of(models.begin(), models.end(), [](const auto& model) {
           return model->needs_sensitive() || !model->monotone();
         });
}

}  // namespace

SuppressionClasses::SuppressionClasses(const ProtectionInput& input, const Models& models)
    : input_(input),
      models_(models),
      attributes_(input.attributes.size()),
      size_only_(looks_at_records_only(input, models)),
      counter_(input) {
  std::vector<CodedColumn> columns;
  for (const auto& attribute : input.attributes)
    columns.push_back(CodedColumn::of(*attribute.column));
  const auto points = EquivalenceClasses::of(columns, input.groups());
  auto members = points.members();
  point_of_ = points.class_of();
  begin_ = std::move(members.begin);
  groups_ = std::move(members.rows);
  records_.assign(points.count(), 0);
  home_.assign(points.count(), kNone);
  cells_.reserve(points.count() * attributes_);
  for (Point point = 0; point < points.count(); ++point) {
    for (std::size_t a = 0; a < attributes_; ++a) {
      cells_.push_back(columns[a].codes[points.representative(point)]);
      hashes_.push_back(split_mix(split_mix(a) ^ cells_.back()));
    }
  }
  for (std::size_t group = 0; group < input.groups(); ++group) {
    records_[point_of_[group]] += (*input.counts)[group];
  }
  for (Point point = 0; point < points.count(); ++point) {
    if (records_[point] == 0) continue;
    ++homeless_;
    begin();
    add_point(point);
    if (holds()) settle(point, open(0, point));
  }
}

std::uint64_t SuppressionClasses::suppressed_cells() const {
  std::uint64_t cells = 0;
  for (const Class& eq_class : classes_) {
    if (eq_class.alive)
      cells += eq_class.records * static_cast<std::uint64_t>(std::popcount(eq_class.mask));
  }
  return cells;
}

std::uint64_t SuppressionClasses::key(Point point, Mask mask) const {
  std::uint64_t sum = split_mix(~mask);
  const std::uint64_t* hash = &hashes_[point * attributes_];
  for (std::size_t a = 0; a < attributes_; ++a) {
    if ((mask >> a & 1U) == 0) sum += hash[a];
  }
  return sum;
}

bool SuppressionClasses::agree(Point a, Point b, Mask mask) const {
  for (std::size_t i = 0; i < attributes_; ++i) {
    if ((mask >> i & 1U) == 0 && cell(a, i) != cell(b, i)) return false;
  }
  return true;
}

SuppressionClasses::Id SuppressionClasses::find(Mask mask, Point point) const {
  const auto [first, last] = by_pattern_.equal_range(key(point, mask));
  for (auto it = first; it != last; ++it) {
    const Class& candidate = classes_[it->second];
    if (candidate.mask == mask && agree(candidate.representative, point, mask)) return it->second;
  }
  return kNone;
}

std::optional<std::uint64_t> SuppressionClasses::missing(std::uint64_t records,
                                                         std::uint64_t most) const {
  if (records_hold(models_, records)) return 0;
  if (!records_hold(models_, records + most)) return std::nullopt;
  std::uint64_t too_few = 0;
  std::uint64_t enough = most;
  while (enough - too_few > 1) {
    const std::uint64_t middle = too_few + (enough - too_few) / 2;
    (records_hold(models_, records + middle) ? enough : too_few) = middle;
  }
  return enough;
}

std::uint64_t SuppressionClasses::spare(Id id) const {
  const std::uint64_t all = classes_[id].records;
  return all - missing(0, all).value_or(all);
}

void SuppressionClasses::add_point(Point point) {
  records_together_ += records_[point];
  if (size_only_) return;
  for (std::uint32_t i = begin_[point]; i < begin_[point + 1]; ++i) {
    together_.push_back({groups_[i], (*input_.counts)[groups_[i]]});
  }
}

void SuppressionClasses::add(const Portions& portions) {
  for (const Portion& portion : portions) records_together_ += portion.records;
  if (!size_only_) together_.insert(together_.end(), portions.begin(), portions.end());
}

void SuppressionClasses::add_class(Id id) {
  if (size_only_) {
    records_together_ += classes_[id].records;
  } else {
    add(classes_[id].portions);
  }
}

void SuppressionClasses::merge(Portions& portions) {
  std::sort(portions.begin(), portions.end(),
            [](const Portion& a, const Portion& b) { return a.group < b.group; });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < portions.size(); ++i) {
    if (kept > 0 && portions[kept - 1].group == portions[i].group) {
      portions[kept - 1].records += portions[i].records;
    } else {
      portions[kept++] = portions[i];
    }
  }
  portions.resize(kept);
}

bool SuppressionClasses::holds() {
  if (records_together_ == 0) return false;
  if (size_only_) return records_hold(models_, records_together_);
  merge(together_);
  counter_.clear();
  for (const Portion& portion : together_) counter_.add(portion.group, portion.records);
  return all_hold(models_, counter_.view());
}

bool SuppressionClasses::holds_without(Id id, const Portions& without) {
  std::unordered_map<std::uint32_t, std::uint64_t> gone;
  for (const Portion& portion : without) gone[portion.group] += portion.records;
  Portions rest;
  for (const Portion& portion : classes_[id].portions) {
    const auto place = gone.find(portion.group);
    const std::uint64_t less = place == gone.end() ? 0 : std::min(portion.records, place->second);
    if (less > 0) place->second -= less;
    if (portion.records > less || portion.records == 0) {
      rest.push_back({portion.group, portion.records - less});
    }
  }
  begin();
  add(rest);
  return holds();
}

SuppressionClasses::Portions SuppressionClasses::sample(Id id, std::uint64_t records) const {
  const Class& source = classes_[id];
  Portions drawn;
  std::uint64_t left = records;
  for (const Portion& portion : source.portions) {
    const auto share = static_cast<std::uint64_t>(static_cast<double>(portion.records) /
                                                  static_cast<double>(source.records) *
                                                  static_cast<double>(records));
    const std::uint64_t some = std::min({share, portion.records, left});
    drawn.push_back({portion.group, some});
    left -= some;
  }
  // What rounding left over, one by one.
  while (left > 0) {
    for (std::size_t i = 0; i < drawn.size() && left > 0; ++i) {
      if (drawn[i].records < source.portions[i].records) ++drawn[i].records, --left;
    }
  }
  drawn.erase(std::remove_if(drawn.begin(), drawn.end(),
                             [](const Portion& portion) { return portion.records == 0; }),
              drawn.end());
  return drawn;
}

SuppressionClasses::Id SuppressionClasses::open(Mask mask, Point representative) {
  const Id existing = find(mask, representative);
  if (existing != kNone) return existing;
  const Id id = static_cast<Id>(classes_.size());
  classes_.emplace_back();
  classes_.back().mask = mask;
  classes_.back().representative = representative;
  by_pattern_.emplace(key(representative, mask), id);
  return id;
}

void SuppressionClasses::settle(Point point, Id id) {
  Class& home = classes_[id];
  for (std::uint32_t i = begin_[point]; i < begin_[point + 1]; ++i) {
    home.portions.push_back({groups_[i], (*input_.counts)[groups_[i]]});
  }
  home.points.push_back(point);
  home.records += records_[point];
  home_[point] = id;
  if (records_[point] > 0) --homeless_;
}

void SuppressionClasses::take(Id from, const Portions& portions, Id to) {
  Class& source = classes_[from];
  Class& target = classes_[to];
  std::unordered_map<std::uint32_t, std::uint64_t> going;
  for (const Portion& portion : portions) {
    going[portion.group] += portion.records;
    source.records -= portion.records;
    target.records += portion.records;
    target.portions.push_back(portion);
  }
  for (Portion& portion : source.portions) {
    const auto place = going.find(portion.group);
    if (place == going.end()) continue;
    const std::uint64_t less = std::min(portion.records, place->second);
    portion.records -= less;
    place->second -= less;
  }
  if (!size_only_) merge(target.portions);
  source.portions.erase(std::remove_if(source.portions.begin(), source.portions.end(),
                                       [&](const Portion& portion) {
                                         return portion.records == 0 &&
                                                (*input_.counts)[portion.group] > 0;
                                       }),
                        source.portions.end());
  if (source.records == 0) forget(from);
}

void SuppressionClasses::dissolve(Id from, Id to) {
  Class& source = classes_[from];
  Class& target = classes_[to];
  for (const Point point : source.points) home_[point] = to;
  target.points.insert(target.points.end(), source.points.begin(), source.points.end());
  target.portions.insert(target.portions.end(), source.portions.begin(), source.portions.end());
  if (!size_only_) merge(target.portions);
  target.records += source.records;
  forget(from);
}

void SuppressionClasses::tighten(Id id, Mask mask, Point representative) {
  const Id to = open(mask, representative);
  dissolve(id, to);
}

void SuppressionClasses::forget(Id id) {
  Class& forgotten = classes_[id];
  const auto [first, last] = by_pattern_.equal_range(key(forgotten.representative, forgotten.mask));
  for (auto it = first; it != last; ++it) {
    if (it->second == id) {
      by_pattern_.erase(it);
      break;
    }
  }
  forgotten.alive = false;
  forgotten.records = 0;
  forgotten.portions.clear();
  forgotten.points.clear();
}

}  // namespace pratique::tables
