#include "pratique/fusion/composition.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "pratique/core/error.h"
#include "pratique/core/parallel.h"
#include "pratique/fusion/composed_values.h"
#include "pratique/fusion/composition_posterior.h"
#include "pratique/fusion/internal/candidate_sets.h"

namespace pratique::fusion {
namespace {

using internal::CandidateSets;
using Views = std::vector<std::unique_ptr<CandidateSets>>;
using Finding = Composition::Finding;

constexpr std::size_t kBins = 10;

// How the rows of all releases spread over the values. A cell that covers several is divided by
// what the exact cells say, evenly where they say nothing.
std::vector<double> distribution_of(const Views& views, const ComposedValues& values) {
  std::vector<double> exact(values.count, 0);
  std::vector<double> parts(values.count, 0);
  double total = 0;
  for (std::size_t r = 0; r < views.size(); ++r) {
    if (!views[r]->is_drawn()) continue;
    const auto originals = originals_of(views[r]->shown(values.covered[r], values.count),
                                        *views[r]->release().randomised);
    for (std::size_t v = 0; v < originals.size(); ++v) exact[v] += originals[v];
    total = std::accumulate(originals.begin(), originals.end(), total);
  }
  const auto for_each_cell = [&](const auto& visit) {
    for (std::size_t r = 0; r < views.size(); ++r) {
      if (views[r]->is_drawn()) continue;
      const auto counts = views[r]->release().table.counts_of(views[r]->sensitive());
      for (std::size_t code = 0; code < counts.size(); ++code) {
        if (counts[code] > 0) visit(values.covered[r][code], static_cast<double>(counts[code]));
      }
    }
  };
  for_each_cell([&](const std::vector<Value>& covered, double rows) {
    if (covered.size() == 1) exact[covered.front()] += rows;
  });
  for_each_cell([&](const std::vector<Value>& covered, double rows) {
    total += rows;
    if (covered.size() == 1) return;
    double all = 0;
    for (const Value value : covered) all += exact[value];
    for (const Value value : covered) {
      parts[value] +=
          rows * (all > 0 ? exact[value] / all : 1 / static_cast<double>(covered.size()));
    }
  });
  for (std::size_t v = 0; v < exact.size(); ++v) {
    exact[v] = total > 0 ? (exact[v] + parts[v]) / total : 0;
  }
  return exact;
}

double entropy_of(const std::vector<double>& shares) {
  double bits = 0;
  for (const double share : shares) {
    if (share > 0) bits -= share * std::log2(share);
  }
  return bits;
}

double fitted_strength(const Views& views, const std::vector<double>& g) {
  const auto add_classes = [](const CandidateSets& view, StrengthFit& fit) {
    for (std::uint32_t id = 0; id < view.classes().count(); ++id) fit.add_class(view.values(id));
  };
  StrengthFit fit(g);
  bool exact = false;
  for (const auto& view : views) {
    if (view->is_drawn()) continue;
    exact = true;
    add_classes(*view, fit);
  }
  if (exact) return fit.strength();
  // Of what is shown; what is behind it spreads as much more as chance levels out.
  const CandidateSets& view = *views.front();
  const std::vector<double> shown = shown_by(g, *view.release().randomised);
  StrengthFit drawn(shown);
  add_classes(view, drawn);
  return strength_behind(drawn.strength(), g, shown, *view.release().randomised);
}

// The candidate sets of one kind of target, release by release; kNowhere where it is in none.
using SetsOfTarget = std::vector<std::uint32_t>;

// S_i: how many values all sets hold, and one of them.
std::uint32_t intersect(const Views& views, const SetsOfTarget& sets, Value& common) {
  const auto first = views.front()->values(sets.front());
  std::vector<std::size_t> at(views.size(), 0);
  std::uint32_t left = 0;
  for (const auto& [value, rows] : first) {
    bool everywhere = true;
    for (std::size_t r = 1; r < views.size() && everywhere; ++r) {
      const auto values = views[r]->values(sets[r]);
      while (at[r] < values.size() && values[at[r]].value < value) ++at[r];
      everywhere = at[r] < values.size() && values[at[r]].value == value;
    }
    if (!everywhere) continue;
    ++left;
    common = value;
  }
  return left;
}

Finding find(const Views& views, const SetsOfTarget& sets, const PosteriorRule& rule,
             Value unseen) {
  Finding finding;
  finding.located = true;
  std::vector<Candidates> candidates;
  bool believable = true;
  for (std::size_t r = 0; r < views.size(); ++r) {
    const double presence = views[r]->release().presence;
    if (sets[r] == LocatedTargets::kNowhere) {
      finding.located = false;
      believable = believable && presence < 1;
      continue;
    }
    const auto values = views[r]->values(sets[r]);
    candidates.push_back({values, static_cast<double>(views[r]->rows(sets[r])), presence});
    const auto anonymity = static_cast<std::uint32_t>(values.size());
    finding.prior = candidates.size() == 1 ? anonymity : std::min(finding.prior, anonymity);
  }
  if (!finding.located) finding.prior = 0;
  if (finding.located) {
    Value common = kNoValue;
    finding.left = intersect(views, sets, common);
    if (finding.left == 1 && common != unseen) finding.only = common;
  }
  if (believable && !candidates.empty()) {
    const Posterior posterior = rule.posterior(candidates);
    if (posterior.best != kNoValue) {
      finding.guess = posterior.best;
      finding.probability = posterior.largest;
    }
  }
  return finding;
}

// Whether the confidence reaches a level. What no cell names is not known, however little is left.
bool breached(const Finding& finding, double level) {
  if (finding.left == 0 || (finding.left == 1 && finding.only == kNoValue)) return false;
  return 1 / static_cast<double>(finding.left) >= level;
}

// Adds up findings, each with the number of targets that share it.
class Summary {
 public:
  Summary(Composition& result, const Views& views, Value unseen)
      : result_(result), views_(views), unseen_(unseen) {
    smallest_k_ = result.releases.front().k;
    for (const auto& release : result.releases) smallest_k_ = std::min(smallest_k_, release.k);
  }

