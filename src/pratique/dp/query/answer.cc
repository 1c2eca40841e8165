#include "pratique/dp/query/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "pratique/core/error.h"
#include "pratique/dp/mechanism/discrete_laplace.h"
#include "pratique/dp/mechanism/selection.h"
#include "pratique/dp/mechanism/threshold_report.h"
#include "pratique/dp/person_rows.h"

namespace pratique::dp {
namespace {

constexpr double kQueryDoubt = 0.05;
constexpr std::uint64_t kGridSteps = std::uint64_t{1} << 20U;
constexpr std::size_t kQuantilePoints = 1025;
constexpr std::uint64_t kMostDeclaredGroups = 1'000'000;

// What one group adds up to for one aggregate.
struct GroupSums {
  std::int64_t count = 0;
  std::int64_t sum = 0;
  std::int64_t squares = 0;
  // Of quantiles: values by grid point. Only those there are, as there may be many groups.
  std::map<std::size_t, std::int64_t> points;
};

struct GroupTotals {
  std::int64_t people = 0;
  std::vector<GroupSums> sums;
};

// One aggregate with its noise.
struct AggregatePart {
  Aggregate aggregate;
  Epsilon epsilon;
  NumberRange bounds = {};
  double unit = 0;  // of the grid
  std::vector<DiscreteLaplace> noises = {};
  std::vector<NoisyMaximum> maxima = {};   // the value, and an end of the interval
  std::array<double, 2> rank_errors = {};  // in rows, beside the maxima

