// k-map and delta-presence: the people of a population whom each class's cells contain.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>

#include "pratique/data/date_form.h"
#include "pratique/data/generalised.h"
#include "pratique/data/number_form.h"
#include "pratique/verify/internal/claim_reader.h"
#include "pratique/verify/internal/likely_values.h"
#include "pratique/verify/internal/model_claims.h"
#include "pratique/verify/internal/recorded_file.h"
#include "pratique/verify/internal/release_classes.h"

namespace pratique::verify {
namespace {

// A class, or people that look alike.
using Row = std::uint32_t;

// Counts the people of every class at once: classes in the order of their cells share the first of
// them, and with them the people that are still possible. The columns with the fewest cells come
// first, so that most is shared, and a cell is asked only about people who are still possible and
// whose value it is likely to contain.
class PeopleCounter {
 public:
  PeopleCounter(const ReleaseClasses& release, const GroupedTable& people,
                const std::map<std::string, Hierarchy>& trees)
      : release_(release),
        people_(people),
        cells_(release.width),
        seen_in_(people.counts.size(), 0) {
    for (std::size_t c = 0; c < release.width; ++c) {
      const auto tree = trees.find(release.cells.columns[c].name);
      trees_.push_back(tree == trees.end() ? nullptr : &tree->second);
      order_.push_back(c);
      likely_.emplace_back(people.groups.columns[c].dictionary, trees_.back());
      auto& having = having_.emplace_back(people.groups.columns[c].dictionary.size());
      for (Row row = 0; row < people.counts.size(); ++row)
        having[people.groups.columns[c].codes[row]].push_back(row);
    }
    possible_at_.resize(release.width, std::vector<bool>(people.counts.size(), false));
    std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
      return release.cells.columns[a].dictionary.size() <
             release.cells.columns[b].dictionary.size();
    });
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
  // A cell, and what it said about values, by code of the people's column.
  struct Cell {
    Cell(std::string_view text, const Hierarchy* tree)
        : value(GeneralisedValue::parse(text)), label(value.label_in(tree)) {}
    GeneralisedValue value;
    std::optional<Hierarchy::Node> label;
    std::vector<std::optional<bool>> contains;
  };

  // The classes agree in the first `depth` columns of the order, whose cells contain the values of
  // `people`.
  void count(std::size_t depth, const std::vector<Row>& classes, const std::vector<Row>& people) {
    if (depth == order_.size()) {
      for (const Row person : people) {
        seen_in_[person] += classes.size();
        for (const Row group : classes)
          counts_[group] += static_cast<double>(people_.counts[person]);
      }
      return;
    }
    const std::size_t c = order_[depth];
    std::map<Code, std::vector<Row>> by_cell;
    for (const Row group : classes) {
      by_cell[release_.cells.columns[c].codes[release_.classes[group].representative]].push_back(
          group);
    }
    std::vector<bool>& still = possible_at_[depth];
    for (const Row person : people) still[person] = true;
    for (const auto& [code, sharing] : by_cell) {
      Cell& cell =
          cells_[c]
              .try_emplace(code, release_.cells.columns[c].dictionary.value(code), trees_[c])
              .first->second;
      count(depth + 1, sharing, contained(c, cell, people, still));
    }
    for (const Row person : people) still[person] = false;
  }

  // Those of the people whose value the cell contains; `still` has them marked.
  std::vector<Row> contained(std::size_t c, Cell& cell, const std::vector<Row>& people,
                             const std::vector<bool>& still) {
    const std::vector<Code>& codes = people_.groups.columns[c].codes;
    std::vector<Row> possible;
    const auto likely = likely_[c].of(cell.value, cell.label);
    if (!likely || likely->size() >= people.size()) {
      std::copy_if(people.begin(), people.end(), std::back_inserter(possible),
                   [&](Row person) { return contains(c, cell, codes[person]); });
      return possible;
    }
    for (const Code code : *likely) {
      const auto& having = having_[c][code];
      const bool any =
          std::any_of(having.begin(), having.end(), [&](Row row) { return still[row]; });
      if (!any || !contains(c, cell, code)) continue;
      std::copy_if(having.begin(), having.end(), std::back_inserter(possible),
                   [&](Row row) { return still[row]; });
    }
    return possible;
  }

  bool contains(std::size_t c, Cell& cell, Code code) {
    const Dictionary& values = people_.groups.columns[c].dictionary;
    // Where there are many values, few people with each are left: remembering costs more.
    constexpr std::size_t kMostRemembered = 1024;
    if (values.size() > kMostRemembered)
      return cell.value.contains(values.value(code), trees_[c], cell.label);
    cell.contains.resize(values.size());
    auto& known = cell.contains[code];
    if (!known) known = cell.value.contains(values.value(code), trees_[c], cell.label);
    return *known;
  }

  const ReleaseClasses& release_;
  const GroupedTable& people_;
  std::vector<const Hierarchy*> trees_;                // by column
  std::vector<std::size_t> order_;                     // of the columns
  std::vector<LikelyValues> likely_;                   // by column
  std::vector<std::vector<std::vector<Row>>> having_;  // by column and code: people
  std::vector<std::vector<bool>> possible_at_;         // by depth and person
  std::vector<std::map<Code, Cell>> cells_;
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
  const Json numbers = claim["population"].value("numbers", Json::object());
  if (!numbers.is_object()) throw malformed("'numbers' does not name columns");
  for (auto& column : people.groups.columns) {
    if (!numbers.contains(column.name)) continue;
    const auto form = number_form_of_name(text_in(numbers, column.name));
    if (!form) throw malformed("an unknown form of numbers");
    write_as_plain_numbers(column, *form);
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
