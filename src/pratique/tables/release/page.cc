#include "pratique/tables/release/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "pratique/core/error.h"
#include "pratique/data/date.h"
#include "pratique/data/generalised.h"
#include "pratique/data/number.h"
#include "pratique/engine/people.h"
#include "pratique/kind/among.h"
#include "pratique/kind/distributions.h"
#include "pratique/kind/document.h"
#include "pratique/kind/numbers.h"
#include "pratique/kind/recorded_hierarchy.h"
#include "pratique/kind/release_on_map.h"
#include "pratique/kind/singled_out.h"
#include "pratique/tables/attack/population_uniques.h"
#include "pratique/tables/metric/ru_map.h"
#include "pratique/tables/release/list_attack.h"
#include "pratique/tables/release/risks.h"
#include "pratique/tables/release/safe_harbor_identifiers.h"

namespace pratique::release {
namespace {

std::vector<std::string> names(const Json& parameters, const char* key) {
  const auto entry = parameters.find(key);
  return entry == parameters.end() ? std::vector<std::string>()
                                   : entry->get<std::vector<std::string>>();
}

constexpr const char* kExact = "exact";

// What the cells of a released column are, in shares of records: "94 % sets, 6 % exact".
// `centre` names the numbers of microaggregation, which stand for a class even where somebody has
// the same.
std::string kinds_of_cells(const ValueCounts& released, const ValueCounts* original,
                           const std::string& centre) {
  std::map<std::string, int> known;
  for (const auto& entry : original == nullptr ? ValueCounts{} : *original) known[entry.value] = 1;
  std::map<std::string, std::uint64_t> kinds;
  std::uint64_t all = 0;
  for (const auto& [cell, count] : released) {
    const auto meant = GeneralisedValue::parse_foreign(cell);
    all += count;
    // <30 is a value where the original has it.
    if (centre.empty() && cell != "*" && known.count(cell) > 0) {
      kinds[kExact] += count;
      continue;
    }
    switch (meant.kind()) {
      case GeneralisedValue::Kind::any:
        kinds["any value (*)"] += count;
        break;
      case GeneralisedValue::Kind::range:
        kinds["ranges"] += count;
        break;
      case GeneralisedValue::Kind::set:
        kinds["sets"] += count;
        break;
      case GeneralisedValue::Kind::pattern:
        kinds["beginnings"] += count;
        break;
      default: {
        const bool number = is_number(cell) || parse_iso_date(cell).has_value();
        kinds[!centre.empty() && number ? centre
              : original == nullptr     ? "values or labels"
              : known.count(cell) > 0   ? kExact
                                        : "labels"] += count;
      }
    }
  }
  if (kinds.size() == 1) return kinds.begin()->first;
  std::vector<std::pair<std::uint64_t, std::string>> order;
  for (const auto& [kind, count] : kinds) order.emplace_back(count, kind);
  std::sort(order.rbegin(), order.rend());
  std::string text;
  for (const auto& [count, kind] : order) {
    const double percent = 100.0 * static_cast<double>(count) / static_cast<double>(all);
    text += fmt::format("{}{} % {}", text.empty() ? "" : ", ",
                        percent < 1    ? "under 1"
                        : percent > 99 ? "over 99"
                                       : fmt::format("{:.0f}", percent),
                        kind);
  }
  return text;
}

class TablePage {
 public:
  explicit TablePage(PageContext& context)
      : context_(context),
        parameters_(*context.manifest.parameters),
        results_(*context.manifest.results),
        quasi_identifiers_(names(parameters_, "quasi_identifiers")),
        sensitive_(names(parameters_, "sensitive")),
        identifiers_(names(parameters_, "identifiers")),
        unchanged_(names(results_, "unchanged")),
        person_(parameters_.value("person", std::string())),
        group_(parameters_.value("group", std::string())) {}

  void describe() {
    if (context_.release) {
      for (const auto& column : context_.release->columns) describe_column(column);
    } else {
      for (const auto& column : quasi_identifiers_) fate(column, "", nullptr, nullptr);
      for (const auto& column : unchanged_) fate(column, "", nullptr, nullptr);
    }
    for (const auto& column : identifiers_) {
      if (!context_.release || !among(context_.release->columns, column)) {
        context_.report.columns.push_back({cleaned(column), "identifier", "left out"});
      }
    }
    if (context_.original && context_.release) {
      for (const auto& column : context_.original->columns) {
        if (!among(context_.release->columns, column) && !among(identifiers_, column)) {
          const bool apart = !group_.empty() && among(sensitive_, column);
          context_.report.columns.push_back(
              {cleaned(column), role(column),
               apart ? "in a table of its own, counted by group" : "left out"});
        }
      }
    }
    describe_classes();
    attack_by_unchanged();
  }