  [[nodiscard]] double middle() const { return (bounds.low + bounds.high) / 2; }
  [[nodiscard]] double half_width() const { return (bounds.high - bounds.low) / 2; }
};

// At most `most` steps either way, whatever rounding makes of bounds that hardly differ: the noise
// is made for that.
std::int64_t on_grid(double value, double unit, std::uint64_t most) {
  const auto furthest = static_cast<double>(most);
  return unit > 0 ? std::llround(std::clamp(value / unit, -furthest, furthest)) : 0;
}

NumberRange bounds_of(const Aggregate& aggregate, const std::string& name,
                      const std::vector<Domain>& domains) {
  const Domain* declared = domain_of(domains, name);
  const std::string& column = aggregate.of->column();
  if (declared == nullptr && !column.empty()) declared = domain_of(domains, column);
  if (declared == nullptr || !declared->numbers()) {
    throw Error::input(fmt::format("{} needs the bounds of its values", name))
        .hint(fmt::format("Declare them without looking at the data, such as --domain "
                          "{}=0..100; values beyond are clamped. Or have dp query find them: "
                          "--find-bounds 0.2 takes a fifth of epsilon for that.",
                          column.empty() ? name : column));
  }
  return *declared->numbers();
}

// Noisy numbers that a value is made of, each within its bound.
struct NoisyNumber {
  double value;
  double bound;
};

// The least and largest of `of` over all corners of the bounds.
template <class Of>
AnswerCell from_corners(std::span<const NoisyNumber> numbers, const Of& of) {
  std::vector<double> at(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) at[i] = numbers[i].value;
  AnswerCell cell{.value = of(at), .low = of(at), .high = of(at)};
  for (std::size_t corner = 0; corner < std::size_t{1} << numbers.size(); ++corner) {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      at[i] = numbers[i].value + ((corner >> i) % 2 == 0 ? -1 : 1) * numbers[i].bound;
    }
    const double value = of(at);
    cell.low = std::min(cell.low, value);
    cell.high = std::max(cell.high, value);
  }
  return cell;
}

AggregatePart part_for(const Aggregate& aggregate, const std::string& name, Epsilon epsilon,
                       const QueryLimits& limits, const std::vector<Domain>& domains) {
  AggregatePart part{.aggregate = aggregate, .epsilon = epsilon};
  const std::uint64_t rows = limits.max_rows;
  const auto add_noise = [&](Epsilon share, std::uint64_t sensitivity) {
    part.noises.emplace_back(share.over(sensitivity));
  };
  switch (aggregate.kind) {
    case AggregateKind::count_rows:
    case AggregateKind::count_values:
      add_noise(epsilon, rows);
      return part;
    case AggregateKind::count_people:
      add_noise(epsilon, std::min(rows, limits.max_groups));
      return part;
    case AggregateKind::sum:
      part.bounds = bounds_of(aggregate, name, domains);
      part.unit = std::max(std::abs(part.bounds.low), std::abs(part.bounds.high)) / kGridSteps;
      add_noise(epsilon, kGridSteps * rows);
      return part;
    case AggregateKind::average:
      part.bounds = bounds_of(aggregate, name, domains);
      part.unit = part.half_width() / kGridSteps;
      add_noise(epsilon.part_of(2), rows);
      add_noise(epsilon.part_of(2), kGridSteps * rows);
      return part;
    case AggregateKind::variance:
      part.bounds = bounds_of(aggregate, name, domains);
      part.unit = part.half_width() / kGridSteps;
      add_noise(epsilon.part_of(3), rows);
      add_noise(epsilon.part_of(3), kGridSteps * rows);
      add_noise(epsilon.part_of(3), kGridSteps * rows);
      return part;
    case AggregateKind::quantile:
      part.bounds = bounds_of(aggregate, name, domains);
      part.unit = (part.bounds.high - part.bounds.low) / (kQuantilePoints - 1);
      // In halves of rows, so that half of all rows is a whole number of these.
      if (aggregate.quantile.a == 0 || aggregate.quantile.a == aggregate.quantile.b) {
        part.aggregate.quantile = {aggregate.quantile.a == 0 ? 0U : 2U, 2};
      }
      const auto [a, b] = part.aggregate.quantile;
      const std::uint64_t step = std::max(a, b - a) * rows;
      for (const std::uint64_t parts : {2, 4}) {
        const Epsilon share = epsilon.part_of(parts);
        part.maxima.emplace_back(step, share);
        // All noises together stay below this with 97.5 %.
        const double furthest =
            std::log(kQuantilePoints / (kQueryDoubt / 2)) / share.over(2 * step).value();
        part.rank_errors[parts == 2 ? 0 : 1] = furthest / static_cast<double>(b);
      }
      return part;
  }
  return part;
}

void add_value(const AggregatePart& part, double value, std::int64_t times, GroupSums& sums) {
  const double clamped = std::clamp(value, part.bounds.low, part.bounds.high);
  if (part.aggregate.kind == AggregateKind::sum) {
    sums.sum += times * on_grid(clamped, part.unit, kGridSteps);
  } else if (part.aggregate.kind == AggregateKind::quantile) {
    const auto point = on_grid(clamped - part.bounds.low, part.unit, kQuantilePoints - 1);
    sums.points[static_cast<std::size_t>(point)] += times;
  } else {
    const double distance = clamped - part.middle();
    sums.sum += times * on_grid(distance, part.unit, kGridSteps);
    const double share =
        part.half_width() > 0 ? std::clamp(distance / part.half_width(), -1.0, 1.0) : 0;
    sums.squares += times * std::llround(share * share * kGridSteps);
  }
}

// The grid point whose rank is nearest to the wanted one, by the noisy maximum. The first and the
// last point stand for everything beyond, too.
double chosen_point(const AggregatePart& part, const GroupSums& sums, const NoisyMaximum& maximum,
                    double rows_further, std::int64_t furthest, RandomBits& random) {
  const auto a = static_cast<std::int64_t>(part.aggregate.quantile.a);
  const auto b = static_cast<std::int64_t>(part.aggregate.quantile.b);
  const std::int64_t further =
      static_cast<std::int64_t>(std::llround(rows_further * static_cast<double>(b)));
  const std::int64_t target = a * sums.count + std::clamp(further, -furthest, furthest);
  std::vector<std::int64_t> values(kQuantilePoints);
  for (const auto& [point, times] : sums.points) values[point] = times;
  std::vector<std::int64_t> scores(kQuantilePoints);
  std::int64_t below = 0;
  for (std::size_t i = 0; i < kQuantilePoints; ++i) {
    const std::int64_t up_to = below + values[i];
    std::int64_t distance = 0;
    if (i + 1 < kQuantilePoints) distance = std::max(distance, target - b * up_to);
    if (i > 0) distance = std::max(distance, b * below - target);
    scores[i] = -distance;
    below = up_to;
  }
  return part.bounds.low + part.unit * static_cast<double>(maximum.choose(scores, random));
}

AnswerCell quantile_cell(const AggregatePart& part, const GroupSums& sums, RandomBits& random) {
  const auto [of_value, of_end] = part.rank_errors;
  // The very smallest and largest cannot be told apart from nobody's: a few rows further in.
  const double inwards = part.aggregate.quantile.a == 0                           ? of_value
                         : part.aggregate.quantile.a == part.aggregate.quantile.b ? -of_value
                                                                                  : 0;
  // At most to the median: of few rows, that many further in would be at the other end.
  constexpr std::int64_t kAnyDistance = std::int64_t{1} << 60U;
  const std::int64_t to_median = inwards == 0 ? kAnyDistance : sums.count;
  AnswerCell cell;
  cell.value = chosen_point(part, sums, part.maxima[0], inwards, to_median, random);
  const auto end_at = [&](double rows) {
    return chosen_point(part, sums, part.maxima[1], rows, kAnyDistance, random);
  };
  cell.low = std::min(cell.value, end_at(-of_end));
  cell.high = std::max(cell.value, end_at(of_end));
  // Values were rounded to the grid.
  cell.low = std::max(part.bounds.low, cell.low - part.unit / 2);
  cell.high = std::min(part.bounds.high, cell.high + part.unit / 2);
  return cell;
}

AnswerCell noisy_cell(const AggregatePart& part, const GroupSums& sums, RandomBits& random) {
  if (part.aggregate.kind == AggregateKind::quantile) return quantile_cell(part, sums, random);
  const std::array<std::int64_t, 3> truths = {sums.count, sums.sum, sums.squares};
  const double doubt = kQueryDoubt / static_cast<double>(part.noises.size());
  std::vector<NoisyNumber> numbers;
  for (std::size_t i = 0; i < part.noises.size(); ++i) {
    const std::int64_t truth = part.aggregate.kind == AggregateKind::sum ? sums.sum : truths[i];
    numbers.push_back({static_cast<double>(truth + part.noises[i].draw(random)),
                       static_cast<double>(part.noises[i].bound(doubt))});
  }
  const double half = part.half_width();
  switch (part.aggregate.kind) {
    case AggregateKind::sum:
      return from_corners(numbers, [&](const auto& at) { return at[0] * part.unit; });
    case AggregateKind::average:
      return from_corners(numbers, [&](const auto& at) {
        const double average = part.middle() + part.unit * at[1] / std::max(1.0, at[0]);
        return std::clamp(average, part.bounds.low, part.bounds.high);
      });
    case AggregateKind::variance:
      return from_corners(numbers, [&](const auto& at) {
        const double count = std::max(2.0, at[0]);
        const double mean = at[1] / kGridSteps / count;
        const double squares = at[2] / kGridSteps / count;
        const double variance = (squares - mean * mean) * count / (count - 1);
        return half * half * std::clamp(variance, 0.0, 2.0);
      });
    default:
      return from_corners(numbers, [](const auto& at) { return at[0]; });
  }
}

}  // namespace

