#include "pratique/tables/method/local.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>

#include "pratique/tables/method/full_domain.h"
#include "pratique/tables/method/internal/local_classes.h"
#include "pratique/tables/method/internal/search_time.h"
#include "pratique/tables/method/internal/unsatisfied.h"
#include "pratique/tables/metric/metrics.h"

namespace pratique::tables {
namespace {

using internal::LocalClasses;

// The classes of a round, at its levels.
std::vector<LocalClasses::Class> classes_of(const ProtectionInput& input, const Levels& levels,
                                            const Recoding& round) {
  std::vector<LocalClasses::Class> classes(round.class_count);
  for (std::size_t i = 0; i < round.groups.size(); ++i) {
    auto& joined = classes[round.class_of[i]];
    joined.groups.push_back(round.groups[i]);
    joined.records += round.counts[i];
  }
  for (auto& eq_class : classes) {
    for (std::size_t a = 0; a < input.attributes.size(); ++a) {
      const Attribute& attribute = input.attributes[a];
      const Code code = attribute.column->codes[eq_class.groups.front()];
      eq_class.cells.push_back(attribute.hierarchy->ancestor(attribute.leaf[code], levels[a]));
    }
  }
  return classes;
}

class LocalRecoder {
 public:
  LocalRecoder(const ProtectionInput& input, const Models& models, const LocalOptions& options)
      : input_(input),
        models_(models),
        options_(options),
        classes_(input, models),
        left_(*input.counts),
        round_of_(left_.size(), kNoRound),
        records_(std::accumulate(left_.begin(), left_.end(), std::uint64_t{0})),
        may_stay_out_(options.suppression * static_cast<double>(records_)) {}

  LocalResult run(Progress& progress) {
    ProtectionInput rest = input_;
    rest.counts = &left_;
    OptimalOptions search;
    search.suppression = 1;
    search.suppressed_cell = std::min(1.0, options_.suppressed_cell);
    search.best_effort_nodes = options_.best_effort_nodes;
    constexpr double kForLeftovers = 2;  // rounds
    double to_come = kForLeftovers + 1 +
                     std::ceil(std::log(1 / search.suppressed_cell) / std::log(options_.growth));
    const internal::SearchTime time(options_.time_limit, progress);
    if (options_.may_give_up) give_up_ = [&] { return time.is_over(); };
    if (options_.start) {
      exact_ = false;
      rounds_.push_back(take(rest, *options_.start));
      offer({});
    }
    while (records_ > 0) {
      if (time.is_over()) {
        exact_ = false;
        if (!rounds_.empty()) break;
        search.suppressed_cell = 1;  // so that there is something to return
      }
      const bool last = search.suppressed_cell >= 1;
      search.time_limit = time.share(1 / to_come);
      to_come = std::max(kForLeftovers, to_come - 1);
      // It must be better than to leave all records to later rounds.
      search.below_cost = last ? std::numeric_limits<double>::infinity() : search.suppressed_cell;
      const auto node = optimal_node(rest, models_, search, progress);
      if (node) {
        exact_ = exact_ && node->exact;
        rounds_.push_back(take(rest, node->levels));
        offer({});
      }
      if (last) break;
      search.suppressed_cell = std::min(1.0, search.suppressed_cell * options_.growth);
    }
    if (records_ > 0 && !classes_.all().empty()) offer(leftovers());
    give_up_ = [] { return false; };
    if (!best_ && gave_up_) {
      best_.emplace();
      best_->gave_up = true;
    }
    if (!best_) internal::throw_unsatisfied(input_, models_);
    best_->exact = exact_ && !gave_up_;
    return std::move(*best_);
  }

 private:
  // The classes that satisfy the models at these levels.
  LocalRound take(const ProtectionInput& rest, const Levels& levels) {
    const Recoding round = apply_levels(rest, levels, models_);
    LocalRound taken{levels, 0, round.class_count};
    for (std::size_t i = 0; i < round.groups.size(); ++i) {
      left_[round.groups[i]] = 0;
      round_of_[round.groups[i]] = static_cast<std::uint32_t>(rounds_.size());
      taken.records += round.counts[i];
    }
    records_ -= taken.records;
    for (auto& eq_class : classes_of(input_, levels, round)) classes_.add(std::move(eq_class));
    return taken;
  }

  [[nodiscard]] std::vector<LocalClasses::Class> leftovers() const {
    std::vector<LocalClasses::Class> singles;
    for (std::uint32_t group = 0; group < left_.size(); ++group) {
      if (left_[group] > 0) singles.push_back(classes_.single(group));
    }
    return singles;
  }

  // What the classes so far would release, with these leftovers among them and the others left out.
  // It is taken where so few may be, and it loses less than what was offered before.
  void offer(std::vector<LocalClasses::Class> placed) {
    LocalResult offered;
    for (const auto& leftover : placed) offered.leftovers += leftover.records;
    if (static_cast<double>(records_ - offered.leftovers) > may_stay_out_) return;
    offered.rounds = rounds_;
    offered.round_of = round_of_;
    std::replace(offered.round_of.begin(), offered.round_of.end(), kNoRound,
                 static_cast<std::uint32_t>(rounds_.size()));
    LocalClasses classes = classes_;
    const auto homeless = settle(classes, std::move(placed));
    if (!homeless) {
      gave_up_ = true;
      return;
    }
    const std::uint64_t out = records_ - offered.leftovers + *homeless;
    if (static_cast<double>(out) > may_stay_out_ || classes.all().empty()) return;
    offered.recoding = classes.print(out);
    if (!keeps_limits(input_, offered.recoding)) return;  // leftovers made a class too coarse
    const double loss = loss_metric(input_, offered.recoding);
    if (best_ && loss >= least_loss_) return;
    least_loss_ = loss;
    best_ = std::move(offered);
  }

  // How many records fit nowhere. They are tried again as one: together with all classes that is
  // all records. Nothing where it gave up.
  std::optional<std::uint64_t> settle(LocalClasses& classes,
                                      std::vector<LocalClasses::Class> placed) const {
    auto homeless = classes.settle(std::move(placed), give_up_);
    while (homeless && !homeless->empty()) {
      auto together = std::move(homeless->front());
      for (std::size_t i = 1; i < homeless->size(); ++i) {
        together = classes.united(together, (*homeless)[i]);
      }
      if (classes.holds(together)) {
        classes.add(std::move(together));
        homeless = classes.settle({}, give_up_);
        continue;
      }
      homeless = classes.settle({together}, give_up_);
      if (homeless && homeless->size() == 1 && homeless->front().groups == together.groups) break;
    }
    if (!homeless) return std::nullopt;
    std::uint64_t records = 0;
    for (const auto& leftover : *homeless) records += leftover.records;
    return records;
  }

  static constexpr std::uint32_t kNoRound = std::numeric_limits<std::uint32_t>::max();

  const ProtectionInput& input_;
  const Models& models_;
  const LocalOptions& options_;
  LocalClasses classes_;
  std::vector<std::uint64_t> left_;  // by group: its records that no round took
  std::vector<std::uint32_t> round_of_;
  std::uint64_t records_;  // in no class
  double may_stay_out_;
  std::vector<LocalRound> rounds_;
  std::optional<LocalResult> best_;
  double least_loss_ = 0;
  bool exact_ = true;
  std::function<bool()> give_up_ = [] { return false; };
  bool gave_up_ = false;
};

}  // namespace

LocalResult local_recoding(const ProtectionInput& input, const Models& models,
                           const LocalOptions& options, Progress& progress) {
  return LocalRecoder(input, models, options).run(progress);
}

}  // namespace pratique::tables