  void mark_map() {
    const auto after = results_.find("after");
    std::optional<PlaceOnMap> place;
    if (after != results_.end() && after->contains("linkage_risk_mean") &&
        results_.contains("metrics") && results_["metrics"].contains("lm"))
      place = {after->at("linkage_risk_mean").get<double>(),
               1 - results_["metrics"]["lm"].get<double>()};
    show_on_map(context_, tables::kMeanRisk, place);
  }

 private:
  [[nodiscard]] std::string role(const std::string& column) const {
    if (among(identifiers_, column)) return "identifier";
    if (among(quasi_identifiers_, column)) return "quasi-identifier";
    if (column == parameters_.value("key", "")) return "name";
    if (column == parameters_.value("target", "")) return "private";
    return among(sensitive_, column) ? "sensitive" : "other";
  }

  // What microaggregation shows of numbers: "class means".
  [[nodiscard]] std::string centre() const {
    if (results_.value("method", "") != "microaggregate") return {};
    const std::string named = parameters_.value("centre", "");
    if (named.empty()) return "class centres";  // which, an old manifest does not record
    return named == "range" ? std::string() : fmt::format("class {}s", named);
  }

  [[nodiscard]] bool moved(const std::string& column) const {
    if (among(quasi_identifiers_, column) && !centre().empty()) return true;
    const auto randomised = results_.find("randomised");
    return randomised != results_.end() &&
           std::any_of(randomised->begin(), randomised->end(),
                       [&](const Json& change) { return change.value("column", "") == column; });
  }

  [[nodiscard]] std::string generalised(const std::string& column, const std::string& cells) const {
    if (cells == kExact) return "unchanged: every cell is exact";
    if (!group_.empty()) {
      return among(unchanged_, column)
                 ? "unchanged: anatomy leaves quasi-identifiers as they are"
                 : "written as days or plain numbers, and otherwise unchanged";
    }
    std::string text = cells.empty() ? "generalised" : "generalised: " + cells;
    const auto trees = parameters_.find("hierarchies");
    const std::string tree =
        trees == parameters_.end() ? "" : without_home(trees->value(column, ""));
    if (tree.empty() || tree == "flat") return text;
    const auto levels = results_.find("levels");
    if (levels != results_.end() && levels->is_object() && levels->contains(column)) {
      return fmt::format("{} (level {} of hierarchy {})", text,
                         levels->at(column).get<std::uint64_t>(), tree);
    }
    return fmt::format("{} (hierarchy {})", text, tree);
  }

  void fate(const std::string& column, const std::string& cells, const ValueCounts* original,
            const ValueCounts* released) {
    std::string became;
    if (!group_.empty() && column == group_) {
      became = "added: the number of the record's group in the table of sensitive values";
    } else if (among(identifiers_, column)) {
      became = column == person_ || parameters_.value("identifier_treatment", "") == "surrogate"
                   ? "replaced by numbers that mean nothing outside this release"
                   : "replaced by pseudonyms under a secret key";
    } else if (among(quasi_identifiers_, column)) {
      became = generalised(column, cells);
    } else if (among(unchanged_, column)) {
      became = "unchanged";
    } else {
      became = "changed";
    }
    if (const auto randomised = results_.find("randomised"); randomised != results_.end()) {
      for (const auto& change : *randomised) {
        if (change.value("column", "") == column) {
          const std::string how = fmt::format("randomised ({})", change.value("operator", ""));
          became = among(quasi_identifiers_, column) ? how + ", then " + became : how;
        }
      }
    }
    std::string values;
    if (released != nullptr) values = grouped_digits(static_cast<double>(released->size()));
    if (released != nullptr && original != nullptr) {
      values = fmt::format("{} → {}", grouped_digits(static_cast<double>(original->size())),
                           grouped_digits(static_cast<double>(released->size())));
    }
    context_.report.columns.push_back({cleaned(column), role(column), cleaned(became), values});
  }

