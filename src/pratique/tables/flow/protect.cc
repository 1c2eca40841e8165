#include "pratique/tables/flow/protect.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <set>

#include "pratique/core/ascii.h"
#include "pratique/core/error.h"
#include "pratique/data/code_systems.h"
#include "pratique/data/number.h"
#include "pratique/kind/among.h"
#include "pratique/kind/pseudonyms.h"
#include "pratique/kind/publish.h"
#include "pratique/tables/attack/exposure.h"
#include "pratique/tables/attack/mined_rules.h"
#include "pratique/tables/attack/minimality.h"
#include "pratique/tables/attack/population_exposure.h"
#include "pratique/tables/flow/anatomy.h"
#include "pratique/tables/flow/earlier_releases.h"
#include "pratique/tables/flow/known_table.h"
#include "pratique/tables/flow/people_release.h"
#include "pratique/tables/flow/singled_out.h"
#include "pratique/tables/method/anatomy.h"
#include "pratique/tables/metric/utility.h"
#include "pratique/tables/model/spelling.h"
#include "pratique/tables/release/words.h"

namespace pratique::tables::flow {
namespace {

// The released columns, and what they point at.
struct Release {
  std::vector<std::vector<std::string>> values;  // of columns that are not recoded
  std::vector<std::string> unchanged;
  release::Content content;                    // of rows that are people
  std::vector<PeopleReleaseColumn> of_people;  // else
};

Release release_of(const PreparedTable& prepared, const tables::Recoding& recoding,
                   const std::optional<SecretKey>& key, release::IdentifierTreatment treatment) {
  Release outgoing;
  outgoing.values.reserve(prepared.leaving.size());
  outgoing.content.counts = &recoding.counts;
  outgoing.content.groups.resize(recoding.groups.size());
  std::iota(outgoing.content.groups.begin(), outgoing.content.groups.end(), 0);
  const auto& qi = prepared.schema.quasi_identifiers;
  // What somebody wished to hide tells something, too: the manifest has what the check needs.
  const auto guards = prepared.request.withheld_columns();
  for (const auto& name : prepared.source.columns) {
    if (name == prepared.person) outgoing.of_people.push_back({.name = name});
    if (!release::among(prepared.leaving, name) || release::among(guards, name)) continue;
    const auto place = std::find(qi.begin(), qi.end(), name);
    if (place != qi.end()) {
      const auto& column = recoding.columns[static_cast<std::size_t>(place - qi.begin())];
      outgoing.content.columns.push_back({name, &column.codes, &column.values});
      outgoing.of_people.push_back({.name = name, .recoded = &column});
      continue;
    }
    if (prepared.is_aside(name)) {
      const auto& aside = prepared.aside->names();
      outgoing.unchanged.push_back(name);
      outgoing.content.columns.push_back(
          {.name = name,
           .codes = &prepared.marks().codes,
           .values = nullptr,
           .places = &recoding.groups,
           .aside = prepared.aside.get(),
           .marks = &prepared.marks().dictionary,
           .cell = static_cast<std::size_t>(std::find(aside.begin(), aside.end(), name) -
                                            aside.begin())});
      continue;
    }
    const Column& original =
        prepared.people ? prepared.people->column(name) : prepared.table.groups.column(name);
    std::vector<std::string> replaced;
    if (prepared.schema.role_of(name) == Role::identifier) {
      replaced = release::replace_identifiers(original, treatment, *key);
    } else if (release::among(prepared.as_is, name)) {
      outgoing.unchanged.push_back(name);
    }
    if (prepared.people) {
      outgoing.of_people.push_back(
          {.name = name, .as_it_is = &original, .replaced = std::move(replaced)});
      continue;
    }
    if (replaced.empty()) {
      const auto& values = original.dictionary.values();
      replaced.assign(values.begin(), values.end());
    }
    outgoing.values.push_back(std::move(replaced));
    outgoing.content.columns.push_back(
        {name, &original.codes, &outgoing.values.back(), &recoding.groups});
  }
  return outgoing;
}

// What follows from how far the method went (attack/minimality.h), or why nothing was concluded.
// Only models over sensitive values make that depend on them.
void add_minimality(const ProtectRequest& options, PreparedTable& prepared,
                    const tables::Protected& released, Json& result) {
  const bool looks_at_values =
      std::any_of(prepared.models.begin(), prepared.models.end(),
                  [](const auto& model) { return model->needs_sensitive(); });
  if (!looks_at_values || options.method == "levels" || options.method == "again") return;
  const auto not_tried = [&](const char* why) { result["minimality_not_tried"] = why; };
  if (std::any_of(prepared.models.begin(), prepared.models.end(),
                  [](const auto& model) { return model->needs_population(); }))
    return not_tried("with a population, the attack is not worked out");
  if (!(options.method == "optimal" && released.levels) && !released.rounds && !released.runs)
    return not_tried(
        "the attack is worked out for the methods optimal and local, and for small tables");
  const bool minimal_by_metric = options.metric == "lm" || options.metric == "ncp" ||
                                 options.metric == "dm" || options.metric == "c_avg";
  if (released.ended_early || released.searched_by_others || !minimal_by_metric)
    return not_tried("the levels need not be minimal: nothing follows from them");
  const tables::Models stricter =
      released.larger_k ? prepared.models_with(*released.larger_k) : tables::Models();
  const tables::Models& models = released.larger_k ? stricter : prepared.models;
  const auto may_leave_out = tables::most_suppressed(prepared.input, options.suppression);
  const auto attack =
      released.runs ? tables::attack_runs(prepared.input, models, released.recoding, *released.runs,
                                          may_leave_out)
      : released.rounds
          ? tables::attack_rounds(prepared.input, models, released.recoding, *released.rounds)
          : tables::attack_minimal_levels(prepared.input, models, released.recoding,
                                          *released.levels, may_leave_out);
  result["after"]["minimality"] = tables::to_json(attack);
  // Where nothing is generalised, nothing follows beyond what classes say.
  tables::MinimalityAttack nothing;
  nothing.records = prepared.before.records;
  nothing.believed = prepared.before.believed.value_or(0);
  if (attack.beyond_limit) nothing.beyond_limit = 0;
  result["before"]["minimality"] = tables::to_json(nothing);
}

// What people's subgroups tell (attack/mined_rules.h). With one level per column the release's own
// rules say the same of everybody in a class.
void add_rules(const ProtectRequest& options, const PreparedTable& prepared,
               const tables::Protected& released, const Run& run, Json& result) {
  if (prepared.measured.sensitive.empty()) return;
  for (const char* key : {"believed", "believed_share"}) {
    result["before"]["rules"][key] = result["before"][key];
    result["after"]["rules"][key] = result["after"][key];
  }
  if (released.levels && options.rules_from.empty()) return;
  std::optional<GroupedTable> known;
  if (!options.rules_from.empty()) known = known_to_adversary(options, prepared, run);
  result["after"]["rules"] = tables::to_json(tables::attack_by_rules(
      prepared.measured, released.recoding,
      {.support = options.rule_support, .known = known ? &*known : nullptr}));
}

// Of every method; `told` are hierarchies.
Json parameters_of(const ProtectRequest& options, const PreparedTable& prepared, Json told) {
  Json parameters = {{"method", options.method},
                     {"metric", options.metric},
                     {"suppression", options.suppression},
                     {"quasi_identifiers", prepared.schema.quasi_identifiers},
                     {"sensitive", prepared.schema.sensitive},
                     {"identifiers", prepared.schema.identifiers},
                     {"insensitive", prepared.schema.insensitive},
                     {"allowed", prepared.allowed},
                     {"identifier_treatment", options.identifiers},
                     {"hierarchies", std::move(told)},
                     {"models", Json::object()}};
  if (!prepared.by_default.empty()) parameters["default_hierarchies"] = prepared.by_default;
  for (const auto& setting : prepared.schema.models)
    parameters["models"][setting.key].push_back(setting.value);
  if (options.rows_are_people) parameters["rows_are_people"] = true;
  if (!prepared.max_loss.empty()) parameters["max_loss"] = prepared.max_loss;
  if (!prepared.max_level.empty()) parameters["max_level"] = prepared.max_level;
  if (!prepared.weights.empty()) parameters["weights"] = prepared.weights;
  return parameters;
}

Json given_hierarchies(const PreparedTable& prepared) {
  Json given = prepared.schema.hierarchies;
  for (const auto& name : prepared.by_default) given.erase(name);
  return given;
}

// What depends on values that may not have left.
Json private_parameters_of(const PreparedTable& prepared) {
  Json parameters = {{"hierarchies", prepared.schema.hierarchies}};
  for (const auto& [column, form] : prepared.dates)
    parameters["dates"][column] = std::string(to_string(form));
  for (const auto& [column, form] : prepared.numbers)
    parameters["numbers"][column] = std::string(to_string(form));
  return parameters;
}

// The hierarchies that were given, and of the others what a reader of the release can see and may
// need: the system of codes whose sections or chapters it shows. Which default fits, and how wide
// its intervals are, depends on values that may not have left.
Json told_hierarchies(const PreparedTable& prepared, const tables::Recoding& recoding) {
  Json told = given_hierarchies(prepared);
  for (const auto& name : prepared.by_default) {
    const auto& qi = prepared.schema.quasi_identifiers;
    const auto place = static_cast<std::size_t>(std::find(qi.begin(), qi.end(), name) - qi.begin());
    const Hierarchy& tree = prepared.hierarchies.at(name);
    const RecodedColumn& column = recoding.columns[place];
    const CodeSystem* system = find_code_system(prepared.schema.hierarchies.at(name));
    const bool shows_it =
        system != nullptr && std::any_of(column.codes.begin(), column.codes.end(), [&](Code code) {
          const auto& cell = column.values[code];
          const auto node = tree.find(cell);
          return node && *node != tree.root() && !system->normal(cell, true);
        });
    if (shows_it) told[name] = prepared.schema.hierarchies.at(name);
  }
  return told;
}

// 3,5: a number to many, and a word to every number's reader here.
bool has_decimal_comma(std::string_view value) {
  const auto comma = value.find(',');
  if (comma == std::string_view::npos || comma == 0 || comma + 1 == value.size()) return false;
  std::string number(value);
  number[comma] = '.';
  return is_number(number);
}

// From here on, what a person's rows are overwritten with is no detail.
constexpr double kManyRows = 0.1;

double share_of_rows_changed(const PreparedTable& prepared) {
  if (!prepared.people || prepared.rows() == 0) return 0;
  return static_cast<double>(prepared.people->rows_changed()) /
         static_cast<double>(prepared.rows());
}

// What the program takes as it stands and its user may not have meant. Counts alone.
// Safe Harbor asks for no number: it holds or not.
Json release_for_a_person(Json result) {
  for (auto& model : result["models"]) {
    if (model.is_object() && model.value("required", Json()) == 0.0 &&
        model.value("achieved", Json()) == 0.0)
      model = "holds";
  }
  return result;
}

// Quasi-identifiers of which nothing is left: all of their cells are *.
std::vector<std::string> hidden_columns(const PreparedTable& prepared,
                                        const tables::Recoding& recoding) {
  std::vector<std::string> hidden;
  for (std::size_t q = 0; q < recoding.columns.size(); ++q) {
    const auto& column = recoding.columns[q];
    if (!column.codes.empty() && std::all_of(column.codes.begin(), column.codes.end(),
                                             [&](Code code) { return column.values[code] == "*"; }))
      hidden.push_back(prepared.schema.quasi_identifiers[q]);
  }
  return hidden;
}

// Before all others: whoever makes such a release hardly meant to.
void warn_where_nothing_is_left(const PreparedTable& prepared, const tables::Recoding& recoding,
                                Json& warnings) {
  const auto& quasi_identifiers = prepared.schema.quasi_identifiers;
  std::string what;
  if (recoding.groups.empty()) {
    what = "NOTHING IS LEFT: no record leaves";
  } else if (!quasi_identifiers.empty() &&
             hidden_columns(prepared, recoding).size() == quasi_identifiers.size()) {
    what = fmt::format("NOTHING IS LEFT of the quasi-identifiers: every cell of {} is *",
                       fmt::join(quasi_identifiers, ", "));
  } else {
    return;
  }
  warnings.insert(warnings.begin(),
                  what +
                      ". Ask for less: a smaller k, weaker models, fewer quasi-identifiers, or "
                      "more --suppression");
}

Json warnings_about(const PreparedTable& prepared, const Json& claims) {
  Json warnings = Json::array();
  std::set<std::string> counted;
  for (const auto& claim : claims) {
    if (claim.contains("l") || claim.contains("alpha") || claim.contains("share"))
      counted.insert(claim.value("sensitive", std::string()));
  }
  for (const auto& name : counted) {
    if (name.empty()) continue;
    const auto& values = prepared.table.groups.column(name).dictionary;
    const auto joined = tables::joined_spellings(prepared.table.groups.column(name));
    if (!joined) continue;
    warnings.push_back(fmt::format(
        "'{}' has {} values that differ from others in spelling alone (capitals, blanks, points): "
        "they count as one",
        name, values.size() - joined->dictionary.size()));
  }
  for (const auto& names : {prepared.schema.quasi_identifiers, prepared.schema.sensitive}) {
    for (const auto& name : names) {
      if (release::among(prepared.not_measured(), name)) continue;
      const auto& values = prepared.table.groups.column(name).dictionary.values();
      const auto commas =
          static_cast<std::size_t>(std::count_if(values.begin(), values.end(), has_decimal_comma));
      if (commas == 0 || 2 * commas < values.size()) continue;
      warnings.push_back(
          fmt::format("'{}' has numbers with a decimal comma (3,5), which are words here: write "
                      "them with a point (3.5)",
                      name));
    }
  }
  for (const auto& name : prepared.by_default) {
    if (prepared.schema.hierarchies.at(name) != "flat") continue;
    const auto& values = prepared.table.groups.column(name).dictionary.values();
    std::size_t numbers = 0;
    std::size_t words = 0;
    for (const auto value : values) {
      if (!value.empty()) ++(is_number(value) ? numbers : words);
    }
    constexpr std::size_t kSeveral = 10;
    constexpr std::size_t kForEachWord = 9;
    if (words == 0 || numbers < kSeveral || numbers < kForEachWord * words) continue;
    warnings.push_back(fmt::format(
        "'{}' has {} value{} no number among {} that are, so all are taken for words, "
        "and cells may list them: mend or empty {}",
        name, words, words == 1 ? " that is" : "s that are", numbers, words == 1 ? "it" : "them"));
  }
  return warnings;
}

// k = 1, t = 1 and the like hold of every table: a release that is "verified" to keep them promises
// nothing. So does everything that holds of each record alone.
void refuse_empty_promise(const PreparedTable& prepared) {
  if (prepared.safe_harbor || !prepared.request.beliefs.empty() || prepared.models.empty()) return;
  for (const auto& model : prepared.models) {
    const std::string name = model->name().substr(0, model->name().find('@'));
    const bool of_population = name == "k-map" || name == "delta";
    if (of_population && !(name == "k-map" && model->required() <= 1)) return;
  }
  const auto& input = prepared.input;
  const std::uint64_t one = 1;
  for (std::size_t group = 0; group < input.groups(); ++group) {
    std::vector<tables::SensitiveCounts> values;
    for (const Column* column : input.sensitive)
      values.push_back({std::span(&column->codes[group], 1), std::span(&one, 1)});
    if (!tables::all_hold(prepared.models, {1, 1, values})) return;
  }
  throw Error::input(
      "a class of one satisfies everything that is asked for: nobody would be hidden")
      .hint("Ask for --k 2 or more; 5 and 11 are usual.");
}

// Which l-diversity and which distance it came to, by column, as the flags would say it.
void add_kinds_of_models(Json& parameters, const Json& claims) {
  constexpr std::string_view diversity = "-l-diversity";
  for (const auto& claim : claims) {
    const auto model = claim.at("model").get<std::string>();
    if (model.ends_with(diversity)) {
      std::string kind = model.substr(0, model.size() - diversity.size());
      if (claim.contains("c")) kind += fmt::format(":{}", claim["c"].get<double>());
      parameters["diversity"][claim.at("sensitive").get<std::string>()] = kind;
    } else if (claim.contains("distance")) {
      parameters["distance"][claim.at("sensitive").get<std::string>()] = claim["distance"];
    }
  }
}

}  // namespace

Outcome protect(const ProtectRequest& options, const Run& run) {
  const auto began = std::chrono::steady_clock::now();
  refuse_unused(options, {options.method});
  const bool by_anatomy = options.method == tables::kAnatomy;
  if (by_anatomy) refuse_beside_anatomy(options);
  PreparedTable prepared(options, run);
  refuse_empty_promise(prepared);
  const Schema& schema = prepared.schema;
  auto files = files_of(options.columns, schema);
  if (!options.queries.empty()) files.push_back(options.queries);
  if (!options.rules_from.empty()) files.push_back(options.rules_from);
  files.insert(files.end(), options.against.begin(), options.against.end());
  release::refuse_overwriting_inputs(options.out, prepared.sources, files);
  if (by_anatomy)
    return protect_by_anatomy(options, prepared, files,
                              parameters_of(options, prepared, given_hierarchies(prepared)),
                              private_parameters_of(prepared), run);
  std::optional<SecretKey> key;
  if (options.identifiers != "drop") {
    if (options.key.empty()) {
      throw Error::input("pseudonyms and surrogates need a key")
          .hint(
              "Name a file for it with --key, apart from the release; it is created if it does not "
              "exist.");
    }
    release::refuse_key_as_output(options.key, options.out);
    key = SecretKey::load_or_create(options.key);
  }
  const auto treatment = options.identifiers == "surrogate"
                             ? release::IdentifierTreatment::surrogate
                             : release::IdentifierTreatment::pseudonym;

  const tables::Method method = method_of(options, prepared);
  const auto search_began = std::chrono::steady_clock::now();
  tables::Protected released = protect_prepared(prepared, prepared.models, method, run.progress);
  if (!released.lower_bound) {
    // What the search left of its time, and a little in any case.
    constexpr double kLeast = 0.2;
    std::optional<double> left;
    if (method.time_limit) {
      const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - search_began;
      left = std::max(kLeast, *method.time_limit - spent.count());
    }
    released.lower_bound =
        tables::bound_of_loss(prepared.input, prepared.models, method, left, run.progress);
  }
  if (prepared.safe_harbor)
    prepared.safe_harbor->apply(schema.quasi_identifiers, released.recoding);
  // Which of them a method made is not in the release, and not to be told by a figure.
  tables::join_equal_classes(released.recoding);
  const std::chrono::duration<double> searched = std::chrono::steady_clock::now() - search_began;
  const Release leaving = release_of(prepared, released.recoding, key, treatment);

  Seeded seeded = with_seed(run, options.seed);
  if (prepared.safe_harbor && !options.as_of) seeded.record("as-of", prepared.safe_harbor->as_of());
  std::vector<std::uint32_t> entry_of;
  std::unique_ptr<PeopleRelease> of_people;
  if (prepared.people) {
    entry_of = prepared.people->entries_of(released.recoding);
    of_people = std::make_unique<PeopleRelease>(*prepared.people, entry_of, leaving.of_people,
                                                seeded.seed, prepared.source.delimiter);
  }
  const std::uint64_t rows = prepared.rows();
  const std::uint64_t rows_out =
      of_people ? of_people->rows() : rows - released.recoding.suppressed;
  Json result = {{"method", options.method}};
  if (released.levels) {
    result["levels"] = Json::object();
    for (std::size_t a = 0; a < released.levels->size(); ++a) {
      result["levels"][schema.quasi_identifiers[a]] = (*released.levels)[a];
    }
  }
  if (!released.note.empty()) result["note"] = released.note;
  if (released.ended_early) result["ended_early"] = true;
  result["rows_in"] = rows;
  result["rows_out"] = rows_out;
  result["suppressed"] = rows - rows_out;
  if (released.waiting) result["waiting"] = *released.waiting;
  if (of_people) {
    result["people_in"] = prepared.people->count();
    result["people_out"] = of_people->people();
    result["rows_changed"] = prepared.people->rows_changed();
    if (const auto names = prepared.not_measured(); !names.empty()) result["not_measured"] = names;
  }
  if (prepared.safe_harbor) {
    result["safe_harbor"] = prepared.safe_harbor->figures();
    if (!schema.identifiers.empty()) result["safe_harbor"]["left_out"] = schema.identifiers;
  }
  const bool recoded = !schema.quasi_identifiers.empty();
  if (recoded) {
    result["classes"] = released.recoding.class_count;
    result["metrics"] = tables::to_json(tables::measure_utility(
        prepared.measured, released.recoding,
        {tables::least_records(prepared.models), method.label, method.workload}, run.progress));
    for (const auto& attribute : prepared.input.attributes) {
      if (prepared.max_loss.count(attribute.name) == 0) continue;
      const auto place = static_cast<std::size_t>(&attribute - prepared.input.attributes.data());
      const double others = static_cast<double>(attribute.hierarchy->leaf_count()) - 1;
      result["largest_cell_loss"][attribute.name] =
          others <= 0 ? 0 : (tables::widest_cell(released.recoding, place) - 1) / others;
    }
    if (released.lower_bound) {
      result["lower_bound"] = *released.lower_bound;
      const double loss = result["metrics"].value(options.metric, 0.0);
      if ((options.metric == "lm" || options.metric == "ncp") && loss > 0)
        result["gap"] = std::max(0.0, 1 - *released.lower_bound / loss);
    }
    if (of_people) {
      result["metrics"]["overwritten"] = prepared.people->overwritten(
          schema.quasi_identifiers, prepared.hierarchies, released.recoding, entry_of);
    }
    result["metrics_compare_with"] = !prepared.randomised.empty() ? "the table after randomisation"
                                     : prepared.safe_harbor       ? "the table after Safe Harbor"
                                                                  : "the table as it was read";
  }
  if (!prepared.randomised.empty()) {
    result["randomised"] = Json::array();
    for (const auto& column : prepared.randomised) {
      Json change = {
          {"column", column.column}, {"operator", column.operation}, {"changed", column.changed}};
      if (column.squared_error) change["squared_error"] = *column.squared_error;
      result["randomised"].push_back(std::move(change));
    }
  }
  if (recoded) {
    result["before"] = tables::to_json(prepared.before);
    result["after"] = tables::to_json(tables::exposure_after(prepared.measured, released.recoding));
  }
  if (recoded) {
    add_minimality(options, prepared, released, result);
    add_rules(options, prepared, released, run, result);
  }
  if (prepared.input.population != nullptr) {
    result["before"]["population"] =
        tables::to_json(tables::population_exposure_before(prepared.input));
    result["after"]["population"] =
        tables::to_json(tables::population_exposure_after(prepared.input, released.recoding));
  }
  result["unchanged"] = leaving.unchanged;
  if (!prepared.allowed.empty()) result["allowed"] = prepared.allowed;

  Json parameters = parameters_of(options, prepared, told_hierarchies(prepared, released.recoding));
  const auto& kind_of_method = tables::find_method(options.method);
  if (kind_of_method.listens_to("recoding"))
    parameters["recoding"] = tables::name_of(tables::style_of(method));
  if (kind_of_method.listens_to("centre")) parameters["centre"] = tables::name_of(method.centre);
  if (options.time_limit) parameters["time_limit"] = *options.time_limit;
  if (kind_of_method.listens_to("start")) parameters["start"] = method.start;
  if (key) parameters["key_fingerprint"] = key->fingerprint();
  Json claims = tables::claims_of(released.models, prepared.input, released.recoding);
  for (const auto& claim : tables::belief_claims(prepared.request.beliefs, prepared.randomised)) {
    claims.push_back(claim);
  }
  if (prepared.safe_harbor) {
    claims.push_back(prepared.safe_harbor->claim());
    parameters["safe_harbor"] = true;
    parameters["as_of"] = prepared.safe_harbor->as_of();
  }
  if (prepared.earlier) {
    claims.push_back(claim_of_versions(options.against, prepared, released.recoding, run));
  }
  add_kinds_of_models(parameters, claims);
  const SingledOut singled_out(prepared, released.recoding, entry_of, claims);
  SingledOut(prepared, claims).put(result["before"]);
  singled_out.put(result["after"]);
  for (const char* when : {"before", "after"}) {
    if (result[when].is_null()) result.erase(when);
  }
  if (const auto hidden = hidden_columns(prepared, released.recoding); recoded && !hidden.empty())
    result["hidden"] = hidden;
  Json warnings = warnings_about(prepared, claims);
  if (recoded) warn_where_nothing_is_left(prepared, released.recoding, warnings);
  if (const double share = share_of_rows_changed(prepared); share >= kManyRows) {
    warnings.push_back(fmt::format(
        "{:.0f} % of the rows leave with the quasi-identifiers of their person's other "
        "rows: --person writes one set for each person (see rows_changed). Make "
        "quasi-identifiers that change from visit to visit sensitive, or leave them out",
        100 * share));
  }
  if (prepared.people) {
    const auto alone = prepared.people->alone_by_rows(released.recoding, entry_of);
    if (alone > 0) {
      warnings.push_back(fmt::format(
          "{} {} the only one of their class with as many rows, which the numbers of --person "
          "show: "
          "whoever knows how often somebody came finds them. Keep as many rows of everybody (the "
          "first, the last) where visits need not be told",
          alone, alone == 1 ? "person is" : "people are"));
    }
  }
  const Json certain = result.value("after", Json::object()).value("sensitive_disclosed", Json(0));
  for (auto& warning : singled_out.warnings(certain.get<std::uint64_t>()))
    warnings.push_back(std::move(warning));
  if (!warnings.empty()) result["warnings"] = std::move(warnings);
  if (of_people) {
    parameters["person"] = options.person;
    for (auto& claim : claims) claim["person"] = options.person;
  }
  const release::Origin origin{
      .kind = "tables",
      .verb = "protect",
      .command = seeded.command,
      .seed = seeded.seed,
      .inputs = prepared.sources,
      .other_files = files,
      .options = seeded.options,
      .figures = tables::figures(),
      .told = of_people ? tables::told_results_of_people() : tables::told_results(),
      .private_parameters = private_parameters_of(prepared),
      .private_folder = run.private_folder};
  const auto published = of_people
                             ? release::publish(run.engine, of_people->artefact(), options.out,
                                                origin, parameters, claims, result, run.progress)
                             : release::publish(run.engine, leaving.content, options.out, origin,
                                                parameters, claims, result, run.progress);

  const auto& verified = published.claims;
  result["models"] = Json::object();
  for (std::size_t m = 0; m < verified.size(); ++m) {
    // What the verifier found in the file, not what the method believes.
    const std::string name = m < prepared.models.size() ? prepared.models[m]->name()
                             : verified[m].attribute.empty()
                                 ? verified[m].model
                                 : fmt::format("{}@{}", verified[m].model, verified[m].attribute);
    result["models"][name] = {{"required", verified[m].required},
                              {"achieved", finite_or_null(verified[m].achieved)}};
    if (m >= prepared.models.size()) continue;
    if (const auto minimum = prepared.models[m]->minimum()) {
      result["models"][name]["minimum"] = *minimum;
    }
  }
  result["out"] = options.out;
  result["private_manifest"] = published.private_manifest;
  result["seed"] = seeded.seed;
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  result["search_seconds"] = searched.count();
  result["seconds"] = took.count();
  return {.result = result, .for_a_person = release_for_a_person(result)};
}

}  // namespace pratique::tables::flow