struct QueryPlan::Parts {
  Question question;
  QueryLimits limits;
  PrivacyLoss loss;
  std::vector<AggregatePart> aggregates;
  std::vector<Domain> keys;  // declared; empty: they are found
  std::optional<ThresholdReport> report;

  using Groups = std::map<std::vector<std::string>, GroupTotals>;
  [[nodiscard]] Groups declared_groups() const;
  // The rows that count, by group; a person's are bounded.
  [[nodiscard]] Groups totals(const QueryRows& rows, RandomBits& random) const;
};

QueryPlan::Parts::Groups QueryPlan::Parts::declared_groups() const {
  Groups groups;
  const GroupTotals empty{.sums = std::vector<GroupSums>(aggregates.size())};
  if (report) return groups;
  std::vector<std::string> key(keys.size());
  std::uint64_t all = 1;
  for (const auto& domain : keys) all *= domain.cells();
  for (std::uint64_t i = 0; i < all; ++i) {
    std::uint64_t rest = i;
    for (std::size_t k = keys.size(); k-- > 0;) {
      key[k] = keys[k].value_of(rest % keys[k].cells());
      rest /= keys[k].cells();
    }
    groups.emplace(key, empty);
  }
  return groups;
}

QueryPlan::Parts::Groups QueryPlan::Parts::totals(const QueryRows& rows, RandomBits& random) const {
  Groups groups = declared_groups();
  const auto columns = question.columns();
  // Where a column of the file stands among those that were read.
  std::map<std::size_t, std::size_t> place;
  for (std::size_t i = 0; i < columns.size(); ++i) place[columns[i]] = i;

  struct Row {
    std::size_t at;
    Groups::iterator group;
  };
  const auto cells_at = [&](std::size_t at) {
    return [&, at](std::size_t column) { return rows.table.columns[place.at(column)].text(at); };
  };
  const auto kept = [&](std::size_t at) -> std::optional<Row> {
    const auto cells = cells_at(at);
    if (question.where && !question.where->holds(cells)) return std::nullopt;
    std::vector<std::string> key;
    for (std::size_t k = 0; k < question.keys.size(); ++k) {
      std::string text = text_of(question.keys[k].value(cells));
      if (!report) {
        const auto cell = keys[k].cell_of(text);
        if (!cell) return std::nullopt;
        text = keys[k].value_of(*cell);
      }
      key.push_back(std::move(text));
    }
    const auto group = groups.try_emplace(std::move(key)).first;
    group->second.sums.resize(aggregates.size());
    return Row{at, group};
  };
  const auto add = [&](const Row& row, std::int64_t times) {
    const auto cells = cells_at(row.at);
    for (std::size_t i = 0; i < aggregates.size(); ++i) {
      const AggregatePart& part = aggregates[i];
      GroupSums& sums = row.group->second.sums[i];
      if (part.aggregate.kind == AggregateKind::count_people) continue;
      if (part.aggregate.kind == AggregateKind::count_rows) {
        sums.count += times;
        continue;
      }
      const SqlValue value = part.aggregate.of->value(cells);
      if (part.aggregate.kind == AggregateKind::count_values) {
        sums.count += value.index() == 0 ? 0 : times;
        continue;
      }
      const auto number = number_in(value);
      if (!number) continue;
      sums.count += times;
      add_value(part, *number, times, sums);
    }
  };

  if (rows.person == nullptr) {
    for (std::size_t at = 0; at < rows.counts.size(); ++at) {
      const auto row = kept(at);
      if (!row) continue;
      const auto times = static_cast<std::int64_t>(rows.counts[at]);
      row->group->second.people += times;
      add(*row, times);
    }
    return groups;
  }

  std::vector<std::size_t> order(rows.counts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto person_of = people_of(*rows.person);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return person_of[a] < person_of[b]; });
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin;
    if (person_of[order[begin]] == kNobody) break;  // the last of all codes
    std::vector<std::pair<Row, std::uint64_t>> own;
    std::uint64_t all = 0;
    for (; end < order.size() && person_of[order[end]] == person_of[order[begin]]; ++end) {
      if (const auto row = kept(order[end])) {
        own.emplace_back(*row, rows.counts[order[end]]);
        all += rows.counts[order[end]];
      }
    }
    begin = end;
    // Every set of max_rows of the person's rows is as likely as any other.
    std::uint64_t wanted = std::min(all, limits.max_rows);
    std::vector<Groups::iterator> visited;
    for (auto& [row, times] : own) {
      std::uint64_t taken = 0;
      for (std::uint64_t i = 0; i < times; ++i, --all) {
        if (wanted < all && random.below(all) >= wanted) continue;
        ++taken;
        --wanted;
      }
      times = taken;
      if (taken > 0 && std::find(visited.begin(), visited.end(), row.group) == visited.end()) {
        visited.push_back(row.group);
      }
    }
    for (std::size_t i = visited.size(); i > 1; --i) {
      std::swap(visited[i - 1], visited[random.below(i)]);
    }
    if (visited.size() > limits.max_groups) visited.resize(limits.max_groups);
    for (const auto& [row, times] : own) {
      if (std::find(visited.begin(), visited.end(), row.group) == visited.end()) continue;
      if (times > 0) add(row, static_cast<std::int64_t>(times));
    }
    for (const auto group : visited) ++group->second.people;
  }
  return groups;
}

