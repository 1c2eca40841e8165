// safe-versions: since earlier releases a class lost nobody, and gained nobody or enough.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "pratique/core/guarded_file.h"
#include "pratique/engine/people.h"
#include "pratique/verify/internal/claim_reader.h"
#include "pratique/verify/internal/model_claims.h"
#include "pratique/verify/internal/spelling.h"

namespace pratique::verify {
namespace {

using Texts = std::vector<std::string>;
using Multiset = std::multiset<Texts>;
// By the cells of its quasi-identifiers: the values of each person.
using ClassesOfVersion = std::map<Texts, Multiset>;

ClassesOfVersion read_classes(const ClaimContext& context, const Source& source,
                              const Texts& quasi_identifiers, const Texts& counted) {
  Texts columns = quasi_identifiers;
  columns.insert(columns.end(), counted.begin(), counted.end());
  const GroupedTable people =
      group_people(context.engine, source, columns, person_in(context.claim), context.progress);
  ClassesOfVersion classes;
  for (std::size_t row = 0; row < people.counts.size(); ++row) {
    Texts texts;
    for (const auto& column : people.groups.columns) texts.emplace_back(column.text(row));
    const auto middle = texts.begin() + static_cast<std::ptrdiff_t>(quasi_identifiers.size());
    Texts values;  // whoever reads two versions sees through the spelling
    for (auto value = middle; value != texts.end(); ++value)
      values.push_back(without_spelling(*value));
    Multiset& group = classes[Texts(texts.begin(), middle)];
    for (std::uint64_t i = 0; i < people.counts[row]; ++i) group.insert(values);
  }
  return classes;
}

Multiset only(const Multiset& values, std::size_t column) {
  Multiset part;
  for (const auto& value : values) part.insert({value[column]});
  return part;
}

// The smallest part of a class that is somebody's, and whether all parts are large enough.
class Judge {
 public:
  explicit Judge(double k) : k_(k) {}

  // A class that lost anybody must not be there: over three versions, what one lost and another
  // kept tells of people of whom no two versions tell.
  void compare(const Multiset& before, const Multiset& now, double l) {
    if (!std::includes(now.begin(), now.end(), before.begin(), before.end())) ++broken_;
    Multiset gained;
    std::set_difference(now.begin(), now.end(), before.begin(), before.end(),
                        std::inserter(gained, gained.end()));
    look_at(before, 1);
    look_at(gained, l);
  }

  [[nodiscard]] double smallest() const { return smallest_; }
  [[nodiscard]] std::uint64_t broken() const { return broken_; }

 private:
  void look_at(const Multiset& part, double l) {
    if (part.empty()) return;
    const auto people = static_cast<double>(part.size());
    const auto distinct = static_cast<double>(std::set<Texts>(part.begin(), part.end()).size());
    smallest_ = std::min(smallest_, people);
    if (people < k_ || distinct < l) ++broken_;
  }

  double k_;
  double smallest_ = std::numeric_limits<double>::infinity();
  std::uint64_t broken_ = 0;
};

// Whether a cell stands above another, by the paths of the claim.
bool overlap(const Json& labels, const std::string& column, const std::set<std::string>& cells) {
  if (!labels.contains(column)) return false;
  if (!labels[column].is_array()) throw malformed("'labels' has no paths");
  for (const auto& path : labels[column]) {
    const auto up = texts_of(path, "labels");
    if (up.empty()) throw malformed("'labels' has an empty path");
    if (!cells.contains(up.front())) continue;
    for (std::size_t i = 1; i < up.size(); ++i) {
      if (up[i] != up.front() && cells.contains(up[i])) return true;
    }
  }
  return false;
}

void collect_cells(const ClassesOfVersion& classes, std::vector<std::set<std::string>>& cells) {
  for (const auto& [group, values] : classes) {
    for (std::size_t c = 0; c < group.size(); ++c) cells[c].insert(group[c]);
  }
}

}  // namespace

ClaimResult check_versions(const ClaimContext& context) {
  const Json& claim = context.claim;
  ClaimResult result;
  result.required = count_in(claim, "k");
  const auto quasi_identifiers = names_in(claim, "quasi_identifiers");
  for (const char* key : {"diversity", "labels"}) {
    if (!claim.contains(key) || !claim[key].is_object())
      throw malformed(fmt::format("'{}' does not name columns", key));
  }
  if (!claim.contains("earlier") || !claim["earlier"].is_array() || claim["earlier"].empty())
    throw malformed("no earlier releases");
  Texts counted;
  std::vector<double> least;
  for (const auto& [column, l] : claim["diversity"].items()) {
    counted.push_back(column);
    least.push_back(count_in(claim["diversity"], column));
  }
  const auto now = read_classes(context, context.release, quasi_identifiers, counted);
  Judge judge(result.required);
  for (const auto& release : claim["earlier"]) {
    if (!release.is_object()) throw malformed("an earlier release without a path");
    const std::string path = text_in(release, "path");
    refuse_recorded_device(path);
    if (context.engine.identify(path).sha256 != text_in(release, "sha256")) {
      result.explanation = "an earlier release is not the one that the claim was made with";
      return result;
    }
    const Source source = context.engine.open(path, {}, context.progress);
    const auto before = read_classes(context, source, quasi_identifiers, counted);
    std::vector<std::set<std::string>> cells(quasi_identifiers.size());
    collect_cells(before, cells);
    collect_cells(now, cells);
    for (std::size_t c = 0; c < cells.size(); ++c) {
      if (!overlap(claim["labels"], quasi_identifiers[c], cells[c])) continue;
      result.explanation =
          fmt::format("classes of the releases overlap: in '{}' one cell stands above another",
                      quasi_identifiers[c]);
      return result;
    }
    for (const auto& [group, values] : now) {
      const auto earlier = before.find(group);
      if (earlier == before.end()) continue;
      judge.compare(earlier->second, values, 1);
      for (std::size_t c = 0; c < counted.size(); ++c) {
        judge.compare(only(earlier->second, c), only(values, c), std::max(least[c], 2.0));
      }
    }
  }
  result.achieved = judge.smallest();
  result.holds = judge.broken() == 0;
  result.explanation =
      result.holds
          ? fmt::format(
                "no class lost anybody since {} earlier {}, and what it gained is of nobody or of "
                "enough people and values",
                claim["earlier"].size(), claim["earlier"].size() == 1 ? "release" : "releases")
          : fmt::format(
                "{} times a class lost somebody, or gained what is of too few people or values",
                judge.broken());
  return result;
}

}  // namespace pratique::verify
