// lattice_yardstick ours|bottom-up|top-down|genetic COLUMNS ROWS SUPPRESSION SECONDS: looks for
// good levels of one wide table and prints what the best cost by LM. The others are what people use
// where a lattice is too large: best first from either end, and a genetic search. They, too, count
// nodes by hashing, on all cores.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <queue>
#include <string>

#include "pratique/core/parallel.h"
#include "pratique/crypto/random.h"
#include "pratique/data/hierarchy.h"
#include "pratique/tables/method/lattice.h"
#include "pratique/tables/method/optimal.h"
#include "pratique/tables/metric/metrics.h"
#include "pratique/tables/model/k_anonymity.h"

namespace {

using namespace pratique;
using namespace pratique::tables;

// Columns that go together, as those of a survey do, with trees of three children.
struct Wide {
  Table table;
  std::vector<std::uint64_t> counts;
  std::vector<Hierarchy> hierarchies;
  ProtectionInput input;

  Wide(std::size_t columns, std::size_t rows) : counts(rows, 1) {
    const std::vector<int> sizes = {100, 73, 60, 50, 40, 30, 24, 20, 16, 12, 10, 9,
                                    8,   7,  6,  5,  4,  4,  3,  3,  2,  2,  2,  2};
    SeededRandom random(5);
    table.columns.resize(columns);
    for (std::size_t c = 0; c < columns; ++c) table.columns[c].name = fmt::format("q{}", c);
    for (std::size_t row = 0; row < rows; ++row) {
      const double kind = random.uniform();
      for (std::size_t c = 0; c < columns; ++c) {
        double place = kind + random.normal(0, c % 3 == 0 ? 0.35 : 0.18);
        place -= std::floor(place);
        if (c % 2 == 1) place = std::pow(place, 1.5);
        auto& column = table.columns[c];
        column.codes.push_back(
            column.dictionary.intern(fmt::format("{}", static_cast<int>(place * sizes[c]))));
      }
    }
    hierarchies.reserve(columns);
    for (const auto& column : table.columns) {
      Hierarchy::Builder builder("wide");
      for (const auto value : column.dictionary.values()) {
        const int number = std::atoi(std::string(value).c_str());
        std::vector<std::string> path = {std::string(value)};
        const auto size = static_cast<int>(column.dictionary.size());
        for (int width = 3; width < size; width *= 3)
          path.push_back(fmt::format("{}:{}", width, number / width));
        path.emplace_back("*");
        builder.add(std::vector<std::string_view>(path.begin(), path.end()));
      }
      hierarchies.push_back(builder.build());
      input.attributes.push_back(make_attribute(column, hierarchies.back(), column.counts()));
    }
    input.counts = &counts;
  }
};

constexpr std::uint32_t kLeast = 5;  // k

struct Looked {
  Levels levels;
  double cost = 0;
  bool feasible = false;
};

class Rival {
 public:
  Rival(const Wide& wide, double suppression, double seconds)
      : lattice_(Lattice::of(wide.input.attributes)),
        most_(static_cast<std::uint64_t>(suppression * static_cast<double>(wide.counts.size()))),
        end_(std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds)) {
    SeededRandom random(2);
    for (const auto& attribute : wide.input.attributes) {
      const Hierarchy& hierarchy = *attribute.hierarchy;
      const auto losses = node_losses(attribute);
      std::vector<std::uint64_t> names(hierarchy.node_count());
      for (auto& name : names) name = random.next();
      auto& levels = columns_.emplace_back();
      for (int level = 0; level < hierarchy.height(); ++level) {
        auto& cells = levels.emplace_back();
        for (const auto leaf : attribute.leaf) {
          const auto node = hierarchy.ancestor(leaf, level);
          cells.push_back({names[node], losses[node]});
        }
      }
      codes_.push_back(&attribute.column->codes);
    }
  }

  double best_first(bool up) {
    const auto later = [](const Looked& a, const Looked& b) { return a.cost > b.cost; };
    std::priority_queue<Looked, std::vector<Looked>, decltype(later)> queue(later);
    for (auto& node : look({up ? lattice_.bottom() : lattice_.top()})) queue.push(std::move(node));
    while (!queue.empty() && in_time()) {
      const Looked node = queue.top();
      queue.pop();
      std::vector<Levels> next;
      for (std::size_t a = 0; a < node.levels.size(); ++a) {
        const int level = node.levels[a] + (up ? 1 : -1);
        if (level < 0 || level >= lattice_.heights()[a]) continue;
        next.push_back(node.levels);
        next.back()[a] = level;
        if (known_.count(next.back()) > 0) next.pop_back();
      }
      for (auto& looked : look(next)) queue.push(std::move(looked));
    }
    return best_;
  }

