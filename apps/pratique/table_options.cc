#include "table_options.h"

#include "pratique/tables/method/anatomy.h"
#include "pratique/tables/method/protection.h"
#include "pratique/tables/model/model_kind.h"

namespace pratique::app {
namespace {

// The models say what they take.
void add_models(Verb& verb, std::map<std::string, std::vector<std::string>>& models) {
  verb.group("Models");
  for (const auto& setting : tables::model_settings()) {
    const std::string key(setting.key);
    const std::string words(setting.words);
    const auto add = [&]() -> Option& {
      switch (setting.type) {
        case tables::SettingType::whole_number:
          return verb.whole_number(key, &models[key], static_cast<std::uint64_t>(setting.low),
                                   static_cast<std::uint64_t>(setting.high), words);
        case tables::SettingType::number:
          return verb.number(key, &models[key], setting.low, setting.high, words);
        case tables::SettingType::choice:
          return verb.choice(key, &models[key], {setting.choices.begin(), setting.choices.end()},
                             words);
        case tables::SettingType::share:
          return verb.share(key, &models[key], words);
        case tables::SettingType::file_read:
          return verb.file_read(key, &models[key], words);
        case tables::SettingType::text:
          break;
      }
      return verb.text(key, &models[key], words);
    };
    Option& option = add();
    option.open = setting.open;
    if (!setting.fallback.empty()) option.by_default(std::string(setting.fallback));
    if (setting.per_column) option.for_each_column();
    if (setting.once) option.only_once();
  }
}

}  // namespace

void declare_config(Verb& verb, ColumnRoles& roles) {
  verb.group("Columns");
  verb.file_read(
      "config", &roles.config,
      "YAML file with roles, hierarchies, models and options; the command line takes precedence");
  verb.reads_schema = true;
}
void declare_identifiers(Verb& verb, ColumnRoles& roles) {
  verb.group("Columns");
  verb.columns("id", &roles.said.identifiers, "identifiers: never released");
}
void declare_quasi_identifiers(Verb& verb, ColumnRoles& roles) {
  verb.group("Columns");
  verb.columns("qi", &roles.said.quasi_identifiers,
               "quasi-identifiers: what an adversary may know");
}
void declare_sensitive(Verb& verb, ColumnRoles& roles) {
  verb.group("Columns");
  verb.columns("sensitive", &roles.said.sensitive,
               "sensitive attributes: what an adversary wants to know");
}
void declare_hierarchies(Verb& verb, ColumnRoles& roles) {
  verb.group("Columns");
  verb.column_hierarchy(
      "hierarchy", &roles.hierarchies,
      "SPEC is a CSV file (leaf first, root last), interval:5,10,20, prefix, date, "
      "icd9 or flat; docs/hierarchies.md says what a column takes by default");
}

Option& declare_date_form(Verb& verb, std::vector<std::string>& forms) {
  return verb.column_spec(
      "date-form", &forms,
      "COLUMN=month-first or COLUMN=day-first, where the dates do not show which "
      "number is the month");
}
Option& declare_number_form(Verb& verb, std::vector<std::string>& forms) {
  return verb.column_spec(
      "number-form", &forms,
      "COLUMN=decimal-comma or COLUMN=thousands-comma, where the numbers do not show "
      "what their comma means");
}

void declare_shared(Verb& verb, tables::flow::ProtectRequest& request) {
  verb.file_read("FILE", &request.file, "the table to protect").require();
  declare_identifiers(verb, request.columns);
  declare_quasi_identifiers(verb, request.columns);
  declare_sensitive(verb, request.columns);
  verb.columns("insensitive", &request.columns.said.insensitive,
               "harmless columns: they leave as they are");
  verb.choice("roles", &request.roles, {"given", "suggested"},
              "a column without a role is refused, or takes the role that tables profile suggests");
  declare_date_form(verb, request.date_forms);
  declare_number_form(verb, request.number_forms);
  verb.column("person", &request.person,
              "says whose each row is: people are counted instead of rows; it leaves as a number")
      .unless_given("every row is a different person, and an identifier that repeats is refused");
  verb.flag("rows-are-people", &request.rows_are_people,
            "every row is a different person, although an identifier repeats");
  declare_hierarchies(verb, request.columns);
  declare_config(verb, request.columns);
  add_models(verb, request.models);
  verb.group("Method");
  verb.share("suppression", &request.suppression, "share of records that may be left out");
  verb.choice(
      "metric", &request.metric, tables::metric_names(),
      "what optimal and best minimise; um, cm and are are measured at every node; mondrian and "
      "clustering take lm or ncp");
  verb.column_spec(
      "weight", &request.weights,
      "COLUMN=WEIGHT: how much its cells count in the loss (LM, NCP, UM), where others "
      "count 1");
  verb.column_spec(
      "max-loss", &request.max_loss,
      "COLUMN=SHARE: no cell of the column may lose more (LM); optimal, local, levels");
  verb.column_spec("max-level", &request.max_level,
                   "COLUMN=LEVEL: no cell of the column may be coarser than that level of its "
                   "hierarchy; optimal, local, levels");
  verb.choice("recoding", &request.recoding, {"labels", "free"},
              "cells of methods that recode locally: labels of the hierarchies, or free ranges and "
              "sets")
      .unless_given("labels for local, free for the others");
  verb.positive_number("time-limit", &request.time_limit,
                       "seconds for optimal, local or best, which then give the best so far; "
                       "Ctrl-C does so at once")
      .unless_given("60");
  verb.choice("start", &request.start, tables::start_names(),
              "what local starts from and improves; with --levels, from these")
      .unless_given("optimal");
  verb.flag("relaxed", &request.relaxed, "mondrian may divide the records of one value");
  verb.choice("centre", &request.centre, tables::centre_names(),
              "what microaggregate shows of a class's numbers")
      .by_default(std::string(tables::name_of(tables::MicroaggregationOptions{}.centre)));
  verb.flag("univariate", &request.univariate,
            "microaggregate one number or date with the least possible squared error");
  verb.column("target", &request.target, "the number to keep useful: mondrian cuts for it");
  verb.column("label", &request.label,
              "the class label to keep useful: mondrian cuts for it, accuracy is measured on it");
  verb.file_read(
      "queries", &request.queries,
      "COUNT queries for the relative error, one per line: COLUMN=CELL, comma-separated");
}

void declare_protect(Verb& verb, tables::flow::ProtectRequest& request) {
  declare_shared(verb, request);
  std::vector<std::string> methods = tables::method_names();
  methods.emplace_back(tables::kAnatomy);
  methods.emplace_back(kDiffgen);
  verb.choice("method", &request.method, methods,
              "how the release is made; levels goes with --levels, again with --against; anatomy "
              "leaves quasi-identifiers as they are and hides nobody; diffgen adds noise and goes "
              "with --ledger");
  verb.column_spec("levels", &request.levels, "COLUMN=LEVEL; 0 keeps the values")
      .separated_by_commas();
  verb.file_read("against", &request.against,
                 "an earlier release of the same table, from which nobody may learn who joined or "
                 "left; its levels are used again");
  verb.column_spec("perturb", &request.perturb,
                   "COLUMN=OPERATOR: noise:R, noise:abs:S, round:B, round:B:random, swap:P, pram:K "
                   "or pram:K:LEVEL");
  verb.group("Columns");
  verb.columns("allow", &request.allowed,
               "columns that may leave as they are although they look like identifiers or undo "
               "what classes hide; everyone "
               "who verifies the release is told");
  verb.group("Models");
  verb.flag("safe-harbor", &request.safe_harbor,
            "HIPAA's Safe Harbor: dates become years, ages over 89 one class, ZIP codes three "
            "digits; other identifiers must be left out");
  verb.whole_number("as-of", &request.as_of, 1900, 2199,
                    "the year that ages of years of birth are counted for")
      .only_with("safe-harbor")
      .unless_given("this year, which is recorded");
  verb.group("Attacks");
  verb.file_read("rules-from", &request.rules_from,
                 "a table that anybody may have, with columns of this one as they are: what holds "
                 "of its subgroups, an adversary knows");
  verb.whole_number("rule-support", &request.rule_support, 1, kLargestSeed,
                    "records that a subgroup needs before an adversary relies on it");
  verb.group("Output");
  verb.file_written("out", &request.out, "the release to write; its manifest goes beside it")
      .require();
  verb.choice("identifiers", &request.identifiers, {"drop", "pseudonym", "surrogate"},
              "what to do with identifiers");
  verb.key_file(
      "key", &request.key,
      "the secret key for pseudonyms, kept apart from the release; created if it does not exist");
  verb.seed(&request.seed, "fixes all randomness but the noise of --perturb, --rho and --growth")
      .unless_given("drawn and recorded");
}

}  // namespace pratique::app
