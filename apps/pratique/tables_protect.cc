#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>

#include "command.h"
#include "pratique/core/chart.h"
#include "pratique/core/file.h"
#include "pratique/core/hash.h"
#include "pratique/core/random.h"
#include "pratique/release/pseudonyms.h"
#include "pratique/release/publish.h"
#include "pratique/tables/exposure.h"
#include "pratique/tables/model_request.h"
#include "pratique/tables/population.h"
#include "pratique/tables/protection.h"
#include "pratique/tables/ru_map.h"
#include "pratique/tables/utility.h"
#include "table_options.h"

namespace pratique::app {
namespace {

// JSON has no infinity: a release without records achieves everything.
Json finite(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

struct ProtectOptions {
  std::string file;
  std::string out;
  std::string method = "optimal";
  std::vector<std::string> levels;
  double suppression = 0;
  std::string metric = "lm";
  std::string recoding;
  std::optional<double> time_limit;
  bool relaxed = false;
  std::string label;
  std::map<std::string, std::vector<std::string>> models;  // by key of Schema::kModelKeys
  std::string identifiers = "drop";
  std::string key;
  std::optional<std::uint64_t> seed;
  TableOptions columns;
};

// A table read, its roles known, its hierarchies made, its models built. The parts point at each
// other, so it stays where it is.
class PreparedTable {
 public:
  PreparedTable(const ProtectOptions& options, Session& session);
  PreparedTable(const PreparedTable&) = delete;
  PreparedTable& operator=(const PreparedTable&) = delete;

  Source source;
  std::vector<Source> sources;
  Schema schema;
  std::vector<std::string> leaving;  // columns, in the order of the file
  GroupedTable table;
  std::map<std::string, Hierarchy> hierarchies;
  std::map<std::string, Hierarchy> sensitive_hierarchies;
  tables::ProtectionInput input;     // as the models see it
  tables::ProtectionInput measured;  // with every sensitive attribute
  tables::ModelRequest request;
  tables::Models models;

  // The same models with another k.
  [[nodiscard]] tables::Models models_with(std::uint64_t k);

 private:
  void read(const ProtectOptions& options, Session& session);
  [[nodiscard]] tables::Models make(const tables::ModelRequest& wanted);
  std::vector<std::uint64_t> population_;
  std::optional<tables::PopulationFile> population_file_;
};

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
  if (!options.label.empty()) (void)column_index(leaving, options.label, source.name);
  table = session.engine().group(source, leaving, session.progress);
  if (!request.population) return;
  sources.push_back(session.open(*request.population));
  const GroupedTable people =
      session.engine().group(sources.back(), schema.quasi_identifiers, session.progress);
  population_ = tables::add_population(table, people, schema.quasi_identifiers);
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

tables::Method method_of(const ProtectOptions& options, const PreparedTable& prepared) {
  const std::map<std::string, tables::LevelMetric> metrics = {
      {"lm", tables::LevelMetric::lm},
      {"ncp", tables::LevelMetric::ncp},
      {"dm", tables::LevelMetric::dm},
      {"c_avg", tables::LevelMetric::c_avg}};
  tables::Method method;
  method.name = options.method;
  method.suppression = options.suppression;
  method.metric = metrics.at(options.metric);
  method.time_limit = options.time_limit;
  method.relaxed = options.relaxed;
  if (!options.recoding.empty()) {
    method.style =
        options.recoding == "labels" ? tables::CellStyle::labels : tables::CellStyle::free;
  }
  if (!options.label.empty()) method.label = &prepared.table.groups.column(options.label);
  if (options.method != "levels") {
    if (!options.levels.empty()) throw Error::input("--levels goes with --method levels");
    return method;
  }
  const auto levels = column_values(options.levels, "--levels");
  for (const auto& [name, level] : levels) {
    (void)column_index(prepared.schema.quasi_identifiers, name);
  }
  for (const auto& name : prepared.schema.quasi_identifiers) {
    const auto level = levels.find(name);
    method.levels.push_back(
        level == levels.end() ? 0 : level_of(name, level->second, prepared.hierarchies.at(name)));
  }
  return method;
}

// The released columns, and what they point at.
struct Release {
  std::vector<tables::RecodedColumn> kept;
  std::vector<std::string> unchanged;
  release::Content content;
};

Release release_of(const PreparedTable& prepared, const tables::Recoding& recoding,
                   const std::optional<release::PseudonymKey>& key,
                   release::IdentifierTreatment treatment) {
  Release made;
  made.kept.reserve(prepared.leaving.size());
  made.content.counts = &recoding.counts;
  made.content.groups.resize(recoding.groups.size());
  std::iota(made.content.groups.begin(), made.content.groups.end(), 0);
  const auto& qi = prepared.schema.quasi_identifiers;
  for (const auto& name : prepared.leaving) {
    const auto place = std::find(qi.begin(), qi.end(), name);
    const tables::RecodedColumn* column = nullptr;
    if (place != qi.end()) {
      column = &recoding.columns[static_cast<std::size_t>(place - qi.begin())];
    } else {
      const Column& original = prepared.table.groups.column(name);
      made.kept.push_back(tables::keep(original, recoding));
      if (prepared.schema.role_of(name) == Role::identifier) {
        made.kept.back().values = release::replace_identifiers(original, treatment, *key);
      } else {
        made.unchanged.push_back(name);
      }
      column = &made.kept.back();
    }
    made.content.columns.push_back({name, &column->codes, &column->values});
  }
  return made;
}

int protect(const ProtectOptions& options, Session& session) {
  const auto began = std::chrono::steady_clock::now();
  const PreparedTable prepared(options, session);
  const Schema& schema = prepared.schema;
  const auto files = files_of(options.columns, schema);
  release::refuse_overwriting_inputs(options.out, prepared.sources, files);
  std::optional<release::PseudonymKey> key;
  if (options.identifiers != "drop") {
    if (options.key.empty()) {
      throw Error::input("pseudonyms and surrogates need a key")
          .hint(
              "Name a file for it with --key, apart from the release; it is made when it is not "
              "there.");
    }
    key = release::PseudonymKey::load_or_create(options.key);
  }
  const auto treatment = options.identifiers == "surrogate"
                             ? release::IdentifierTreatment::surrogate
                             : release::IdentifierTreatment::pseudonym;

  const tables::Method method = method_of(options, prepared);
  const auto search_began = std::chrono::steady_clock::now();
  const tables::Protected made =
      tables::protect(prepared.input, prepared.models, method, session.progress);
  const std::chrono::duration<double> searched = std::chrono::steady_clock::now() - search_began;
  const Release leaving = release_of(prepared, made.recoding, key, treatment);

  const std::uint64_t rows = prepared.table.rows();
  Json result = {{"method", options.method}};
  if (made.levels) {
    result["levels"] = Json::object();
    for (std::size_t a = 0; a < made.levels->size(); ++a) {
      result["levels"][schema.quasi_identifiers[a]] = (*made.levels)[a];
    }
  }
  if (!made.note.empty()) result["note"] = made.note;
  if (made.lower_bound) result["lower_bound"] = *made.lower_bound;
  result["rows_in"] = rows;
  result["rows_out"] = rows - made.recoding.suppressed;
  result["suppressed"] = made.recoding.suppressed;
  result["classes"] = made.recoding.class_count;
  result["metrics"] = tables::to_json(tables::measure_utility(prepared.measured, made.recoding,
                                                              prepared.request.k.value_or(0),
                                                              method.label, session.progress));
  result["before"] = tables::to_json(tables::exposure_before(prepared.measured));
  result["after"] = tables::to_json(tables::exposure_after(prepared.measured, made.recoding));
  result["unchanged"] = leaving.unchanged;

  const std::uint64_t seed = options.seed ? *options.seed : draw_seed();
  std::vector<std::string> command = session.arguments;
  if (!options.seed) command.insert(command.end(), {"--seed", std::to_string(seed)});
  Json parameters = {{"method", options.method},
                     {"metric", options.metric},
                     {"suppression", options.suppression},
                     {"quasi_identifiers", schema.quasi_identifiers},
                     {"sensitive", schema.sensitive},
                     {"identifiers", schema.identifiers},
                     {"identifier_treatment", options.identifiers},
                     {"hierarchies", schema.hierarchies},
                     {"models", Json::object()}};
  for (const auto& setting : schema.models)
    parameters["models"][setting.key].push_back(setting.value);
  if (key) parameters["key_fingerprint"] = key->fingerprint();
  const auto verified = release::publish(
      session.engine(), leaving.content, options.out, {command, seed, prepared.sources, files},
      parameters, tables::claims_of(prepared.models, prepared.input, made.recoding), result,
      session.progress);

  result["models"] = Json::object();
  for (std::size_t m = 0; m < prepared.models.size(); ++m) {
    // What the verifier found in the file, not what the method believes.
    result["models"][prepared.models[m]->name()] = {{"required", verified[m].required},
                                                    {"achieved", finite(verified[m].achieved)}};
  }
  result["out"] = options.out;
  result["seed"] = seed;
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  result["search_seconds"] = searched.count();
  result["seconds"] = took.count();
  session.print(result);
  return 0;
}

std::string meaning_of(std::string_view key) {
  const std::map<std::string_view, std::string> meanings = {
      {"k", "K: k-anonymity, every class holds at least K records"},
      {"k-map", "K: every class matches at least K people of --population"},
      {"population", "a table of all people the adversary may choose from"},
      {"l", "L[@COLUMN]: l-diversity of the sensitive values in a class"},
      {"diversity", "distinct (the default), entropy or recursive:C, [@COLUMN]: which l-diversity"},
      {"alpha", "A[@COLUMN]: no sensitive value has a larger share of a class"},
      {"t", "T[@COLUMN]: t-closeness of a class's sensitive values to the table's"},
      {"distance", "equal (the default), ordered or hierarchical, [@COLUMN]: the distance of t"},
      {"em", "E:M[@COLUMN]: of numbers, at most 1/M of a class lies within E of any record"},
      {"range", "E[@COLUMN]: the numbers in a class span at least E"},
      {"guard", "COLUMN:P: personalised privacy, guarding nodes in COLUMN, breach at most P"},
      {"delta", "MIN,MAX: delta-presence, the share of --population that is in the table"}};
  return meanings.at(key);
}

// What protect and explore both take.
void add_shared_options(CLI::App& verb, ProtectOptions& options) {
  verb.add_option("FILE", options.file, "the table to protect")->required();
  options.columns.add_identifiers(verb);
  options.columns.add_quasi_identifiers(verb);
  options.columns.add_sensitive(verb);
  options.columns.add_hierarchies(verb);
  options.columns.add_config(verb);
  for (const auto key : Schema::kModelKeys) {
    verb.add_option(fmt::format("--{}", key), options.models[std::string(key)], meaning_of(key))
        ->take_all();
  }
  verb.add_option("--suppression", options.suppression,
                  "share of records that may be left out (default: none)")
      ->check(share());
  verb.add_option("--metric", options.metric,
                  "what optimal minimises: lm (the default), ncp, dm or c_avg")
      ->check(CLI::IsMember({"lm", "ncp", "dm", "c_avg"}));
  verb.add_option(
          "--recoding", options.recoding,
          "cells of mondrian and clustering: labels of the hierarchies, or free ranges and sets "
          "(the default)")
      ->check(CLI::IsMember({"labels", "free"}));
  verb.add_option("--time-limit", options.time_limit,
                  "seconds for optimal; it then gives the best so far and a bound")
      ->check(CLI::PositiveNumber);
  verb.add_flag("--relaxed", options.relaxed, "mondrian may divide the records of one value");
  verb.add_option(
      "--label", options.label,
      "the class label the release is for: mondrian cuts for it, accuracy is measured on it");
}

void add_protect(CLI::App& noun, Session& session) {
  auto options = std::make_shared<ProtectOptions>();
  CLI::App& verb =
      session.add_verb(noun, "protect", "Make a release that satisfies the models asked for",
                       [options, &session] { return protect(*options, session); });
  add_shared_options(verb, *options);
  verb.add_option("--out", options->out, "the release to write; its manifest goes beside it")
      ->required();
  verb.add_option(
          "--method", options->method,
          "optimal (the default), local, mondrian, cluster-up, cluster-down, suppress-cells, or "
          "levels with --levels")
      ->check(CLI::IsMember(tables::method_names()));
  verb.add_option("--levels", options->levels,
                  "COLUMN=LEVEL, a comma list; 0 (the default) keeps the values")
      ->delimiter(',');
  verb.add_option("--identifiers", options->identifiers,
                  "what becomes of identifiers: drop (the default), pseudonym or surrogate")
      ->check(CLI::IsMember({"drop", "pseudonym", "surrogate"}));
  verb.add_option(
      "--key", options->key,
      "the secret key of pseudonyms, a file apart from the release; made when not there");
  verb.add_option("--seed", options->seed,
                  "fixes all randomness; drawn and recorded when not given")
      ->check(whole_number(0, kLargestSeed));
}

struct ExploreOptions {
  ProtectOptions shared;
  std::vector<std::uint64_t> ks = {2, 3, 5, 10, 25, 50};
  std::vector<std::string> methods = {"optimal", "local", "mondrian"};
  std::optional<double> min_utility;
  std::optional<double> max_risk;
};

int explore(ExploreOptions& options, Session& session) {
  if (options.ks.empty()) throw Error::input("--ks needs at least one k");
  options.shared.models["k"] = {std::to_string(options.ks.front())};
  const std::filesystem::path folder = options.shared.out;
  std::filesystem::create_directories(folder);
  PreparedTable prepared(options.shared, session);
  std::vector<tables::RuPoint> points;
  Json failed = Json::array();
  for (const auto& name : options.methods) {
    options.shared.method = name;
    const tables::Method method = method_of(options.shared, prepared);
    for (const auto k : options.ks) {
      const auto began = std::chrono::steady_clock::now();
      const tables::Models models = prepared.models_with(k);
      try {
        const auto made = tables::protect(prepared.input, models, method, session.progress);
        tables::RuPoint point;
        point.method = name;
        point.k = k;
        point.exposure = tables::exposure_after(prepared.measured, made.recoding);
        point.utility = tables::measure_utility(prepared.measured, made.recoding, k, method.label,
                                                session.progress);
        point.suppressed = made.recoding.suppressed;
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
        point.seconds = took.count();
        points.push_back(std::move(point));
      } catch (const Error& error) {
        if (error.code() != ErrorCode::check_failed) throw;
        failed.push_back({{"method", name}, {"k", k}, {"why", error.message()}});
      }
    }
  }
  tables::mark_pareto(points);
  const auto chosen = tables::choose(points, options.min_utility, options.max_risk);
  const Chart chart = tables::ru_chart(points, chosen);
  Json result = {{"points", Json::array()}};
  for (const auto& point : points) result["points"].push_back(to_json(point));
  if (!failed.empty()) result["failed"] = std::move(failed);
  const bool bounded = options.min_utility || options.max_risk;
  if (bounded) result["chosen"] = chosen ? to_json(points[*chosen]) : Json(nullptr);
  result["out"] = folder.string();
  write_file_atomically((folder / "ru-map.csv").string(), to_csv(chart));
  write_file_atomically((folder / "ru-map.svg").string(), to_svg(chart));
  write_file_atomically((folder / "ru-map.json").string(),
                        to_text({{"chart", to_json(chart)}, {"points", result["points"]}}));
  session.print(result);
  return bounded && !chosen ? 1 : 0;
}

void add_explore(CLI::App& noun, Session& session) {
  auto options = std::make_shared<ExploreOptions>();
  CLI::App& verb =
      session.add_verb(noun, "explore", "Draw the map of risk against utility over methods and k",
                       [options, &session] { return explore(*options, session); });
  add_shared_options(verb, options->shared);
  verb.remove_option(verb.get_option("--k"));
  verb.add_option("--ks", options->ks, "every k to try, a comma list (default: 2,3,5,10,25,50)")
      ->delimiter(',');
  verb.add_option("--methods", options->methods,
                  "every method to try, a comma list (default: optimal,local,mondrian)")
      ->delimiter(',')
      ->check(CLI::IsMember(tables::method_names()));
  verb.add_option("--min-utility", options->min_utility,
                  "choose the least risky setting with at least this utility (1 - LM)")
      ->check(share());
  verb.add_option("--max-risk", options->max_risk,
                  "choose the most useful setting in which no record's risk is larger")
      ->check(share());
  verb.add_option("--out", options->shared.out, "the folder for ru-map.csv, .json and .svg")
      ->required();
}

}  // namespace

void add_tables_protect(CLI::App& noun, Session& session) {
  add_protect(noun, session);
  add_explore(noun, session);
}

}  // namespace pratique::app
