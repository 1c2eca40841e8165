// k-map and delta-presence: the people of a population whom each class's cells contain.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>

#include "pratique/data/date_form.h"
#include "pratique/data/generalised.h"
#include "pratique/verify/internal/claim_reader.h"
#include "pratique/verify/internal/model_claims.h"
#include "pratique/verify/internal/recorded_file.h"
#include "pratique/verify/internal/release_classes.h"

namespace pratique::verify {
namespace {

// A class, or people that look alike.
using Row = std::uint32_t;

// Counts the people of every class at once: classes in the order of their cells share the first of
// them, and with them the people that are still possible.
class PeopleCounter {
 public:
  PeopleCounter(const ReleaseClasses& release, const GroupedTable& people,
                const std::map<std::string, Hierarchy>& trees)
      : release_(release), people_(people), seen_in_(people.counts.size(), 0) {
    for (std::size_t c = 0; c < release.width; ++c) {
      const auto tree = trees.find(release.cells.columns[c].name);
      trees_.push_back(tree == trees.end() ? nullptr : &tree->second);
    }
    counts_.resize(release.classes.size(), 0);
    std::vector<Row> classes(release.classes.size());
    std::iota(classes.begin(), classes.end(), 0);
    std::vector<Row> everybody(people.counts.size());
    std::iota(everybody.begin(), everybody.end(), 0);
    count(0, classes, everybody);
  }

  // Beside the classes.
  [[nodiscard]] const std::vector<double>& counts() const { return counts_; }
  // People in no class.
  [[nodiscard]] double unseen() const {
    double sum = 0;
    for (Row row = 0; row < seen_in_.size(); ++row) {
      if (seen_in_[row] == 0) sum += static_cast<double>(people_.counts[row]);
    }
    return sum;
  }
  // People in more than one class.
  [[nodiscard]] double in_several() const {
    double sum = 0;
    for (Row row = 0; row < seen_in_.size(); ++row) {
      if (seen_in_[row] > 1) sum += static_cast<double>(people_.counts[row]);
    }
    return sum;
  }

 private:
  // The classes agree in the columns before `c`, whose cells contain the values of `people`.
  void count(std::size_t c, const std::vector<Row>& classes, const std::vector<Row>& people) {
    if (c == release_.width) {
      for (const Row person : people) {
        seen_in_[person] += classes.size();
        for (const Row group : classes)
          counts_[group] += static_cast<double>(people_.counts[person]);
      }
      return;
    }
    std::map<Code, std::vector<Row>> by_cell;
    for (const Row group : classes) {
      by_cell[release_.cells.columns[c].codes[release_.classes[group].representative]].push_back(
          group);
    }
    const Column& values = people_.groups.columns[c];
    for (const auto& [cell, sharing] : by_cell) {
      const auto& contains = contained(c, cell);
      std::vector<Row> possible;
      for (const Row person : people) {
        if (contains[values.codes[person]]) possible.push_back(person);
      }
      count(c + 1, sharing, possible);
    }
  }

  // By code of the people's column.
  const std::vector<bool>& contained(std::size_t c, Code cell) {
    const auto [place, added] = contained_.try_emplace({c, cell});
    if (added) {
      const auto value = GeneralisedValue::parse(release_.cells.columns[c].dictionary.value(cell));
      for (const auto text : people_.groups.columns[c].dictionary.values()) {
        place->second.push_back(value.contains(text, trees_[c]));
      }
    }
    return place->second;
  }

