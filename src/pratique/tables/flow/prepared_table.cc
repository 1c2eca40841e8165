#include "pratique/tables/flow/prepared_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <set>

#include "pratique/columns/default_hierarchy.h"
#include "pratique/columns/role_advice.h"
#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/crypto/random.h"
#include "pratique/data/number.h"
#include "pratique/data/settings.h"
#include "pratique/engine/source_name.h"
#include "pratique/kind/among.h"
#include "pratique/kind/decided_columns.h"
#include "pratique/kind/shell_quoted.h"
#include "pratique/tables/flow/earlier_releases.h"
#include "pratique/tables/flow/whose_rows.h"
#include "pratique/tables/format/workload_file.h"
#include "pratique/tables/method/anatomy.h"
#include "pratique/tables/metric/metrics.h"
#include "pratique/tables/profile/profile.h"

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

int level_of(const std::string& column, const std::string& text, const Hierarchy& hierarchy) {
  int level = -1;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, level);
  if (parsed.ec != std::errc() || parsed.ptr != end || level < 0 || level >= hierarchy.height()) {
    throw Error::input(fmt::format("'{}' is not a level of the hierarchy of '{}'", text, column))
        .hint(fmt::format("Its levels are 0 (as it is) to {} (nothing left).",
                          hierarchy.height() - 1));
  }
  return level;
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

constexpr double kNearlyAll = 0.9;

// Of an operator that bounds beliefs: with which probability it keeps a value.
double share_kept(const tables::RandomisedColumn& column) {
  return column.gamma / (column.gamma + static_cast<double>(column.values.size()) - 1);
}

