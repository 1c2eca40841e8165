#include "pratique/tables/flow/assess.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "pratique/columns/safe_harbor_rule.h"
#include "pratique/core/error.h"
#include "pratique/engine/people.h"
#include "pratique/kind/among.h"
#include "pratique/kind/dates.h"
#include "pratique/kind/numbers.h"
#include "pratique/kind/recorded_figures.h"
#include "pratique/kind/recorded_hierarchy.h"
#include "pratique/kind/release_file.h"
#include "pratique/manifest/manifest.h"
#include "pratique/tables/attack/assess.h"
#include "pratique/tables/attack/attribute_attacks.h"
#include "pratique/tables/attack/learned_inference.h"
#include "pratique/tables/attack/linkage_attack.h"
#include "pratique/tables/flow/whose_rows.h"
#include "pratique/tables/format/to_json.h"
#include "pratique/tables/profile/profile.h"

namespace pratique::tables::flow {
namespace {

// Each name once, in the order given.
std::vector<std::string> joined(std::vector<std::string> names,
                                const std::vector<std::string>& more) {
  for (const auto& name : more) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

tables::Hierarchies pointers_to(const std::map<std::string, Hierarchy>& hierarchies) {
  tables::Hierarchies pointers;
  for (const auto& [name, hierarchy] : hierarchies) pointers[name] = &hierarchy;
  return pointers;
}

bool has_columns(const Table& table, const std::vector<std::string>& names) {
  return std::all_of(names.begin(), names.end(), [&](const std::string& name) {
    return std::any_of(table.columns.begin(), table.columns.end(),
                       [&](const Column& column) { return column.name == name; });
  });
}

// What the manifest beside a release says of its columns. Without one everything is as it looks.
class RecordedColumns {
 public:
  explicit RecordedColumns(const std::string& release) {
    if (!std::filesystem::exists(Manifest::path_of(release))) return;
    try {
      auto file = release::ReleaseFile::read(release);
      if (file.kind() == "tables") file_ = std::move(file);
    } catch (const Error&) {  // a file of another tool that is called so
    }
  }

  // How dates and numbers of the files that are compared are read: each as it shows, what does not
  // show it as in the original. Labels of texts are compared with the texts.
  [[nodiscard]] release::OwnForms forms(const release::SaidForms& said, const Schema& schema,
                                        const std::vector<std::string>& on) const {
    release::OwnForms forms(said, on);
    Schema with_recorded = schema;
    if (file_) {
      forms.fall_back_on(parameters());
      for (const auto& name : on) {
        if (with_recorded.hierarchies.count(name) > 0 || !release::records_hierarchy(*file_, name))
          continue;
        if (!speaks_for_itself(spec_of(name)) && !release::was_rewritten(parameters(), name))
          with_recorded.hierarchies[name] = spec_of(name);
      }
    }
    forms.leave_texts_of(with_recorded, on);
    return forms;
  }

  // ZIP codes of which Safe Harbor left three digits, in every table that is compared.
  void write_zips(Table& table) const {
    if (!file_) return;
    for (const auto& claim : *file_->manifest().claims) {
      if (claim.value("model", "") != "safe-harbor") continue;
      const columns::SafeHarborRule rule(columns::SafeHarborTreatment::zip);
      const auto zips = release::names_in(claim, "zips");
      for (auto& column : table.columns) {
        if (!release::among(zips, column.name)) continue;
        Dictionary areas;
        std::vector<Code> area_of;
        for (const auto value : column.dictionary.values())
          area_of.push_back(areas.intern(rule.cell(value)));
        for (Code& code : column.codes) code = area_of[code];
        column.dictionary = std::move(areas);
      }
    }
  }

  // The trees whose labels mean nothing by themselves, over the values of people.
  void add_hierarchies(const std::vector<std::string>& on, const Table& people,
                       std::map<std::string, Hierarchy>& hierarchies) const {
    for (const auto& name : on) {
      if (!file_ || hierarchies.count(name) > 0 || !release::records_hierarchy(*file_, name) ||
          speaks_for_itself(spec_of(name)))
        continue;
      const Column& column = people.column(name);
      auto tree = release::recorded_hierarchy(*file_, name, column, column.counts());
      if (tree) hierarchies.emplace(name, std::move(*tree));
    }
  }

  // Whether it was decided, when it was made, whose its rows are.
  [[nodiscard]] bool is_release() const { return file_.has_value(); }
  // The column that says whose each row is, or empty.
  [[nodiscard]] std::string person() const {
    return file_ ? parameters().value("person", std::string()) : std::string();
  }

  [[nodiscard]] tables::CellReadings readings(const std::vector<std::string>& names) const {
    tables::CellReadings readings;
    if (!file_) return readings;
    const auto unchanged = release::names_in(*file_->manifest().results, "unchanged");
    for (const auto& name : names) {
      if (release::among(unchanged, name)) readings[name] = tables::CellsAre::values;
      if (release::records_hierarchy(*file_, name) && spec_of(name) == "flat")
        readings[name] = tables::CellsAre::ours;
    }
    return readings;
  }

 private:
  [[nodiscard]] const Json& parameters() const { return *file_->manifest().parameters; }
  [[nodiscard]] std::string spec_of(const std::string& column) const {
    return parameters().at("hierarchies").value(column, std::string());
  }
  static bool speaks_for_itself(const std::string& spec) {
    return spec == "flat" || spec == "date" || spec == "prefix" || spec.starts_with("interval");
  }
  std::optional<release::ReleaseFile> file_;
};

// The column that says whose each row is, or empty: as the request says, else the manifest. Where
// neither does, a column that names people and repeats is asked about.
template <class Request>
std::string decide_whose_rows(const Source& source, const RecordedColumns& recorded,
                              const std::vector<std::string>& identifiers,
                              const std::vector<std::string>& looked_at, const Request& request,
                              const Run& run) {
  if (request.rows_are_people && !request.person.empty()) {
    throw Error::input("--person and --rows-are-people contradict each other")
        .hint("Leave out --rows-are-people where a person has several rows, else --person.");
  }
  if (!request.person.empty() || request.rows_are_people) return request.person;
  if (recorded.is_release())
    return release::among(source.columns, recorded.person()) ? recorded.person() : std::string();
  std::vector<std::string> others;
  for (const auto& name : source.columns) {
    if (!release::among(looked_at, name) && !release::among(identifiers, name))
      others.push_back(name);
  }
  ask_whose_rows(source, identifiers, others, run);
  return {};
}

// The column that says whose each row of the register is, or empty. Who is there twice would count
// as two.
std::string whose_register(const Source& people, const std::string& person,
                           const AttackRequest& request, const Run& run) {
  if (!request.register_person.empty()) {
    (void)column_index(people.columns, request.register_person, people.name);
    return request.register_person;
  }
  if (request.rows_are_people) return {};
  if (release::among(people.columns, person)) return person;
  require_a_row_per_person(people, person, run, "register", "--register-person");
  return {};
}

// Of these columns, those of which somebody has several values: no model can hold them.
std::vector<std::string> several_values(const Source& source,
                                        const std::vector<std::string>& columns,
                                        const std::string& person, const Run& run) {
  std::vector<std::string> several;
  if (person.empty() || columns.empty()) return several;
  const auto different = [&](const std::vector<std::string>& names) {
    return run.engine.group(source, names, run.progress).groups.rows();
  };
  const auto people = different({person});
  for (const auto& name : columns) {
    if (different({person, name}) > people) several.push_back(name);
  }
  return several;
}

}  // namespace

Outcome profile(const ProfileRequest& request, const Run& run) {
  const Source source = run.open(request.file);
  const Table table = request.first ? run.engine.page(source, 0, *request.first, run.progress)
                                    : run.engine.load(source, {}, run.progress);
  Json result = to_json(tables::profile(table, {}, run.progress));
  if (request.first) result["first"] = *request.first;
  // A person reads once why a column names people.
  Json for_a_person = result;
  for (auto& column : for_a_person["columns"]) {
    if (column.value("several_rows_each", false)) {
      column.erase("several_rows_each");
      column["why"] = column["why"].get<std::string>() + " It repeats: --person?";
    }
    const auto said = column.value("may_name_people", std::string());
    const auto why = column.value("why", std::string());
    // As a sentence it begins with a capital.
    if (!said.empty() && !why.empty() && why.substr(1).starts_with(said.substr(1))) {
      column.erase("may_name_people");
    }
  }
  return {.result = result, .for_a_person = for_a_person};
}

Outcome assess(const AssessRequest& request, const Run& run) {
  if (request.population_size && request.sampling_fraction) {
    throw Error::input("--population-size and --sampling-fraction say the same")
        .hint("Give one of them.");
  }
  if (request.sampling_fraction && *request.sampling_fraction <= 0) {
    throw Error::input("--sampling-fraction 0: nobody would be in the table")
        .hint("Give the share of all people who are in the table, such as 0.1.");
  }
  const Source source = run.open(request.file);
  const Schema schema = request.columns.schema(source.columns, source.name);
  require_quasi_identifiers(schema);
  const auto& qi = schema.quasi_identifiers;
  const auto looked_at = joined(qi, schema.sensitive);
  const RecordedColumns recorded(request.file);
  const std::string person =
      decide_whose_rows(source, recorded, schema.identifiers, schema.sensitive, request, run);
  GroupedTable grouped;
  Table of_people;
  if (person.empty()) {
    grouped = run.engine.group(source, looked_at, run.progress);
  } else {
    (void)column_index(source.columns, person, source.name);
    of_people = load_people(run.engine, source, looked_at, person, run.progress);
  }
  const CountedTable table = person.empty() ? CountedTable(grouped) : CountedTable(of_people);
  GroupedTable people;
  std::map<std::string, Hierarchy> hierarchies;
  std::optional<tables::Population> population;
  if (!request.population.empty()) {
    const Source everybody = run.open(request.population);
    if (!request.rows_are_people) require_a_row_per_person(everybody, person, run);
    people = run.engine.group(everybody, qi, run.progress);
    auto forms = recorded.forms(request.forms, schema, qi);
    (void)forms.write(people.groups, qi, everybody.name, people.counts);
    (void)forms.write(person.empty() ? grouped.groups : of_people, qi, source.name);
    forms.refuse_unheard();
    hierarchies = make_linking_hierarchies(schema, qi, people);
    population.emplace(tables::Population{people, pointers_to(hierarchies)});
  }
  Json result = to_json(tables::assess(table, qi, schema.sensitive, population, run.progress,
                                       {request.population_size, request.sampling_fraction}));
  const auto several = several_values(source, schema.sensitive, person, run);
  if (!several.empty()) result["several_values"] = several;
  return {result};
}

Outcome attack(const AttackRequest& request, const Run& run) {
  const Source release_source = run.open(request.release);
  const Source register_source = run.open(request.register_file);
  const Schema schema = request.columns.schema(release_source.columns, release_source.name);
  if (schema.sensitive.size() > 1) {
    throw Error::input("the attack takes one sensitive attribute at a time")
        .hint("Run it once for each.");
  }
  if (request.truth.empty() != request.truth_key.empty()) {
    throw Error::input("--truth and --truth-key go together");
  }
  Engine& engine = run.engine;
  const RecordedColumns recorded(request.release);
  const auto read = joined(request.on, schema.sensitive);
  const std::string person =
      decide_whose_rows(release_source, recorded, schema.identifiers, read, request, run);
  if (!person.empty()) (void)column_index(release_source.columns, person, release_source.name);
  GroupedTable released;
  if (person.empty()) {
    released = engine.group(release_source, read, run.progress);
  } else {
    released.groups = load_people(engine, release_source, read, person, run.progress);
    released.counts.assign(released.groups.rows(), 1);
  }
  auto forms = recorded.forms(request.forms, schema, request.on);
  (void)forms.write(released.groups, request.on, release_source.name, released.counts);
  std::vector<std::string> known = request.on;
  if (!request.truth.empty()) known = joined(known, {request.truth_key});
  const std::string named = whose_register(register_source, person, request, run);
  Table people = named.empty() ? engine.load(register_source, known, run.progress)
                               : load_people(engine, register_source, known, named, run.progress);
  const auto of_register = forms.write(people, request.on, register_source.name);
  recorded.write_zips(people);
  auto hierarchies = make_linking_hierarchies(schema, request.on, people);
  recorded.add_hierarchies(request.on, people, hierarchies);
  Table truth;
  std::optional<tables::Truth> judged;
  if (!request.truth.empty()) {
    const Source truth_source = run.open(request.truth);
    std::vector<std::string> wanted = joined({request.truth_key}, schema.sensitive);
    for (const auto& name : request.on) {
      const auto& there = truth_source.columns;
      if (std::find(there.begin(), there.end(), name) != there.end()) {
        wanted = joined(wanted, {name});
      }
    }
    truth = engine.load(truth_source, wanted, run.progress);
    (void)forms.write(truth, request.on, truth_source.name);
    recorded.write_zips(truth);
    judged = tables::Truth{&truth, request.truth_key};
  }
  forms.refuse_unheard();
  const auto sensitive = schema.sensitive.empty() ? std::optional<std::string>()
                                                  : std::optional(schema.sensitive.front());
  const tables::LinkageAttack attack = tables::attack_by_linkage(
      released, people, request.on, sensitive, judged, pointers_to(hierarchies), run.progress,
      recorded.readings(joined(request.on, schema.sensitive)));
  Json result = to_json(attack);
  if (!of_register.unread.empty()) result["unread_register"] = of_register.unread;
  if (attack.targets == 0) {
    result["note"] = "the register names nobody: nothing was tried";
  } else if (attack.release_rows > 0 && !attack.tried()) {
    result["note"] =
        "nothing was tried: no released cell contains a value of the register; if cells are labels "
        "or dates, give their --hierarchy";
  } else if (attack.release_rows == 0) {
    result["note"] = "the release has no rows: there was nothing to link, and nothing was tried";
  } else if (!of_register.unread.empty()) {
    result["note"] =
        "some cells of the register could not be read: whoever they belong to is not found by them";
  } else if (!attack.unread.empty()) {
    result["note"] =
        "some cells are neither values of the register nor ranges, sets or beginnings that can be "
        "read; if they are labels, give their --hierarchy";
  } else if (!of_register.as_recorded.empty()) {
    result["note"] = fmt::format(
        "the register does not show the form of {}: it was read as in the release's original; "
        "--date-form or --number-form says otherwise",
        fmt::join(of_register.as_recorded, ", "));
  }
  if (sensitive) {
    const auto over_sensitive = make_linking_hierarchies(schema, schema.sensitive, released);
    const auto tree = over_sensitive.find(*sensitive);
    result["attribute"] = to_json(tables::attack_attribute(
        released, request.on, *sensitive,
        {.hierarchy = tree == over_sensitive.end() ? nullptr : &tree->second}));
    const auto readings = recorded.readings(joined(request.on, schema.sensitive));
    result["learned"] = to_json(tables::attack_by_learning(
        released, people, request.on, *sensitive, judged, pointers_to(hierarchies), readings));
    if (judged && has_columns(truth, request.on)) {
      const auto before = tables::attack_by_learning(truth, people, request.on, *sensitive, judged);
      if (before.judged)
        result["learned"]["right_by_originals_share"] = to_json(before)["right_share"];
    }
  }
  return {result,
          !request.fail_above || (attack.tried() && attack.largest_share() <= *request.fail_above)};
}

}  // namespace pratique::tables::flow
