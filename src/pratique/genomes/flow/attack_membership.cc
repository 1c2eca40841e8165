#include "pratique/genomes/flow/attack_membership.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "pratique/core/ascii.h"
#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/core/parallel.h"
#include "pratique/crypto/random.h"
#include "pratique/genomes/attack/membership.h"
#include "pratique/genomes/attack/membership_power.h"
#include "pratique/genomes/attack/pair_membership.h"
#include "pratique/genomes/attack/same_genotypes.h"
#include "pratique/genomes/flow/internal/frequency_source.h"
#include "pratique/genomes/flow/internal/known_people.h"
#include "pratique/genomes/flow/internal/named_columns.h"
#include "pratique/genomes/format/genotype_set.h"

namespace pratique::genomes::flow {
namespace {

struct Rate {
  double value;
  const char* name;
};
constexpr std::array<Rate, 3> kRates = {{{0.05, "0.05"}, {0.01, "0.01"}, {0.001, "0.001"}}};
constexpr std::array<MembershipStatistic, kMembershipStatistics> kStatistics = {
    MembershipStatistic::homer, MembershipStatistic::lr, MembershipStatistic::beacon,
    MembershipStatistic::wang};
constexpr std::size_t kPublishedNeighbours = 10;
constexpr std::uint64_t kSimulatedPeople = 200;
constexpr std::size_t kFewestNullPeople = 20;

// Who of the targets is in the pool, as the truth says.
std::map<std::string, bool> read_truth(const std::string& path, const Run& run) {
  const Source source = run.open(path);
  const Table table = run.engine.load(
      source, {column_called(source, "sample"), column_called(source, "member")}, run.progress);
  const std::set<std::string_view> yes = {"1", "true", "yes", "y", "t", "member", "case"};
  const std::set<std::string_view> no = {"0", "false",      "no",        "n",
                                         "f", "non-member", "nonmember", "control"};
  std::map<std::string, bool> truth;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::string word = lower(std::string(table.columns[1].text(row)));
    const std::string place = fmt::format("{}:{}", path, row + 2);
    if (!yes.contains(word) && !no.contains(word)) {
      throw Error::input("the truth says neither yes nor no")
          .at(place)
          .hint(
              "A member is yes, true, 1, member or case; others are no, false, 0, non-member or "
              "control. Leave out people of whom it is not known.");
    }
    const auto [known, is_new] =
        truth.emplace(std::string(table.columns[0].text(row)), yes.contains(word));
    if (!is_new && known->second != yes.contains(word)) {
      throw Error::input("the truth says both yes and no of the same sample").at(place);
    }
  }
  return truth;
}

MembershipStatistic statistic_called(const std::string& name) {
  for (const auto statistic : kStatistics) {
    if (name == name_of(statistic)) return statistic;
  }
  return MembershipStatistic::lr;
}

// Scores of people whose membership is known, of one statistic.
struct Groups {
  MembershipScores null;
  MembershipScores members;
  std::optional<MembershipScores> targets = {};
};

// The whole attack against what a pool shows.
class MembershipAttack {
 public:
  MembershipAttack(const MembershipRequest& request, std::uint64_t seed, const Run& run)
      : request_(request), seed_(seed), run_(run) {
    pool_has_people =
        looks_like_genotypes(request.pool) && !GenotypeFile::open(request.pool)->samples().empty();
    // The reference's own people, of whom half are the null, are no control group.
    if (!request.control.empty() && !same_file(request.control, request.reference))
      control_ = read_frequencies(request.control, run);
    if (has_p_values(request.pool, run)) {
      pool_ = pool_from_p_values();
    } else {
      pool_ = read_frequencies(request.pool, run);
    }
    if (request.pool_size) pool_.people = *request.pool_size;
    if (!request.truth.empty()) {
      truth_ = read_truth(request.truth, run);
      const auto targets = GenotypeFile::open(request.targets)->samples();
      if (std::none_of(targets.begin(), targets.end(),
                       [this](const std::string& name) { return truth_.contains(name); })) {
        throw Error::input("the truth names none of the targets")
            .at(request.truth)
            .hint("Its column sample has the names of the targets' samples.");
      }
    }
    reference_has_people_ = looks_like_genotypes(request.reference) &&
                            !GenotypeFile::open(request.reference)->samples().empty();
  }

