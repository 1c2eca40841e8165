#include "pratique/tables/method/internal/mdav.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

namespace pratique::tables {
StandardSpace::StandardSpace(const ProtectionInput& input) {
  for (const auto& attribute : input.attributes) {
    const auto& codes = attribute.column->codes;
    if (attribute.kind == Attribute::Kind::category) {
      categories_.push_back(attribute.column);
      continue;
    }
    double records = 0;
    double sum = 0;
    const auto each = [&](auto&& visit) {
      for (std::size_t g = 0; g < codes.size(); ++g) {
        const double position = attribute.position[codes[g]];
        if (!std::isnan(position)) visit(position, static_cast<double>((*input.counts)[g]));
      }
    };
    each([&](double position, double count) {
      records += count;
      sum += count * position;
    });
    const double mean = records > 0 ? sum / records : 0;
    double squares = 0;
    each([&](double position, double count) {
      squares += count * (position - mean) * (position - mean);
    });
    const double deviation = squares > 0 ? std::sqrt(squares / records) : 1;
    std::vector<double>& places = places_.emplace_back();
    for (const Code code : codes) places.push_back((attribute.position[code] - mean) / deviation);
  }
}

StandardSpace::Centre StandardSpace::at(std::uint32_t group) const {
  Centre centre;
  for (const auto& places : places_) centre.place.push_back(places[group]);
  for (const auto* column : categories_) centre.code.push_back(column->codes[group]);
  return centre;
}

StandardSpace::Centre StandardSpace::centre(std::span<const Item> items) const {
  Centre centre;
  for (const auto& places : places_) {
    double records = 0;
    double sum = 0;
    for (const Item& item : items) {
      if (std::isnan(places[item.group])) continue;
      records += static_cast<double>(item.count);
      sum += static_cast<double>(item.count) * places[item.group];
    }
    centre.place.push_back(records > 0 ? sum / records : std::nan(""));
  }
  for (const auto* column : categories_) {
    std::map<Code, std::uint64_t> counts;
    for (const Item& item : items) counts[column->codes[item.group]] += item.count;
    const auto most =
        std::max_element(counts.begin(), counts.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    centre.code.push_back(most->first);
  }
  return centre;
}

double StandardSpace::squared_distance(std::uint32_t group, const Centre& centre) const {
  double sum = 0;
  for (std::size_t p = 0; p < places_.size(); ++p) {
    const double a = places_[p][group];
    const double b = centre.place[p];
    if (std::isnan(a) || std::isnan(b)) {
      sum += std::isnan(a) == std::isnan(b) ? 0 : kUnlike;
    } else {
      sum += (a - b) * (a - b);
    }
  }
  for (std::size_t c = 0; c < categories_.size(); ++c) {
    if (categories_[c]->codes[group] != centre.code[c]) sum += kUnlike;
  }
  return sum;
}

namespace {

class Mdav {
 public:
  Mdav(const ProtectionInput& input, const Models& models, const StandardSpace& space, Items items)
      : space_(space), check_(input, models), rest_(std::move(items)) {}

  std::vector<Items> run() {
    while (!rest_.empty()) {
      // The second seed is chosen before the first takes its records.
      const std::uint32_t first_seed = farthest(space_.centre(rest_));
      const std::uint32_t second_seed = farthest(space_.at(first_seed));
      if (!gather(first_seed) || (!rest_.empty() && !gather(second_seed))) break;
    }
    if (!rest_.empty()) classes_.push_back(std::move(rest_));
    return std::move(classes_);
  }

 private:
  std::uint32_t farthest(const StandardSpace::Centre& from) const {
    std::uint32_t best = rest_.front().group;
    double most = -1;
    for (const Item& item : rest_) {
      const double distance = space_.squared_distance(item.group, from);
      if (distance > most) {
        most = distance;
        best = item.group;
      }
    }
    return best;
  }

  // A class of the records nearest to the seed, if what is left then still satisfies the models.
  bool gather(std::uint32_t seed) {
    const auto centre = space_.at(seed);
    std::vector<std::pair<double, std::uint32_t>> order;
    for (std::uint32_t i = 0; i < rest_.size(); ++i) {
      order.emplace_back(space_.squared_distance(rest_[i].group, centre), i);
    }
    std::make_heap(order.begin(), order.end(), std::greater<>());
    ClassCounter& counter = check_.counter();
    counter.clear();
    Items near;
    Items left = rest_;
    bool holds = false;
    for (auto end = order.end(); !holds && end != order.begin(); --end) {
      const std::uint32_t i = order.front().second;
      std::pop_heap(order.begin(), end, std::greater<>());
      near.push_back({rest_[i].group, 0});
      while (!holds && left[i].count > 0) {
        counter.add(rest_[i].group, 1);
        ++near.back().count;
        --left[i].count;
        holds = check_.holds();
      }
    }
    std::erase_if(left, [](const Item& item) { return item.count == 0; });
    if (!holds || (!left.empty() && !check_.holds(left))) return false;
    classes_.push_back(std::move(near));
    rest_ = std::move(left);
    return true;
  }

  const StandardSpace& space_;
  ModelCheck check_;
  Items rest_;
  std::vector<Items> classes_;
};

}  // namespace

std::vector<Items> mdav(const ProtectionInput& input, const Models& models,
                        const StandardSpace& space, Items items) {
  return Mdav(input, models, space, std::move(items)).run();
}

std::vector<Items> least_squares_classes(const ProtectionInput& input, const Models& models,
                                         const Items& items) {
  const Attribute& attribute = input.attributes.front();
  const auto rank = [&](std::uint32_t group) {
    return attribute.rank[attribute.column->codes[group]];
  };
  Items sorted = items;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](const Item& a, const Item& b) { return rank(a.group) < rank(b.group); });
  std::vector<std::uint32_t> group_of;  // by record
  std::vector<double> place_of;
  double low = 0;
  double high = 0;
  for (const Item& item : sorted) {
    double place = attribute.position[attribute.column->codes[item.group]];
    if (group_of.empty() && !std::isnan(place)) low = high = place;
    if (std::isnan(place)) {
      place = 2 * high - low + 1;  // last in order, and far from all
    } else {
      high = place;
    }
    group_of.insert(group_of.end(), item.count, item.group);
    place_of.insert(place_of.end(), item.count, place);
  }

