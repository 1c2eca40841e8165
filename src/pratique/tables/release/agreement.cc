#include "pratique/tables/release/agreement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "pratique/data/schema.h"
#include "pratique/engine/people.h"
#include "pratique/kind/among.h"
#include "pratique/kind/dates.h"
#include "pratique/kind/document.h"
#include "pratique/kind/numbers.h"
#include "pratique/kind/recorded_figures.h"
#include "pratique/kind/recorded_hierarchy.h"
#include "pratique/kind/release_file.h"
#include "pratique/kind/singled_out.h"
#include "pratique/kind/undeclared_columns.h"
#include "pratique/tables/model/model_kind.h"
#include "pratique/tables/model/spelling.h"
#include "pratique/tables/release/requested_models.h"

namespace pratique::release {
namespace {

constexpr int kSingledOutIsTold = 3;                   // from this format of the manifest on
constexpr std::string_view kAnatomyClaim = "anatomy";  // and the name of the method

// What an adversary finds in a table, by its cells.
struct Figures {
  std::uint64_t records = 0;
  std::uint64_t classes = 0;
  std::uint64_t smallest = 0;
  std::uint64_t unique = 0;
  std::uint64_t disclosed = 0;
  std::uint64_t believed = 0;
};

// The column that says whose each row is; empty where every row is somebody else's.
std::string person_of(const Manifest& manifest) {
  return manifest.parameters->value("person", std::string());
}

// Of anatomy: the column with the number of the record's group; else empty.
std::string group_of(const Manifest& manifest) {
  return manifest.parameters->value("group", std::string());
}

// None where the table lacks a column.
std::optional<Figures> look_at(const Evidence& evidence, const Source& source,
                               const Names& quasi_identifiers, const Names& sensitive) {
  Names columns = quasi_identifiers;
  for (const auto& name : sensitive) {
    if (std::find(columns.begin(), columns.end(), name) == columns.end()) columns.push_back(name);
  }
  for (const auto& name : columns) {
    if (std::find(source.columns.begin(), source.columns.end(), name) == source.columns.end())
      return std::nullopt;
  }
  const auto grouped = group_people(evidence.engine, source, columns, person_of(evidence.manifest),
                                    evidence.progress);
  struct Class {
    std::uint64_t records = 0;
    std::vector<std::map<Code, std::uint64_t>> values;  // of each sensitive column
  };
  std::map<std::vector<Code>, Class> classes;
  std::vector<const Class*> class_of;
  std::vector<const Column*> sensitive_columns;
  std::deque<Column> joined;  // one value for all of its spellings
  for (const auto& name : sensitive) {
    sensitive_columns.push_back(&grouped.groups.columns[column_index(columns, name)]);
    if (auto column = tables::joined_spellings(*sensitive_columns.back()))
      sensitive_columns.back() = &joined.emplace_back(std::move(*column));
  }
  for (std::size_t row = 0; row < grouped.counts.size(); ++row) {
    std::vector<Code> cells;
    for (std::size_t c = 0; c < quasi_identifiers.size(); ++c)
      cells.push_back(grouped.groups.columns[c].codes[row]);
    Class& eq_class = classes[std::move(cells)];
    eq_class.records += grouped.counts[row];
    eq_class.values.resize(sensitive.size());
    for (std::size_t s = 0; s < sensitive.size(); ++s)
      eq_class.values[s][sensitive_columns[s]->codes[row]] += grouped.counts[row];
    class_of.push_back(&eq_class);
  }
  Figures figures;
  figures.classes = classes.size();
  for (const auto& [cells, eq_class] : classes) {
    figures.records += eq_class.records;
    figures.smallest =
        figures.smallest == 0 ? eq_class.records : std::min(figures.smallest, eq_class.records);
    if (eq_class.records == 1) ++figures.unique;
    if (std::any_of(eq_class.values.begin(), eq_class.values.end(),
                    [](const auto& values) { return values.size() == 1; }))
      figures.disclosed += eq_class.records;
  }
  for (std::size_t row = 0; row < class_of.size(); ++row) {
    const Class& eq_class = *class_of[row];
    for (std::size_t s = 0; s < sensitive.size(); ++s) {
      const std::uint64_t same = eq_class.values[s].at(sensitive_columns[s]->codes[row]);
      if (10 * same < 9 * eq_class.records) continue;
      figures.believed += grouped.counts[row];
      break;
    }
  }
  return figures;
}

Names randomised_columns(const Json& results) {
  Names columns;
  for (const auto& change : results.value("randomised", Json::array()))
    columns.push_back(change.at("column").get<std::string>());
  return columns;
}

// Of these, those that are told as they are but for their last digits.
Names rounded_columns(const Json& results) {
  Names columns;
  for (const auto& change : results.value("randomised", Json::array())) {
    if (change.value("operator", "").starts_with("round"))
      columns.push_back(change.at("column").get<std::string>());
  }
  return columns;
}

// Columns that Safe Harbor made coarser or left cells of empty.
Names changed_by_safe_harbor(const Json& results) {
  return names_in(results.value("safe_harbor", Json::object()), "changed");
}

// Of these, those that it made coarser, as its claim says.
Names coarsened_by_safe_harbor(const Manifest& manifest) {
  Names columns;
  for (const auto& claim : *manifest.claims) {
    if (claim.value("model", "") != "safe-harbor") continue;
    for (const char* key : {"dates", "ages", "zips"}) {
      for (auto& name : names_in(claim, key)) columns.push_back(std::move(name));
    }
  }
  return columns;
}

// How many records have each row of these columns.
std::map<Names, std::uint64_t> counted(const Evidence& evidence, const Source& source,
                                       const Names& columns) {
  const auto grouped = evidence.engine.group(source, columns, evidence.progress);
  std::map<Names, std::uint64_t> rows;
  for (std::size_t row = 0; row < grouped.counts.size(); ++row) {
    Names cells;
    for (const auto& column : grouped.groups.columns) cells.emplace_back(column.text(row));
    rows[std::move(cells)] += grouped.counts[row];
  }
  return rows;
}

// The columns that the manifest names, against those that the files have.
void compare_columns(const Evidence& evidence, std::vector<std::string>& contradictions) {
  const Json& parameters = *evidence.manifest.parameters;
  const Json& results = *evidence.manifest.results;
  const Names identifiers = names_in(parameters, "identifiers");
  if (evidence.original) {
    for (const char* key : {"quasi_identifiers", "sensitive", "identifiers"}) {
      for (const auto& name : names_in(parameters, key)) {
        if (among(evidence.original->columns, name)) continue;
        contradictions.emplace_back("it names columns that the original does not have");
        return;
      }
    }
  }
  if (!evidence.release) return;
  const auto& released = evidence.release->columns;
  const bool dropped = parameters.value("identifier_treatment", "") == "drop";
  if (dropped && std::any_of(identifiers.begin(), identifiers.end(), [&](const auto& name) {
        return among(released, name) && name != person_of(evidence.manifest);
      }))
    contradictions.emplace_back("an identifier that it says was left out is in the released file");
  if (!results.contains("unchanged")) {
    // Then there is no column but those with a role.
    Names known = identifiers;
    for (const char* key : {"quasi_identifiers", "sensitive"}) {
      const Names more = names_in(parameters, key);
      known.insert(known.end(), more.begin(), more.end());
    }
    if (evidence.manifest.format > 1 &&
        !std::all_of(released.begin(), released.end(),
                     [&](const std::string& name) { return among(known, name); }))
      contradictions.emplace_back("the released file has columns that it does not list");
    return;
  }
  Names unchanged = names_in(results, "unchanged");
  const Names quasi_identifiers = names_in(parameters, "quasi_identifiers");
  const Names randomised = randomised_columns(results);
  const std::string group = group_of(evidence.manifest);
  // Which dates were rewritten is told in private.
  if (!group.empty() && !evidence.file.complete()) return;
  const Names coarsened = coarsened_by_safe_harbor(evidence.manifest);
  const auto rewritten = [&](const std::string& name) {
    return group.empty() ? among(quasi_identifiers, name)
                         : name == group || was_rewritten(parameters, name);
  };
  Names expected;
  std::copy_if(released.begin(), released.end(), std::back_inserter(expected),
               [&](const std::string& name) {
                 return !rewritten(name) && !among(identifiers, name) && !among(randomised, name) &&
                        !among(coarsened, name);
               });
  if (!same_names(unchanged, expected)) {
    contradictions.emplace_back(
        "the columns it lists as unchanged are not those of the released file");
    return;
  }
  const Names changed = changed_by_safe_harbor(results);
  std::erase_if(unchanged, [&](const auto& name) { return among(changed, name); });
  if (!evidence.original || unchanged.empty() ||
      !std::all_of(unchanged.begin(), unchanged.end(),
                   [&](const auto& name) { return among(evidence.original->columns, name); }))
    return;
  const auto then = counted(evidence, *evidence.original, unchanged);
  for (const auto& [cells, records] : counted(evidence, *evidence.release, unchanged)) {
    const auto before = then.find(cells);
    if (before != then.end() && records <= before->second) continue;
    contradictions.emplace_back("columns it lists as unchanged differ from the original");
    return;
  }
}

// Who stands alone by columns that no model holds.
void compare_singled_out(const Evidence& evidence, std::vector<std::string>& contradictions) {
  const Json& results = *evidence.manifest.results;
  const Names sensitive = names_in(*evidence.manifest.parameters, "sensitive");
  Names columns = names_in(results, "unchanged");
  const Names rounded = rounded_columns(results);
  columns.insert(columns.end(), rounded.begin(), rounded.end());
  Names secrets;  // that left as they were
  std::copy_if(columns.begin(), columns.end(), std::back_inserter(secrets),
               [&](const auto& name) { return among(sensitive, name); });
  std::erase_if(columns, [&](const auto& name) { return among(sensitive, name); });
  // Dates that were rewritten tell people apart, too, and may have been told apart by more.
  if (!group_of(evidence.manifest).empty() &&
      (!evidence.file.complete() || !recorded_date_forms(*evidence.manifest.parameters).empty() ||
       !recorded_number_forms(*evidence.manifest.parameters).empty()))
    return;
  // Of the original they are counted after cells with identifiers were left empty.
  const Names changed = changed_by_safe_harbor(results);
  const auto was_changed = [&](const auto& name) { return among(changed, name); };
  const bool unrounded = rounded.empty() &&
                         std::none_of(columns.begin(), columns.end(), was_changed) &&
                         std::none_of(secrets.begin(), secrets.end(), was_changed);
  // The private manifest, where it is at hand, fills in what was cut out of the public one.
  std::optional<ReleaseFile> as_released;
  if (evidence.file.complete()) as_released = ReleaseFile::read_as_released(evidence.file.path);
  const Manifest& told = as_released ? as_released->manifest() : evidence.manifest;
  const std::string person = person_of(evidence.manifest);
  // A column that was let go by name is known to whoever knows the quasi-identifiers.
  Names quasi_identifiers;
  if (group_of(evidence.manifest).empty() && !names_in(*told.parameters, "allowed").empty())
    quasi_identifiers = names_in(*told.parameters, "quasi_identifiers");
  const bool rewritten = !recorded_date_forms(*evidence.manifest.parameters).empty() ||
                         !recorded_number_forms(*evidence.manifest.parameters).empty();
  const auto agrees = [&](const Json& figures, const std::optional<Source>& source, bool required) {
    const bool counted = figures.contains("singled_out");
    if (!source || !(counted || required) ||
        !std::all_of(columns.begin(), columns.end(),
                     [&](const auto& name) { return among(source->columns, name); }))
      return true;
    Names read = columns;
    read.insert(read.end(), secrets.begin(), secrets.end());
    std::copy_if(
        quasi_identifiers.begin(), quasi_identifiers.end(), std::back_inserter(read),
        [&](const auto& name) { return among(source->columns, name) && !among(read, name); });
    const PeopleAlike people(evidence.engine, *source, read, person, evidence.progress);
    Names known = columns;
    for (auto& name : secrets_singling_out(people, secrets, *evidence.manifest.claims))
      known.push_back(std::move(name));
    if (!counted) return known.empty();
    const Names by = names_in(figures, "singled_out_by");
    const bool in_classes = told.format >= kSingledOutIsTold ||
                            std::any_of(by.begin(), by.end(), [&](const auto& name) {
                              return among(quasi_identifiers, name);
                            });
    if (!known.empty() && in_classes)
      known.insert(known.end(), quasi_identifiers.begin(), quasi_identifiers.end());
    const bool named = figures.contains("singled_out_by");
    if (named ? !same_names(by, known) : required) return false;
    if (!std::all_of(known.begin(), known.end(),
                     [&](const auto& name) { return among(source->columns, name); }))
      return false;
    // Manifests of earlier versions count no sensitive column.
    const std::uint64_t alone = people.alone(named ? known : columns);
    return recorded(figures, "singled_out",
                    [&](double said) { return said == static_cast<double>(alone); });
  };
  const Json before = results.value("before", Json::object());
  const Json after = told.results->value("after", Json::object());
  const bool as_read = unrounded && !(rewritten && !quasi_identifiers.empty());
  if ((as_read && !agrees(before, evidence.original, false)) ||
      !agrees(after, evidence.release, told.format >= kSingledOutIsTold))
    contradictions.emplace_back(
        "its records alone by columns that left as they were are not those of the files");
}

// Who stands alone in a class by how many rows they have, which the numbers of people show: their
// rows have the same cells as nobody else's, as often.
void compare_numbers_of_rows(const Evidence& evidence, std::vector<std::string>& contradictions) {
  const std::string person = person_of(evidence.manifest);
  Names columns = names_in(*evidence.manifest.parameters, "quasi_identifiers");
  if (person.empty() || columns.empty() || !evidence.release) return;
  const auto& there = evidence.release->columns;
  if (!std::all_of(columns.begin(), columns.end(),
                   [&](const auto& name) { return among(there, name); }))
    return;
  const auto alone = static_cast<double>(
      count_people_alone(evidence.engine, *evidence.release, columns, person, evidence.progress));
  // As published: the private manifest would fill in what was cut out.
  std::optional<ReleaseFile> as_released;
  if (evidence.file.complete()) as_released = ReleaseFile::read_as_released(evidence.file.path);
  const Manifest& told = as_released ? as_released->manifest() : evidence.manifest;
  const Json said = told.results->value("after", Json::object()).value("alone_by_rows", Json());
  if (told.format < kSingledOutIsTold && said.is_null()) return;
  if (!said.is_number() || said.get<double>() != alone)
    contradictions.emplace_back(
        "its people alone by how many rows they have are not those of the released file");
}

// Cells of a column that was recoded to a level are labels of that level.
void compare_levels(const Evidence& evidence, std::vector<std::string>& contradictions) {
  const Json& parameters = *evidence.manifest.parameters;
  const Json& results = *evidence.manifest.results;
  if (!results.contains("levels")) return;
  const Json& levels = results["levels"];
  Names named;
  for (const auto& [column, level] : levels.items()) named.push_back(column);
  if (!same_names(named, names_in(parameters, "quasi_identifiers"))) {
    contradictions.emplace_back("its levels are not those of the quasi-identifiers");
    return;
  }
  // Trees are made over the values of a population, too, and over what chance made of values.
  if (!evidence.original || !evidence.release ||
      parameters.value("models", Json::object()).contains("population"))
    return;
  const Names randomised = randomised_columns(results);
  const Names changed = changed_by_safe_harbor(results);
  for (const auto& [name, level] : levels.items()) {
    if (among(randomised, name) || among(changed, name) ||
        !among(evidence.original->columns, name) || !among(evidence.release->columns, name))
      continue;
    auto then = evidence.engine.group(*evidence.original, {name}, evidence.progress);
    write_as_recorded(then.groups, parameters);
    const auto now = evidence.engine.group(*evidence.release, {name}, evidence.progress);
    const Column& values = then.groups.columns[0];
    const auto tree = recorded_hierarchy(evidence.file, name, values, then.counts);
    if (!tree) continue;
    bool agrees =
        level.is_number_integer() && level.get<int>() >= 0 && level.get<int>() < tree->height();
    std::set<std::string_view> labels;
    bool bound = true;
    for (std::size_t row = 0; agrees && row < then.counts.size(); ++row) {
      const auto leaf = tree->leaf(values.text(row));
      bound = bound && leaf;
      if (leaf) labels.insert(tree->label(tree->ancestor(*leaf, level.get<int>())));
    }
    for (std::size_t row = 0; agrees && bound && row < now.counts.size(); ++row)
      agrees = labels.count(now.groups.columns[0].text(row)) > 0;
    if (agrees) continue;
    contradictions.push_back(
        fmt::format("the level of {} is not that of the released file", cleaned(name)));
  }
}

// Whether a label of the tree is coarser than a limit allows.
using TooCoarse = bool (*)(const Hierarchy& tree, Hierarchy::Node node, double allowed);

bool loses_more(const Hierarchy& tree, Hierarchy::Node node, double allowed) {
  const double others = std::max(1.0, static_cast<double>(tree.leaf_count()) - 1);
  return (tree.leaves_under(node) - 1) / others > allowed + 1e-9;
}

// One label may stand on several levels for the same values: then the lowest counts.
bool is_above(const Hierarchy& tree, Hierarchy::Node node, double allowed) {
  while (tree.children(node).size() == 1) node = tree.children(node).front();
  return tree.level(node) > allowed;
}

// Cells of columns with a limit of this name keep it, where they are labels of the hierarchy.
void compare_limits(const Evidence& evidence, const char* limit, TooCoarse too_coarse,
                    std::vector<std::string>& contradictions) {
  const Json& parameters = *evidence.manifest.parameters;
  if (!parameters.contains(limit) || !evidence.original || !evidence.release ||
      parameters.value("models", Json::object()).contains("population"))
    return;
  const Names randomised = randomised_columns(*evidence.manifest.results);
  const Names changed = changed_by_safe_harbor(*evidence.manifest.results);
  for (const auto& [name, allowed] : parameters[limit].items()) {
    if (among(randomised, name) || among(changed, name) || !allowed.is_number() ||
        !among(evidence.original->columns, name) || !among(evidence.release->columns, name))
      continue;
    auto then = evidence.engine.group(*evidence.original, {name}, evidence.progress);
    write_as_recorded(then.groups, parameters);
    const auto tree = recorded_hierarchy(evidence.file, name, then.groups.columns[0], then.counts);
    if (!tree) continue;
    const auto now = evidence.engine.group(*evidence.release, {name}, evidence.progress);
    for (std::size_t row = 0; row < now.counts.size(); ++row) {
      const auto node = tree->find(now.groups.columns[0].text(row));
      if (!node || !too_coarse(*tree, *node, allowed.get<double>())) continue;
      contradictions.push_back(
          fmt::format("cells of {} lose more than its limit allows", cleaned(name)));
      break;
    }
  }
}

void compare_table(const Evidence& evidence, std::vector<std::string>& contradictions) {
  const Json& parameters = *evidence.manifest.parameters;
  const Json& results = *evidence.manifest.results;
  const Names quasi_identifiers = names_in(parameters, "quasi_identifiers");
  Names sensitive = names_in(parameters, "sensitive");
  const Names not_measured = names_in(results, "not_measured");
  std::erase_if(sensitive, [&](const auto& name) { return among(not_measured, name); });
  if (quasi_identifiers.empty()) return;
  // Of people with several values no figure is recorded, and which columns these are is private.
  const bool told_of_values =
      results.value("after", Json::object()).contains("sensitive_disclosed");
  if (!person_of(evidence.manifest).empty() && !told_of_values) sensitive.clear();
  // Sensitive values of anatomy stand in another file, which the verifier reads.
  const bool apart = !group_of(evidence.manifest).empty();
  const auto is = [](std::uint64_t value) {
    return [value](double said) { return said == static_cast<double>(value); };
  };
  const auto at_least = [](std::uint64_t value) {
    return [value](double said) { return said >= static_cast<double>(value); };
  };
  const auto at_most = [](std::uint64_t value) {
    return [value](double said) { return said <= static_cast<double>(value); };
  };
  const Json before = results.value("before", Json::object());
  const Json after = results.value("after", Json::object());
  const auto now = evidence.release ? look_at(evidence, *evidence.release, quasi_identifiers,
                                              apart ? Names() : sensitive)
                                    : std::nullopt;
  const auto shows = [&](const Figures& table) {
    return recorded(after, "classes", is(table.classes)) &&
           recorded(after, "k", is(table.smallest)) &&
           recorded(after, "unique", is(table.unique)) &&
           (apart || (recorded(after, "sensitive_disclosed", is(table.disclosed)) &&
                      recorded(after, "believed", is(table.believed))));
  };
  const auto hides = [&](const Figures& table) {
    return !recorded(after, "classes", at_most(table.classes)) &&
           recorded(after, "k", at_most(table.smallest)) &&
           recorded(after, "unique", at_least(table.unique)) &&
           recorded(after, "sensitive_disclosed", at_least(table.disclosed));
  };
  const std::string person = person_of(evidence.manifest);
  // Only local recoding makes classes that have the same cells.
  const std::string method = parameters.value("method", "");
  const bool global = method == "levels" || method == "optimal" || method == "again";
  const auto agrees = [&](const Figures& table) {
    return recorded(results, person.empty() ? "rows_out" : "people_out", is(table.records)) &&
           recorded(after, "records", is(table.records)) &&
           (shows(table) || (!global && hides(table)));
  };
  if (now.has_value()) {
    const Figures table = now.value();
    if (!agrees(table))
      contradictions.emplace_back("its figures for after do not match the released file");
  }
  // By which of their rows people are known there is not looked up again.
  const auto then = evidence.original && person.empty()
                        ? look_at(evidence, *evidence.original, quasi_identifiers, sensitive)
                        : std::nullopt;
  if (then && (!recorded(results, "rows_in", is(then->records)) ||
               !recorded(before, "records", is(then->records)) ||
               !recorded(before, "classes", is(then->classes)) ||
               !recorded(before, "k", is(then->smallest)) ||
               !recorded(before, "unique", is(then->unique)) ||
               !recorded(before, "sensitive_disclosed", is(then->disclosed)) ||
               !recorded(before, "believed", is(then->believed)))) {
    contradictions.emplace_back("its figures for before do not match the original");
  }
}

// Whether a recorded share is that of the two recorded counts.
bool divides(const Json& figures, const char* share, const char* part, const char* whole) {
  if (!figures.contains(share) || !figures.contains(part) || !figures.contains(whole)) return true;
  if (!figures[part].is_number() || !figures[whole].is_number()) return false;
  const auto count = figures[whole].get<double>();
  const double expected = count == 0 ? 0 : figures[part].get<double>() / count;
  return recorded(figures, share, [&](double said) { return std::abs(said - expected) < 1e-9; });
}

// Shares of what an attack found, against the counts beside them.
bool shares_agree(const Json& figures) {
  const auto largest = [&](double said) {
    const double k = figures.value("k", 0.0);
    return std::abs(said - (k == 0 ? 0 : 1 / k)) < 1e-9;
  };
  return (!figures.contains("k") || recorded(figures, "linkage_risk_max", largest)) &&
         divides(figures, "linkage_risk_mean", "classes", "records") &&
         divides(figures, "unique_share", "unique", "records") &&
         divides(figures, "sensitive_disclosed_share", "sensitive_disclosed", "records") &&
         divides(figures, "believed_share", "believed", "records") &&
         divides(figures, "singled_out_share", "singled_out", "records");
}

bool equal_where_both(const Json& a, const Json& b, const char* key) {
  return !a.contains(key) || !b.contains(key) || a[key] == b[key];
}

// A table's results with each other.
void compare_results(const Manifest& manifest, std::vector<std::string>& contradictions) {
  const Json& results = *manifest.results;
  const Json before = results.value("before", Json::object());
  const Json after = results.value("after", Json::object());
  if (!shares_agree(before) || !shares_agree(after))
    contradictions.emplace_back("its shares and risks do not follow from its counts");
  const auto number = [&](const char* key) { return results.value(key, 0.0); };
  if (results.contains("rows_in") && results.contains("rows_out") &&
      !recorded(results, "suppressed",
                [&](double said) { return said == number("rows_in") - number("rows_out"); }))
    contradictions.emplace_back("records read, released and left out do not add up");
  if (!equal_where_both(results, after, "classes"))
    contradictions.emplace_back("it gives two different numbers of classes");
  if (!equal_where_both(results, *manifest.parameters, "method"))
    contradictions.emplace_back("it names two methods");
}

// What was asked for, as the options say, against what it came to. Options that a settings file
// may stand in for are not missed where one was given.
class Asked {
 public:
  Asked(const Manifest& manifest, std::vector<std::string>& contradictions)
      : options_(*manifest.options),
        parameters_(*manifest.parameters),
        results_(*manifest.results),
        configured_(manifest.option_text("config").has_value()),
        contradictions_(contradictions) {}