  const ReleaseClasses& release_;
  const GroupedTable& people_;
  std::vector<const Hierarchy*> trees_;  // by column
  std::map<std::pair<std::size_t, Code>, std::vector<bool>> contained_;
  std::vector<std::size_t> seen_in_;  // by person: classes
  std::vector<double> counts_;
};

struct Counted {
  ReleaseClasses classes;
  std::vector<double> people;  // beside the classes
  double unseen = 0;
  double in_several = 0;
  std::string_view remark = {};
};

// Nothing when the population is not the one of the claim.
std::optional<Counted> count_people(const ClaimContext& context) {
  const Json& claim = context.claim;
  if (!claim.contains("population") || !claim["population"].is_object()) {
    throw malformed("no population");
  }
  const std::string path = text_in(claim["population"], "path");
  const Sameness sameness = compare_with_recorded(context, claim["population"]);
  if (sameness == Sameness::another) return std::nullopt;
  const auto quasi_identifiers = names_in(claim, "quasi_identifiers");
  std::map<std::string, Hierarchy> trees;
  if (claim.contains("hierarchies")) {
    if (!claim["hierarchies"].is_object()) throw malformed("'hierarchies' does not name columns");
    for (const auto& [column, paths] : claim["hierarchies"].items()) {
      trees.emplace(column, tree_of(paths, "hierarchies"));
    }
  }
  Counted counted{count_classes(context, {}), {}};
  if (sameness == Sameness::unknown) counted.remark = kNotCompared;
  const Source source = context.engine.open(path, {}, context.progress);
  GroupedTable people = context.engine.group(source, quasi_identifiers, context.progress);
  const Json dates = claim["population"].value("dates", Json::object());
  if (!dates.is_object()) throw malformed("'dates' does not name columns");
  for (auto& column : people.groups.columns) {
    if (!dates.contains(column.name)) continue;
    const auto form = date_form_of_name(text_in(dates, column.name));
    if (!form) throw malformed("an unknown form of dates");
    write_as_iso(column, *form);
  }
  const PeopleCounter counter(counted.classes, people, trees);
  counted.people = counter.counts();
  counted.unseen = counter.unseen();
  counted.in_several = counter.in_several();
  return counted;
}

ClaimResult another_population(ClaimResult result) {
  result.explanation = "the population's file is not the one that the claim was made with";
  return result;
}

}  // namespace

ClaimResult check_k_map(const ClaimContext& context) {
  ClaimResult result;
  result.required = count_in(context.claim, "k");
  const auto counted = count_people(context);
  if (!counted) return another_population(std::move(result));
  const auto smallest = std::min_element(counted->people.begin(), counted->people.end());
  result.achieved =
      smallest == counted->people.end() ? std::numeric_limits<double>::infinity() : *smallest;
  result.holds = result.achieved >= result.required;
  result.explanation = fmt::format(
      "the class that fits fewest people of the population fits {:.0f}, {:.0f} are "
      "required{}",
      result.achieved, result.required, counted->remark);
  return result;
}

ClaimResult check_delta_presence(const ClaimContext& context) {
  ClaimResult result;
  const double minimum = number_in(context.claim, "delta_min");
  result.required = number_in(context.claim, "delta_max");
  const auto counted = count_people(context);
  if (!counted) return another_population(std::move(result));
  double smallest = counted->unseen > 0 ? 0 : std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < counted->people.size(); ++i) {
    const double share = counted->people[i] == 0
                             ? std::numeric_limits<double>::infinity()
                             : counted->classes.classes[i].records / counted->people[i];
    result.achieved = std::max(result.achieved, share);
    smallest = std::min(smallest, share);
  }
  // A person in several classes is likelier in the table than any one of them tells: of two people,
  // two classes of one record each whose cells contain both say one half, and both are there.
  result.holds = result.achieved <= result.required + kRounding &&
                 smallest >= minimum - kRounding &&
                 (counted->in_several == 0 || (minimum <= 0 && result.required >= 1));
  result.explanation = fmt::format(
      "between {:.4g} and {:.4g} of the people of a class are in the release, {:.4g} "
      "to {:.4g} is allowed",
      smallest, result.achieved, minimum, result.required);
  if (counted->in_several > 0) {
    result.explanation += fmt::format(
        "; {:.0f} people of the population are in more than one class, so they are likelier to be "
        "in the release than any class shows",
        counted->in_several);
  }
  if (counted->unseen > 0 && minimum > 0) {
    result.explanation +=
        fmt::format("; {:.0f} people of the population are in no class, so their absence is known",
                    counted->unseen);
  }
  result.explanation += counted->remark;
  return result;
}

}  // namespace pratique::verify
