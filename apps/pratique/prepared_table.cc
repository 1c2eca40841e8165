#include "prepared_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "pratique/core/file.h"
#include "pratique/crypto/hash.h"
#include "pratique/data/number.h"
#include "pratique/tables/format/workload_file.h"

namespace pratique::app {
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
              "A target is a number, written without an exponent (100000, not 1e5); --label takes "
              "categories.");
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
    throw Error::input(fmt::format("'{}' is no level of the hierarchy of '{}'", text, column))
        .hint(fmt::format("Its levels are 0 (as it is) to {} (nothing left).",
                          hierarchy.height() - 1));
  }
  return level;
}

// What each key of Schema::kModelKeys takes. The models read and check the text themselves.
void add_models(Verb& verb, std::map<std::string, std::vector<std::string>>& models) {
  const auto values = [&](const char* key) { return &models[key]; };
  verb.group("Models");
  verb.whole_number("k", values("k"), 1, kLargestSeed,
                    "k-anonymity: every class holds at least N records");
  verb.whole_number("k-map", values("k-map"), 1, kLargestSeed,
                    "every class matches at least N people of --population");
  verb.file_read("population", values("population"),
                 "a table of all people the adversary may choose from");
  verb.number("l", values("l"), 1, kNoLimit, "l-diversity of the sensitive values in a class")
      .for_each_column();
  verb.text("diversity", values("diversity"), "distinct, entropy or recursive:C: which l-diversity")
      .unless_given("distinct")
      .for_each_column();
  verb.share("alpha", values("alpha"), "no sensitive value has a larger share of a class")
      .for_each_column();
  verb.share("t", values("t"), "t-closeness of a class's sensitive values to the table's")
      .for_each_column();
  verb.text("distance", values("distance"), "equal, ordered or hierarchical: the distance of t")
      .unless_given("equal")
      .for_each_column();
  verb.text("em", values("em"),
            "E:M, of numbers: at most 1/M of a class lies within E of any record")
      .for_each_column();
  verb.number("range", values("range"), 0, kNoLimit, "the numbers in a class span at least this")
      .for_each_column();
  verb.text("guard", values("guard"),
            "COLUMN:P, personalised privacy: guarding nodes in COLUMN, breach at most P");
  verb.text("delta", values("delta"),
            "MIN,MAX, delta-presence: the share of --population that is in the table");
  verb.text(
          "rho", values("rho"),
          "RHO1:RHO2: the column leaves randomised so that no belief of at most RHO1 grows beyond "
          "RHO2")
      .for_each_column();
  verb.number("growth", values("growth"), 0, kNoLimit,
              "the same, and no belief grows by more than this")
      .for_each_column();
}

}  // namespace

PreparedTable::PreparedTable(const ProtectOptions& options, Session& session)
    : source(session.open(options.file)), sources{source} {
  schema = options.columns.schema(source.columns, source.name);
  Schema flags;
  for (const auto& [key, values] : options.models) {
    for (const auto& value : values) flags.models.push_back({key, value});
  }
  schema.override_with(flags);
  require_quasi_identifiers(schema);
  request = tables::read_model_request(schema);
  read(options, session);
  before = exposure_as_read();
  randomise(options);

  const CountedTable counted(table);
  Schema with_defaults = schema;
  for (const auto& name : schema.quasi_identifiers) with_defaults.hierarchies.emplace(name, "flat");
  schema.hierarchies = with_defaults.hierarchies;
  hierarchies = make_hierarchies(schema, schema.quasi_identifiers, counted);
  sensitive_hierarchies = make_hierarchies(schema, request.sensitive_columns(), counted);
  for (const auto& name : schema.quasi_identifiers) {
    const Column& column = table.groups.column(name);
    input.attributes.push_back(
        tables::make_attribute(column, hierarchies.at(name), counted.counts_of(column)));
  }
  input.counts = &table.counts;
  if (!population_.empty()) input.population = &population_;
  if (request.population) {
    population_file_ =
        tables::PopulationFile{*request.population, sha256_file(*request.population)};
  }
  models = make(request);
  measured = input;
  measured.sensitive.clear();
  for (const auto& name : schema.sensitive)
    measured.sensitive.push_back(&table.groups.column(name));
  if (!options.target.empty()) target = numbers_of(table.groups.column(options.target));
  if (!options.queries.empty()) {
    workload = tables::parse_workload(read_file(options.queries), options.queries, measured);
  }
}

