// synthesis_yardstick FILE EPSILON DELTA RUNS DOMAIN...: the mean total variation distance over all
// pairs of columns between FILE and what published methods make of it, each written here from its
// paper, with add-or-remove neighbours and a row per person as dp synthesize has them.
//   mst        McKenna, Miklau and Sheldon 2021: columns, choice and pairs a third of rho each;
//              values below three deviations merged; a maximum spanning tree; Private-PGM.
//   privbayes  Zhang et al. 2017: a Bayesian network by the exponential mechanism on the score R
//              (beta = 0.3), parents as theta-usefulness allows (theta = 4), Laplace noise.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "pratique/dp/accounting/zcdp.h"
#include "pratique/dp/synthesis/encoding.h"
#include "pratique/dp/synthesis/evaluation.h"
#include "pratique/dp/synthesis/generate.h"
#include "pratique/engine/engine.h"

namespace {

using namespace pratique;
using namespace pratique::dp;

struct Setting {
  EncodedRows rows;
  std::vector<std::size_t> sizes;
  double n;
  double epsilon;
  double delta;
};

double gumbel(NoiseSource& random) { return -std::log(-std::log(random.uniform() + 1e-300)); }

// The exponential mechanism: candidate i with odds exp(scores[i]).
std::size_t chosen_by(const std::vector<double>& scores, NoiseSource& random) {
  std::size_t best = 0;
  double highest = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const double noisy = scores[i] + gumbel(random);
    if (i == 0 || noisy > highest) {
      best = i;
      highest = noisy;
    }
  }
  return best;
}

EncodedRows mst(const Setting& setting, NoiseSource& random) {
  const double rho = zcdp_within(Epsilon::from(setting.epsilon), setting.delta);
  const std::size_t d = setting.sizes.size();
  const auto noisy = [&](const EncodedRows& rows, const ColumnSet& columns,
                         const std::vector<std::size_t>& sizes, double deviation) {
    Measurement measured{.columns = columns, .values = {}, .weights = {}};
    for (const auto count : count_over(rows, columns, sizes)) {
      measured.values.push_back(static_cast<double>(count) + deviation * random.normal());
      measured.weights.push_back(1 / (deviation * deviation));
    }
    return measured;
  };
  const double deviation = std::sqrt(3 * static_cast<double>(d) / (2 * rho));
  EncodedRows rows = setting.rows;
  std::vector<std::size_t> sizes;
  std::vector<Grouping> groupings;
  std::vector<Measurement> measurements;
  double total = 0;
  double weights = 0;
  for (std::size_t c = 0; c < d; ++c) {
    const Measurement own = noisy(setting.rows, {c}, setting.sizes, deviation);
    const double weight = 1 / static_cast<double>(setting.sizes[c]);
    total += weight * std::accumulate(own.values.begin(), own.values.end(), 0.0);
    weights += weight;
    Grouping grouping;
    grouping.group_of.resize(own.values.size());
    Measurement merged{.columns = {c}, .values = {}, .weights = {}};
    double rare = 0;
    double rare_values = 0;
    for (std::size_t v = 0; v < own.values.size(); ++v) {
      const bool kept = own.values[v] >= 3 * deviation;
      if (!kept) rare += own.values[v];
      if (!kept) ++rare_values;
      if (kept) grouping.group_of[v] = static_cast<std::uint32_t>(merged.values.size());
      if (kept) merged.values.push_back(own.values[v]);
    }
    merged.weights.assign(merged.values.size(), 1 / (deviation * deviation));
    for (std::size_t v = 0; v < own.values.size(); ++v) {
      const bool kept = own.values[v] >= 3 * deviation;
      if (!kept) grouping.group_of[v] = static_cast<std::uint32_t>(merged.values.size());
      grouping.shares.push_back(kept ? 1 : 1 / rare_values);
    }
    if (rare_values > 0) {
      merged.values.push_back(rare);
      merged.weights.push_back(1 / (deviation * deviation * rare_values));
    }
    grouping.groups = merged.values.size();
    for (auto& cell : rows.cells[c]) cell = grouping.group_of[cell];
    sizes.push_back(grouping.groups);
    groupings.push_back(std::move(grouping));
    measurements.push_back(std::move(merged));
  }
  total = std::max(1.0, total / weights);
  GraphicalModel alone(sizes, {}, total);
  alone.fit(measurements, 1000);
  std::vector<ColumnSet> pairs;
  std::vector<double> scores;
  const double choice = std::sqrt(8 * (rho / 3) / static_cast<double>(d - 1));
  for (std::size_t a = 0; a < d; ++a) {
    for (std::size_t b = a + 1; b < d; ++b) {
      const auto counts = count_over(rows, {a, b}, sizes);
      const auto likely = alone.over_pair(a, b);
      double score = 0;
      for (std::size_t i = 0; i < counts.size(); ++i) {
        score += std::abs(static_cast<double>(counts[i]) - likely[i]);
      }
      pairs.push_back({a, b});
      scores.push_back(choice / 2 * score);
    }
  }
  std::vector<std::size_t> part(d);
  std::iota(part.begin(), part.end(), std::size_t{0});
  std::vector<ColumnSet> tree;
  while (tree.size() + 1 < d) {
    std::vector<ColumnSet> open;
    std::vector<double> open_scores;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (part[pairs[i][0]] == part[pairs[i][1]]) continue;
      open.push_back(pairs[i]);
      open_scores.push_back(scores[i]);
    }
    tree.push_back(open[chosen_by(open_scores, random)]);
    const std::size_t old = part[tree.back()[1]];
    std::replace(part.begin(), part.end(), old, part[tree.back()[0]]);
  }
  const double of_pairs = std::sqrt(3 * static_cast<double>(d - 1) / (2 * rho));
  for (const auto& pair : tree) measurements.push_back(noisy(rows, pair, sizes, of_pairs));
  GraphicalModel model(sizes, tree, total);
  model.fit(measurements, 5000);
  const SyntheticModel synthetic{std::move(groupings), std::move(model), tree, rho};
  RandomBits bits(std::make_unique<SeededNoise>(random.next()));
  const auto made = static_cast<std::uint64_t>(std::llround(total));
  return {.cells = generate(synthetic, made, bits), .counts = std::vector<std::uint64_t>(made, 1)};
}

