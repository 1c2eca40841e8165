#include "pratique/trails/attack/probable_links.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "pratique/core/parallel.h"
#include "pratique/crypto/random.h"
#include "pratique/trails/attack/internal/error_model.h"
#include "pratique/trails/distinct_trails.h"

namespace pratique::trails {
namespace {

// Originals less likely than e^-12 of the likeliest are proposed only by the uniform part.
constexpr double kFarBelowBest = 12;
constexpr std::size_t kMostCandidates = 1000;
constexpr double kUniformShare = 0.1;
constexpr std::size_t kGroupsPerBlock = 64;

// Distinct copies and originals, each side filled up to the same number of members by one group
// more: empty copies, or originals that nobody listed.
class Groups {
 public:
  Groups(const World& world, const ErrorModel& model)
      : model_(model),
        copies_(model.copy_is_identified() ? world.identified : world.deidentified),
        originals_(model.copy_is_identified() ? world.deidentified : world.identified) {
    const std::size_t people = std::max(copies_.elements(), originals_.elements());
    const auto members = [&](const DistinctTrails& side) {
      std::vector<std::uint32_t> group;
      for (std::uint32_t g = 0; g < side.size(); ++g) {
        group.insert(group.end(), side.capacity(g), g);
      }
      group.resize(people, static_cast<std::uint32_t>(side.size()));
      return group;
    };
    copy_group = members(copies_);
    original_group = members(originals_);
  }

  [[nodiscard]] const DistinctTrails& copies() const { return copies_; }
  [[nodiscard]] const DistinctTrails& originals() const { return originals_; }
  [[nodiscard]] std::size_t copy_groups() const { return copies_.size() + 1; }
  [[nodiscard]] std::size_t original_groups() const { return originals_.size() + 1; }
  [[nodiscard]] std::span<const Location> copy(std::size_t group) const {
    return group < copies_.size() ? copies_.trail(group) : std::span<const Location>{};
  }
  [[nodiscard]] double log_likelihood(std::size_t copy_of, std::size_t original) const {
    if (original < originals_.size()) {
      return model_.log_likelihood(copy(copy_of), originals_.trail(original));
    }
    return model_.log_likelihood_of_unlisted(copy(copy_of));
  }

  std::vector<std::uint32_t> copy_group;  // per member; those of a group stand together
  std::vector<std::uint32_t> original_group;

 private:
  const ErrorModel& model_;
  DistinctTrails copies_;
  DistinctTrails originals_;
};

// What one group of copies proposes: originals in proportion to their likelihood.
struct Candidates {
  std::vector<std::uint32_t> originals;  // likeliest first
  std::vector<double> cumulative;        // of likelihood times members, relative to the likeliest
  double best = 0;                       // log-likelihood of the likeliest
  double cut = 0;                        // candidates have at least this

  [[nodiscard]] double total() const { return cumulative.back(); }
};

class Proposals {
 public:
  Proposals(const Groups& groups, const ErrorModel& model, const World& world, Progress& progress)
      : groups_(groups), first_(groups.original_groups() + 1), candidates_(groups.copy_groups()) {
    for (const auto group : groups.original_group) ++first_[group + 1];
    for (std::size_t g = 1; g < first_.size(); ++g) first_[g] += first_[g - 1];
    const DistinctTrails& originals = groups.originals();
    std::vector<double> base(originals.size(), model.log_nothing());
    std::vector<std::vector<std::uint32_t>> having(world.locations);
    for (std::uint32_t g = 0; g < originals.size(); ++g) {
      for (const Location at : originals.trail(g)) {
        base[g] += model.log_missed(at);
        having[at].push_back(g);
      }
    }
    progress.begin("scoring trails", groups.copy_groups());
    parallel_blocks(groups.copy_groups(), kGroupsPerBlock, [&](std::size_t begin, std::size_t end) {
      std::vector<double> score;
      for (std::size_t g = begin; g < end; ++g) {
        score = base;
        double spurious = 0;
        for (const Location at : groups.copy(g)) {
          spurious += model.log_spurious(at);
          const double gain = model.log_both(at) - model.log_missed(at) - model.log_spurious(at);
          for (const std::uint32_t original : having[at]) score[original] += gain;
        }
        for (double& likelihood : score) likelihood += spurious;
        score.push_back(model.log_likelihood_of_unlisted(groups.copy(g)));
        candidates_[g] = choose(score);
      }
      progress.advance(end - begin);
    });
  }

  [[nodiscard]] const Candidates& of(std::size_t copy_group) const {
    return candidates_[copy_group];
  }
  [[nodiscard]] std::uint32_t members(std::uint32_t original_group) const {
    return first_[original_group + 1] - first_[original_group];
  }

  // A member of the original side for a copy of this group.
  [[nodiscard]] std::uint32_t draw(std::size_t copy_group, SeededRandom& random) const {
    if (random.chance(kUniformShare)) {
      return static_cast<std::uint32_t>(random.below(groups_.original_group.size()));
    }
    const Candidates& own = candidates_[copy_group];
    const auto place = std::upper_bound(own.cumulative.begin(), own.cumulative.end() - 1,
                                        random.uniform() * own.total());
    const auto group = own.originals[static_cast<std::size_t>(place - own.cumulative.begin())];
    return first_[group] + static_cast<std::uint32_t>(random.below(members(group)));
  }