tables::Exposure PreparedTable::exposure_as_read() const {
  tables::ProtectionInput as_read;
  for (const auto& name : schema.quasi_identifiers) {
    as_read.attributes.emplace_back().column = &table.groups.column(name);
  }
  for (const auto& name : schema.sensitive) {
    as_read.sensitive.push_back(&table.groups.column(name));
  }
  as_read.counts = &table.counts;
  return tables::exposure_before(as_read);
}

void PreparedTable::randomise(const ProtectOptions& options) {
  tables::Randomisation wanted;
  wanted.beliefs = request.beliefs;
  std::vector<std::string> with_trees;
  for (const auto& [column, operation] : column_values(options.perturb, "--perturb")) {
    (void)column_index(source.columns, column, source.name);
    if (schema.role_of(column) == Role::identifier) {
      throw Error::input(fmt::format("'{}' is an identifier: chance would not hide it", column))
          .hint("Drop it, or choose --identifiers pseudonym.");
    }
    wanted.perturbations.emplace(column, tables::parse_perturbation(operation));
    if (schema.hierarchies.count(column) > 0) with_trees.push_back(column);
  }
  for (const auto& belief : wanted.beliefs) {
    if (schema.hierarchies.count(belief.column) > 0) with_trees.push_back(belief.column);
  }
  if (wanted.empty()) return;
  if (request.population) {
    throw Error::input("a table that leaves changed by chance cannot be held against a population")
        .hint("Leave out --perturb, --rho and --growth, or --population.");
  }
  const auto trees = make_hierarchies(schema, with_trees, CountedTable(table));
  SystemNoise noise;
  auto made = tables::randomise(table, wanted, trees, noise);
  table = std::move(made.table);
  randomised = std::move(made.columns);
}

tables::Models PreparedTable::make(const tables::ModelRequest& wanted) {
  tables::Hierarchies pointers;
  for (const auto& [name, hierarchy] : sensitive_hierarchies) pointers[name] = &hierarchy;
  return tables::make_models(wanted, {table.groups, pointers, population_file_}, input);
}

tables::Models PreparedTable::models_with(std::uint64_t k) {
  tables::ModelRequest wanted = request;
  wanted.k = k;
  return make(wanted);
}

void PreparedTable::read(const ProtectOptions& options, Session& session) {
  for (const auto& name : source.columns) {
    const bool identifier = schema.role_of(name) == Role::identifier;
    if (!identifier || options.identifiers != "drop") leaving.push_back(name);
  }
  for (const auto& name : {options.label, options.target}) {
    if (name.empty()) continue;
    (void)column_index(source.columns, name, source.name);
    if (schema.role_of(name) != Role::identifier) continue;
    throw Error::input(fmt::format("'{}' is an identifier: no release is for it", name))
        .hint("--label and --target name a column that leaves.");
  }
  table = session.engine().group(source, leaving, session.progress);
  if (!request.population) return;
  sources.push_back(session.open(*request.population));
  const GroupedTable people =
      session.engine().group(sources.back(), schema.quasi_identifiers, session.progress);
  population_ = tables::add_population(table, people, schema.quasi_identifiers);
}

void refuse_unused(const ProtectOptions& options, const std::vector<std::string>& methods) {
  struct Use {
    const char* option;
    bool given;
    std::vector<std::string> methods;
  };
  const std::vector<std::string> cut = {"mondrian", "cluster-up", "cluster-down"};
  const std::vector<std::string> local = {"local", "mondrian", "cluster-up", "cluster-down",
                                          "microaggregate"};
  const Use uses[] = {
      {"--levels", !options.levels.empty(), {"levels"}},
      {"--metric ncp", options.metric == "ncp", {"optimal", cut[0], cut[1], cut[2]}},
      {"--metric", options.metric != "lm" && options.metric != "ncp", {"optimal"}},
      {"--recoding", !options.recoding.empty(), local},
      {"--time-limit", options.time_limit.has_value(), {"optimal"}},
      {"--relaxed", options.relaxed, {"mondrian"}},
      {"--target", !options.target.empty(), {"mondrian"}},
      {"--centre", !options.centre.empty(), {"microaggregate"}},
      {"--univariate", options.univariate, {"microaggregate"}},
  };
  for (const Use& use : uses) {
    const bool used = std::any_of(methods.begin(), methods.end(), [&](const std::string& method) {
      return std::find(use.methods.begin(), use.methods.end(), method) != use.methods.end();
    });
    if (!use.given || used) continue;
    throw Error::input(
        fmt::format("{} has no effect with --method {}", use.option, fmt::join(methods, ",")))
        .hint(fmt::format("Leave it out; it goes with {}.", fmt::join(use.methods, ", ")));
  }
  if (!options.key.empty() && options.identifiers == "drop") {
    throw Error::input("--key has no effect where identifiers are dropped")
        .hint("Leave it out, or ask for --identifiers pseudonym or surrogate.");
  }
}

