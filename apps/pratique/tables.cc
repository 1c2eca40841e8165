
#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "command.h"
#include "nouns.h"
#include "pratique/tables/attack/assess.h"
#include "pratique/tables/attack/attribute_attacks.h"
#include "pratique/tables/attack/linkage_attack.h"
#include "pratique/tables/format/to_json.h"
#include "pratique/tables/profile/profile.h"
#include "table_options.h"
#include "tables_verbs.h"

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

void add_profile(CommandLine& program, Session& session) {
  struct Options {
    std::string file;
  };
  auto options = std::make_shared<Options>();
  Verb& verb = program.add(
      "tables", "profile", "Say what the columns are, and by which of them people stick out",
      [options, &session] {
        const Source source = session.open(options->file);
        const Table table = session.engine().load(source, {}, session.progress);
        session.print(to_json(tables::profile(table, {}, session.progress)));
        return 0;
      });
  verb.file_read("FILE", &options->file, "the table: CSV or Parquet, - for standard input")
      .require();
}

void add_assess(CommandLine& program, Session& session) {
  struct Options {
    std::string file;
    std::string population;
    TableOptions columns;
  };
  auto options = std::make_shared<Options>();
  Verb& verb = program.add(
      "tables", "assess", "Measure the risk in a table: k, uniqueness, diversity, closeness",
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
  verb.file_read("FILE", &options->file, "the table, original or released by any tool").require();
  options->columns.add_quasi_identifiers(verb);
  options->columns.add_sensitive(verb);
  verb.file_read("population", &options->population,
                 "a table of the people the adversary may choose from, with the same columns");
  options->columns.add_hierarchies(verb);
  options->columns.add_config(verb);
}

void add_attack(CommandLine& program, Session& session) {
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
  Verb& verb = program.add(
      "tables", "attack", "Link a register of named people to a release, as an adversary would",
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
        if (sensitive) {
          const auto over_sensitive = make_linking_hierarchies(schema, schema.sensitive, release);
          const auto found = over_sensitive.find(*sensitive);
          result["attribute"] = to_json(tables::attack_attribute(
              release, options->on, *sensitive,
              {.hierarchy = found == over_sensitive.end() ? nullptr : &found->second}));
        }
        session.print(result);
        return options->fail_above && attack.largest_share() > *options->fail_above ? 1 : 0;
      });
  verb.file_read("RELEASE", &options->release, "the table to attack").require();
  verb.file_read("register", &options->register_file, "named people, as the adversary has them")
      .require();
  verb.columns("on", &options->on, "columns that both share").require();
  options->columns.add_sensitive(verb);
  verb.file_read("truth", &options->truth,
                 "the original records, to score the attack: key, sensitive and linked columns");
  verb.column("truth-key", &options->truth_key, "the key that register and truth share");
  verb.share("fail-above", &options->fail_above,
             "exit 1 when a larger share than this is linked uniquely or disclosed");
  options->columns.add_hierarchies(verb);
  options->columns.add_config(verb);
}

}  // namespace

void add_tables(CommandLine& program, Session& session) {
  program.nouns.push_back({"tables", "Demographics and other records: one row per person"});
  add_profile(program, session);
  add_assess(program, session);
  add_attack(program, session);
  add_tables_protect(program, session);
  add_tables_explore(program, session);
  add_tables_explain(program, session);
  add_tables_view(program, session);
  add_tables_reconstruct(program, session);
}

}  // namespace pratique::app
