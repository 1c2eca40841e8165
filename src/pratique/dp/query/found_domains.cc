#include "pratique/dp/query/found_domains.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "pratique/dp/bounds/found_bounds.h"
#include "pratique/dp/person_rows.h"

namespace pratique::dp {
namespace {

bool needs_bounds(AggregateKind kind) {
  return kind == AggregateKind::sum || kind == AggregateKind::average ||
         kind == AggregateKind::variance || kind == AggregateKind::quantile;
}

}  // namespace

std::vector<UnboundedAggregate> unbounded_aggregates(const Question& question,
                                                     const std::vector<Domain>& declared) {
  std::vector<UnboundedAggregate> missing;
  for (std::size_t i = 0; i < question.aggregates.size(); ++i) {
    const Aggregate& aggregate = question.aggregates[i];
    if (!needs_bounds(aggregate.kind)) continue;
    const std::string& column = aggregate.of->column();
    const std::string& alias = question.aggregate_names[i];
    if (domain_of(declared, alias) != nullptr) continue;
    if (!column.empty() && domain_of(declared, column) != nullptr) continue;
    const std::string& name = column.empty() ? alias : column;
    const bool known = std::any_of(missing.begin(), missing.end(),
                                   [&](const auto& other) { return other.name == name; });
    if (!known) missing.push_back({name, i});
  }
  return missing;
}

std::vector<FoundDomain> find_domains(const Question& question,
                                      const std::vector<UnboundedAggregate>& missing,
                                      const QueryRows& rows, std::uint64_t max_rows,
                                      Epsilon epsilon, Noise& noise) {
  std::map<std::size_t, std::size_t> place;
  const auto columns = question.columns();
  for (std::size_t i = 0; i < columns.size(); ++i) place[columns[i]] = i;
  const auto cells_at = [&](std::size_t at) {
    return [&, at](std::size_t column) { return rows.table.columns[place.at(column)].text(at); };
  };
  std::vector<std::uint64_t> counts = rows.counts;
  for (std::size_t at = 0; at < counts.size(); ++at) {
    if (question.where && !question.where->holds(cells_at(at))) counts[at] = 0;
  }
  RandomBits choice = noise.phase("rows for bounds");
  if (rows.person != nullptr) counts = rows_within(counts, *rows.person, max_rows, choice);
  std::vector<FoundDomain> domains;
  for (const auto& [name, index] : missing) {
    std::vector<WeightedNumber> numbers;
    for (std::size_t at = 0; at < counts.size(); ++at) {
      if (counts[at] == 0) continue;
      const auto number = number_in(question.aggregates[index].of->value(cells_at(at)));
      if (number) numbers.push_back({*number, counts[at]});
    }
    RandomBits of_magnitudes = noise.phase(fmt::format("magnitudes of {}", name));
    RandomBits of_steps = noise.phase(fmt::format("steps of {}", name));
    const auto bounds =
        find_bounds(numbers, max_rows, epsilon.part_of(missing.size()), of_magnitudes, of_steps);
    domains.push_back(
        {Domain::range(name, bounds.range.low, bounds.range.high), bounds.above_noise});
  }
  return domains;
}

}  // namespace pratique::dp