  void add(const Finding& finding, const SetsOfTarget& sets, double targets) {
    for (std::size_t r = 0; r < views_.size(); ++r) {
      if (sets[r] == LocatedTargets::kNowhere) continue;
      auto& release = result_.releases[r];
      const auto values = views_[r]->values(sets[r]);
      release.located += targets;
      if (values.size() == 1 && values.front().value != unseen_) release.perfect_breach += targets;
      if (finding.left == 0) continue;
      release.prior += targets * static_cast<double>(values.size());
      release.candidates += targets * static_cast<double>(views_[r]->rows(sets[r]));
    }
    if (finding.located) result_.located += targets;
    if (finding.located && finding.left == 0) result_.contradicted += targets;
    for (std::size_t c = 0; c < kConfidences.size(); ++c) {
      if (breached(finding, kConfidences[c])) result_.breach_at[c] += targets;
      if (finding.guess != kNoValue && finding.guess != unseen_ &&
          finding.probability >= kConfidences[c] - 1e-12) {
        result_.bayes.breach_at[c] += targets;
      }
    }
    if (finding.guess != kNoValue) {
      result_.bayes.believed += targets;
      result_.bayes.confidence += targets * finding.probability;
    }
    if (finding.left == 0) return;
    measured_ += targets;
    const auto left = static_cast<double>(finding.left);
    result_.posterior += targets * left;
    result_.mean_drop += targets * (static_cast<double>(finding.prior) - left);
    result_.ideal_drop += targets * (static_cast<double>(smallest_k_) - left);
    if (finding.prior > finding.left) result_.vulnerable += targets;
  }

  void finish() {
    const auto targets = static_cast<double>(result_.targets);
    const auto over = [](double& sum, double count) { sum = count > 0 ? sum / count : 0; };
    for (auto& release : result_.releases) {
      over(release.located, targets);
      over(release.perfect_breach, targets);
      over(release.prior, measured_);
      over(release.candidates, measured_);
    }
    for (auto& share : result_.breach_at) over(share, targets);
    for (auto& share : result_.bayes.breach_at) over(share, targets);
    over(result_.located, targets);
    over(result_.contradicted, targets);
    over(result_.vulnerable, targets);
    over(result_.posterior, measured_);
    over(result_.mean_drop, measured_);
    over(result_.ideal_drop, measured_);
    over(result_.bayes.confidence, result_.bayes.believed);
    over(result_.bayes.believed, targets);
    result_.perfect_breach = result_.breach_at.front();
  }

