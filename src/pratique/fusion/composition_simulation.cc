#include "pratique/fusion/composition_simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <list>
#include <numeric>

#include "pratique/core/error.h"
#include "pratique/core/parallel.h"
#include "pratique/crypto/random.h"
#include "pratique/fusion/internal/hierarchical_mondrian.h"
#include "pratique/tables/method/microaggregate.h"
#include "pratique/tables/method/mondrian.h"
#include "pratique/tables/metric/metrics.h"
#include "pratique/tables/model/k_anonymity.h"
#include "pratique/tables/model/l_diversity.h"
#include "pratique/tables/model/t_closeness.h"

namespace pratique::fusion {
namespace {

using tables::ClassId;
using tables::EquivalenceClasses;
using RowList = std::vector<std::uint32_t>;

// The rows of a column, with only the values that they have.
Column part_of(const Column& column, const RowList& rows) {
  constexpr Code kNew = 0xffffffffU;
  Column part;
  part.name = column.name;
  std::vector<Code> code_of(column.dictionary.size(), kNew);
  part.codes.reserve(rows.size());
  for (const std::uint32_t row : rows) {
    Code& code = code_of[column.codes[row]];
    if (code == kNew) code = part.dictionary.intern(column.text(row));
    part.codes.push_back(code);
  }
  return part;
}

// One hospital: its rows, anonymised.
class SimulatedRelease {
 public:
  // The first `overlap` of the rows are targets.
  SimulatedRelease(const Table& data, const RowList& rows, std::size_t overlap,
                   const tables::Hierarchies& hierarchies, const SimulatedCase& wanted,
                   std::size_t number, const SimulationOptions& options)
      : class_column_(fmt::format("class in {}", number + 1)) {
    group(data, rows, hierarchies, wanted.sensitive, options);
    const auto models = models_of(wanted);
    const bool cells = wanted.method == "mondrian" || (wanted.method == "mixed" && number % 2 == 0);
    tables::Recoding recoding;
    if (cells && options.style == tables::CellStyle::labels) {
      recoding = internal::hierarchical_mondrian(input_, models);
    } else if (cells) {
      tables::MondrianOptions mondrian;
      mondrian.choice = tables::MondrianOptions::Choice::widest;
      recoding = tables::mondrian(input_, models, mondrian);
    } else {
      recoding = tables::microaggregate(input_, models, {}).recoding;
    }
    locating_ = cells ? Locating::containing : Locating::nearest;
    loss_ = tables::loss_metric(input_, recoding);
    write(recoding, options);
    place_targets(recoding, overlap);
  }

  [[nodiscard]] const GroupedTable& table() const { return released_; }
  [[nodiscard]] const std::string& class_column() const { return class_column_; }
  [[nodiscard]] Locating locating() const { return locating_; }
  [[nodiscard]] double loss() const { return loss_; }
  // By target: the class it is in.
  [[nodiscard]] const std::vector<ClassId>& class_of_target() const { return class_of_target_; }

  // The share of targets whose class is found, and no other.
  [[nodiscard]] double located(const Table& targets, const tables::Hierarchies& hierarchies,
                               const SimulationOptions& options) const {
    const auto columns = tables::column_indices(released_.groups, options.quasi_identifiers);
    const auto classes = EquivalenceClasses::of(released_.groups, columns);
    const auto candidates = locate(CountedTable(released_), classes, targets,
                                   options.quasi_identifiers, hierarchies, locating_);
    const Column& truth = released_.groups.column(class_column_);
    std::size_t right = 0;
    for (std::size_t target = 0; target < targets.rows(); ++target) {
      const auto set = candidates.set_of[target];
      if (set >= classes.count()) continue;
      right += truth.text(classes.representative(set)) == std::to_string(class_of_target_[target])
                   ? 1
                   : 0;
    }
    return static_cast<double>(right) / static_cast<double>(targets.rows());
  }