  // Null and members against what the pool shows; fills the reference. Targets are scored beside
  // them where they are asked for, or are the members.
  Groups groups(const FrequencyTable& shown, bool with_targets = false) {
    Groups measured;
    reference_ = {};
    null_ = {};
    if (reference_has_people_) {
      if (!target_sites_) target_sites_ = count_frequencies(*open_targets(), run_.progress);
      const auto file = GenotypeFile::open(request_.reference);
      measured.null =
          split_reference(*file, knowledge_of(shown), left_out(), reference_, null_, run_.progress);
    } else {
      reference_ = read_frequencies(request_.reference, run_);
      if (!target_sites_) {
        FrequencyTable compared;
        measured.targets = score_targets(shown, &compared);
        target_sites_ = std::move(compared);
      }
    }
    refuse_the_pool_itself();
    const MembershipKnowledge knowledge = knowledge_of(shown);
    null_from = "reference";
    power_from = !truth_.empty() ? "truth" : pool_has_people ? "pool" : "simulation";
    std::vector<std::function<void()>> tasks;
    if (!measured.targets && (with_targets || power_from == "truth"))
      tasks.emplace_back([&] { measured.targets = score_targets(shown); });
    if (power_from == "pool") {
      tasks.emplace_back([&] {
        const auto file = GenotypeFile::open(request_.pool);
        measured.members = score_people(*file, knowledge, {}, run_.progress);
      });
    }
    const auto simulate = [&](MembershipScores& scores, bool members) {
      tasks.emplace_back([&, members] {
        scores = simulate_people(knowledge, members, kSimulatedPeople, seed_, run_.progress);
      });
    };
    if (measured.null.names.size() < kFewestNullPeople) {
      simulate(measured.null, false);
      null_from = "simulation";
      null_ = {};  // it has the reference's frequencies
    }
    if (power_from == "simulation") simulate(measured.members, true);
    parallel_tasks(tasks);
    if (power_from == "truth") {
      measured.members = *measured.targets;
      keep_members(measured.members);
    }
    if (by_pairs_) fill_pairs(measured);
    return measured;
  }

  // Reads r2, and the genotypes that it is held against.
  void read_linkage() {
    if (!reference_has_people_) {
      throw Error::input("--statistic wang needs a reference with genotypes")
          .hint("Linkage of the reference is compared with what was published.");
    }
    if (request_.r2.empty() && !pool_has_people) {
      throw Error::input("--statistic wang needs the r2 that were published")
          .hint("Give them with --r2, or a pool of genotypes to compute them from.");
    }
    reference_people_ = read_genotypes(request_.reference, run_.progress);
    if (pool_has_people) pool_genotypes_ = read_genotypes(request_.pool, run_.progress);
    published_ = request_.r2.empty() ? pairs_to_publish(*pool_genotypes_, kPublishedNeighbours)
                                     : read_pairs(request_.r2, run_);
    const auto split = split_people(reference_people_->samples.size(), left_out());
    if (split.null.size() < kFewestNullPeople) {
      throw Error::input("the reference has too few people to calibrate --statistic wang")
          .hint(
              "It needs 40 who are neither targets nor in the pool; independent sites, which "
              "are simulated for other statistics, have no linkage.");
    }
    target_people_ = read_genotypes(request_.targets, run_.progress);
    compare_pairs(published_, split.counted);
  }
  // The same against pairs as a defence shows them: r2 rounded to a step, and one in so many.
  Groups groups_of_pairs(double step, std::size_t one_in) {
    std::vector<PublishedPair> shown;
    for (std::size_t i = 0; i < published_.size(); i += one_in) {
      shown.push_back(published_[i]);
      shown.back().r2 = std::round(shown.back().r2 / step) * step;
    }
    const auto split = split_people(reference_people_->samples.size(), left_out());
    const auto all = std::move(by_pairs_);
    compare_pairs(shown, split.counted);
    Groups under = groups(pool_);
    by_pairs_ = all;
    return under;
  }
  [[nodiscard]] bool has_pairs() const { return by_pairs_.has_value(); }
  [[nodiscard]] std::size_t pairs() const { return by_pairs_ ? by_pairs_->pairs() : 0; }

