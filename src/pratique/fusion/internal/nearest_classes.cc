#include "pratique/fusion/internal/nearest_classes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "pratique/core/parallel.h"
#include "pratique/data/date.h"
#include "pratique/data/number.h"
#include "pratique/tables/attribute.h"

namespace pratique::fusion::internal {
namespace {

using tables::Attribute;
using tables::ClassId;
using tables::ContainmentIndex;

constexpr double kUnlike = 4;  // two standard deviations, squared
constexpr double kInfinite = std::numeric_limits<double>::infinity();

// Or a month: a year alone is a number.
bool is_day(std::string_view text) {
  const auto date = parse_iso_date(text);
  return date && date->month != 0;
}

template <class Holds>
bool all_known(const Dictionary& dictionary, const Holds& holds) {
  bool anything = false;
  for (const auto text : dictionary.values()) {
    if (text.empty() || text == "*") continue;
    if (!holds(text)) return false;
    anything = true;
  }
  return anything;
}

enum class Scale { none, number, day };

Scale scale_of(const ContainmentIndex::LinkedColumn& column) {
  const auto both = [&](const auto& holds) {
    return all_known(column.cells->dictionary, holds) &&
           all_known(column.originals->dictionary, holds);
  };
  if (both(is_number)) return Scale::number;
  return both(is_day) ? Scale::day : Scale::none;
}

std::vector<double> positions(const Dictionary& dictionary, bool days) {
  std::vector<double> places;
  for (const auto text : dictionary.values()) {
    places.push_back(
        text.empty() || text == "*"
            ? std::nan("")
            : tables::position_of(text, days ? Attribute::Kind::date : Attribute::Kind::number));
  }
  return places;
}

double squared_apart(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) == std::isnan(b) ? 0 : kUnlike;
  return (a - b) * (a - b);
}

}  // namespace

bool shows_centroids(const std::vector<ContainmentIndex::LinkedColumn>& columns) {
  return std::any_of(columns.begin(), columns.end(),
                     [](const auto& column) { return scale_of(column) != Scale::none; });
}

struct NearestClasses::Nearest {
  double distance = kInfinite;
  std::vector<ClassId> classes = {};

  void offer(double d, ClassId id) {
    // Sums of the same squares in the same order: equal distances are equal numbers.
    if (d > distance) return;
    if (d < distance) classes.clear();
    distance = d;
    classes.push_back(id);
  }
};

NearestClasses::NearestClasses(const std::vector<ContainmentIndex::LinkedColumn>& columns,
                               const tables::EquivalenceClasses& classes,
                               std::vector<std::uint64_t> records)
    : classes_(classes) {
  for (const auto& column : columns) {
    const Scale scale = scale_of(column);
    if (scale != Scale::none) {
      add_axis(column, scale == Scale::day, records);
      continue;
    }
    Category category{column, {}};
    category.cells_of.resize(column.originals->dictionary.size());
    std::vector<std::uint32_t> cells(column.cells->dictionary.size());
    std::vector<std::uint32_t> values(column.originals->dictionary.size());
    std::iota(cells.begin(), cells.end(), 0U);
    std::iota(values.begin(), values.end(), 0U);
    // A column of its own whose rows are the codes: only the dictionaries matter.
    Column cell_codes;
    Column value_codes;
    for (const auto text : column.cells->dictionary.values()) {
      cell_codes.codes.push_back(cell_codes.dictionary.intern(text));
    }
    for (const auto text : column.originals->dictionary.values()) {
      value_codes.codes.push_back(value_codes.dictionary.intern(text));
    }
    const ContainmentIndex index({{&cell_codes, &value_codes, column.hierarchy}}, cells, values);
    index.for_each_original([&](std::size_t value, std::span<const ClassId> containing) {
      category.cells_of[value].assign(containing.begin(), containing.end());
      std::sort(category.cells_of[value].begin(), category.cells_of[value].end());
    });
    linked_.push_back(column);
    categories_.push_back(std::move(category));
  }
  order_.resize(classes.count());
  std::iota(order_.begin(), order_.end(), 0U);
  placed_ = 0;
  if (axes_.empty()) return;
  std::size_t most = 0;
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    auto distinct = axes_[a].of_class;
    std::sort(distinct.begin(), distinct.end());
    const auto end = std::unique(distinct.begin(), distinct.end());
    const auto count = static_cast<std::size_t>(end - distinct.begin());
    if (count > most) {
      most = count;
      widest_ = a;
    }
  }
  const auto& along = axes_[widest_].of_class;
  const auto known = std::stable_partition(order_.begin(), order_.end(),
                                           [&](ClassId id) { return !std::isnan(along[id]); });
  placed_ = static_cast<std::size_t>(known - order_.begin());
  std::stable_sort(order_.begin(), known,
                   [&](ClassId a, ClassId b) { return along[a] < along[b]; });
}