  void describe_column(const std::string& column) {
    if (among(identifiers_, column)) return fate(column, "", nullptr, nullptr);
    const auto released = context_.engine.group(*context_.release, {column}, context_.progress);
    const auto counts = value_counts(released, released.groups.columns.front());
    std::optional<GroupedTable> originals;
    std::optional<ValueCounts> original_counts;
    std::optional<Hierarchy> tree;
    if (context_.original && among(context_.original->columns, column)) {
      originals.emplace(context_.engine.group(*context_.original, {column}, context_.progress));
      write_as_recorded(originals->groups, parameters_);
      const Column& values = originals->groups.columns.front();
      original_counts = value_counts(*originals, values);
      tree = recorded_hierarchy(context_.file, column, values,
                                CountedTable(*originals).counts_of(values));
      if (!tree && records_hierarchy(context_.file, column)) {
        context_.report.notes.push_back(fmt::format(
            "What the labels of column {} stand for could not be read again: its hierarchy is not "
            "at its recorded place with its recorded hash, or does not fit the original.",
            cleaned(column)));
      }
    }
    const ValueCounts* before = original_counts ? &*original_counts : nullptr;
    fate(column, kinds_of_cells(counts, before, centre()), before, &counts);
    auto distribution = compare_distributions(cleaned(column), before, counts, context_.report.k,
                                              tree ? &*tree : nullptr, moved(column));
    if (distribution.cells.empty()) {
      context_.report.hidden.push_back(cleaned(column));
      return;
    }
    for (auto& cell : distribution.cells) cell.label = cleaned(cell.label);
    context_.report.with_original = context_.report.with_original || distribution.has_original;
    context_.report.distributions.push_back(to_chart(distribution));
  }

  // How many people share each combination of the columns; none where one is not there.
  [[nodiscard]] std::optional<std::vector<std::uint64_t>> group_sizes(
      const Source& source, const std::vector<std::string>& columns) const {
    for (const auto& column : columns) {
      if (!among(source.columns, column)) return std::nullopt;
    }
    if (!among(source.columns, person_))
      return context_.engine.group(source, columns, context_.progress).counts;
    // Each person once, as the method knows them.
    const Table people = load_people(context_.engine, source, columns, person_, context_.progress);
    std::map<std::vector<Code>, std::uint64_t> alike;
    for (std::size_t p = 0; p < people.rows(); ++p) {
      std::vector<Code> cells;
      for (const auto& column : people.columns) cells.push_back(column.codes[p]);
      ++alike[std::move(cells)];
    }
    std::vector<std::uint64_t> counts;
    for (const auto& [cells, count] : alike) counts.push_back(count);
    return counts;
  }

  // Whoever is alone here may have doubles elsewhere.
  void estimate_uniques(const std::vector<std::uint64_t>& original,
                        const std::vector<std::uint64_t>& released) {
    if (!context_.population_size) return;
    const auto people = std::accumulate(original.begin(), original.end(), std::uint64_t{0});
    if (*context_.population_size < people) {
      throw Error::input(fmt::format("a population of {} has fewer people than the original",
                                     *context_.population_size))
          .hint("--population-size counts everybody it was drawn from, those in it included.");
    }
    const auto expected = [&](const std::vector<std::uint64_t>& sizes) {
      return std::round(
          tables::estimate_population_uniques(sizes, *context_.population_size).pitman);
    };
    context_.report.attacks.push_back(
        {"population_uniques",
         fmt::format("alone, and by estimate alone among all {} people, too",
                     grouped_digits(static_cast<double>(*context_.population_size))),
         expected(original), expected(released)});
  }

  void describe_classes() {
    if (quasi_identifiers_.empty() || !context_.release) return;
    const auto original =
        context_.original ? group_sizes(*context_.original, quasi_identifiers_) : std::nullopt;
    const auto released = group_sizes(*context_.release, quasi_identifiers_);
    if (!released) return;
    std::optional<std::vector<std::uint64_t>> before;
    if (original) before = records_by_group_size(*original, context_.report.k);
    const auto after = records_by_group_size(*released, context_.report.k);
    context_.report.groups.push_back(group_size_chart(
        person_.empty() ? "Records by the size of their class"
                        : "People by the size of their class",
        "size of the class", before ? &*before : nullptr, &after, context_.report.k));
    if (original) {
      estimate_uniques(*original, *released);
    } else if (context_.population_size) {
      context_.report.notes.emplace_back(
          "How many are unique among all people is not estimated: the original is not at hand.");
    }
    const Json results_after = results_.value("after", Json::object());
    add_risks_of_classes(*released, results_after.value("population", Json()), context_.report);
  }