  [[nodiscard]] const FrequencyTable& pool() const { return pool_; }
  [[nodiscard]] bool has_size() const { return pool_.people > 0; }
  [[nodiscard]] bool has_control() const { return control_.has_value(); }
  [[nodiscard]] std::uint64_t pool_people() const { return pool_.people; }
  [[nodiscard]] std::uint64_t pool_sites() const { return pool_.by_variant.size(); }
  [[nodiscard]] std::uint64_t reference_sites() const { return reference_.by_variant.size(); }
  [[nodiscard]] const std::map<std::string, bool>& truth() const { return truth_; }
  [[nodiscard]] std::uint64_t known_by_genotypes() const {
    return known_ ? known_->by_genotypes : 0;
  }

  bool pool_has_people = false;
  std::string null_from;
  std::string power_from;
  std::optional<std::uint64_t> p_values;  // that frequencies were found from

 private:
  [[nodiscard]] MembershipKnowledge knowledge_of(const FrequencyTable& shown) const {
    return {.pool = &shown,
            .reference = &reference_,
            .control = control_ ? &*control_ : nullptr,
            .targets = target_sites_ ? &*target_sites_ : nullptr,
            .null = null_.by_variant.size() > 0 ? &null_ : nullptr,
            .members = &pool_};
  }

  [[nodiscard]] std::unique_ptr<GenotypeFile> open_targets() const {
    auto file = GenotypeFile::open(request_.targets);
    if (file->samples().empty()) {
      throw Error::input("the targets have no genotypes")
          .at(request_.targets)
          .hint("Targets are people: a VCF, BCF or PLINK file with samples.");
    }
    return file;
  }
  [[nodiscard]] MembershipScores score_targets(const FrequencyTable& shown,
                                               FrequencyTable* compared = nullptr) const {
    const auto file = open_targets();
    MembershipScores scores = score_people(*file, knowledge_of(shown), {}, run_.progress, compared);
    if (by_pairs_)
      scores.of(MembershipStatistic::wang) = by_pairs_->scores(*target_people_, run_.progress);
    return scores;
  }
  // Null, members and targets are compared by pairs that all of them have.
  void compare_pairs(const std::vector<PublishedPair>& pairs,
                     const std::vector<std::size_t>& counted) {
    by_pairs_.emplace(pairs, *reference_people_, counted, run_.progress);
    by_pairs_->keep_pairs_of(*target_people_);
  }

  [[nodiscard]] const std::vector<bool>& left_out() {
    if (!known_) known_ = known_people(request_, pool_has_people, pool_, truth_, run_);
    return known_->left_out;
  }
  // Against itself no pool tells its members: that is no proof that they are safe.
  void refuse_the_pool_itself() const {
    if (p_values) return;
    if (null_.by_variant.size() == 0) {
      if (are_of_the_same_people(pool_, reference_)) throw reference_is_pool();
      return;
    }
    FrequencyTable everybody = reference_;
    for (const auto& [key, frequency] : null_.by_variant) {
      float& counted = everybody.by_variant[key];
      const auto of_null = static_cast<double>(null_.people);
      const auto of_all = static_cast<double>(reference_.people + null_.people);
      counted += static_cast<float>(of_all > 0 ? (frequency - counted) * of_null / of_all : 0);
    }
    everybody.people += null_.people;
    if (are_of_the_same_people(pool_, everybody)) throw reference_is_pool();
  }
  [[nodiscard]] Error reference_is_pool() const {
    return Error::input("the reference is made of the people of the pool, for the most part")
        .at(request_.reference)
        .hint("Members are told from people like them who are none: give a reference of others.");
  }