void NearestClasses::add_axis(const ContainmentIndex::LinkedColumn& column, bool days,
                              std::span<const std::uint64_t> records) {
  Axis axis;
  axis.targets = column.originals;
  axis.of_target = positions(column.originals->dictionary, days);
  const auto of_cell = positions(column.cells->dictionary, days);
  double rows = 0;
  double sum = 0;
  for (ClassId id = 0; id < classes_.count(); ++id) {
    const double place = of_cell[column.cells->codes[classes_.representative(id)]];
    axis.of_class.push_back(place);
    if (std::isnan(place)) continue;
    rows += static_cast<double>(records[id]);
    sum += static_cast<double>(records[id]) * place;
  }
  const double mean = rows > 0 ? sum / rows : 0;
  double squares = 0;
  for (ClassId id = 0; id < classes_.count(); ++id) {
    if (std::isnan(axis.of_class[id])) continue;
    const double off = axis.of_class[id] - mean;
    squares += static_cast<double>(records[id]) * off * off;
  }
  const double deviation = squares > 0 ? std::sqrt(squares / rows) : 1;
  for (auto& place : axis.of_class) place /= deviation;
  for (auto& place : axis.of_target) place /= deviation;
  axes_.push_back(std::move(axis));
}

double NearestClasses::numbers_apart(std::uint32_t row, ClassId id, double at_most) const {
  double sum = 0;
  for (const auto& axis : axes_) {
    sum += squared_apart(axis.of_target[axis.targets->codes[row]], axis.of_class[id]);
    if (sum > at_most) return kInfinite;
  }
  return sum;
}

void NearestClasses::measure(std::uint32_t row, ClassId id, Nearest& nearest) const {
  double sum = numbers_apart(row, id, nearest.distance);
  for (const auto& category : categories_) {
    if (sum > nearest.distance) return;
    const auto& cells = category.cells_of[category.column.originals->codes[row]];
    const Code cell = category.column.cells->codes[classes_.representative(id)];
    if (!std::binary_search(cells.begin(), cells.end(), cell)) sum += kUnlike;
  }
  nearest.offer(sum, id);
}

void NearestClasses::search_outwards(std::uint32_t row, Nearest& nearest) const {
  for (std::size_t i = placed_; i < order_.size(); ++i) measure(row, order_[i], nearest);
  if (placed_ == 0) return;
  const auto& axis = axes_[widest_];
  const double at = axis.of_target[axis.targets->codes[row]];
  const auto begin = order_.begin();
  auto up =
      std::lower_bound(begin, begin + static_cast<std::ptrdiff_t>(placed_), std::isnan(at) ? 0 : at,
                       [&](ClassId id, double place) { return axis.of_class[id] < place; });
  auto down = up;
  const auto end = begin + static_cast<std::ptrdiff_t>(placed_);
  // A missing number is as far from every class: nothing is left out then.
  const auto apart = [&](ClassId id) { return squared_apart(at, axis.of_class[id]); };
  while (up != end && (std::isnan(at) || apart(*up) <= nearest.distance))
    measure(row, *up++, nearest);
  while (down != begin && (std::isnan(at) || apart(*(down - 1)) <= nearest.distance)) {
    measure(row, *--down, nearest);
  }
}

void NearestClasses::find(std::span<const std::uint32_t> rows,
                          std::vector<std::vector<ClassId>>& candidates, Progress& progress) const {
  if (categories_.empty()) {
    progress.begin("linking records", rows.size());
    parallel_blocks(rows.size(), 256, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        Nearest nearest;
        search_outwards(rows[i], nearest);
        std::sort(nearest.classes.begin(), nearest.classes.end());
        candidates[i] = std::move(nearest.classes);
      }
      progress.advance(end - begin);
    });
    return;
  }
  // A class whose categories do not all fit is at least kUnlike away.
  const ContainmentIndex index(linked_, classes_.representatives(), rows, progress);
  index.for_each_original(
      [&](std::size_t original, std::span<const ClassId> fitting) {
        Nearest nearest;
        for (const ClassId id : fitting) {
          const double d = numbers_apart(rows[original], id, nearest.distance);
          if (d < kInfinite) nearest.offer(d, id);
        }
        if (nearest.distance >= kUnlike) {
          nearest = {};
          search_outwards(rows[original], nearest);
        }
        std::sort(nearest.classes.begin(), nearest.classes.end());
        candidates[original] = std::move(nearest.classes);
      },
      progress);
}

}  // namespace pratique::fusion::internal