QueryPlan::QueryPlan(Question question, const std::vector<Domain>& domains,
                     const QueryLimits& limits, const PrivacyLoss& loss) {
  auto parts = std::make_unique<Parts>();
  parts->limits = {limits.max_rows, std::min(limits.max_groups, limits.max_rows)};
  parts->loss = loss;
  std::uint64_t groups = 1;
  bool declared = true;
  for (const auto& key : question.keys) {
    const Domain* domain = key.column().empty() ? nullptr : domain_of(domains, key.column());
    declared = declared && domain != nullptr;
    if (!declared) break;
    groups *= domain->cells();
    if (groups > kMostDeclaredGroups) {
      throw Error::input("the declared keys make more than a million groups")
          .hint("Declare fewer values, or leave --domain of a key out, which needs delta.");
    }
    parts->keys.push_back(*domain);
  }
  std::uint64_t shares = question.aggregates.size();
  if (!declared) {
    ++shares;
    parts->keys.clear();
    parts->report.emplace(parts->limits.max_groups, loss.epsilon.part_of(shares),
                          loss.delta.value());
  } else {
    parts->loss.delta = {};
  }
  for (std::size_t i = 0; i < question.aggregates.size(); ++i) {
    parts->aggregates.push_back(part_for(question.aggregates[i], question.aggregate_names[i],
                                         loss.epsilon.part_of(shares), parts->limits, domains));
  }
  parts->question = std::move(question);
  parts_ = std::move(parts);
}