// R: half of the distance between the joint distribution and that of independent X and parents.
double score_r(const Setting& setting, std::size_t x, const ColumnSet& parents) {
  ColumnSet both = parents;
  both.insert(std::lower_bound(both.begin(), both.end(), x), x);
  const auto joint = count_over(setting.rows, both, setting.sizes);
  const auto of_x = count_over(setting.rows, {x}, setting.sizes);
  const auto of_parents = count_over(setting.rows, parents, setting.sizes);
  const auto x_at = places(both, {x}, setting.sizes);
  const auto parents_at = places(both, parents, setting.sizes);
  double sum = 0;
  for (std::size_t i = 0; i < joint.size(); ++i) {
    sum += std::abs(static_cast<double>(joint[i]) / setting.n -
                    static_cast<double>(of_x[x_at[i]]) *
                        static_cast<double>(of_parents[parents_at[i]]) / setting.n / setting.n);
  }
  return sum / 2;
}

// Sets of columns among `known` that make at most `most` cells and cannot be enlarged.
std::vector<ColumnSet> largest_sets(const ColumnSet& known, const std::vector<std::size_t>& sizes,
                                    double most) {
  std::vector<ColumnSet> fitting;
  for (std::size_t bits = 0; bits < std::size_t{1} << known.size(); ++bits) {
    ColumnSet set;
    for (std::size_t i = 0; i < known.size(); ++i) {
      if ((bits >> i & 1U) != 0) set.push_back(known[i]);
    }
    if (cells_over(set, sizes) <= most) fitting.push_back(std::move(set));
  }
  std::vector<ColumnSet> largest;
  for (const auto& set : fitting) {
    if (std::none_of(fitting.begin(), fitting.end(), [&](const ColumnSet& other) {
          return other.size() > set.size() &&
                 std::includes(other.begin(), other.end(), set.begin(), set.end());
        })) {
      largest.push_back(set);
    }
  }
  return largest;
}