 private:
  void group(const Table& data, const RowList& rows, const tables::Hierarchies& hierarchies,
             const std::string& sensitive, const SimulationOptions& options) {
    Table plain;
    std::vector<std::size_t> all;
    for (const auto& name : options.quasi_identifiers) {
      plain.columns.push_back(part_of(data.column(name), rows));
      all.push_back(all.size());
    }
    plain.columns.push_back(part_of(data.column(sensitive), rows));
    all.push_back(all.size());
    groups_ = EquivalenceClasses::of(plain, all);
    for (auto& column : plain.columns) {
      std::vector<Code> codes;
      for (const auto row : groups_.representatives()) codes.push_back(column.codes[row]);
      column.codes = std::move(codes);
      grouped_.columns.push_back(std::move(column));
    }
    counts_.assign(groups_.sizes().begin(), groups_.sizes().end());
    const CountedTable counted(grouped_);
    for (std::size_t a = 0; a < options.quasi_identifiers.size(); ++a) {
      const Column& column = grouped_.columns[a];
      input_.attributes.push_back(
          tables::make_attribute(column, *hierarchies.at(column.name), counted.counts_of(column)));
    }
    input_.sensitive = {&grouped_.columns.back()};
    input_.counts = &counts_;
  }

  [[nodiscard]] tables::Models models_of(const SimulatedCase& wanted) const {
    tables::Models models;
    models.push_back(tables::k_anonymity(wanted.k));
    const tables::ModelAttribute attribute{0, wanted.sensitive};
    if (wanted.l) models.push_back(tables::entropy_l_diversity(*wanted.l, attribute));
    if (wanted.t) {
      models.push_back(tables::t_closeness(*wanted.t, tables::GroundDistance::equal, attribute,
                                           grouped_.columns.back(), counts_, nullptr));
    }
    return models;
  }

  void write(const tables::Recoding& recoding, const SimulationOptions& options) {
    for (std::size_t a = 0; a < options.quasi_identifiers.size(); ++a) {
      Column column;
      column.name = options.quasi_identifiers[a];
      const auto& recoded = recoding.columns[a];
      std::vector<Code> code_of;
      for (const auto& value : recoded.values) code_of.push_back(column.dictionary.intern(value));
      for (const Code code : recoded.codes) column.codes.push_back(code_of[code]);
      released_.groups.columns.push_back(std::move(column));
    }
    Column sensitive;
    sensitive.name = grouped_.columns.back().name;
    Column classes;
    classes.name = class_column_;
    for (std::size_t i = 0; i < recoding.groups.size(); ++i) {
      sensitive.codes.push_back(
          sensitive.dictionary.intern(grouped_.columns.back().text(recoding.groups[i])));
      classes.codes.push_back(classes.dictionary.intern(std::to_string(recoding.class_of[i])));
    }
    released_.groups.columns.push_back(std::move(sensitive));
    released_.groups.columns.push_back(std::move(classes));
    released_.counts = recoding.counts;
  }

  // Where a method divides equal records among classes, targets are dealt out first.
  void place_targets(const tables::Recoding& recoding, std::size_t overlap) {
    std::vector<std::vector<std::pair<ClassId, std::uint64_t>>> places(grouped_.rows());
    for (std::size_t i = recoding.groups.size(); i-- > 0;) {
      places[recoding.groups[i]].emplace_back(recoding.class_of[i], recoding.counts[i]);
    }
    for (std::size_t target = 0; target < overlap; ++target) {
      auto& free = places[groups_.class_of(target)];
      class_of_target_.push_back(free.back().first);
      if (--free.back().second == 0) free.pop_back();
    }
  }