  FrequencyTable pool_from_p_values() {
    const FrequencyTable controls =
        control_ ? *control_ : read_frequencies(request_.reference, run_);
    const std::uint64_t size = request_.control_size.value_or(controls.people);
    if (!request_.pool_size || size == 0) {
      throw Error::input("p-values do not tell how many people were compared")
          .at(request_.pool)
          .hint("Give the cases with --pool-size and the controls with --control-size.");
    }
    auto recovered =
        recover_frequencies(request_.pool, controls, static_cast<double>(*request_.pool_size),
                            static_cast<double>(size), run_);
    p_values = recovered.rows;
    return std::move(recovered.pool);
  }

  void fill_pairs(Groups& measured) {
    const auto all = by_pairs_->scores(*reference_people_, run_.progress);
    const auto split = split_people(reference_people_->samples.size(), left_out());
    auto& null = measured.null.of(MembershipStatistic::wang);
    null.clear();
    for (const std::size_t person : split.null) null.push_back(all[person]);
    if (power_from == "pool") {
      measured.members.of(MembershipStatistic::wang) =
          by_pairs_->scores(*pool_genotypes_, run_.progress);
    } else if (power_from == "simulation") {
      // Simulated people have no linkage.
      measured.members.of(MembershipStatistic::wang).clear();
    }
  }

  void keep_members(MembershipScores& scores) const {
    MembershipScores kept;
    for (std::size_t i = 0; i < scores.names.size(); ++i) {
      const auto known = truth_.find(scores.names[i]);
      if (known == truth_.end() || !known->second) continue;
      kept.names.push_back(scores.names[i]);
      for (const auto statistic : kStatistics)
        kept.of(statistic).push_back(scores.of(statistic)[i]);
      kept.sites.push_back(scores.sites[i]);
    }
    scores = std::move(kept);
  }

  const MembershipRequest& request_;
  std::uint64_t seed_;
  const Run& run_;
  FrequencyTable pool_;
  FrequencyTable reference_;
  FrequencyTable null_;
  std::optional<FrequencyTable> target_sites_;  // that are compared at all
  std::optional<FrequencyTable> control_;
  std::map<std::string, bool> truth_;
  std::optional<KnownPeople> known_;  // of the reference
  std::optional<GenotypeSet> reference_people_;
  std::optional<GenotypeSet> pool_genotypes_;
  std::optional<GenotypeSet> target_people_;
  std::vector<PublishedPair> published_;
  std::optional<PairMembership> by_pairs_;
  bool reference_has_people_ = false;
};

Json power_of(const Groups& groups, MembershipStatistic statistic, std::uint64_t sites) {
  const NullDistribution null(groups.null.of(statistic));
  const auto& members = groups.members.of(statistic);
  Json power = Json::object();
  Json interval = Json::object();
  Json needed = Json::object();
  double mean = 0;
  for (const double value : members) mean += value / static_cast<double>(members.size());
  const double apart = null.deviation() > 0 ? (mean - null.mean()) / null.deviation() : 0;
  for (const auto& rate : kRates) {
    if (members.empty() || sites == 0) {
      power[rate.name] = nullptr;
      continue;
    }
    const auto measured = power_at(null, members, rate.value);
    power[rate.name] = measured.share;
    interval[rate.name] = {measured.low, measured.high};
    // Members and others drift apart with the root of the number of sites.
    constexpr double kWanted = 0.95;
    const double z = normal_quantile(1 - rate.value) + normal_quantile(kWanted);
    needed[rate.name] = apart > 0
                            ? Json(std::ceil(static_cast<double>(sites) * z * z / (apart * apart)))
                            : Json(nullptr);
  }
  return {{"power", power}, {"power_interval", interval}, {"sites_needed", needed}};
}

Json auc_of(const MembershipScores& targets, MembershipStatistic statistic,
            const std::map<std::string, bool>& truth) {
  std::vector<double> members;
  std::vector<double> others;
  for (std::size_t i = 0; i < targets.names.size(); ++i) {
    const auto known = truth.find(targets.names[i]);
    if (known == truth.end()) continue;
    (known->second ? members : others).push_back(targets.of(statistic)[i]);
  }
  const double area = area_under_curve(members, others);
  return std::isfinite(area) ? Json(area) : Json(nullptr);
}

// Of people who are not members, as the truth says: how many are taken for one. Where this is more
// than the rate, they are of other ancestry than the reference, and nearer to the pool's; `shift`
// is how far, in deviations of the null.
Json false_positives(const Groups& groups, const MembershipScores& targets,
                     MembershipStatistic statistic, const std::map<std::string, bool>& truth) {
  std::vector<double> others;
  for (std::size_t i = 0; i < targets.names.size(); ++i) {
    const auto known = truth.find(targets.names[i]);
    if (known != truth.end() && !known->second) others.push_back(targets.of(statistic)[i]);
  }
  if (others.empty()) return nullptr;
  const NullDistribution null(groups.null.of(statistic));
  Json shares = Json::object();
  Json interval = Json::object();
  for (const auto& rate : kRates) {
    const auto measured = power_at(null, others, rate.value);
    shares[rate.name] = measured.share;
    interval[rate.name] = {measured.low, measured.high};
  }
  double mean = 0;
  for (const double value : others) mean += value / static_cast<double>(others.size());
  const double shift = null.deviation() > 0 ? (mean - null.mean()) / null.deviation() : 0;
  return {{"share", shares}, {"interval", interval}, {"people", others.size()}, {"shift", shift}};
}

std::vector<PoolDefence> all_defences(std::uint64_t seed) {
  const auto rounded = [](double step) {
    return [step](double frequency, std::uint64_t) -> std::optional<double> {
      return std::round(frequency / step) * step;
    };
  };
  const auto every = [](std::uint64_t nth) {
    return [nth](double frequency, std::uint64_t site) {
      return site % nth == 0 ? std::optional(frequency) : std::nullopt;
    };
  };
  // Noise is of the variant, the same for everybody who looks.
  const auto noisy = [seed](double scale) {
    return [seed, scale](double frequency, std::uint64_t site) -> std::optional<double> {
      SeededRandom random(seed, site);
      const double u = random.uniform() - 0.5;
      const double noise = -scale * std::copysign(std::log1p(-2 * std::abs(u)), u);
      return std::clamp(frequency + noise, 0.0, 1.0);
    };
  };
  return {{"rounded to 0.01", rounded(0.01)},     {"rounded to 0.1", rounded(0.1)},
          {"one SNP in 10", every(10)},           {"one SNP in 100", every(100)},
          {"Laplace noise of 0.01", noisy(0.01)}, {"Laplace noise of 0.1", noisy(0.1)}};
}

}  // namespace

