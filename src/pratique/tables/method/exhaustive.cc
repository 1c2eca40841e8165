#include "pratique/tables/method/exhaustive.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <mutex>
#include <numeric>
#include <tuple>

#include "pratique/core/error.h"
#include "pratique/core/parallel.h"
#include "pratique/tables/method/full_domain.h"

namespace pratique::tables {
namespace {

constexpr Lattice::Index kLargestLattice = Lattice::Index{1} << 20U;

bool infeasible_stays_infeasible(const Models& models, std::uint64_t allowed) {
  return std::all_of(models.begin(), models.end(), [&](const auto& model) {
    return model->survives_growth() || (allowed == 0 && model->monotone());
  });
}

}  // namespace

std::optional<ExhaustiveResult> exhaustive(const ProtectionInput& input, const Models& models,
                                           const ExhaustiveOptions& options, Progress& progress) {
  const Lattice lattice = Lattice::of(input.attributes);
  if (lattice.size() > kLargestLattice) {
    throw Error::input("the lattice is too large to measure every node of it")
        .hint("Use --metric lm, ncp, dm or c_avg, which need not, or fewer quasi-identifiers.");
  }
  const auto records =
      std::accumulate(input.counts->begin(), input.counts->end(), std::uint64_t{0});
  const auto allowed = static_cast<std::uint64_t>(
      std::floor(options.suppression * static_cast<double>(records) + 1e-9));
  const bool prunes = infeasible_stays_infeasible(models, allowed);
  const auto began = std::chrono::steady_clock::now();
  const auto out_of_time = [&] {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - began;
    return options.time_limit && spent.count() > *options.time_limit;
  };

  struct Best {
    double cost;
    std::uint64_t suppressed;
    Lattice::Index index;
    Recoding recoding;
  };
  std::optional<Best> best;
  bool exact = true;
  std::vector<bool> infeasible(lattice.size(), false);
  std::mutex mutex;
  progress.begin("measuring levels", lattice.size());
  for (int rank = lattice.highest_rank(); rank >= 0 && exact; --rank) {
    std::vector<std::pair<Lattice::Index, Levels>> nodes;
    lattice.visit_rank(rank, [&](Lattice::Index index, const Levels& levels) {
      bool skip = false;
      for (std::size_t a = 0; prunes && a < levels.size(); ++a) {
        skip =
            skip || (levels[a] + 1 < lattice.heights()[a] && infeasible[index + lattice.stride(a)]);
      }
      if (skip) {
        infeasible[index] = true;
        progress.advance(1);
      } else {
        nodes.emplace_back(index, levels);
      }
    });
    parallel_blocks(nodes.size(), 1, [&](std::size_t at, std::size_t) {
      {
        const std::lock_guard lock(mutex);
        if (best && out_of_time()) exact = false;
        if (!exact) return;
      }
      Recoding recoding = apply_levels(input, nodes[at].second, models);
      const bool feasible =
          recoding.suppressed <= allowed && (recoding.suppressed < records || records == 0);
      const double cost = feasible ? options.cost(recoding) : 0;
      progress.advance(1);
      const std::lock_guard lock(mutex);
      if (!feasible) {
        infeasible[nodes[at].first] = true;
        return;
      }
      const auto key = std::tuple(cost, recoding.suppressed, nodes[at].first);
      if (!best || key < std::tuple(best->cost, best->suppressed, best->index)) {
        best = Best{cost, recoding.suppressed, nodes[at].first, std::move(recoding)};
      }
    });
  }
  if (!best) return std::nullopt;
  return ExhaustiveResult{lattice.levels(best->index), std::move(best->recoding), best->cost,
                          exact};
}

}  // namespace pratique::tables