  void compare() {
    if (options_.empty()) return;  // an old manifest
    lists();
    models();
    hierarchies();
    settings();
    levels();
    if (results_.contains("randomised") && !configured_ && asked("perturb").empty() &&
        asked("rho").empty() && asked("growth").empty())
      differ("randomised columns");
  }

 private:
  void differ(std::string_view what) {
    contradictions_.push_back(fmt::format("the recorded options ask for other {}", what));
  }

  [[nodiscard]] Names asked(const char* option) const { return names_in(options_, option); }

  [[nodiscard]] bool agree(Names asked, Names recorded) const {
    if (asked.empty() && configured_) return true;
    // Whoever takes the profile's advice asked for more columns than were named.
    if (options_.value("roles", "") == "suggested") {
      return std::all_of(asked.begin(), asked.end(),
                         [&](const auto& name) { return among(recorded, name); });
    }
    std::sort(asked.begin(), asked.end());
    std::sort(recorded.begin(), recorded.end());
    return asked == recorded;
  }

  void lists() {
    struct List {
      const char* option;
      const char* key;
      const char* what;
    };
    for (const auto& [option, key, what] : {List{"qi", "quasi_identifiers", "quasi-identifiers"},
                                            List{"sensitive", "sensitive", "sensitive columns"},
                                            List{"id", "identifiers", "identifiers"}}) {
      Names names = asked(option);
      Names recorded = names_in(parameters_, key);
      // Who a row is about is an identifier, whether or not it was named as one.
      const std::string person = parameters_.value("person", std::string());
      if (key == std::string_view("identifiers") && !among(names, person))
        std::erase(recorded, person);
      if (!agree(std::move(names), std::move(recorded))) differ(what);
    }
  }

