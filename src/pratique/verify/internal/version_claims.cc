// safe-versions: since earlier releases a class lost nobody, and gained nobody or enough. Where a
// column says whose each row is, how many rows somebody has is part of what is compared.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "pratique/core/guarded_file.h"
#include "pratique/data/generalised.h"
#include "pratique/data/number.h"
#include "pratique/verify/internal/claim_reader.h"
#include "pratique/verify/internal/model_claims.h"
#include "pratique/verify/internal/spelling.h"

namespace pratique::verify {
namespace {

using Texts = std::vector<std::string>;
using Multiset = std::multiset<Texts>;
// The values of each person: as they are written, and as whoever reads two versions sees them.
struct ValuesOfPeople {
  Multiset written;
  Multiset read;
};
// By the cells of its quasi-identifiers.
using ClassesOfVersion = std::map<Texts, ValuesOfPeople>;

// None where somebody has several values: then people cannot be compared by them.
std::optional<ClassesOfVersion> read_classes(const ClaimContext& context, const Source& source,
                                             const Texts& quasi_identifiers, const Texts& counted) {
  const std::string person = person_in(context.claim);
  Texts columns = quasi_identifiers;
  columns.insert(columns.end(), counted.begin(), counted.end());
  if (!person.empty()) columns.push_back(person);
  const GroupedTable grouped = context.engine.group(source, columns, context.progress);
  std::set<std::string> people;
  ClassesOfVersion classes;
  for (std::size_t row = 0; row < grouped.counts.size(); ++row) {
    Texts texts;
    for (const auto& column : grouped.groups.columns) texts.emplace_back(column.text(row));
    if (!person.empty()) {
      if (!people.insert(texts.back()).second) return std::nullopt;
      texts.back() = std::to_string(grouped.counts[row]);
    }
    const auto middle = texts.begin() + static_cast<std::ptrdiff_t>(quasi_identifiers.size());
    const Texts written(middle, texts.end());
    Texts read;
    for (const auto& value : written) read.push_back(without_spelling(value));
    ValuesOfPeople& group = classes[Texts(texts.begin(), middle)];
    for (std::uint64_t i = 0; i < (person.empty() ? grouped.counts[row] : 1); ++i) {
      group.written.insert(written);
      group.read.insert(read);
    }
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

  // A record that is spelt otherwise now is somebody else's, or tells that somebody came.
  void compare_writing(const Multiset& before, const Multiset& now) {
    if (!std::includes(now.begin(), now.end(), before.begin(), before.end())) ++broken_;
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

// Two cells of a column that hold the same values in part, or say the same in other letters; then
// classes that are compared by their cells would pass each other by.
std::optional<std::pair<std::string, std::string>> written_twice(
    const std::set<std::string>& cells) {
  std::map<std::string, std::string> by_reading;
  struct Range {
    double low = 0;
    double high = 0;
    std::string cell;
  };
  std::vector<Range> ranges;
  for (const auto& cell : cells) {
    const auto [other, is_new] = by_reading.emplace(without_spelling(cell), cell);
    if (!is_new) return std::pair(other->second, cell);
    const auto parsed = GeneralisedValue::parse(cell);
    const auto& parts = parsed.parts();
    if (parsed.kind() == GeneralisedValue::Kind::range && is_number(parts[0]) &&
        is_number(parts[1]))
      ranges.push_back({to_double(parts[0]), to_double(parts[1]), cell});
    if (parsed.kind() == GeneralisedValue::Kind::text && is_number(parts[0]))
      ranges.push_back({to_double(parts[0]), to_double(parts[0]), cell});
  }
  std::sort(ranges.begin(), ranges.end(),
            [](const Range& a, const Range& b) { return a.low < b.low; });
  for (std::size_t i = 1; i < ranges.size(); ++i) {
    if (ranges[i].low <= ranges[i - 1].high) return std::pair(ranges[i - 1].cell, ranges[i].cell);
  }
  return std::nullopt;
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
  const std::string several =
      "somebody has several values of a column that is compared, so people cannot be compared";
  const auto classes_now = read_classes(context, context.release, quasi_identifiers, counted);
  if (!classes_now) {
    result.explanation = several;
    return result;
  }
  const ClassesOfVersion& now = *classes_now;
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
    const auto classes_before = read_classes(context, source, quasi_identifiers, counted);
    if (!classes_before) {
      result.explanation = several;
      return result;
    }
    const ClassesOfVersion& before = *classes_before;
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
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const auto twice = written_twice(cells[c]);
      if (!twice) continue;
      result.explanation = fmt::format(
          "the releases write '{}' differently ({} and {}): their classes cannot be compared",
          quasi_identifiers[c], twice->first, twice->second);
      return result;
    }
    bool compared = before.empty() || now.empty();
    for (const auto& [group, values] : now) {
      const auto earlier = before.find(group);
      if (earlier == before.end()) continue;
      compared = true;
      judge.compare_writing(earlier->second.written, values.written);
      judge.compare(earlier->second.read, values.read, 1);
      for (std::size_t c = 0; c < counted.size(); ++c) {
        judge.compare(only(earlier->second.read, c), only(values.read, c), std::max(least[c], 2.0));
      }
    }
    if (!compared) {
      result.explanation = "no class is in both releases, so nothing was compared";
      return result;
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