Outcome attack_membership(const MembershipRequest& request, const Run& run) {
  const MembershipStatistic chosen = statistic_called(request.statistic);
  const Seeded seeded = with_seed(run, request.seed);
  MembershipAttack attack(request, seeded.seed, run);
  if (chosen == MembershipStatistic::beacon && !attack.has_size()) {
    throw Error::input("the beacon test needs the number of people in the pool")
        .hint("Give it with --pool-size.");
  }
  if (chosen == MembershipStatistic::wang || !request.r2.empty()) attack.read_linkage();
  const Groups groups = attack.groups(attack.pool(), true);
  const MembershipScores& targets = *groups.targets;
  const std::uint64_t sites =
      targets.sites.empty() ? 0 : *std::max_element(targets.sites.begin(), targets.sites.end());
  const std::uint64_t compared = chosen == MembershipStatistic::wang ? attack.pairs() : sites;
  Json result = {{"statistic", request.statistic},
                 {"sites", sites},
                 {"pool_sites", attack.pool_sites()},
                 {"reference_sites", attack.reference_sites()},
                 {"targets", targets.names.size()},
                 {"pool_people", attack.has_size() ? Json(attack.pool_people()) : Json(nullptr)},
                 {"null_people", groups.null.names.size()},
                 {"null_from", attack.null_from},
                 {"power_from", attack.power_from},
                 {"power_is", attack.power_from == "simulation" ? "upper bound" : "measured"},
                 {"tried", compared > 0}};
  result.update(power_of(groups, chosen, compared));
  result["statistics"] = Json::object();
  for (const auto statistic : kStatistics) {
    if (statistic == MembershipStatistic::beacon && !attack.has_size()) continue;
    if (statistic == MembershipStatistic::wang && !attack.has_pairs()) continue;
    Json own = power_of(groups, statistic,
                        statistic == MembershipStatistic::wang ? attack.pairs() : sites);
    if (!attack.truth().empty()) {
      own["auc"] = auc_of(targets, statistic, attack.truth());
      own["false_positives"] = false_positives(groups, targets, statistic, attack.truth());
    }
    result["statistics"][std::string(name_of(statistic))] = own;
  }
  if (!attack.truth().empty()) {
    result["auc"] = auc_of(targets, chosen, attack.truth());
    result["false_positives"] = false_positives(groups, targets, chosen, attack.truth());
  }
  if (attack.p_values) result["p_values"] = *attack.p_values;
  if (attack.has_pairs()) result["pairs"] = attack.pairs();
  // Of simulated people sites are independent: there is nothing to compare.
  if (attack.null_from == "reference" && groups.null.independent_variance > 0) {
    const double deviation = NullDistribution(groups.null.of(MembershipStatistic::lr)).deviation();
    const double inflation = deviation * deviation / groups.null.independent_variance;
    result["linkage"] = {{"inflation", inflation},
                         {"effective_sites", inflation > 0 ? Json(static_cast<double>(sites) /
                                                                  std::max(inflation, 1.0))
                                                           : Json(nullptr)}};
  }

  const NullDistribution null(groups.null.of(chosen));
  const double above = null.threshold(request.alpha);
  const double below = null.lower_threshold(request.alpha);
  Json verdicts = Json::array();
  std::map<std::string, std::uint64_t> counts = {{"case", 0}, {"control", 0}, {"neither", 0}};
  for (std::size_t i = 0; i < targets.names.size(); ++i) {
    const double value = targets.of(chosen)[i];
    std::string verdict = "neither";
    if (targets.sites[i] > 0 && value > above) verdict = "case";
    if (targets.sites[i] > 0 && attack.has_control() && value < below) verdict = "control";
    ++counts[verdict];
    verdicts.push_back({{"sample", targets.names[i]},
                        {"verdict", verdict},
                        {"value", value},
                        {"p", null.p_value(value)}});
  }
  result["counts"] = counts;
  result["seed"] = seeded.seed;
  const auto defended_by = [&](const std::string& name, const Groups& under) {
    Json measured = {{"defence", name}};
    measured.update(power_of(under, chosen, compared));
    measured.erase("sites_needed");
    result["defences"].push_back(measured);
  };
  if (request.defences && compared > 0 && chosen == MembershipStatistic::wang) {
    defended_by("r2 rounded to 0.1", attack.groups_of_pairs(0.1, 1));
    defended_by("one pair in 10", attack.groups_of_pairs(0.01, 10));
    defended_by("one pair in 100", attack.groups_of_pairs(0.01, 100));
  } else if (request.defences && compared > 0) {
    for (const auto& defence : all_defences(seeded.seed)) {
      defended_by(defence.name, attack.groups(defended(attack.pool(), defence)));
    }
  }
  if (compared == 0) {
    result["note"] = chosen == MembershipStatistic::wang
                         ? "not tried: no pair of SNPs is in the reference and in the targets, and "
                           "linked in the reference"
                         : "not tried: pool, reference and targets have no variant in common";
  } else if (attack.power_from == "simulation") {
    result["note"] =
        "members are simulated from what the pool shows, and noise in it counts as theirs: power "
        "is an upper bound; --truth or a pool of genotypes measures it";
  } else if (groups.members.names.empty()) {
    result["note"] = "the truth names no member among the targets: how many are found is not known";
  }
  if (attack.known_by_genotypes() > 0) {
    const std::string before = result.value("note", "");
    result["note"] =
        (before.empty() ? "" : before + "; ") +
        fmt::format(
            "people of the reference who have the genotypes of targets, or of people of the pool, "
            "under other names are left out of it: {}",
            attack.known_by_genotypes());
  }
  Json for_a_person = result;
  result["verdicts"] = std::move(verdicts);
  const double power =
      result["power"]["0.05"].is_number() ? result["power"]["0.05"].get<double>() : 1;
  const bool passed = compared > 0 && (!request.fail_above || power <= *request.fail_above);
  return {result, passed, for_a_person};
}

}  // namespace pratique::genomes::flow
