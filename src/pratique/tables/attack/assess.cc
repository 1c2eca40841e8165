#include "pratique/tables/attack/assess.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

#include "pratique/core/error.h"
#include "pratique/tables/attack/containment_index.h"

namespace pratique::tables {
namespace {

// Everything about one sensitive column follows from how often each value occurs in each class.
AttributeDisclosure disclosure(const CountedTable& table, const Column& column,
                               const EquivalenceClasses& classes,
                               const std::vector<std::uint64_t>& sizes) {
  const EquivalenceClasses parts = classes.refined_by(CodedColumn::of(column));
  const auto part_sizes = records_per_class(parts, table);
  std::vector<double> whole(column.dictionary.size(), 0);
  double total = 0;
  for (ClassId part = 0; part < parts.count(); ++part) {
    const std::uint32_t row = parts.representative(part);
    whole[column.codes[row]] += static_cast<double>(part_sizes[part]);
    total += static_cast<double>(part_sizes[part]);
  }

  struct Inside {
    double n_log_n = 0;
    double distance = 0;
    std::uint32_t distinct = 0;
    double most = 0;
  };
  std::vector<Inside> inside(classes.count());
  for (ClassId part = 0; part < parts.count(); ++part) {
    const std::uint32_t row = parts.representative(part);
    const ClassId id = classes.class_of(row);
    const auto n = static_cast<double>(part_sizes[part]);
    const double share = n / static_cast<double>(sizes[id]);
    if (n > 1) inside[id].n_log_n += n * std::log(n);
    // p and q both sum to 1, so half the sum of |p - q| is the sum of p - q where p is larger.
    inside[id].distance += std::max(0.0, share - whole[column.codes[row]] / total);
    inside[id].most = std::max(inside[id].most, n);
    ++inside[id].distinct;
  }

  AttributeDisclosure result;
  result.column = column.name;
  bool first = true;
  double smallest_entropy = 0;
  for (ClassId id = 0; id < classes.count(); ++id) {
    const auto size = static_cast<double>(sizes[id]);
    const double entropy = std::max(0.0, std::log(size) - inside[id].n_log_n / size);
    smallest_entropy = first ? entropy : std::min(smallest_entropy, entropy);
    result.l_distinct = first ? inside[id].distinct
                              : std::min<std::uint64_t>(result.l_distinct, inside[id].distinct);
    result.t = std::max(result.t, inside[id].distance);
    result.alpha = std::max(result.alpha, inside[id].most / size);
    first = false;
  }
  if (!first) result.l_entropy = std::exp(smallest_entropy);
  return result;
}

// The ranges start at 1, 2, 3 and 5, then at 10, 20 and 50, at 100, 200 and 500, and so on.
std::vector<ClassSizes> class_sizes(const std::vector<std::uint64_t>& sizes) {
  if (sizes.empty()) return {};
  const std::uint64_t largest = *std::max_element(sizes.begin(), sizes.end());
  std::vector<std::uint64_t> starts = {1, 2, 3, 5};
  for (std::uint64_t power = 10; starts.back() <= largest; power *= 10) {
    for (const std::uint64_t step : {1, 2, 5}) starts.push_back(step * power);
  }
  std::vector<ClassSizes> ranges(starts.size());
  for (const std::uint64_t size : sizes) {
    const auto next = std::upper_bound(starts.begin(), starts.end(), size);
    ClassSizes& range = ranges[static_cast<std::size_t>(next - starts.begin()) - 1];
    ++range.classes;
    range.rows += size;
  }
  for (std::size_t i = 0; i + 1 < ranges.size(); ++i) {
    ranges[i].from = starts[i];
    ranges[i].to = starts[i + 1] - 1;
  }
  std::erase_if(ranges, [](const ClassSizes& range) { return range.classes == 0; });
  return ranges;
}

// F of every class.
std::vector<std::uint64_t> people_matched(const Table& table, std::span<const std::size_t> columns,
                                          const EquivalenceClasses& classes,
                                          const Population& population, Progress& progress) {
  std::vector<ContainmentIndex::LinkedColumn> linked;
  std::vector<CodedColumn> originals;
  for (const std::size_t column : columns) {
    const Column& cells = table.columns[column];
    const Column& values = population.table.table.column(cells.name);
    const auto hierarchy = population.hierarchies.find(cells.name);
    linked.push_back(
        {&cells, &values, hierarchy == population.hierarchies.end() ? nullptr : hierarchy->second});
    originals.push_back(CodedColumn::of(values));
  }
  const auto people = EquivalenceClasses::of(originals, population.table.table.rows());
  const auto alike = records_per_class(people, population.table);
  const ContainmentIndex index(std::move(linked), classes.representatives(),
                               people.representatives(), progress);
  std::vector<std::atomic<std::uint64_t>> matched(classes.count());
  index.for_each_original(
      [&](std::size_t original, std::span<const ClassId> containing) {
        for (const ClassId id : containing) {
          matched[id].fetch_add(alike[original], std::memory_order_relaxed);
        }
      },
      progress);
  return {matched.begin(), matched.end()};
}

std::optional<std::uint64_t> people_in_all(const PopulationSize& size, std::uint64_t rows) {
  if (size.sampling_fraction) {
    return std::max(rows, static_cast<std::uint64_t>(
                              std::llround(static_cast<double>(rows) / *size.sampling_fraction)));
  }
  if (size.people && *size.people < rows) {
    throw Error::input(
        fmt::format("a population of {} has fewer people than the table, which has {}",
                    *size.people, rows))
        .hint("--population-size counts everybody the table was drawn from, those in it included.");
  }
  return size.people;
}

}  // namespace

std::vector<std::size_t> column_indices(const Table& table, const std::vector<std::string>& names) {
  std::vector<std::size_t> indices;
  indices.reserve(names.size());
  for (const auto& name : names) {
    indices.push_back(static_cast<std::size_t>(&table.column(name) - table.columns.data()));
  }
  return indices;
}

std::optional<ClassId> suppressed_class(const Table& table, std::span<const std::size_t> columns,
                                        const EquivalenceClasses& classes) {
  if (columns.empty()) return std::nullopt;
  std::vector<Code> star;
  for (const std::size_t column : columns) {
    const auto code = table.columns[column].dictionary.find(kSuppressed);
    if (!code) return std::nullopt;
    star.push_back(*code);
  }
  for (ClassId id = 0; id < classes.count(); ++id) {
    const std::uint32_t row = classes.representative(id);
    std::size_t stars = 0;
    while (stars < star.size() && table.columns[columns[stars]].codes[row] == star[stars]) ++stars;
    if (stars == star.size()) return id;
  }
  return std::nullopt;
}

Assessment assess(const CountedTable& counted, const std::vector<std::string>& quasi_identifiers,
                  const std::vector<std::string>& sensitive,
                  const std::optional<Population>& population, Progress& progress,
                  PopulationSize people) {
  const Table& table = counted.table;
  const auto columns = column_indices(table, quasi_identifiers);
  progress.begin("grouping rows", 1 + sensitive.size());
  const auto classes = EquivalenceClasses::of(table, columns);
  progress.advance(1);
  const auto suppressed = suppressed_class(table, columns, classes);

  Assessment result;
  const auto sizes = records_per_class(classes, counted);
  result.rows = std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
  result.suppressed = suppressed ? sizes[*suppressed] : 0;
  result.classes = classes.count();
  const auto kept = static_cast<double>(result.rows);
  for (ClassId id = 0; id < classes.count(); ++id) {
    const std::uint64_t size = sizes[id];
    result.k = result.k == 0 ? size : std::min(result.k, size);
    if (size == 1) ++result.unique;
  }
  result.class_sizes = class_sizes(sizes);
  if (const auto all = people_in_all(people, result.rows)) {
    result.population_uniques = estimate_population_uniques(sizes, *all);
  }
  for (const std::size_t column : column_indices(table, sensitive)) {
    result.sensitive.push_back(disclosure(counted, table.columns[column], classes, sizes));
    progress.advance(1);
  }

  if (result.k > 0) {
    result.risk.prosecutor_max = 1.0 / static_cast<double>(result.k);
    result.risk.prosecutor_mean = static_cast<double>(result.classes) / kept;
    result.risk.journalist_max = result.risk.prosecutor_max;
    result.risk.marketer = result.risk.prosecutor_mean;
  }
  if (population) {
    const auto matched = people_matched(table, columns, classes, *population, progress);
    Assessment::KMap k_map;
    double largest = 0;
    double sum = 0;
    bool first = true;
    for (ClassId id = 0; id < classes.count(); ++id) {
      const std::uint64_t size = sizes[id];
      k_map.k = first ? matched[id] : std::min(k_map.k, matched[id]);
      first = false;
      if (matched[id] == 0) k_map.unmatched += size;
      if (size == 1 && matched[id] == 1) ++k_map.unique;
      const double risk = 1.0 / static_cast<double>(std::max(matched[id], size));
      largest = std::max(largest, risk);
      sum += risk * static_cast<double>(size);
    }
    result.k_map = k_map;
    result.risk.journalist_max = largest;
    result.risk.marketer = kept > 0 ? sum / kept : 0;
  }
  return result;
}

}  // namespace pratique::tables
