#include "pratique/tables/method/internal/splitter.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pratique::tables {
namespace {

using Node = Hierarchy::Node;

double entropy_part(double count) { return count > 0 ? count * std::log2(count) : 0; }

}  // namespace

Splitter::Splitter(const ProtectionInput& input, const Models& models, const LossSpace& space,
                   const MondrianOptions& options)
    : input_(input),
      space_(space),
      options_(options),
      check_(input, models),
      smallest_(smallest_class(models)) {
  std::size_t largest = 0;
  for (const auto& attribute : input.attributes) {
    largest = std::max({largest, attribute.distinct(), attribute.hierarchy->node_count()});
  }
  weight_of_code_.resize(largest, 0);
  box_.resize(space.size());
  if (options.label != nullptr) {
    label_counts_.resize(options.label->dictionary.size(), 0);
    label_totals_.resize(options.label->dictionary.size(), 0);
  }
}

// Counting sort where the keys are few for so many items.
void Splitter::sort_by_key(std::size_t keys) {
  const std::size_t n = key_.size();
  order_.resize(n);
  if (keys <= 2 * n) {
    begin_.assign(keys + 1, 0);
    for (const auto key : key_) ++begin_[key + 1];
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    for (std::uint32_t i = 0; i < n; ++i) order_[begin_[key_[i]]++] = i;
    return;
  }
  sorting_.resize(n);
  for (std::uint32_t i = 0; i < n; ++i) sorting_[i] = (std::uint64_t{key_[i]} << 32U) | i;
  std::sort(sorting_.begin(), sorting_.end());
  for (std::size_t i = 0; i < n; ++i) order_[i] = static_cast<std::uint32_t>(sorting_[i]);
}

void Splitter::sort_items(std::span<const Item> items, std::size_t word) {
  const Attribute& attribute = input_.attributes[space_.attribute_of(word)];
  const auto& codes = attribute.column->codes;
  key_.resize(items.size());
  if (options_.style == CellStyle::free && attribute.kind != Attribute::Kind::category) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      key_[i] = attribute.rank[codes[items[i].group]];
    }
    sort_by_key(attribute.hierarchy->leaf_count());
    return;
  }
  // Values, or with labels the children of the lowest node over all values.
  const Hierarchy& hierarchy = *attribute.hierarchy;
  int level = 0;
  if (options_.style == CellStyle::labels) {
    LossSpace::Word node = *(space_.point(items.front().group) + word);
    for (const Item& item : items) node = space_.united(word, node, space_.point(item.group)[word]);
    level = std::max(0, hierarchy.level(static_cast<Node>(node)) - 1);
  }
  std::vector<std::uint32_t> present;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Code code = codes[items[i].group];
    const std::uint32_t key = options_.style == CellStyle::labels
                                  ? hierarchy.ancestor(attribute.leaf[code], level)
                                  : code;
    // One more than its records: the people of a population have none.
    if (weight_of_code_[key] == 0) {
      present.push_back(key);
      weight_of_code_[key] = 1;
    }
    weight_of_code_[key] += items[i].count;
    key_[i] = key;
  }
  std::sort(present.begin(), present.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (weight_of_code_[a] != weight_of_code_[b]) return weight_of_code_[a] > weight_of_code_[b];
    return a < b;
  });
  for (std::size_t place = 0; place < present.size(); ++place) {
    weight_of_code_[present[place]] = place;
  }
  for (auto& key : key_) key = static_cast<std::uint32_t>(weight_of_code_[key]);
  for (const auto key : present) weight_of_code_[key] = 0;
  sort_by_key(present.size());
}