  // The probability that draw gives a certain member whose log-likelihood is this.
  [[nodiscard]] double probability(std::size_t copy_group, double log_likelihood) const {
    const Candidates& own = candidates_[copy_group];
    const double uniform = kUniformShare / static_cast<double>(groups_.original_group.size());
    if (log_likelihood < own.cut) return uniform;
    return uniform + (1 - kUniformShare) * std::exp(log_likelihood - own.best) / own.total();
  }

 private:
  [[nodiscard]] Candidates choose(const std::vector<double>& score) const {
    Candidates chosen;
    chosen.best = -std::numeric_limits<double>::infinity();
    for (std::uint32_t g = 0; g < score.size(); ++g) {
      if (members(g) > 0) chosen.best = std::max(chosen.best, score[g]);
    }
    for (std::uint32_t g = 0; g < score.size(); ++g) {
      if (members(g) > 0 && score[g] >= chosen.best - kFarBelowBest) chosen.originals.push_back(g);
    }
    const auto likelier = [&](std::uint32_t a, std::uint32_t b) {
      return score[a] != score[b] ? score[a] > score[b] : a < b;
    };
    std::sort(chosen.originals.begin(), chosen.originals.end(), likelier);
    if (chosen.originals.size() > kMostCandidates) chosen.originals.resize(kMostCandidates);
    // Just below the last, and nothing between: sums in another order differ in the last bits.
    chosen.cut = score[chosen.originals.back()] - 1e-9;
    double sum = 0;
    for (const auto g : chosen.originals) {
      sum += members(g) * std::exp(score[g] - chosen.best);
      chosen.cumulative.push_back(sum);
    }
    return chosen;
  }

  const Groups& groups_;
  std::vector<std::uint32_t> first_;  // member of each original group
  std::vector<Candidates> candidates_;
};

using PairCounts = std::unordered_map<std::uint64_t, std::uint32_t>;  // (copy, original) groups

std::uint64_t pair_key(std::uint32_t copy_group, std::uint32_t original_group) {
  return (std::uint64_t{copy_group} << 32U) | original_group;
}

// One Markov chain over assignments.
class Chain {
 public:
  Chain(const Groups& groups, const Proposals& proposals, SeededRandom random)
      : groups_(groups),
        proposals_(proposals),
        random_(random),
        original_of_(groups.copy_group.size()),
        copy_of_(groups.copy_group.size()) {
    start();
  }

  void sweep() {
    for (std::size_t step = 0; step < original_of_.size(); ++step) {
      const auto copy = static_cast<std::uint32_t>(random_.below(original_of_.size()));
      exchange(copy, proposals_.draw(groups_.copy_group[copy], random_));
    }
  }

  void count(PairCounts& counts) const {
    for (std::size_t copy = 0; copy < groups_.copies().elements(); ++copy) {
      ++counts[pair_key(groups_.copy_group[copy], groups_.original_group[original_of_[copy]])];
    }
  }

 private:
  [[nodiscard]] double log_likelihood(std::uint32_t copy, std::uint32_t original) const {
    return groups_.log_likelihood(groups_.copy_group[copy], groups_.original_group[original]);
  }

  void exchange(std::uint32_t copy, std::uint32_t wanted) {
    const std::uint32_t held = original_of_[copy];
    const std::uint32_t other = copy_of_[wanted];
    const auto group = groups_.copy_group[copy];
    const auto other_group = groups_.copy_group[other];
    // Equal trails on either side: the exchange changes nothing that is counted.
    if (group == other_group || groups_.original_group[held] == groups_.original_group[wanted]) {
      return;
    }
    const double before = log_likelihood(copy, held);
    const double other_before = log_likelihood(other, wanted);
    const double after = log_likelihood(copy, wanted);
    const double other_after = log_likelihood(other, held);
    // Either of the two may propose the exchange, and the one back.
    const double there =
        proposals_.probability(group, after) + proposals_.probability(other_group, other_after);
    const double back =
        proposals_.probability(group, before) + proposals_.probability(other_group, other_before);
    const double log_ratio = after + other_after - before - other_before + std::log(back / there);
    if (log_ratio < 0 && random_.uniform() >= std::exp(log_ratio)) return;
    assign(copy, wanted);
    assign(other, held);
  }

  void assign(std::uint32_t copy, std::uint32_t original) {
    original_of_[copy] = original;
    copy_of_[original] = copy;
  }