  void models() {
    const Json models = parameters_.value("models", Json::object());
    for (const auto& key : tables::model_keys()) {
      const std::string name(key);
      if (!agree(asked(name.c_str()), names_in(models, name.c_str())))
        differ(fmt::format("settings of {}", name));
    }
  }

  void hierarchies() {
    const Json recorded = parameters_.value("hierarchies", Json::object());
    std::map<std::string, std::string> specs;
    for (const auto& text : asked("hierarchy")) {
      if (const auto equals = text.find('='); equals != std::string::npos)
        specs[text.substr(0, equals)] = text.substr(equals + 1);
    }
    bool all = true;
    for (const auto& [column, spec] : specs)
      all = all && recorded.contains(column) && recorded[column] == spec;
    const Names by_default = names_in(parameters_, "default_hierarchies");
    for (const auto& [column, spec] : recorded.items())
      all = all &&
            (specs.count(column) > 0 || configured_ || spec == "flat" || among(by_default, column));
    if (!all) differ("hierarchies");
  }

  void settings() {
    struct Setting {
      const char* option;
      const char* key;
      const char* what;
    };
    for (const auto& [option, key, what] :
         {Setting{"method", "method", "methods"}, Setting{"metric", "metric", "metrics"},
          Setting{"identifiers", "identifier_treatment", "treatment of identifiers"},
          Setting{"suppression", "suppression", "suppression"}}) {
      if (options_.contains(option) && parameters_.contains(key) &&
          options_[option] != parameters_[key])
        differ(what);
    }
  }