  // No model stops an adversary who knows what left as it was: how far that goes is told.
  void attack_by_unchanged() {
    std::vector<std::string> known;
    std::vector<std::string> secrets;
    for (const auto& column : unchanged_) {
      (role(column) == "other" || !group_.empty() ? known : secrets).push_back(column);
    }
    if (!context_.release) return;
    const auto is_released = [&](const std::string& column) {
      return among(context_.release->columns, column);
    };
    std::vector<std::string> read = known;
    read.insert(read.end(), secrets.begin(), secrets.end());
    std::copy_if(quasi_identifiers_.begin(), quasi_identifiers_.end(), std::back_inserter(read),
                 [&](const auto& column) { return is_released(column) && !among(read, column); });
    const PeopleAlike people(context_.engine, *context_.release, read, person_, context_.progress);
    for (auto& column : secrets_singling_out(people, secrets, *context_.manifest.claims))
      known.push_back(std::move(column));
    if (known.empty()) return;
    const std::uint64_t records =
        count_people(context_.engine, *context_.release, person_, context_.progress);
    const std::uint64_t together = people.alone(known);
    std::string names;
    std::pair<std::uint64_t, std::string> most;
    for (const auto& column : known) {
      names += (names.empty() ? "" : ", ") + cleaned(column);
      if (known.size() > 1) most = std::max(most, {people.alone({column}), column});
    }
    const auto said = [&](std::uint64_t count) {
      return count > 0 && count < context_.report.k ? hidden_count(context_.report.k)
                                                    : grouped_digits(static_cast<double>(count));
    };
    std::vector<std::string> all = quasi_identifiers_;
    all.insert(all.end(), known.begin(), known.end());
    // Who knows what left as it was knows it of all rows of a person.
    if (std::all_of(all.begin(), all.end(), is_released))
      add_risks_of_unheld_columns(names, people.sizes(known), people.sizes(all), context_.report);
    std::string remark = fmt::format(
        "Unchanged, and no model stops whoever knows it: {}. This singles out {} of {} records",
        names, said(together), grouped_digits(static_cast<double>(records)));
    if (most.first > 0) {
      remark += fmt::format(" ({} alone: {})", cleaned(most.second), said(most.first));
    }
    remark += together == 0 ? "."
                            : ". A column that an adversary can learn elsewhere should be a "
                              "quasi-identifier, be made coarser or be left out.";
    context_.report.remarks.push_back(std::move(remark));
  }

  PageContext& context_;
  const Json& parameters_;
  const Json& results_;
  std::vector<std::string> quasi_identifiers_;
  std::vector<std::string> sensitive_;
  std::vector<std::string> identifiers_;
  std::vector<std::string> unchanged_;
  std::string person_;  // the column that says whose each row is, or empty
  std::string group_;   // of anatomy: the column with the number of the record's group
};

}  // namespace

void describe_table(PageContext& context) {
  add_facts(context, {"people_in", "people_out", "rows_in", "rows_out", "suppressed", "classes",
                      "groups", "method", "note"});
  if (context.manifest.parameters->contains("group")) {
    context.report.remarks.emplace_back(
        "Anatomy hides nobody. Every record left with its quasi-identifiers as they are: whoever "
        "knows them finds the person, learns that the person is in the table, and reads all other "
        "columns beside them. Only which sensitive value of a group is whose is hidden.");
  }
  if (context.manifest.results->contains("randomised"))
    add_facts(context, {"metrics_compare_with"});
  remark_on_rows(context);
  TablePage page(context);
  page.describe();
  page.mark_map();
  add_safe_harbor_identifiers(context);
  for (const auto& list : context.adversaries) attack_with_list(context, list);
}

void describe_columns(PageContext& context) { TablePage(context).describe(); }

void remark_on_rows(PageContext& context) {
  if (!context.manifest.parameters->value("rows_are_people", false)) return;
  context.report.remarks.emplace_back(
      "Every row was counted as another person because the steward said so "
      "(--rows-are-people). Where several rows are one person's, a class holds fewer people than "
      "records.");
}

void count_alone_under_safe_harbor(PageContext& context) {
  bool safe_harbor = false;
  bool crowds = false;
  for (const auto& claim : *context.manifest.claims) {
    safe_harbor = safe_harbor || claim.value("model", "") == "safe-harbor";
    crowds = crowds || (claim.contains("k") && claim["k"].is_number() && claim["k"] > 1);
  }
  if (!safe_harbor || crowds || !context.release) return;
  ReleaseReport& report = context.report;
  report.exposes = true;
  const std::string person = context.manifest.parameters->value("person", "");
  std::vector<std::string> shown = context.release->columns;
  std::erase(shown, person);
  const std::uint64_t people =
      count_people(context.engine, *context.release, person, context.progress);
  const std::uint64_t alone =
      count_people_alone(context.engine, *context.release, shown, person, context.progress);
  report.verdict = fmt::format(
      "SAFE HARBOR BOUNDS NO RISK, and no other model does: by all that is left, {} of {} released "
      "records {} alone. {}",
      alone > 0 && alone < report.k ? hidden_count(report.k)
                                    : grouped_digits(static_cast<double>(alone)),
      grouped_digits(static_cast<double>(people)), alone == 1 ? "stands" : "stand", report.verdict);
}

}  // namespace pratique::release
