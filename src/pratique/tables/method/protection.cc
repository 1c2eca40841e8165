#include "pratique/tables/method/protection.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/tables/method/internal/nearest_bound.h"
#include "pratique/tables/method/internal/partition.h"
#include "pratique/tables/method/internal/unsatisfied.h"

namespace pratique::tables {
namespace {

// Those whose cells may not lose all.
std::vector<std::string> limited_columns(const ProtectionInput& input) {
  std::vector<std::string> names;
  for (const auto& attribute : input.attributes) {
    if (!std::isinf(attribute.most_leaves)) names.push_back(attribute.name);
  }
  return names;
}

// The options that limit them.
std::string limits_of(const ProtectionInput& input) {
  bool level = false;
  bool loss = false;
  for (const auto& attribute : input.attributes) {
    const bool by_level = attribute.most_level < attribute.hierarchy->height();
    level = level || by_level;
    loss = loss || (!by_level && !std::isinf(attribute.most_leaves));
  }
  return level && loss ? "--max-loss and --max-level" : level ? "--max-level" : "--max-loss";
}

Protected search(const ProtectionInput& input, const Models& models, const Method& method,
                 Progress& progress) {
  const MethodKind& kind = find_method(method.name);
  const auto limited = limited_columns(input);
  Protected released;
  try {
    released = kind.run(input, models, method, progress);
    if (!keeps_limits(input, released.recoding)) throw Error::check("a cell is too coarse");
  } catch (const Error& error) {
    if (error.code() != ErrorCode::check_failed || limited.empty()) throw;
    throw Error::check(
        fmt::format("nothing was found that satisfies the models and keeps {} of {}: {}",
                    limits_of(input), fmt::join(limited, ", "), error.message()))
        .hint(
            "Allow coarser cells, more --suppression, or ask less of the models. Nothing was "
            "written.");
  }
  if (kind.listens_to("recoding") && need_apart(models)) {
    released.note = "delta-presence needs disjoint classes: they are cut as by a strict mondrian";
  }
  if (released.recoding.groups.empty() && records_of(input) > 0) {
    internal::throw_unsatisfied(input, models);
  }
  return released;
}

// At a share of what they allow, where they compare with these records.
Models compared_with(const Models& models, const std::vector<std::uint64_t>& counts, double share) {
  Models others;
  for (const auto& model : models) {
    std::shared_ptr<const Model> other = model->about(counts, share);
    if (other == nullptr) other = model;
    others.push_back(std::move(other));
  }
  return others;
}

bool hold(const Models& models, const ProtectionInput& input, const Recoding& recoding) {
  ProtectionInput alone = input;  // of a population, what leaves is no other
  alone.population = nullptr;
  ModelCheck check(alone, models);
  const auto classes = classes_in(recoding);
  return std::all_of(classes.begin(), classes.end(),
                     [&](const Items& items) { return check.holds(items); });
}

// How many records a class that satisfies them holds at least: l values are as many records,
// whatever kind of l it is, and where no value may have more than a share, or no neighbourhood more
// than 1/m, there are so many.
std::uint64_t records_needed(const Models& models) {
  double needed = static_cast<double>(least_records(models));
  for (const auto& model : models) {
    const Json claim = model->claim({});
    needed = std::max({needed, claim.value("l", 0.0), claim.value("m", 0.0)});
    if (claim.contains("alpha"))
      needed = std::max(needed, 1 / std::max(claim["alpha"].get<double>(), 1e-6));
  }
  constexpr double kRounding = 1e-9;
  return static_cast<std::uint64_t>(std::ceil(needed - kRounding));
}

}  // namespace

Models models_of_release(const Models& models, const ProtectionInput& input,
                         const Recoding& recoding) {
  std::vector<std::uint64_t> leaving(input.groups(), 0);
  for (std::size_t i = 0; i < recoding.groups.size(); ++i) {
    leaving[recoding.groups[i]] += recoding.counts[i];
  }
  return compared_with(models, leaving, 1);
}

Protected protect(const ProtectionInput& input, const Models& models, const Method& method,
                  Progress& progress) {
  Protected released = search(input, models, method, progress);
  released.models = models_of_release(models, input, released.recoding);
  const auto settled = [&] {
    // Where nobody stays out, classes are close to all records if that is what was searched for.
    const bool as_asked = !released.searched_by_others &&
                          (released.recoding.suppressed == 0 || released.models == models);
    return as_asked || hold(released.models, input, released.recoding);
  };
  const auto search_by = [&](const Models& others) {
    released = search(input, others, method, progress);
    released.models = models_of_release(models, input, released.recoding);
    released.searched_by_others = true;
  };
  constexpr int kTries = 4;
  for (int attempt = 0; attempt < kTries && !settled(); ++attempt) {
    try {
      search_by(released.models);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::check_failed) throw;
      break;
    }
  }
  for (double share = 0.5; !settled(); share /= 2) {
    constexpr double kLeast = 0.05;
    if (share < kLeast) internal::throw_unsatisfied(input, models);
    search_by(compared_with(models, *input.counts, share));
  }
  return released;
}

std::optional<double> bound_of_loss(const ProtectionInput& input, const Models& models,
                                    const Method& method, std::optional<double> time_limit,
                                    Progress& progress) {
  const bool by_cells = method.metric == "lm" || method.metric == "ncp";
  if (!find_method(method.name).covers || !by_cells || progress.settled()) return std::nullopt;
  constexpr std::uint64_t kBoxes = 1'500'000;
  const double bound =
      internal::nearest_bound(input, records_needed(models), style_of(method),
                              method.metric == "ncp" ? Loss::ncp : Loss::lm, progress,
                              {.boxes = kBoxes, .time_limit = time_limit});
  if (bound <= 0) return std::nullopt;
  return bound;
}

}  // namespace pratique::tables