  // Levels that were asked for are those that were taken.
  void levels() {
    const Json taken = results_.value("levels", Json::object());
    for (const auto& text : asked("levels")) {
      const auto equals = text.find('=');
      if (equals == std::string::npos || !taken.contains(text.substr(0, equals))) continue;
      if (taken[text.substr(0, equals)].dump() == text.substr(equals + 1)) continue;
      differ("levels");
      return;
    }
  }

  const Json& options_;
  const Json& parameters_;
  const Json& results_;
  bool configured_;
  std::vector<std::string>& contradictions_;
};

}  // namespace

namespace {

// What hides nobody must not pass for what does.
void compare_method(const Manifest& manifest, std::vector<std::string>& contradictions) {
  const auto& claims = *manifest.claims;
  const bool claimed = std::any_of(claims.begin(), claims.end(), [](const Json& claim) {
    return claim.value("model", "") == kAnatomyClaim;
  });
  const bool by_anatomy = manifest.parameters->value("method", "") == kAnatomyClaim;
  if (claimed != by_anatomy || claimed != manifest.parameters->contains("group")) {
    contradictions.emplace_back("it was made by anatomy, or it was not: method and claims differ");
  }
}

// A column that names people, and of which the manifest does not say so.
void compare_allowed(const Evidence& evidence, std::vector<std::string>& contradictions) {
  const Manifest& manifest = evidence.manifest;
  Names held = randomised_columns(*manifest.results);
  for (const auto& claim : *manifest.claims) {
    if (claim.value("model", "") == "safe-harbor") return;  // which looks at every column itself
    const Names columns = names_in(claim, "quasi_identifiers");
    if (claim.value("model", "") != kAnatomyClaim)
      held.insert(held.end(), columns.begin(), columns.end());
  }
  Names identifiers = names_in(*manifest.parameters, "identifiers");
  identifiers.push_back(person_of(manifest));
  contradict_undeclared(evidence, held, identifiers, contradictions);
}

}  // namespace

void contradict_table(const Evidence& evidence, std::vector<std::string>& contradictions) {
  compare_method(evidence.manifest, contradictions);
  Asked(evidence.manifest, contradictions).compare();
  compare_requested_models(evidence.manifest, contradictions);
  compare_results(evidence.manifest, contradictions);
  compare_columns(evidence, contradictions);
  compare_allowed(evidence, contradictions);
  compare_singled_out(evidence, contradictions);
  compare_numbers_of_rows(evidence, contradictions);
  compare_levels(evidence, contradictions);
  compare_limits(evidence, "max_loss", loses_more, contradictions);
  compare_limits(evidence, "max_level", is_above, contradictions);
  compare_table(evidence, contradictions);
}

}  // namespace pratique::release