  std::string class_column_;
  EquivalenceClasses groups_;
  Table grouped_;
  std::vector<std::uint64_t> counts_;
  tables::ProtectionInput input_;
  GroupedTable released_;
  Locating locating_ = Locating::containing;
  double loss_ = 0;
  std::vector<ClassId> class_of_target_;
};

// What one run of one case gives, and its place among the others.
struct SimulatedOutcome {
  Composition known;
  Composition real;
  double located = 0;
  double loss = 0;
};

SimulatedOutcome run_case(const Table& data, const tables::Hierarchies& hierarchies,
                          const SimulationOptions& options, const SimulatedCase& wanted,
                          const RowList& shuffled) {
  const std::size_t others = (shuffled.size() - options.overlap) / wanted.releases;
  const auto overlap = shuffled.begin() + static_cast<std::ptrdiff_t>(options.overlap);
  Table targets;
  const RowList people(shuffled.begin(), overlap);
  for (const auto& name : options.quasi_identifiers) {
    targets.columns.push_back(part_of(data.column(name), people));
  }
  Column truth = part_of(data.column(wanted.sensitive), people);
  truth.name = "truth of " + wanted.sensitive;
  CompositionOptions attack;
  attack.sensitive = wanted.sensitive;
  attack.truth = truth.name;
  targets.columns.push_back(std::move(truth));

  SimulatedOutcome outcome;
  std::list<SimulatedRelease> simulated;
  std::vector<ComposedRelease> known;
  std::vector<ComposedRelease> real;
  std::vector<std::string> class_columns;
  for (std::size_t r = 0; r < wanted.releases; ++r) {
    RowList rows = people;
    const auto first = overlap + static_cast<std::ptrdiff_t>(r * others);
    rows.insert(rows.end(), first, first + static_cast<std::ptrdiff_t>(others));
    const auto& release =
        simulated.emplace_back(data, rows, people.size(), hierarchies, wanted, r, options);
    outcome.loss += release.loss() / static_cast<double>(wanted.releases);
    outcome.located +=
        release.located(targets, hierarchies, options) / static_cast<double>(wanted.releases);
    const std::string name = fmt::format("release {}", r + 1);
    known.push_back({name, release.table(), Locating::containing, 1, {}});
    real.push_back({name, release.table(), release.locating(), 1, hierarchies});
    class_columns.push_back(release.class_column());
    Column classes;
    classes.name = release.class_column();
    for (const ClassId id : release.class_of_target()) {
      classes.codes.push_back(classes.dictionary.intern(std::to_string(id)));
    }
    targets.columns.push_back(std::move(classes));
  }
  attack.quasi_identifiers = class_columns;
  outcome.known = compose(known, targets, attack);
  attack.quasi_identifiers = options.quasi_identifiers;
  outcome.real = compose(real, targets, attack);
  return outcome;
}

void add(SimulatedCase::Figures& figures, const Composition& composition, double share) {
  figures.perfect_breach += share * composition.perfect_breach;
  figures.prior.resize(composition.releases.size(), 0);
  figures.candidates.resize(composition.releases.size(), 0);
  for (std::size_t c = 0; c < figures.breach_at.size(); ++c) {
    figures.breach_at[c] += share * composition.breach_at[c];
  }
  for (std::size_t r = 0; r < composition.releases.size(); ++r) {
    figures.prior[r] += share * composition.releases[r].prior;
    figures.candidates[r] += share * composition.releases[r].candidates;
  }
  figures.posterior += share * composition.posterior;
  figures.drop += share * composition.mean_drop;
  figures.vulnerable += share * composition.vulnerable;
  figures.correct += share * composition.correct.value_or(1);
  figures.bayes_at_one += share * composition.bayes.breach_at[0];
  figures.bayes_at_half += share * composition.bayes.breach_at[1];
  figures.bayes_confidence += share * composition.bayes.confidence;
  figures.bayes_correct += share * composition.bayes.correct.value_or(0);
}

// The means over all runs; no runs at all where one could not satisfy the model.
void summarise(std::span<const std::optional<SimulatedOutcome>> outcomes, SimulatedCase& into) {
  if (std::any_of(outcomes.begin(), outcomes.end(), [](const auto& outcome) { return !outcome; }))
    return;
  into.runs = outcomes.size();
  const double share = 1 / static_cast<double>(outcomes.size());
  double squares_known = 0;
  double squares_real = 0;
  for (const auto& outcome : outcomes) {
    add(into.known, outcome->known, share);
    add(into.real, outcome->real, share);
    into.located += share * outcome->located;
    into.loss += share * outcome->loss;
    into.entropy += share * outcome->known.entropy_of_sensitive;
  }
  for (const auto& outcome : outcomes) {
    squares_known += std::pow(outcome->known.perfect_breach - into.known.perfect_breach, 2);
    squares_real += std::pow(outcome->real.perfect_breach - into.real.perfect_breach, 2);
  }
  if (into.runs < 2) return;
  into.known.deviation = std::sqrt(squares_known / static_cast<double>(into.runs - 1));
  into.real.deviation = std::sqrt(squares_real / static_cast<double>(into.runs - 1));
}

std::vector<SimulatedCase> cases_of(const SimulationOptions& options) {
  std::vector<SimulatedCase> cases;
  const auto add_case = [&](SimulatedCase wanted) {
    const bool there = std::any_of(cases.begin(), cases.end(), [&](const SimulatedCase& other) {
      return other.method == wanted.method && other.k == wanted.k && other.l == wanted.l &&
             other.t == wanted.t && other.releases == wanted.releases &&
             other.sensitive == wanted.sensitive;
    });
    if (!there) cases.push_back(std::move(wanted));
  };
  const std::size_t first = options.releases.front();
  const std::string& main = options.sensitive.front();
  const std::string& method = options.methods.front();
  for (const auto& each : options.methods) {
    for (const auto k : options.ks) add_case({each, k, {}, {}, first, main});
  }
  if (!options.ls.empty() || !options.ts.empty()) {
    add_case({method, options.diversity_k, {}, {}, first, main});
  }
  for (const double l : options.ls) add_case({method, options.diversity_k, l, {}, first, main});
  for (const double t : options.ts) add_case({method, options.diversity_k, {}, t, first, main});
  for (const auto k : options.ks) {
    for (const auto& sensitive : options.sensitive) {
      add_case({method, k, {}, {}, first, sensitive});
    }
    for (const auto releases : options.releases) add_case({method, k, {}, {}, releases, main});
  }
  return cases;
}

void check(const Table& data, const SimulationOptions& options) {
  const auto most = *std::max_element(options.releases.begin(), options.releases.end());
  if (data.rows() < options.overlap + most) {
    throw Error::input(
        fmt::format("{} rows are not enough for {} people in {} releases and others besides",
                    data.rows(), options.overlap, most))
        .hint("Use a larger table, or a smaller --overlap.");
  }
  for (const auto& method : options.methods) {
    if (std::find(simulated_methods().begin(), simulated_methods().end(), method) ==
        simulated_methods().end()) {
      throw Error::input(fmt::format("'{}' is not a method of the study", method))
          .hint("Methods are mondrian, microaggregate and mixed.");
    }
  }
}

}  // namespace

const std::vector<std::string>& simulated_methods() {
  static const std::vector<std::string> names = {"mondrian", "microaggregate", "mixed"};
  return names;
}

Simulation simulate(const Table& data, const tables::Hierarchies& hierarchies,
                    const SimulationOptions& options, Progress& progress) {
  check(data, options);
  Simulation simulation{cases_of(options)};
  const std::size_t cases = simulation.cases.size();
  std::vector<RowList> shuffled(options.runs);
  for (std::size_t run = 0; run < options.runs; ++run) {
    shuffled[run].resize(data.rows());
    std::iota(shuffled[run].begin(), shuffled[run].end(), 0U);
    SeededRandom(options.seed, run).shuffle(shuffled[run]);
  }
  std::vector<std::optional<SimulatedOutcome>> outcomes(cases * options.runs);
  progress.begin("simulating", outcomes.size());
  parallel_blocks(outcomes.size(), 1, [&](std::size_t at, std::size_t) {
    try {
      outcomes[at] = run_case(data, hierarchies, options, simulation.cases[at / options.runs],
                              shuffled[at % options.runs]);
      // Only figures are kept.
      for (Composition* composition : {&outcomes[at]->known, &outcomes[at]->real}) {
        composition->findings = {};
        composition->finding_of = {};
      }
    } catch (const Error& error) {
      if (error.code() != ErrorCode::check_failed) throw;  // else: the model cannot be satisfied
    }
    progress.advance(1);
  });
  for (std::size_t c = 0; c < cases; ++c) {
    summarise(std::span(outcomes).subspan(c * options.runs, options.runs), simulation.cases[c]);
  }
  return simulation;
}

}  // namespace pratique::fusion