// Both halves' loss at every boundary, by a sweep from each end.
void Splitter::score_cuts(std::span<const Item> items) {
  const std::size_t n = order_.size();
  std::size_t b = 0;
  std::uint64_t records = 0;
  const auto unite = [&](bool& fresh, std::uint32_t i) {
    const auto* point = space_.point(items[i].group);
    if (fresh) {
      std::copy_n(point, space_.size(), box_.begin());
    } else {
      space_.unite(box_.data(), point);
    }
    fresh = false;
  };
  bool fresh = true;
  for (std::size_t at = 0; at < n && b < boundaries_.size(); ++at) {
    // A divided boundary comes before the whole one that ends after its item.
    unite(fresh, order_[at]);
    while (b < boundaries_.size() && boundaries_[b].divided > 0 && boundaries_[b].first == at) {
      boundaries_[b].records = records + boundaries_[b].divided;
      boundaries_[b].loss = static_cast<double>(boundaries_[b].records) * space_.cost(box_.data());
      ++b;
    }
    records += items[order_[at]].count;
    if (b < boundaries_.size() && boundaries_[b].divided == 0 && boundaries_[b].first == at + 1) {
      boundaries_[b].records = records;
      boundaries_[b].loss = static_cast<double>(records) * space_.cost(box_.data());
      ++b;
    }
  }
  const std::uint64_t all = records_in(items);
  fresh = true;
  b = boundaries_.size();
  for (std::size_t at = n; at-- > 0 && b > 0;) {
    unite(fresh, order_[at]);
    while (b > 0 && boundaries_[b - 1].first == at) {
      --b;
      boundaries_[b].loss +=
          static_cast<double>(all - boundaries_[b].records) * space_.cost(box_.data());
    }
  }
}

// A sweep from each end. Boundaries that divide an item come for small partitions only; their
// halves are counted apart because the counter cannot take records back.
void Splitter::check_models(std::span<const Item> items) {
  ClassCounter& counter = check_.counter();
  const auto add = [&](std::size_t at) {
    counter.add(items[order_[at]].group, items[order_[at]].count);
  };
  counter.clear();
  std::size_t at = 0;
  for (auto& boundary : boundaries_) {
    if (boundary.divided > 0) continue;
    for (; at < boundary.first; ++at) add(at);
    boundary.allowed = check_.holds();
  }
  counter.clear();
  at = order_.size();
  for (std::size_t b = boundaries_.size(); b-- > 0;) {
    if (boundaries_[b].divided > 0) continue;
    for (; at > boundaries_[b].first; --at) add(at - 1);
    boundaries_[b].allowed = boundaries_[b].allowed && check_.holds();
  }
  for (auto& boundary : boundaries_) {
    if (boundary.divided == 0) continue;
    const Item& middle = items[order_[boundary.first]];
    counter.clear();
    for (at = 0; at < boundary.first; ++at) add(at);
    counter.add(middle.group, boundary.divided);
    boundary.allowed = check_.holds();
    if (!boundary.allowed) continue;
    counter.clear();
    counter.add(middle.group, middle.count - boundary.divided);
    for (at = boundary.first + 1; at < order_.size(); ++at) add(at);
    boundary.allowed = check_.holds();
  }
}

void Splitter::score_workload(std::span<const Item> items) {
  if (options_.label != nullptr) {
    std::fill(label_counts_.begin(), label_counts_.end(), 0);
    std::fill(label_totals_.begin(), label_totals_.end(), 0);
    const auto& codes = options_.label->codes;
    for (const Item& item : items) {
      label_totals_[codes[item.group]] += static_cast<double>(item.count);
    }
    std::size_t at = 0;
    const auto bits = [&](bool second) {
      double records = 0;
      double sum = 0;
      for (std::size_t v = 0; v < label_counts_.size(); ++v) {
        const double count = second ? label_totals_[v] - label_counts_[v] : label_counts_[v];
        records += count;
        sum += entropy_part(count);
      }
      return entropy_part(records) - sum;
    };
    const double before = bits(true);
    for (auto& boundary : boundaries_) {
      for (; at < boundary.first; ++at) {
        label_counts_[codes[items[order_[at]].group]] +=
            static_cast<double>(items[order_[at]].count);
      }
      boundary.score = before - bits(false) - bits(true);
    }
    return;
  }
  struct Sums {
    double n = 0, x = 0, xx = 0;
    void add(double value, double weight) {
      if (std::isnan(value)) return;
      n += weight;
      x += weight * value;
      xx += weight * value * value;
    }
    [[nodiscard]] double squared_error() const { return n > 0 ? xx - x * x / n : 0; }
  };
  const auto& target = *options_.target;
  Sums all;
  for (const Item& item : items) all.add(target[item.group], static_cast<double>(item.count));
  Sums half;
  std::size_t at = 0;
  for (auto& boundary : boundaries_) {
    for (; at < boundary.first; ++at) {
      const Item& item = items[order_[at]];
      half.add(target[item.group], static_cast<double>(item.count));
    }
    const Sums rest{all.n - half.n, all.x - half.x, all.xx - half.xx};
    boundary.score = all.squared_error() - half.squared_error() - rest.squared_error();
  }
}