  double genetic() {
    constexpr std::size_t kPopulation = 100;
    constexpr std::size_t kElite = 20;
    constexpr double kMutation = 0.05;
    SeededRandom random(1);
    const auto& heights = lattice_.heights();
    const auto any_level = [&](std::size_t a) {
      return static_cast<int>(random.below(static_cast<std::uint64_t>(heights[a])));
    };
    std::vector<Levels> population = {lattice_.top(), lattice_.bottom()};
    while (population.size() < kPopulation) {
      Levels levels;
      for (std::size_t a = 0; a < heights.size(); ++a) levels.push_back(any_level(a));
      population.push_back(std::move(levels));
    }
    while (in_time()) {
      auto looked = look(population);
      std::sort(looked.begin(), looked.end(), [](const Looked& a, const Looked& b) {
        return a.feasible != b.feasible ? a.feasible : a.cost < b.cost;
      });
      population.clear();
      for (std::size_t i = 0; i < std::min(kElite, looked.size()); ++i)
        population.push_back(looked[i].levels);
      while (population.size() < kPopulation && !looked.empty()) {
        const auto& mother = looked[random.below(std::min(kElite * 2, looked.size()))].levels;
        const auto& father = looked[random.below(std::min(kElite * 2, looked.size()))].levels;
        Levels child;
        for (std::size_t a = 0; a < heights.size(); ++a) {
          child.push_back(random.chance(0.5) ? mother[a] : father[a]);
          if (random.chance(kMutation)) child.back() = any_level(a);
        }
        population.push_back(std::move(child));
      }
    }
    return best_;
  }

 private:
  [[nodiscard]] bool in_time() const { return std::chrono::steady_clock::now() < end_; }

  std::vector<Looked> look(const std::vector<Levels>& nodes) {
    std::vector<std::optional<Looked>> looked(nodes.size());
    parallel_blocks(nodes.size(), 1, [&](std::size_t i, std::size_t) {
      const auto known = known_.find(nodes[i]);
      if (known != known_.end()) {
        looked[i] = known->second;
        return;
      }
      if (!in_time()) return;
      looked[i] = cost_of(nodes[i]);
    });
    std::vector<Looked> all;
    for (auto& node : looked) {
      if (!node) continue;
      if (node->feasible) best_ = std::min(best_, node->cost);
      known_.emplace(node->levels, *node);
      all.push_back(std::move(*node));
    }
    return all;
  }

  // Classes are told apart by 64 bits drawn for each cell.
  [[nodiscard]] Looked cost_of(const Levels& levels) const {
    const std::size_t rows = codes_.front()->size();
    std::vector<std::uint64_t> keys(rows, 0);
    std::vector<double> losses(rows, 0);
    for (std::size_t c = 0; c < codes_.size(); ++c) {
      const auto& cells = columns_[c][static_cast<std::size_t>(levels[c])];
      for (std::size_t row = 0; row < rows; ++row) {
        const Cell& cell = cells[(*codes_[c])[row]];
        keys[row] += cell.name;
        losses[row] += cell.loss;
      }
    }
    std::size_t slots = 1;
    while (slots < 2 * rows) slots *= 2;
    std::vector<std::pair<std::uint64_t, std::uint32_t>> sizes(slots);
    std::vector<std::uint32_t> slot_of(rows);
    for (std::size_t row = 0; row < rows; ++row) {
      std::size_t slot = keys[row] & (slots - 1);
      while (sizes[slot].second != 0 && sizes[slot].first != keys[row])
        slot = (slot + 1) & (slots - 1);
      sizes[slot].first = keys[row];
      ++sizes[slot].second;
      slot_of[row] = static_cast<std::uint32_t>(slot);
    }
    double sum = 0;
    std::uint64_t suppressed = 0;
    for (std::size_t row = 0; row < rows; ++row) {
      const bool stays = sizes[slot_of[row]].second >= kLeast;
      sum += stays ? losses[row] : static_cast<double>(codes_.size());
      suppressed += stays ? 0 : 1;
    }
    return {levels, sum / static_cast<double>(rows * codes_.size()),
            suppressed <= most_ && suppressed < rows};
  }

  struct Cell {
    std::uint64_t name;
    double loss;
  };

  Lattice lattice_;
  std::uint64_t most_;
  std::chrono::time_point<std::chrono::steady_clock, std::chrono::duration<double>> end_;
  std::vector<std::vector<std::vector<Cell>>> columns_;  // by column, level, code
  std::vector<const std::vector<Code>*> codes_;          // by column
  std::map<Levels, Looked> known_;
  double best_ = 1;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) return 2;
  const std::string search = argv[1];
  const Wide wide(std::strtoull(argv[2], nullptr, 10), std::strtoull(argv[3], nullptr, 10));
  const double suppression = std::strtod(argv[4], nullptr);
  const double seconds = std::strtod(argv[5], nullptr);
  Models models;
  models.push_back(k_anonymity(kLeast));
  double cost = 1;
  double bound = 0;
  if (search == "ours") {
    OptimalOptions options{.suppression = suppression, .time_limit = seconds};
    options.best_effort_nodes = ~std::uint64_t{0};
    const auto node = optimal_node(wide.input, models, options);
    if (node) {
      cost = node->cost;
      bound = node->lower_bound;
      (void)std::fprintf(stderr, "%llu nodes\n",
                         static_cast<unsigned long long>(node->nodes_checked));
    }
  } else {
    Rival rival(wide, suppression, seconds);
    cost = search == "genetic" ? rival.genetic() : rival.best_first(search == "bottom-up");
  }
  (void)std::printf("{\"lm\": %.6f, \"lower_bound\": %.6f}\n", cost, bound);
  return 0;
}
