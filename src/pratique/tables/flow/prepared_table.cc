#include "pratique/tables/flow/prepared_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "pratique/columns/default_hierarchy.h"
#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/crypto/random.h"
#include "pratique/data/number.h"
#include "pratique/data/settings.h"
#include "pratique/engine/source_name.h"
#include "pratique/kind/among.h"
#include "pratique/tables/flow/earlier_releases.h"
#include "pratique/tables/flow/internal/column_limits.h"
#include "pratique/tables/flow/internal/decided_columns.h"
#include "pratique/tables/flow/internal/each_at_once.h"
#include "pratique/tables/flow/internal/following_columns.h"
#include "pratique/tables/flow/internal/randomised_columns.h"
#include "pratique/tables/flow/whose_rows.h"
#include "pratique/tables/format/workload_file.h"
#include "pratique/tables/method/anatomy.h"

namespace pratique::tables::flow {
namespace {

// By group; not a number where it is missing.
std::vector<double> numbers_of(const Column& column) {
  std::vector<double> numbers;
  for (std::size_t row = 0; row < column.codes.size(); ++row) {
    const auto text = column.text(row);
    if (!text.empty() && !is_number(text)) {
      throw Error::input(
          fmt::format("--target {}: the column has values that are not numbers", column.name))
          .hint(
              "A target is a number, written without an exponent (100000, not 1e5) and with a "
              "point "
              "(3.5, not 3,5); --label takes categories.");
    }
    numbers.push_back(text.empty() ? std::nan("") : to_double(text));
  }
  return numbers;
}

// Keeps each record by chance, the same ones every time. Dictionaries stay, and with them the
// hierarchies over them.
void draw_sample(double share, GroupedTable& table) {
  SeededRandom random(1);
  std::vector<std::size_t> kept;
  std::vector<std::uint64_t> counts;
  for (std::size_t group = 0; group < table.counts.size(); ++group) {
    std::uint64_t count = 0;
    for (std::uint64_t i = 0; i < table.counts[group]; ++i) count += random.chance(share) ? 1 : 0;
    if (count == 0) continue;
    kept.push_back(group);
    counts.push_back(count);
  }
  for (auto& column : table.groups.columns) {
    std::vector<Code> codes;
    codes.reserve(kept.size());
    for (const std::size_t group : kept) codes.push_back(column.codes[group]);
    column.codes = std::move(codes);
  }
  table.counts = std::move(counts);
}

// Claims about a population tell the intervals of its people: how wide they are follows from these,
// and not from the extremes of the records.
std::string default_hierarchy_of(const Column& column,
                                 const std::vector<std::uint64_t>& population) {
  std::string of_all = columns::default_hierarchy(column.name, column.dictionary);
  const auto is_interval = [](const std::string& spec) { return spec.starts_with("interval:"); };
  if (population.empty() || !is_interval(of_all)) return of_all;
  Dictionary everybody;
  for (std::size_t group = 0; group < population.size(); ++group) {
    if (population[group] > 0) everybody.intern(column.text(group));
  }
  std::string of_people = columns::default_hierarchy(column.name, everybody);
  return is_interval(of_people) ? of_people : "flat";
}

}  // namespace

PreparedTable::PreparedTable(const ProtectRequest& options, const Run& run)
    : source(run.open(options.file)), sources{source} {
  schema = options.columns.schema(source.columns, source.name);
  Schema flags;
  for (const auto& [key, values] : options.models) {
    for (const auto& value : values) flags.models.push_back({key, value});
  }
  schema.override_with(flags);
  if (options.safe_harbor) {
    refuse_beside_safe_harbor(options);
    safe_harbor.emplace(options.as_of, options.allowed);
  }
  name_person(options);
  decide_roles(options, run, *this);
  ask_whose_rows(options, run);
  // Safe Harbor is a model of its own, which needs no quasi-identifiers.
  if (!safe_harbor || has_models()) {
    require_quasi_identifiers(schema);
    request = tables::read_model_request(schema);
  }
  read(options, run);
  if (!people) {
    before = exposure_as_read();
    make_safe_harbor();
  }
  read_dates(options);
  randomise_columns(options, *this);
  check_leaving(options, content_aside_, *this);
  refuse_following_columns(options, *this);

  const CountedTable counted(table);
  for (const auto& name : schema.quasi_identifiers) {
    if (schema.hierarchies.count(name) > 0) continue;
    schema.hierarchies[name] = default_hierarchy_of(table.groups.column(name), population_);
    by_default.push_back(name);
  }
  hierarchies = make_hierarchies(schema, schema.quasi_identifiers, counted);
  sensitive_hierarchies = make_hierarchies(schema, request.sensitive_columns(),
                                           CountedTable(with_records(request.sensitive_columns())));
  input.attributes.resize(schema.quasi_identifiers.size());
  each_at_once(input.attributes.size(), [&](std::size_t a) {
    const std::string& name = schema.quasi_identifiers[a];
    const Column& column = table.groups.column(name);
    input.attributes[a] =
        tables::make_attribute(column, hierarchies.at(name), counted.counts_of(column));
  });
  limit_columns(options, *this);
  input.counts = &table.counts;
  if (!population_.empty()) input.population = &population_;
  models = make(request);
  measured = input;
  measured.sensitive.clear();
  measured.sensitive = measured_columns();
  if (!options.target.empty()) target = numbers_of(table.groups.column(options.target));
  if (!options.against.empty()) earlier = read_earlier_releases(options.against, *this, run);
  if (!options.queries.empty()) {
    workload = tables::parse_workload(read_file(options.queries), options.queries, measured);
  }
}

// People of a population have no sensitive values: groups without records have nothing to say
// there.
GroupedTable PreparedTable::with_records(const std::vector<std::string>& names) const {
  GroupedTable kept;
  for (const auto& name : names) {
    const Column& column = table.groups.column(name);
    Column& values = kept.groups.columns.emplace_back();
    values.name = name;
    for (std::size_t group = 0; group < table.counts.size(); ++group) {
      if (table.counts[group] > 0) {
        values.codes.push_back(values.dictionary.intern(column.text(group)));
      }
    }
  }
  for (const auto count : table.counts) {
    if (count > 0) kept.counts.push_back(count);
  }
  return kept;
}

void PreparedTable::name_person(const ProtectRequest& options) {
  if (options.person.empty()) return;
  if (options.rows_are_people) {
    throw Error::input("--person and --rows-are-people contradict each other")
        .hint("Leave out --rows-are-people where a person has several rows, else --person.");
  }
  (void)column_index(source.columns, options.person, source.name);
  if (schema.names(options.person) && schema.role_of(options.person) != Role::identifier) {
    throw Error::input(fmt::format("'{}' says whose a row is, so it is an identifier and not {}",
                                   options.person, to_string(schema.role_of(options.person))))
        .hint("Give it no other role: it leaves as a number that this release alone uses.");
  }
  if (!schema.names(options.person)) schema.give_role(options.person, Role::identifier);
  person = options.person;
}

void PreparedTable::ask_whose_rows(const ProtectRequest& options, const Run& run) const {
  if (!person.empty() || options.rows_are_people || !options.asks_whose_rows) return;
  std::vector<std::string> others = schema.quasi_identifiers;
  for (const auto& name : source.columns) {
    if (!schema.names(name)) others.push_back(name);
  }
  flow::ask_whose_rows(source, schema.identifiers, others, run);
}

std::vector<const Column*> PreparedTable::measured_columns() const {
  std::vector<const Column*> columns;
  const auto left_out = not_measured();
  for (const auto& name : schema.sensitive) {
    if (!release::among(left_out, name)) columns.push_back(&table.groups.column(name));
  }
  return columns;
}

std::vector<std::string> PreparedTable::not_measured() const {
  std::vector<std::string> names;
  for (const auto& name : schema.sensitive) {
    if (std::none_of(table.groups.columns.begin(), table.groups.columns.end(),
                     [&](const Column& column) { return column.name == name; }))
      names.push_back(name);
  }
  return names;
}

void PreparedTable::refuse_beside_safe_harbor(const ProtectRequest& options) const {
  const auto refuse = [](const std::string& what, const char* why) {
    throw Error::input(fmt::format("{} does not go with --safe-harbor: {}", what, why))
        .hint("Leave out one of the two.");
  };
  if (options.identifiers != "drop")
    refuse("--identifiers " + options.identifiers,
           "a number that is made from an identifier is one of the 18");
  if (!options.perturb.empty())
    refuse("--perturb", "its noise may make what must not leave, such as an age over 89");
  for (const auto& setting : schema.models) {
    if (setting.key == "population")
      refuse("--population", "its people are not as coarse as the release");
  }
}

// After the exposure of the table as it was read is known.
void PreparedTable::make_safe_harbor() {
  if (!safe_harbor) return;
  safe_harbor->apply(
      table.groups, [&](const Column& column) { return CountedTable(table).counts_of(column); },
      source.name);
}

void PreparedTable::read_dates(const ProtectRequest& options) {
  if (request.population) return;  // read with it
  dates = date_forms_of(options, table.groups, source.name);
  release::write_as_days(table.groups, dates);
  numbers = number_forms_of(options, table.groups, source.name);
  release::write_as_numbers(table.groups, numbers);
}

release::NumberForms PreparedTable::number_forms_of(const ProtectRequest& options, const Table& of,
                                                    const std::string& place) const {
  return release::find_number_forms(
      of, schema, column_values(options.number_forms, "--number-form", source.columns), place);
}

release::DateForms PreparedTable::date_forms_of(const ProtectRequest& options, const Table& of,
                                                const std::string& place) const {
  return release::find_date_forms(
      of, schema, column_values(options.date_forms, "--date-form", source.columns), place);
}

tables::Exposure PreparedTable::exposure_as_read() const {
  tables::ProtectionInput as_read;
  for (const auto& name : schema.quasi_identifiers) {
    as_read.attributes.emplace_back().column = &table.groups.column(name);
  }
  as_read.sensitive = measured_columns();
  as_read.counts = &table.counts;
  return tables::exposure_before(as_read);
}

tables::Models PreparedTable::make(const tables::ModelRequest& wanted) {
  tables::Hierarchies pointers;
  for (const auto& [name, hierarchy] : sensitive_hierarchies) pointers[name] = &hierarchy;
  return tables::make_models(wanted, {table.groups, pointers, population_file_}, input);
}

tables::Models PreparedTable::models_with(std::uint64_t k) {
  Schema flag;
  flag.models = {{"k", std::to_string(k)}};
  Schema wanted = schema;
  wanted.override_with(flag);
  return make(tables::read_model_request(wanted));
}

void PreparedTable::read(const ProtectRequest& options, const Run& run) {
  for (const auto& name : source.columns) {
    const bool identifier = schema.role_of(name) == Role::identifier;
    if (!identifier || (options.identifiers != "drop" && name != options.person))
      leaving.push_back(name);
  }
  for (const auto& name : {options.label, options.target}) {
    if (name.empty()) continue;
    (void)column_index(source.columns, name, source.name);
    if (schema.role_of(name) != Role::identifier) continue;
    throw Error::input(fmt::format("'{}' is an identifier, so no release can be made for it", name))
        .hint("--label and --target name a column that is released.");
  }
  if (options.person.empty()) {
    read_rows(options, run);
  } else {
    PeopleColumns columns{
        options.person, schema.quasi_identifiers, request.sensitive_columns(), schema.sensitive,
        leaving,        !options.against.empty()};
    for (const auto& name : request.withheld_columns()) columns.single.push_back(name);
    for (const auto& name : {options.label, options.target}) {
      if (!name.empty()) columns.single.push_back(name);
    }
    people.emplace(columns, source, run);
    table = people->take_records();
    before = exposure_as_read();
    if (safe_harbor) {
      // Who is known by what follows from the cells that leave.
      people.emplace(columns, source, run, [&](Table& rows) {
        safe_harbor->apply(
            rows, [](const Column& column) { return column.counts(); }, source.name);
      });
      table = people->take_records();
    }
  }
  records_read = std::accumulate(table.counts.begin(), table.counts.end(), std::uint64_t{0});
  if (options.sample && *options.sample < records_read) {
    draw_sample(static_cast<double>(*options.sample) / static_cast<double>(records_read), table);
  }
  if (!request.population) return;
  if (same_file(parse_source_name(*request.population).file, parse_source_name(source.name).file)) {
    throw Error::input("the population is the table itself")
        .at(*request.population)
        .hint(
            "A population is everybody who may be in the table, such as a register: of its own "
            "people alone nothing can be said.");
  }
  sources.push_back(run.open(*request.population));
  if (!options.rows_are_people && options.asks_whose_rows)
    require_a_row_per_person(sources.back(), options.person, run);
  GroupedTable everybody = run.engine.group(sources.back(), schema.quasi_identifiers, run.progress);
  // Each file in its own form, and both as days and plain numbers.
  dates = date_forms_of(options, table.groups, source.name);
  release::write_as_days(table.groups, dates);
  const auto theirs = date_forms_of(options, everybody.groups, *request.population);
  release::write_as_days(everybody.groups, theirs);
  numbers = number_forms_of(options, table.groups, source.name);
  release::write_as_numbers(table.groups, numbers);
  const auto their_numbers = number_forms_of(options, everybody.groups, *request.population);
  release::write_as_numbers(everybody.groups, their_numbers);
  population_file_ = tables::PopulationFile{*request.population};
  for (const auto& [column, form] : theirs)
    population_file_->dates[column] = std::string(to_string(form));
  for (const auto& [column, form] : their_numbers)
    population_file_->numbers[column] = std::string(to_string(form));
  population_ = tables::add_population(table, everybody, schema.quasi_identifiers);
}

bool PreparedTable::has_a_part(const std::string& column, const ProtectRequest& options) const {
  return schema.role_of(column) != Role::insensitive || column == options.label ||
         column == options.target || release::among(request.sensitive_columns(), column) ||
         release::among(request.withheld_columns(), column) ||
         column_values(options.perturb, "--perturb").count(column) > 0 ||
         std::any_of(request.beliefs.begin(), request.beliefs.end(),
                     [&](const auto& belief) { return belief.column == column; });
}

bool PreparedTable::is_aside(const std::string& column) const {
  return aside && release::among(aside->names(), column);
}

// What has no part in models and methods is not held. Safe Harbor reads every cell, and Anatomy
// writes them itself.
void PreparedTable::read_rows(const ProtectRequest& options, const Run& run) {
  std::vector<std::string> held;
  std::vector<std::string> others;
  for (const auto& name : leaving) {
    const bool needed =
        safe_harbor || options.method == tables::kAnatomy || has_a_part(name, options);
    // Where nothing leaves, nobody need have decided about it, and nothing is said of it.
    if (needed || options.releases || schema.names(name)) (needed ? held : others).push_back(name);
  }
  // Methods break ties by the order of groups, which must not follow from sensitive values.
  std::stable_partition(held.begin(), held.end(), [&](const std::string& name) {
    return schema.role_of(name) == Role::quasi_identifier;
  });
  if (others.empty()) {
    table = run.engine.group(source, held, run.progress);
    return;
  }
  auto read = run.engine.group_with_aside(
      source, held, others, run.progress, [&](const ValueCounts& values) {
        content_aside_[values.name] = columns::read_content(values.values, values.counts);
      });
  table = std::move(read.table);
  aside = std::move(read.aside);
}

}  // namespace pratique::tables::flow