tables::Method method_of(const ProtectOptions& options, const PreparedTable& prepared) {
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
  const std::map<std::string, tables::MicroaggregationOptions::Centre> centres = {
      {"mean", tables::MicroaggregationOptions::Centre::mean},
      {"median", tables::MicroaggregationOptions::Centre::median},
      {"range", tables::MicroaggregationOptions::Centre::range}};
  method.centre = centres.at(options.centre.empty() ? "mean" : options.centre);
  method.univariate = options.univariate;
  if (!options.target.empty()) method.target = &prepared.target;
  if (!options.label.empty()) method.label = &prepared.table.groups.column(options.label);
  if (options.method != "levels") return method;
  const auto levels = column_values(options.levels, "--levels");
  for (const auto& [name, level] : levels) {
    (void)column_index(prepared.source.columns, name, prepared.source.name);
    if (prepared.schema.role_of(name) == Role::quasi_identifier) continue;
    throw Error::input(fmt::format("--levels: '{}' is no quasi-identifier but {}", name,
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

void add_shared_options(Verb& verb, ProtectOptions& options) {
  verb.file_read("FILE", &options.file, "the table to protect").require();
  options.columns.add_identifiers(verb);
  options.columns.add_quasi_identifiers(verb);
  options.columns.add_sensitive(verb);
  options.columns.add_hierarchies(verb);
  options.columns.add_config(verb);
  add_models(verb, options.models);
  verb.group("Method");
  verb.share("suppression", &options.suppression, "share of records that may be left out");
  verb.choice("metric", &options.metric, tables::metric_names(),
              "what optimal minimises; um, cm and are are measured at every node; mondrian and "
              "clustering take lm or ncp");
  verb.choice("recoding", &options.recoding, {"labels", "free"},
              "cells of what recodes locally: labels of the hierarchies, or free ranges and sets")
      .unless_given("labels for local, free for the others");
  verb.positive_number("time-limit", &options.time_limit,
                       "seconds for optimal; it then gives the best so far and a bound");
  verb.flag("relaxed", &options.relaxed, "mondrian may divide the records of one value");
  verb.choice("centre", &options.centre, {"mean", "median", "range"},
              "what microaggregate shows of a class's numbers")
      .unless_given("mean");
  verb.flag("univariate", &options.univariate,
            "microaggregate one number or date with the least squared error there is");
  verb.column("target", &options.target, "the number the release is for: mondrian cuts for it");
  verb.column("label", &options.label,
              "the class label the release is for: mondrian cuts for it, accuracy is measured on "
              "it");
  verb.file_read("queries", &options.queries,
                 "COUNT queries for the relative error, one a line: COLUMN=CELL, comma-separated");
}

void add_protect_options(Verb& verb, ProtectOptions& options) {
  add_shared_options(verb, options);
  verb.choice("method", &options.method, tables::method_names(),
              "how the release is made; levels goes with --levels");
  verb.column_spec("levels", &options.levels, "COLUMN=LEVEL; 0 keeps the values")
      .separated_by_commas();
  verb.column_spec("perturb", &options.perturb,
                   "COLUMN=OPERATOR: noise:R, noise:abs:S, round:B, round:B:random, swap:P, pram:K "
                   "or pram:K:LEVEL");
  verb.group("Output");
  verb.file_written("out", &options.out, "the release to write; its manifest goes beside it")
      .require();
  verb.choice("identifiers", &options.identifiers, {"drop", "pseudonym", "surrogate"},
              "what becomes of identifiers");
  verb.key_file("key", &options.key,
                "the secret key of pseudonyms, a file apart from the release; made when it is not "
                "there");
  verb.seed(&options.seed, "fixes all randomness").unless_given("drawn and recorded");
}

}  // namespace pratique::app