// The cut after so many records, where it falls inside an item.
void Splitter::add_divided(std::span<const Item> items, std::uint64_t records) {
  std::uint64_t before = 0;
  std::size_t at = 0;
  while (at < order_.size() && before + items[order_[at]].count <= records) {
    before += items[order_[at++]].count;
  }
  if (at == order_.size() || before == records) {
    // Between two items, perhaps of one value.
    if (at > 0 && at < order_.size()) insert({at, 0, 0, 0, 0, false});
    return;
  }
  insert({at, records - before, 0, 0, 0, false});
}

void Splitter::insert(const Boundary& boundary) {
  const auto place = std::lower_bound(
      boundaries_.begin(), boundaries_.end(), boundary, [](const Boundary& a, const Boundary& b) {
        return a.first != b.first ? a.first < b.first : a.divided < b.divided;
      });
  if (place != boundaries_.end() && place->first == boundary.first &&
      place->divided == boundary.divided) {
    return;
  }
  boundaries_.insert(place, boundary);
}

std::optional<Splitter::Cut> Splitter::best_cut(std::span<const Item> items, std::size_t word) {
  sort_items(items, word);
  boundaries_.clear();
  for (std::size_t at = 1; at < order_.size(); ++at) {
    if (key_[order_[at - 1]] != key_[order_[at]]) boundaries_.push_back({at, 0, 0, 0, 0, false});
  }
  const std::uint64_t records = records_in(items);
  if (options_.relaxed && records > 1) {
    add_divided(items, records / 2);
    if (records > 2 * smallest_) {
      add_divided(items, smallest_);
      add_divided(items, records - smallest_);
    }
  }
  if (boundaries_.empty()) return std::nullopt;
  score_cuts(items);
  check_models(items);

  const bool workload = options_.label != nullptr || options_.target != nullptr;
  if (workload) score_workload(items);
  const Boundary* best = nullptr;
  for (auto& boundary : boundaries_) {
    if (!boundary.allowed) continue;
    if (!workload) {
      const double off_median =
          std::abs(static_cast<double>(records) - 2 * static_cast<double>(boundary.records));
      boundary.score =
          options_.choice == MondrianOptions::Choice::gain ? -boundary.loss : -off_median;
    } else if (boundary.divided > 0) {
      continue;
    }
    const bool wins = best == nullptr || boundary.score > best->score + 1e-9 ||
                      (boundary.score > best->score - 1e-9 && boundary.loss < best->loss);
    if (wins) best = &boundary;
  }
  if (best == nullptr) return std::nullopt;
  return Cut{best->first, best->divided, best->score, -best->loss, order_};
}

std::vector<std::size_t> Splitter::words_by_width(std::span<const Item> items) {
  std::copy_n(space_.point(items.front().group), space_.size(), box_.begin());
  for (const Item& item : items) space_.unite(box_.data(), space_.point(item.group));
  std::vector<std::size_t> words;
  for (std::size_t word = 0; word < space_.size(); ++word) {
    if (!space_.is_single(word, box_[word])) words.push_back(word);
  }
  if (words.empty() && options_.relaxed && space_.size() > 0) words.push_back(0);
  std::stable_sort(words.begin(), words.end(), [&](std::size_t a, std::size_t b) {
    return space_.cost_in(a, box_[a]) > space_.cost_in(b, box_[b]);
  });
  return words;
}

bool Splitter::better(const std::optional<Cut>& a, const std::optional<Cut>& b) {
  if (!a || !b) return a.has_value();
  if (std::abs(a->score - b->score) > 1e-9) return a->score > b->score;
  return a->gain > b->gain + 1e-9;
}

void Splitter::apply(const Cut& cut, std::span<const Item> items, Items& first, Items& second) {
  first.clear();
  second.clear();
  for (std::size_t at = 0; at < cut.order.size(); ++at) {
    const Item& item = items[cut.order[at]];
    if (at < cut.first) {
      first.push_back(item);
    } else if (at == cut.first && cut.divided > 0) {
      first.push_back({item.group, cut.divided});
      second.push_back({item.group, item.count - cut.divided});
    } else {
      second.push_back(item);
    }
  }
}

}  // namespace pratique::tables