EncodedRows privbayes(const Setting& setting, NoiseSource& random) {
  const std::size_t d = setting.sizes.size();
  const double first = 0.3 * setting.epsilon;
  const double second = setting.epsilon - first;
  const double most = setting.n * second / (2 * static_cast<double>(d) * 4);
  const double sensitivity = 3 / setting.n + 2 / setting.n / setting.n;
  struct Node {
    std::size_t x;
    ColumnSet parents;
  };
  std::vector<Node> network = {{random.below(d), {}}};
  ColumnSet known = {network[0].x};
  while (known.size() < d) {
    std::vector<Node> candidates;
    std::vector<double> scores;
    for (std::size_t x = 0; x < d; ++x) {
      if (std::binary_search(known.begin(), known.end(), x)) continue;
      auto sets = largest_sets(known, setting.sizes, most / static_cast<double>(setting.sizes[x]));
      if (sets.empty()) sets.emplace_back();
      for (auto& parents : sets) {
        scores.push_back(score_r(setting, x, parents) * first / static_cast<double>(d - 1) / 2 /
                         sensitivity);
        candidates.push_back({x, std::move(parents)});
      }
    }
    network.push_back(candidates[chosen_by(scores, random)]);
    known.insert(std::lower_bound(known.begin(), known.end(), network.back().x), network.back().x);
  }
  const auto made = static_cast<std::uint64_t>(setting.n);
  EncodedRows rows{.cells = std::vector<std::vector<std::uint32_t>>(d),
                   .counts = std::vector<std::uint64_t>(made, 1)};
  for (const auto& [x, parents] : network) {
    ColumnSet both = parents;
    both.insert(std::lower_bound(both.begin(), both.end(), x), x);
    const auto counts = count_over(setting.rows, both, setting.sizes);
    const auto x_at = places(both, {x}, setting.sizes);
    const auto parents_at = places(both, parents, setting.sizes);
    const auto cells = static_cast<std::size_t>(cells_over(parents, setting.sizes));
    std::vector<std::vector<double>> shares(cells, std::vector<double>(setting.sizes[x]));
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const double u = random.uniform() - 0.5;
      const double laplace =
          (u < 0 ? 1 : -1) * std::log(1 - 2 * std::abs(u)) * static_cast<double>(d) / second;
      shares[parents_at[i]][x_at[i]] = std::max(0.0, static_cast<double>(counts[i]) + laplace);
    }
    for (auto& share : shares) {
      if (std::accumulate(share.begin(), share.end(), 0.0) <= 0) share.assign(share.size(), 1);
      std::partial_sum(share.begin(), share.end(), share.begin());
    }
    for (std::uint64_t row = 0; row < made; ++row) {
      std::size_t cell = 0;
      for (const auto parent : parents) {
        cell = cell * setting.sizes[parent] + rows.cells[parent][row];
      }
      const auto& share = shares[cell];
      const double drawn = random.uniform() * share.back();
      rows.cells[x].push_back(static_cast<std::uint32_t>(
          std::upper_bound(share.begin(), share.end() - 1, drawn) - share.begin()));
    }
  }
  return rows;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() < 6) return 2;
  const auto attributes = parse_attributes({words.begin() + 4, words.end()});
  std::vector<std::string> names;
  Setting setting{.rows = {},
                  .sizes = {},
                  .n = 0,
                  .epsilon = std::stod(words[1]),
                  .delta = std::stod(words[2])};
  for (const auto& attribute : attributes) {
    names.push_back(attribute.column());
    setting.sizes.push_back(attribute.cells());
  }
  const auto engine = Engine::duckdb();
  const auto source = engine->open(words[0], {}, Progress::silent());
  const auto table = engine->group(source, names, Progress::silent());
  setting.rows = encoded(attributes, table.groups, table.counts);
  setting.n = static_cast<double>(setting.rows.rows());
  const int runs = std::stoi(words[3]);
  double of_mst = 0;
  double of_privbayes = 0;
  SystemNoise random;
  for (int run = 0; run < runs; ++run) {
    of_mst += marginal_errors(setting.rows, mst(setting, random), setting.sizes, 2).mean / runs;
    of_privbayes +=
        marginal_errors(setting.rows, privbayes(setting, random), setting.sizes, 2).mean / runs;
  }
  fmt::print("{{\"mst\": {}, \"privbayes\": {}}}\n", of_mst, of_privbayes);
  return 0;
}