QueryPlan::~QueryPlan() = default;
QueryPlan::QueryPlan(QueryPlan&&) noexcept = default;
QueryPlan& QueryPlan::operator=(QueryPlan&&) noexcept = default;

PrivacyLoss QueryPlan::loss() const { return parts_->loss; }
const Question& QueryPlan::question() const { return parts_->question; }

std::optional<std::int64_t> QueryPlan::threshold() const {
  if (!parts_->report) return std::nullopt;
  return parts_->report->threshold();
}

std::vector<AggregateCost> QueryPlan::expected(double rows) const {
  std::vector<AggregateCost> costs;
  for (const auto& part : parts_->aggregates) {
    AggregateCost cost{.epsilon = part.epsilon.value()};
    std::vector<double> bounds;
    for (const auto& noise : part.noises) {
      bounds.push_back(
          static_cast<double>(noise.bound(kQueryDoubt / static_cast<double>(part.noises.size()))));
    }
    const double half = part.half_width();
    switch (part.aggregate.kind) {
      case AggregateKind::sum:
        cost.error = bounds[0] * part.unit;
        break;
      case AggregateKind::average:
        cost.error = std::min(2 * half, (part.unit * bounds[1] + half * bounds[0]) / rows);
        break;
      case AggregateKind::variance:
        cost.error =
            std::min(half * half,
                     half * half * (bounds[0] + (2 * bounds[1] + bounds[2]) / kGridSteps) / rows);
        break;
      case AggregateKind::quantile:
        cost.error = 2 * part.rank_errors[1];
        cost.error_in_rows = true;
        break;
      default:
        cost.error = bounds[0];
    }
    costs.push_back(cost);
  }
  return costs;
}

std::vector<AnswerRow> QueryPlan::answer(const QueryRows& rows, Noise& noise) const {
  RandomBits choice = noise.phase("rows");
  const Parts::Groups groups = parts_->totals(rows, choice);
  RandomBits of_keys = noise.phase("keys");
  std::vector<RandomBits> of_aggregates;
  for (std::size_t i = 0; i < parts_->aggregates.size(); ++i) {
    of_aggregates.push_back(noise.phase(fmt::format("aggregate {}", i)));
  }
  std::vector<AnswerRow> answer;
  for (const auto& [key, totals] : groups) {
    if (parts_->report && (totals.people == 0 || !parts_->report->report(totals.people, of_keys))) {
      continue;
    }
    AnswerRow row{.keys = key, .cells = {}};
    for (std::size_t i = 0; i < parts_->aggregates.size(); ++i) {
      GroupSums sums = totals.sums[i];
      if (parts_->aggregates[i].aggregate.kind == AggregateKind::count_people) {
        sums.count = totals.people;
      }
      row.cells.push_back(noisy_cell(parts_->aggregates[i], sums, of_aggregates[i]));
    }
    answer.push_back(std::move(row));
  }
  return answer;
}

}  // namespace pratique::dp