  // The surest copies choose first; what nobody wants is given out in order.
  void start() {
    std::vector<std::uint32_t> order(original_of_.size());
    std::iota(order.begin(), order.end(), 0);
    random_.shuffle(order);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return proposals_.of(groups_.copy_group[a]).total() <
             proposals_.of(groups_.copy_group[b]).total();
    });
    std::vector<std::vector<std::uint32_t>> free(groups_.original_groups());
    for (std::uint32_t original = 0; original < original_of_.size(); ++original) {
      free[groups_.original_group[original]].push_back(original);
    }
    std::vector<std::uint32_t> left_over;
    for (const std::uint32_t copy : order) {
      const auto& wanted = proposals_.of(groups_.copy_group[copy]).originals;
      const auto choice = std::find_if(wanted.begin(), wanted.end(),
                                       [&](std::uint32_t group) { return !free[group].empty(); });
      if (choice == wanted.end()) {
        left_over.push_back(copy);
        continue;
      }
      assign(copy, free[*choice].back());
      free[*choice].pop_back();
    }
    for (const auto& originals : free) {
      for (const std::uint32_t original : originals) {
        assign(left_over.back(), original);
        left_over.pop_back();
      }
    }
  }

  const Groups& groups_;
  const Proposals& proposals_;
  SeededRandom random_;
  std::vector<std::uint32_t> original_of_;
  std::vector<std::uint32_t> copy_of_;
};

struct LikelyGroupLink {
  std::uint32_t copy;
  std::uint32_t original;
  double posterior;   // of each pair of members
  double difference;  // between halves of the chains
};

// From how often each pair of groups was seen together. Never quite 1: so many samples cannot tell.
std::vector<LikelyGroupLink> posteriors(const Groups& groups, const std::vector<PairCounts>& counts,
                                        std::size_t samples_per_chain) {
  std::unordered_map<std::uint64_t, std::pair<double, double>> halves;
  for (std::size_t chain = 0; chain < counts.size(); ++chain) {
    for (const auto& [key, count] : counts[chain]) {
      auto& both = halves[key];
      (chain % 2 == 0 ? both.first : both.second) += count;
    }
  }
  const auto samples = static_cast<double>(samples_per_chain * counts.size());
  std::vector<LikelyGroupLink> links;
  for (const auto& [key, both] : halves) {
    const auto copy = static_cast<std::uint32_t>(key >> 32U);
    const auto original = static_cast<std::uint32_t>(key);
    if (original == groups.originals().size()) continue;
    const auto pairs =
        static_cast<double>(groups.copies().capacity(copy) * groups.originals().capacity(original));
    links.push_back({copy, original, (both.first + both.second) / (samples + 1) / pairs,
                     2 * std::abs(both.first - both.second) / samples / pairs});
  }
  std::sort(links.begin(), links.end(), [](const LikelyGroupLink& a, const LikelyGroupLink& b) {
    if (a.copy != b.copy) return a.copy < b.copy;
    return a.posterior != b.posterior ? a.posterior > b.posterior : a.original < b.original;
  });
  return links;
}

}  // namespace

ProbableLinks probable_links(const World& world, const ProbableLinkOptions& options,
                             Progress& progress) {
  const ErrorModel model(world, options.reserved, options.error);
  const Groups groups(world, model);
  ProbableLinks result;
  if (groups.copies().elements() == 0 || groups.originals().elements() == 0) return result;
  const Proposals proposals(groups, model, world, progress);
  const std::size_t counted = options.sweeps - options.sweeps / 4;
  std::vector<PairCounts> counts(options.chains);
  progress.begin("sampling assignments", options.chains * options.sweeps);
  parallel_blocks(options.chains, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c) {
      Chain chain(groups, proposals, SeededRandom(options.seed, c));
      for (std::size_t sweep = 0; sweep < options.sweeps; ++sweep) {
        chain.sweep();
        if (sweep >= options.sweeps - counted) chain.count(counts[c]);
        progress.advance(1);
      }
    }
  });

  const auto links = posteriors(groups, counts, counted);
  const bool swapped = model.copy_is_identified();
  // The likeliest link of every de-identified group, which is a copy or an original.
  std::vector<const LikelyGroupLink*> best(swapped ? groups.originals().size()
                                                   : groups.copies().size());
  for (const LikelyGroupLink& link : links) {
    const LikelyGroupLink*& likeliest = best[swapped ? link.original : link.copy];
    if (likeliest == nullptr || link.posterior > likeliest->posterior) likeliest = &link;
    if (link.posterior < options.least) continue;
    for (const Element copy : groups.copies().members(link.copy)) {
      for (const Element original : groups.originals().members(link.original)) {
        result.links.push_back(
            {swapped ? original : copy, swapped ? copy : original, link.posterior});
      }
    }
  }
  std::stable_sort(result.links.begin(), result.links.end(),
                   [](const ProbableLink& a, const ProbableLink& b) {
                     if (a.deidentified != b.deidentified) return a.deidentified < b.deidentified;
                     return a.posterior > b.posterior;
                   });
  double elements = 0;
  for (std::size_t g = 0; g < best.size(); ++g) {
    if (best[g] == nullptr) continue;
    const auto size =
        static_cast<double>((swapped ? groups.originals() : groups.copies()).capacity(g));
    elements += size;
    result.expected_correct += size * best[g]->posterior;
    result.disagreement += size * best[g]->difference;
  }
  if (elements > 0) result.disagreement /= elements;
  return result;
}

}  // namespace pratique::trails