// By what the operator may do, and not by what chance made of it, where that can be told.
bool may_hide(const tables::RandomisedColumn& column) {
  constexpr std::string_view kPram = "pram:";
  constexpr double kMost = 0.5;
  const std::string& operation = column.operation;
  if (operation.starts_with(kPram)) {
    std::string kept = operation.substr(kPram.size());
    kept = kept.substr(0, kept.find(':'));  // then a level
    return !is_number(kept) || to_double(kept) < kNearlyAll;
  }
  return !operation.starts_with("round") &&
         (column.gamma > 0 ? share_kept(column) < kNearlyAll : column.changed >= kMost);
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
  decide(options, run);
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
  randomise(options);
  check_leaving(options);

  const CountedTable counted(table);
  for (const auto& name : schema.quasi_identifiers) {
    if (schema.hierarchies.count(name) > 0) continue;
    schema.hierarchies[name] = default_hierarchy_of(table.groups.column(name), population_);
    by_default.push_back(name);
  }
  hierarchies = make_hierarchies(schema, schema.quasi_identifiers, counted);
  sensitive_hierarchies = make_hierarchies(schema, request.sensitive_columns(),
                                           CountedTable(with_records(request.sensitive_columns())));
  for (const auto& name : schema.quasi_identifiers) {
    const Column& column = table.groups.column(name);
    input.attributes.push_back(
        tables::make_attribute(column, hierarchies.at(name), counted.counts_of(column)));
  }
  limit_losses(options);
  limit_levels(options);
  weigh_columns(options);
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

tables::Attribute& PreparedTable::attribute_named(const std::string& column,
                                                  const std::string& option) {
  (void)column_index(source.columns, column, source.name);
  const auto attribute =
      std::find_if(input.attributes.begin(), input.attributes.end(),
                   [&](const auto& candidate) { return candidate.name == column; });
  if (attribute == input.attributes.end()) {
    throw Error::input(fmt::format("{}: '{}' is not a quasi-identifier but {}", option, column,
                                   to_string(schema.role_of(column))))
        .hint("Only quasi-identifiers lose anything: name it with --qi, or leave it out.");
  }
  return *attribute;
}

void PreparedTable::limit_levels(const ProtectRequest& options) {
  for (const auto& [column, text] :
       column_values(options.max_level, "--max-level", source.columns)) {
    auto& attribute = attribute_named(column, "--max-level");
    max_level[column] = level_of(column, text, *attribute.hierarchy);
    limit_level(attribute, max_level[column]);
  }
}

void PreparedTable::weigh_columns(const ProtectRequest& options) {
  constexpr double kLargest = 1e6;
  for (const auto& [column, text] : column_values(options.weights, "--weight", source.columns)) {
    auto& attribute = attribute_named(column, "--weight");
    const double weight = is_number(text) ? to_double(text) : -1;
    if (!(weight >= 0 && weight <= kLargest)) {
      throw Error::input(
          fmt::format("--weight {}: '{}' is not a number from 0 to {:.0f}", column, text, kLargest))
          .hint("Write for example --weight age=3: its cells count three times as much as others.");
    }
    weights[column] = attribute.weight = weight;
  }
  if (weights.empty()) return;
  if (scale_weights(input.attributes) <= 0) {
    throw Error::input("--weight: no column counts anything")
        .hint("At least one quasi-identifier needs a weight above 0; those not named have 1.");
  }
}

void PreparedTable::limit_losses(const ProtectRequest& options) {
  for (const auto& [column, text] : column_values(options.max_loss, "--max-loss", source.columns)) {
    auto& attribute = attribute_named(column, "--max-loss");
    const double share = is_number(text) ? to_double(text) : -1;
    if (!(share >= 0 && share <= 1)) {
      throw Error::input(
          fmt::format("--max-loss {}: '{}' is not a number from 0 to 1", column, text))
          .hint("Write for example --max-loss age=0.2: no cell stands for more than a fifth.");
    }
    max_loss[column] = share;
    constexpr double kLeafRounding = 1e-9;
    attribute.most_leaves =
        1 + share * (static_cast<double>(attribute.hierarchy->leaf_count()) - 1) + kLeafRounding;
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

// Every column has a role, or takes the one that the profile suggests.
void PreparedTable::decide(const ProtectRequest& options, const Run& run) {
  std::vector<std::string> withheld;
  try {
    if (!safe_harbor || has_models())
      withheld = tables::read_model_request(schema).withheld_columns();
  } catch (const Error&) {
    // A model may be about what the profile is to suggest: what is wrong with it is told after.
    if (options.roles != "suggested") throw;
  }
  const auto perturbed = column_values(options.perturb, "--perturb");
  std::set<std::string> open;
  for (const auto& name : source.columns) {
    if (!schema.names(name) && !release::among(withheld, name) && perturbed.count(name) == 0)
      open.insert(name);
  }
  const bool suggested = options.roles == "suggested";
  if (open.empty() || !(options.releases || suggested)) return;
  const Table whole = run.engine.load(source, {}, run.progress);
  std::vector<release::AdvisedColumn> advice;
  for (const auto& column : tables::profile(whole, {}, run.progress).columns) {
    if (open.count(column.name) == 0) continue;
    release::AdvisedColumn advised{column.name, column.suggested_role, column.why};
    if (safe_harbor && !release::among(options.allowed, column.name)) {
      const auto rule =
          safe_harbor->rule(column.name, columns::read_content(whole.column(column.name)));
      if (rule.treatment() == columns::SafeHarborTreatment::remove)
        advised = {column.name, Role::identifier, rule.why() + "."};
    }
    if (suggested) schema.give_role(column.name, advised.role);
    advice.push_back(std::move(advised));
  }
  if (suggested) return;
  throw release::undecided(
      advice, source.name,
      [](Role role) -> std::string_view {
        switch (role) {
          case Role::identifier:
            return "id";
          case Role::quasi_identifier:
            return "qi";
          case Role::sensitive:
            return "sensitive";
          case Role::insensitive:
            break;
        }
        return "insensitive";
      },
      "To take such advice without reading it: --roles suggested. ");
}

void PreparedTable::check_leaving(const ProtectRequest& options) {
  const auto withheld = request.withheld_columns();
  for (const auto& name : leaving) {
    const Role role = schema.role_of(name);
    if (role == Role::identifier ||
        (role == Role::quasi_identifier && options.method != tables::kAnatomy) ||
        release::among(withheld, name) || (safe_harbor && safe_harbor->coarsens(name)) ||
        std::any_of(randomised.begin(), randomised.end(),
                    [&](const auto& column) { return column.column == name; }))
      continue;
    as_is.push_back(name);
  }
  for (const auto& column : randomised) {
    if (column.operation.starts_with("round")) rounded.push_back(column.column);
  }
  for (const auto& name : options.allowed) (void)column_index(source.columns, name, source.name);
  if (!options.releases) return;
  release::LeavesAsItIs looks(options.allowed);
  const CountedTable counted(table);
  for (const auto& column : randomised) {
    if (column.gamma <= 0 || may_hide(column) || release::among(options.allowed, column.column))
      continue;
    throw Error::input(
        fmt::format(
            "the bound on beliefs about '{}' is so loose that {:.4g} % of its values leave as "
            "they are: it promises next to nothing",
            column.column, 100 * share_kept(column)))
        .at(source.name)
        .hint(fmt::format(
            "Ask for less with --rho or --growth. What is harmless all the same needs a "
            "word, which is told to everybody who verifies the release:\n    --allow {}",
            release::shell_quoted(release::comma_separated({column.column}))));
  }
  // An operator that leaves most values alone, or gives all the same treatment, hides nobody.
  for (const auto& column : randomised) {
    if (may_hide(column)) continue;
    const Column& values = table.groups.column(column.column);
    looks.look_at(column.column,
                  columns::read_content(values.dictionary, counted.counts_of(values)));
  }
  for (const auto& name : as_is) {
    if (is_aside(name)) {
      looks.look_at(name, content_aside_.at(name));
      continue;
    }
    const Column& column = people ? people->column(name) : table.groups.column(name);
    looks.look_at(name,
                  columns::read_content(column.dictionary, people ? people->people_with(column)
                                                                  : counted.counts_of(column)));
  }
  looks.check(source.name);
  // All that were named: which of them needed it depends on who is in the table.
  for (const auto& name : leaving) {
    const bool drawn = std::any_of(randomised.begin(), randomised.end(),
                                   [&](const auto& column) { return column.column == name; });
    if ((drawn || release::among(as_is, name)) && release::among(options.allowed, name))
      allowed.push_back(name);
  }
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

void PreparedTable::randomise(const ProtectRequest& options) {
  tables::Randomisation wanted;
  wanted.beliefs = request.beliefs;
  std::vector<std::string> with_trees;
  for (const auto& [column, operation] :
       column_values(options.perturb, "--perturb", source.columns)) {
    (void)column_index(source.columns, column, source.name);
    if (schema.role_of(column) == Role::identifier) {
      throw Error::input(
          fmt::format("'{}' is an identifier: randomising would not hide it", column))
          .hint("Drop it, or choose --identifiers pseudonym.");
    }
    wanted.perturbations.emplace(column, tables::parse_perturbation(operation));
    if (schema.hierarchies.count(column) > 0) with_trees.push_back(column);
  }
  for (const auto& belief : wanted.beliefs) {
    if (schema.hierarchies.count(belief.column) > 0) with_trees.push_back(belief.column);
  }
  if (wanted.empty()) return;
  if (people) {
    throw Error::input("rows of one person cannot be randomised one by one")
        .hint("Leave out --perturb, --rho and --growth, or --person.");
  }
  if (request.population) {
    throw Error::input("a randomised table cannot be compared with a population")
        .hint("Leave out --perturb, --rho and --growth, or --population.");
  }
  for (const auto& belief : wanted.beliefs) {
    if (options.releases && schema.hierarchies.count(belief.column) == 0 &&
        !release::among(options.allowed, belief.column))
      require_shared_values(belief.column);
  }
  const auto trees = make_hierarchies(schema, with_trees, CountedTable(table));
  SystemNoise noise;
  auto perturbed = tables::randomise(table, wanted, trees, noise);
  table = std::move(perturbed.table);
  randomised = std::move(perturbed.columns);
}

// The values that occur are published, and so is one that a single record has: whoever knows the
// others knows whose it is, however the column is drawn.
void PreparedTable::require_shared_values(const std::string& name) const {
  const Column& column = table.groups.column(name);
  const auto counts = CountedTable(table).counts_of(column);
  const auto alone = std::count(counts.begin(), counts.end(), std::uint64_t{1});
  if (alone == 0) return;
  throw Error::input(
      fmt::format("{} of '{}' {} in one record only, and the values that occur are published: "
                  "whoever knows all others knows whose {}",
                  alone == 1 ? "a value" : fmt::format("{} values", alone), name,
                  alone == 1 ? "stands" : "stand each", alone == 1 ? "it is" : "they are"))
      .at(source.name)
      .hint(fmt::format(
          "Give a hierarchy with all values of the coding system (--hierarchy {}=FILE), or join "
          "rare values. What is harmless all the same needs a word, which is told to everybody who "
          "verifies the release:\n    --allow {}",
          name, release::shell_quoted(release::comma_separated({name}))));
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

void refuse_unused(const ProtectRequest& options, const std::vector<std::string>& methods) {
  const auto refuse = [&](const std::string& option, const auto& heard_by) {
    std::vector<std::string_view> hearing;
    for (const auto& kind : tables::methods()) {
      if (heard_by(kind)) hearing.push_back(kind.name);
    }
    const bool used = std::any_of(methods.begin(), methods.end(), [&](const std::string& method) {
      return std::find(hearing.begin(), hearing.end(), method) != hearing.end();
    });
    if (used) return;
    throw Error::input(
        fmt::format("--{} has no effect with --method {}", option, fmt::join(methods, ",")))
        .hint(fmt::format("Leave it out; it goes with {}.", fmt::join(hearing, ", ")));
  };
  const std::pair<const char*, bool> settings[] = {
      {"levels", !options.levels.empty()},
      {"max-loss", !options.max_loss.empty()},
      {"max-level", !options.max_level.empty()},
      {"against", !options.against.empty()},
      {"recoding", !options.recoding.empty()},
      {"time-limit", options.time_limit.has_value()},
      {"relaxed", options.relaxed},
      {"target", !options.target.empty()},
      {"centre", !options.centre.empty()},
      {"univariate", options.univariate},
      {"start", !options.start.empty()},
  };
  for (const auto& [setting, given] : settings) {
    if (!given) continue;
    refuse(setting, [name = setting](const auto& kind) { return kind.listens_to(name); });
  }
  if (options.metric != "lm") {
    refuse(options.metric == "ncp" ? "metric ncp" : "metric",
           [&](const auto& kind) { return kind.minimises(options.metric); });
  }
  if (!options.key.empty() && options.identifiers == "drop") {
    throw Error::input("--key has no effect where identifiers are dropped")
        .hint("Leave it out, or ask for --identifiers pseudonym or surrogate.");
  }
}

tables::Protected protect_prepared(PreparedTable& prepared, const tables::Models& models,
                                   const tables::Method& method, Progress& progress) {
  auto released = tables::protect(prepared.input, models, method, progress);
  if (method.name != "local" || models.size() < 2 || released.ended_early || released.runs)
    return released;
  double least = tables::loss_metric(prepared.input, released.recoding);
  for (const std::uint64_t k : {2, 3, 5, 7, 11, 20, 50}) {
    if (k <= tables::least_records(models)) continue;
    try {
      auto stricter = tables::protect(prepared.input, prepared.models_with(k), method, progress);
      const double loss = tables::loss_metric(prepared.input, stricter.recoding);
      if (loss >= least) continue;
      least = loss;
      released = std::move(stricter);
      released.models = tables::models_of_release(models, prepared.input, released.recoding);
      released.larger_k = k;
    } catch (const Error& error) {
      if (error.code() != ErrorCode::check_failed) throw;
    }
  }
  return released;
}

tables::Method method_of(const ProtectRequest& options, const PreparedTable& prepared) {
  tables::Method method;
  method.name = options.method;
  method.suppression = options.suppression;
  method.metric = options.metric;
  method.measured = &prepared.measured;
  if (prepared.workload) method.workload = &*prepared.workload;
  method.time_limit = options.time_limit;
  method.relaxed = options.relaxed;
  if (!options.recoding.empty()) {
    method.style =
        options.recoding == "labels" ? tables::CellStyle::labels : tables::CellStyle::free;
  }
  if (!options.centre.empty()) method.centre = tables::centre_of_name(options.centre);
  method.univariate = options.univariate;
  if (!options.start.empty()) method.start = options.start;
  if (!options.target.empty()) method.target = &prepared.target;
  if (!options.label.empty()) method.label = &prepared.table.groups.column(options.label);
  if (options.method == "again") {
    if (!prepared.earlier) {
      throw Error::input("--method again needs the releases that went before")
          .hint("Name each with --against.");
    }
    method.earlier = &*prepared.earlier;
  }
  const bool begins_with_levels = options.method == "local" && !options.levels.empty();
  if (begins_with_levels && method.start != "optimal") {
    throw Error::input("local begins with --start or with --levels, not with both")
        .hint("Leave one of them out.");
  }
  if (options.method != "levels" && !begins_with_levels) return method;
  const auto levels = column_values(options.levels, "--levels", prepared.source.columns);
  for (const auto& [name, level] : levels) {
    (void)column_index(prepared.source.columns, name, prepared.source.name);
    if (prepared.schema.role_of(name) == Role::quasi_identifier) continue;
    throw Error::input(fmt::format("--levels: '{}' is not a quasi-identifier but {}", name,
                                   to_string(prepared.schema.role_of(name))))
        .hint("Only quasi-identifiers are generalised: name it with --qi, or leave it out.");
  }
  for (const auto& name : prepared.schema.quasi_identifiers) {
    const auto level = levels.find(name);
    method.levels.push_back(
        level == levels.end() ? 0 : level_of(name, level->second, prepared.hierarchies.at(name)));
  }
  return method;
}

}  // namespace pratique::tables::flow
