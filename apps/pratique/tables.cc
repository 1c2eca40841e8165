#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>

#include "command.h"
#include "pratique/core/random.h"
#include "pratique/release/publish.h"
#include "pratique/tables/assess.h"
#include "pratique/tables/full_domain.h"
#include "pratique/tables/k_anonymity.h"
#include "pratique/tables/linkage_attack.h"
#include "pratique/tables/metrics.h"
#include "pratique/tables/profile.h"
#include "pratique/tables/to_json.h"
#include "table_options.h"

namespace pratique::app {
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

void require_quasi_identifiers(const Schema& schema) {
  if (schema.quasi_identifiers.empty()) {
    throw Error::input("no quasi-identifiers were named")
        .hint("Name them with --qi A,B; pratique tables profile FILE suggests some.");
  }
}

void add_profile(CLI::App& noun, Session& session) {
  struct Options {
    std::string file;
  };
  auto options = std::make_shared<Options>();
  CLI::App& verb = session.add_verb(
      noun, "profile", "Say what the columns are, and by which of them people stick out",
      [options, &session] {
        const Source source = session.open(options->file);
        const Table table = session.engine().load(source, {}, session.progress);
        session.print(to_json(tables::profile(table, {}, session.progress)));
        return 0;
      });
  verb.add_option("FILE", options->file, "the table: CSV or Parquet, - for standard input")
      ->required();
}

void add_assess(CLI::App& noun, Session& session) {
  struct Options {
    std::string file;
    std::string population;
    TableOptions columns;
  };
  auto options = std::make_shared<Options>();
  CLI::App& verb = session.add_verb(
      noun, "assess", "Measure the risk in a table: k, uniqueness, diversity, closeness",
      [options, &session] {
        const Source source = session.open(options->file);
        const Schema schema = options->columns.schema(source.columns, source.name);
        require_quasi_identifiers(schema);
        const auto& qi = schema.quasi_identifiers;
        const GroupedTable table =
            session.engine().group(source, joined(qi, schema.sensitive), session.progress);
        GroupedTable people;
        std::map<std::string, Hierarchy> hierarchies;
        std::optional<tables::Population> population;
        if (!options->population.empty()) {
          people = session.engine().group(session.open(options->population), qi, session.progress);
          hierarchies = make_linking_hierarchies(schema, qi, people);
          population.emplace(tables::Population{people, pointers_to(hierarchies)});
        }
        session.print(
            to_json(tables::assess(table, qi, schema.sensitive, population, session.progress)));
        return 0;
      });
  verb.add_option("FILE", options->file, "the table, original or released by any tool")->required();
  options->columns.add_quasi_identifiers(verb);
  options->columns.add_sensitive(verb);
  verb.add_option("--population", options->population,
                  "a table of the people the adversary may choose from, with the same columns");
  options->columns.add_hierarchies(verb);
  options->columns.add_config(verb);
}

void add_attack(CLI::App& noun, Session& session) {
  struct Options {
    std::string release;
    std::string register_file;
    std::vector<std::string> on;
    std::string truth;
    std::string truth_key;
    std::optional<double> fail_above;
    TableOptions columns;
  };
  auto options = std::make_shared<Options>();
  CLI::App& verb = session.add_verb(
      noun, "attack", "Link a register of named people to a release, as an adversary would",
      [options, &session] {
        const Source release_source = session.open(options->release);
        const Source register_source = session.open(options->register_file);
        const Schema schema = options->columns.schema(release_source.columns, release_source.name);
        if (schema.sensitive.size() > 1) {
          throw Error::input("the attack goes for one sensitive attribute at a time")
              .hint("Run it once for each.");
        }
        if (options->truth.empty() != options->truth_key.empty()) {
          throw Error::input("--truth and --truth-key go together");
        }
        Engine& engine = session.engine();
        const GroupedTable release =
            engine.group(release_source, joined(options->on, schema.sensitive), session.progress);
        std::vector<std::string> known = options->on;
        if (!options->truth.empty()) known = joined(known, {options->truth_key});
        const Table people = engine.load(register_source, known, session.progress);
        const auto hierarchies = make_linking_hierarchies(schema, options->on, people);
        Table truth;
        std::optional<tables::Truth> judged;
        if (!options->truth.empty()) {
          const Source truth_source = session.open(options->truth);
          std::vector<std::string> wanted = joined({options->truth_key}, schema.sensitive);
          for (const auto& name : options->on) {
            const auto& there = truth_source.columns;
            if (std::find(there.begin(), there.end(), name) != there.end()) {
              wanted = joined(wanted, {name});
            }
          }
          truth = engine.load(truth_source, wanted, session.progress);
          judged = tables::Truth{&truth, options->truth_key};
        }
        const auto sensitive = schema.sensitive.empty() ? std::optional<std::string>()
                                                        : std::optional(schema.sensitive.front());
        const tables::LinkageAttack attack =
            tables::attack_by_linkage(release, people, options->on, sensitive, judged,
                                      pointers_to(hierarchies), session.progress);
        Json result = to_json(attack);
        if (attack.release_rows > 0 && attack.release_rows_matched == 0) {
          result["note"] =
              "no released cell contains a value of the register; if cells are labels or dates, "
              "give "
              "their --hierarchy";
        }
        session.print(result);
        return options->fail_above && attack.largest_share() > *options->fail_above ? 1 : 0;
      });
  verb.add_option("RELEASE", options->release, "the table to attack")->required();
  verb.add_option("--register", options->register_file, "named people, as the adversary has them")
      ->required();
  verb.add_option("--on", options->on, "columns that both share, a comma list")
      ->delimiter(',')
      ->required();
  options->columns.add_sensitive(verb);
  verb.add_option("--truth", options->truth,
                  "the original records, to score the attack: key, sensitive and linked columns");
  verb.add_option("--truth-key", options->truth_key, "the key that register and truth share");
  verb.add_option("--fail-above", options->fail_above,
                  "exit 1 when a larger share than this is linked uniquely or disclosed")
      ->check(share());
  options->columns.add_hierarchies(verb);
  options->columns.add_config(verb);
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

// JSON has no infinity: a release without records achieves everything.
Json finite(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

struct ProtectOptions {
  std::string file;
  std::string out;
  std::string method = "levels";
  std::vector<std::string> levels;
  std::uint64_t k = 0;
  double suppression = 0;
  std::optional<std::uint64_t> seed;
  TableOptions columns;
};

int protect_by_levels(const ProtectOptions& options, Session& session) {
  const auto began = std::chrono::steady_clock::now();
  const Source source = session.open(options.file);
  const Schema schema = options.columns.schema(source.columns, source.name);
  require_quasi_identifiers(schema);
  const auto files = files_of(options.columns, schema);
  release::refuse_overwriting_inputs(options.out, {source}, files);
  const auto levels = column_values(options.levels, "--levels");
  for (const auto& [name, level] : levels) (void)column_index(schema.quasi_identifiers, name);

  std::vector<std::string> leaving;
  for (const auto& name : source.columns) {
    if (schema.role_of(name) != Role::identifier) leaving.push_back(name);
  }
  const GroupedTable table = session.engine().group(source, leaving, session.progress);
  Schema with_defaults = schema;
  for (const auto& name : schema.quasi_identifiers) with_defaults.hierarchies.emplace(name, "flat");
  const auto hierarchies = make_hierarchies(with_defaults, schema.quasi_identifiers, table);

  const CountedTable counted(table);
  tables::ProtectionInput input;
  input.counts = &table.counts;
  std::vector<int> chosen;
  Json level_of_column = Json::object();
  for (const auto& name : schema.quasi_identifiers) {
    const Column& column = table.groups.column(name);
    const Hierarchy& hierarchy = hierarchies.at(name);
    const auto level = levels.find(name);
    chosen.push_back(level == levels.end() ? 0 : level_of(name, level->second, hierarchy));
    level_of_column[name] = chosen.back();
    input.attributes.push_back(
        tables::make_attribute(column, hierarchy, counted.counts_of(column)));
  }
  tables::Models models;
  models.push_back(tables::k_anonymity(options.k));
  const auto recoded = tables::apply_levels(input, chosen, models);
  const std::uint64_t rows = table.rows();
  // Whole records: the rounding of 0.29 * 100 must not cost one.
  const auto allowed = static_cast<std::uint64_t>(
      std::floor(options.suppression * static_cast<double>(rows) + 1e-9));
  if (recoded.suppressed > allowed) {
    throw Error::check(
        fmt::format("at these levels {} of {} records are in classes under {}, and "
                    "--suppression allows {}",
                    recoded.suppressed, rows, options.k,
                    static_cast<std::uint64_t>(options.suppression * static_cast<double>(rows))))
        .hint(
            "Generalise more with --levels, or allow more with --suppression. Nothing was "
            "written.");
  }

  // Columns that are not generalised leave with the values they came with.
  std::vector<std::string> unchanged;
  std::vector<tables::RecodedColumn> kept;
  kept.reserve(leaving.size());
  release::Content content{.counts = &recoded.counts};
  content.groups.resize(recoded.groups.size());
  std::iota(content.groups.begin(), content.groups.end(), 0);
  for (const auto& name : leaving) {
    const auto& qi = schema.quasi_identifiers;
    const auto place = std::find(qi.begin(), qi.end(), name);
    const tables::RecodedColumn* column = nullptr;
    if (place != qi.end()) {
      column = &recoded.columns[static_cast<std::size_t>(place - qi.begin())];
    } else {
      unchanged.push_back(name);
      kept.push_back(tables::keep(table.groups.column(name), recoded));
      column = &kept.back();
    }
    content.columns.push_back({name, &column->codes, &column->values});
  }

  const std::uint64_t seed = options.seed ? *options.seed : draw_seed();
  Json claims = Json::array();
  for (const auto& model : models) claims.push_back(model->claim(schema.quasi_identifiers));
  Json result = {{"method", options.method},
                 {"levels", level_of_column},
                 {"rows_in", rows},
                 {"rows_out", rows - recoded.suppressed},
                 {"suppressed", recoded.suppressed},
                 {"classes", recoded.class_count},
                 {"metrics",
                  {{"lm", tables::loss_metric(input, recoded)},
                   {"dm", tables::discernibility(recoded)},
                   {"c_avg", tables::average_class_size(recoded, options.k)}}},
                 {"unchanged", unchanged}};
  std::vector<std::string> command = session.arguments;
  if (!options.seed) command.insert(command.end(), {"--seed", std::to_string(seed)});
  const auto verified =
      release::publish(session.engine(), content, options.out, {command, seed, {source}, files},
                       {{"method", options.method},
                        {"levels", level_of_column},
                        {"k", options.k},
                        {"suppression", options.suppression},
                        {"quasi_identifiers", schema.quasi_identifiers},
                        {"sensitive", schema.sensitive},
                        {"identifiers", schema.identifiers},
                        {"hierarchies", with_defaults.hierarchies}},
                       claims, result, session.progress);
  result["models"] = Json::object();
  for (std::size_t m = 0; m < models.size(); ++m) {
    // What the verifier found in the file, not what the method believes.
    result["models"][models[m]->name()] = {{"required", verified[m].required},
                                           {"achieved", finite(verified[m].achieved)}};
  }
  result["out"] = options.out;
  result["seed"] = seed;
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  result["seconds"] = took.count();
  session.print(result);
  return 0;
}

void add_protect(CLI::App& noun, Session& session) {
  auto options = std::make_shared<ProtectOptions>();
  CLI::App& verb =
      session.add_verb(noun, "protect", "Make a release that satisfies the models asked for",
                       [options, &session] { return protect_by_levels(*options, session); });
  verb.add_option("FILE", options->file, "the table to protect")->required();
  verb.add_option("--out", options->out, "the release to write; its manifest goes beside it")
      ->required();
  verb.add_option("--method", options->method,
                  "levels: every quasi-identifier at the level that --levels names")
      ->check(CLI::IsMember({"levels"}));
  verb.add_option("--levels", options->levels,
                  "COLUMN=LEVEL, a comma list; 0 (the default) keeps the values")
      ->delimiter(',');
  verb.add_option("--k", options->k, "k-anonymity: every class holds at least K records")
      ->required()
      ->check(whole_number(1, std::uint64_t{1} << 32U));
  verb.add_option("--suppression", options->suppression,
                  "share of records that may be left out (default: none)")
      ->check(share());
  options->columns.add_identifiers(verb);
  options->columns.add_quasi_identifiers(verb);
  options->columns.add_sensitive(verb);
  options->columns.add_hierarchies(verb);
  options->columns.add_config(verb);
  verb.add_option("--seed", options->seed,
                  "fixes all randomness; drawn and recorded when not given");
}

}  // namespace

void add_tables(CLI::App& program, Session& session) {
  CLI::App& noun =
      *program.add_subcommand("tables", "Demographics and other records: one row per person");
  noun.require_subcommand(1);
  add_profile(noun, session);
  add_assess(noun, session);
  add_attack(noun, session);
  add_protect(noun, session);
}

}  // namespace pratique::app