  const std::size_t n = group_of.size();
  constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  // Of the first j records: the least error, where the last class begins, and where the shortest
  // class that ends there and satisfies the models begins.
  std::vector<double> error(n + 1, std::numeric_limits<double>::infinity());
  std::vector<std::size_t> begins(n + 1, kNone);
  std::vector<std::size_t> shortest(n + 1, kNone);
  error[0] = 0;
  ModelCheck check(input, models);
  for (std::size_t j = 1; j <= n; ++j) {
    check.counter().clear();
    double mean = 0;
    double squares = 0;
    for (std::size_t i = j; i-- > 0;) {
      check.counter().add(group_of[i], 1);
      const double records = static_cast<double>(j - i);
      const double step = place_of[i] - mean;
      mean += step / records;
      squares += step * (place_of[i] - mean);
      if (!check.holds()) continue;
      if (shortest[j] == kNone) shortest[j] = i;
      if (error[i] + squares < error[j]) {
        error[j] = error[i] + squares;
        begins[j] = i;
      }
      // Anything longer is two classes.
      const std::size_t before = shortest[shortest[j]];
      if (before != kNone && i <= before && error[j] < std::numeric_limits<double>::infinity()) {
        break;
      }
    }
  }
  std::vector<Items> classes;
  for (std::size_t j = n; j > 0; j = begins[j]) {
    Items members;
    for (std::size_t i = begins[j]; i < j; ++i) {
      if (members.empty() || members.back().group != group_of[i]) {
        members.push_back({group_of[i], 0});
      }
      ++members.back().count;
    }
    classes.push_back(std::move(members));
  }
  std::reverse(classes.begin(), classes.end());
  return classes;
}

}  // namespace pratique::tables
