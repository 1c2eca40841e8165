#include "pratique/verify/internal/release_classes.h"

#include <algorithm>
#include <numeric>

#include "pratique/engine/people.h"
#include "pratique/verify/internal/claim_reader.h"

namespace pratique::verify {

std::vector<std::string> ReleaseClasses::cells_of(const ReleaseClass& group) const {
  std::vector<std::string> texts;
  for (std::size_t c = 0; c < width; ++c) {
    texts.emplace_back(cells.columns[c].text(group.representative));
  }
  return texts;
}

double ReleaseClasses::largest(double without_records,
                               const std::function<double(const ReleaseClass&)>& measure) const {
  if (classes.empty()) return without_records;
  double worst = measure(classes.front());
  for (const auto& group : classes) worst = std::max(worst, measure(group));
  return worst;
}

double ReleaseClasses::smallest(double without_records,
                                const std::function<double(const ReleaseClass&)>& measure) const {
  if (classes.empty()) return without_records;
  double worst = measure(classes.front());
  for (const auto& group : classes) worst = std::min(worst, measure(group));
  return worst;
}

ReleaseClasses count_classes(const ClaimContext& context, const std::vector<std::string>& counted) {
  const auto quasi_identifiers = names_in(context.claim, "quasi_identifiers");
  const auto person = person_in(context.claim);
  std::vector<std::string> columns = quasi_identifiers;
  columns.insert(columns.end(), counted.begin(), counted.end());
  const auto people_by = [&](const std::vector<std::string>& names) {
    return group_people(context.engine, context.release, names, person, context.progress);
  };
  GroupedTable grouped = people_by(columns);
  if (!person.empty()) {
    const auto in_classes = people_by(quasi_identifiers).rows();
    if (grouped.rows() != in_classes)
      throw malformed("a model that counts people by values of which somebody has several");
    if (in_classes != people_by({person}).rows())
      throw malformed("a model that counts people, of whom somebody is in several classes");
  }
  ReleaseClasses result;
  result.cells = std::move(grouped.groups);
  result.width = quasi_identifiers.size();
  const auto compare = [&](std::uint32_t a, std::uint32_t b) {
    for (std::size_t c = 0; c < result.width; ++c) {
      const auto& codes = result.cells.columns[c].codes;
      if (codes[a] != codes[b]) return codes[a] < codes[b] ? -1 : 1;
    }
    return 0;
  };
  std::vector<std::uint32_t> order(grouped.counts.size());
  std::iota(order.begin(), order.end(), 0);
  const auto before = [&](std::uint32_t a, std::uint32_t b) { return compare(a, b) < 0; };
  // The engine orders by values, columns from the first on: mostly there is nothing to do.
  if (!std::is_sorted(order.begin(), order.end(), before))
    std::sort(order.begin(), order.end(), before);
  for (std::size_t begin = 0; begin < order.size();) {
    ReleaseClass group{.representative = order[begin]};
    std::size_t end = begin;
    while (end < order.size() && compare(order[begin], order[end]) == 0) {
      group.records += static_cast<double>(grouped.counts[order[end++]]);
    }
    for (std::size_t c = 0; c < counted.size(); ++c) {
      const auto& codes = result.cells.columns[result.width + c].codes;
      Histogram all;
      for (std::size_t i = begin; i < end; ++i)
        all.emplace_back(codes[order[i]], static_cast<double>(grouped.counts[order[i]]));
      std::sort(all.begin(), all.end());
      Histogram& tally = group.values.emplace_back();
      for (const auto& [value, records] : all) {
        if (tally.empty() || tally.back().first != value) {
          tally.emplace_back(value, records);
        } else {
          tally.back().second += records;
        }
      }
    }
    result.classes.push_back(std::move(group));
    begin = end;
  }
  return result;
}

}  // namespace pratique::verify