 private:
  Composition& result_;
  const Views& views_;
  Value unseen_;
  std::uint64_t smallest_k_ = 0;
  double measured_ = 0;
};

void judge(Composition& result, const Column& truth, const std::vector<Value>& value_of) {
  std::uint64_t breaches = 0;
  std::uint64_t right = 0;
  std::uint64_t guesses = 0;
  std::uint64_t guessed = 0;
  auto& bins = result.bayes.calibration;
  bins.resize(kBins);
  for (std::size_t b = 0; b < kBins; ++b) bins[b].from = static_cast<double>(b) / kBins;
  for (std::size_t target = 0; target < result.targets; ++target) {
    const Finding& finding = result.of(target);
    const Value value = value_of[truth.codes[target]];
    if (finding.only != kNoValue) {
      ++breaches;
      right += finding.only == value ? 1 : 0;
    }
    if (finding.guess == kNoValue) continue;
    ++guesses;
    guessed += finding.guess == value ? 1 : 0;
    auto& bin = bins[std::min(kBins - 1, static_cast<std::size_t>(finding.probability * kBins))];
    ++bin.targets;
    bin.confidence += finding.probability;
    bin.correct += finding.guess == value ? 1 : 0;
  }
  for (auto& bin : bins) {
    if (bin.targets == 0) continue;
    bin.confidence /= static_cast<double>(bin.targets);
    bin.correct /= static_cast<double>(bin.targets);
  }
  if (breaches > 0) result.correct = static_cast<double>(right) / static_cast<double>(breaches);
  if (guesses > 0) {
    result.bayes.correct = static_cast<double>(guessed) / static_cast<double>(guesses);
  }
}

Composition::Release describe(const CandidateSets& view) {
  Composition::Release release;
  release.name = view.release().name;
  release.columns = view.columns();
  release.by = view.located().by;
  release.classes = view.classes().count();
  for (std::uint32_t id = 0; id < view.classes().count(); ++id) {
    const std::uint64_t rows = view.rows(id);
    release.rows += rows;
    release.k = id == 0 ? rows : std::min(release.k, rows);
  }
  return release;
}

}  // namespace

Composition compose(std::span<const ComposedRelease> releases, const Table& targets,
                    const CompositionOptions& options, Progress& progress) {
  if (releases.empty()) throw Error::input("no release was given");
  if (releases.size() > kMostReleases) {
    throw Error::input("there are too many releases to compose")
        .hint("At most 64 are possible; leave out those with the fewest targets.");
  }
  for (const auto& name : options.quasi_identifiers) (void)targets.column(name);
  Views views;
  std::vector<const Column*> cells;
  for (const auto& release : releases) {
    views.push_back(std::make_unique<CandidateSets>(release, targets, options, progress));
    cells.push_back(&views.back()->sensitive());
  }
  std::optional<Column> plain_truth;
  const Column* truth = options.truth ? &targets.column(*options.truth) : nullptr;
  const bool drawn =
      std::any_of(releases.begin(), releases.end(),
                  [](const ComposedRelease& release) { return release.randomised.has_value(); });
  if (truth != nullptr && !drawn)
    truth = &plain_truth.emplace(internal::without_spelling(*truth, options.sensitive_hierarchy));
  const ComposedValues values = compose_values(cells, truth, options.sensitive_hierarchy);
  const auto g = distribution_of(views, values);
  for (std::size_t r = 0; r < views.size(); ++r) views[r]->count(values.covered[r], g);

  Composition result;
  result.targets = targets.rows();
  for (const auto& view : views) result.releases.push_back(describe(*view));
  result.entropy_of_sensitive = entropy_of(g);
  result.bayes.strength = options.strength ? *options.strength : fitted_strength(views, g);
  for (const auto& view : views) view->see_through_chance(g, result.bayes.strength);
  const PosteriorRule rule(g, result.bayes.strength);

  std::vector<std::vector<Code>> set_codes;
  std::vector<tables::CodedColumn> coded;
  for (const auto& view : views) {
    auto& codes = set_codes.emplace_back(view->located().set_of);
    const auto nowhere = static_cast<Code>(view->located().sets());
    std::replace(codes.begin(), codes.end(), LocatedTargets::kNowhere, nowhere);
    coded.push_back({{}, nowhere + std::size_t{1}});
  }
  for (std::size_t r = 0; r < views.size(); ++r) coded[r].codes = set_codes[r];
  const auto kinds = tables::EquivalenceClasses::of(coded, targets.rows());
  const auto sets_of = [&](std::size_t kind, SetsOfTarget& sets) {
    const std::uint32_t target = kinds.representative(static_cast<tables::ClassId>(kind));
    for (std::size_t r = 0; r < views.size(); ++r) sets[r] = views[r]->located().set_of[target];
  };
  result.findings.resize(kinds.count());
  progress.begin("intersecting classes", kinds.count());
  parallel_blocks(kinds.count(), 1024, [&](std::size_t begin, std::size_t end) {
    SetsOfTarget sets(views.size());
    for (std::size_t kind = begin; kind < end; ++kind) {
      sets_of(kind, sets);
      result.findings[kind] = find(views, sets, rule, values.unseen);
    }
    progress.advance(end - begin);
  });
  result.finding_of = kinds.class_of();
  Summary summary(result, views, values.unseen);
  SetsOfTarget sets(views.size());
  for (std::size_t kind = 0; kind < kinds.count(); ++kind) {
    sets_of(kind, sets);
    summary.add(result.findings[kind], sets,
                static_cast<double>(kinds.size(static_cast<tables::ClassId>(kind))));
  }
  summary.finish();
  if (truth != nullptr) {
    result.judged = true;
    judge(result, *truth, values.of_original);
  }
  return result;
}

}  // namespace pratique::fusion
