#include "pratique/tables/flow/protect.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "pratique/core/error.h"
#include "pratique/crypto/secret_key.h"
#include "pratique/kind/pseudonyms.h"
#include "pratique/kind/publish.h"
#include "pratique/tables/attack/exposure.h"
#include "pratique/tables/attack/population_exposure.h"
#include "pratique/tables/flow/anatomy.h"
#include "pratique/tables/flow/earlier_releases.h"
#include "pratique/tables/flow/internal/deeper_attacks.h"
#include "pratique/tables/flow/internal/outgoing_columns.h"
#include "pratique/tables/flow/internal/protect_warnings.h"
#include "pratique/tables/flow/internal/told_parameters.h"
#include "pratique/tables/flow/method_choice.h"
#include "pratique/tables/flow/people_release.h"
#include "pratique/tables/flow/singled_out.h"
#include "pratique/tables/method/anatomy.h"
#include "pratique/tables/metric/utility.h"
#include "pratique/tables/release/words.h"

namespace pratique::tables::flow {
namespace {

// Safe Harbor asks for no number: it holds or not.
Json release_for_a_person(Json result) {
  for (auto& model : result["models"]) {
    if (model.is_object() && model.value("required", Json()) == 0.0 &&
        model.value("achieved", Json()) == 0.0)
      model = "holds";
  }
  return result;
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
    std::vector<SensitiveCounts> values;
    for (const Column* column : input.sensitive)
      values.push_back({std::span(&column->codes[group], 1), std::span(&one, 1)});
    if (!all_hold(prepared.models, {1, 1, values})) return;
  }
  throw Error::input(
      "a class of one satisfies everything that is asked for: nobody would be hidden")
      .hint("Ask for --k 2 or more; 5 and 11 are usual.");
}

std::vector<std::string> files_beside(const ProtectRequest& options, const Schema& schema) {
  auto files = files_of(options.columns, schema);
  if (!options.queries.empty()) files.push_back(options.queries);
  if (!options.rules_from.empty()) files.push_back(options.rules_from);
  files.insert(files.end(), options.against.begin(), options.against.end());
  return files;
}

std::optional<SecretKey> key_for_identifiers(const ProtectRequest& options) {
  if (options.identifiers == "drop") return std::nullopt;
  if (options.key.empty()) {
    throw Error::input("pseudonyms and surrogates need a key")
        .hint(
            "Name a file for it with --key, apart from the release; it is created if it does not "
            "exist.");
  }
  release::refuse_key_as_output(options.key, options.out);
  return SecretKey::load_or_create(options.key);
}

// What the method makes of the table, with a bound of what it loses at least.
Protected search(const Method& method, PreparedTable& prepared, Progress& progress) {
  const auto began = std::chrono::steady_clock::now();
  Protected released = protect_prepared(prepared, prepared.models, method, progress);
  if (!released.lower_bound) {
    // What the search left of its time, and a little in any case.
    constexpr double kLeast = 0.2;
    std::optional<double> left;
    if (method.time_limit) {
      const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - began;
      left = std::max(kLeast, *method.time_limit - spent.count());
    }
    released.lower_bound = bound_of_loss(prepared.input, prepared.models, method, left, progress);
  }
  if (prepared.safe_harbor)
    prepared.safe_harbor->apply(prepared.schema.quasi_identifiers, released.recoding);
  // Which of them a method made is not in the release, and not to be told by a figure.
  join_equal_classes(released.recoding);
  return released;
}

// Of people, where they are known: the rows that leave, and which entry each class's people have.
struct OutgoingPeople {
  std::vector<std::uint32_t> entry_of;
  std::unique_ptr<PeopleRelease> rows;
};

OutgoingPeople outgoing_people(const PreparedTable& prepared, const Recoding& recoding,
                               const OutgoingColumns& leaving, std::uint64_t seed) {
  OutgoingPeople outgoing;
  if (!prepared.people) return outgoing;
  outgoing.entry_of = prepared.people->entries_of(recoding);
  outgoing.rows = std::make_unique<PeopleRelease>(
      *prepared.people, outgoing.entry_of, leaving.of_people, seed, prepared.source.delimiter);
  return outgoing;
}

Json counts_of_release(const ProtectRequest& options, const PreparedTable& prepared,
                       const Protected& released, const OutgoingPeople& people) {
  Json result = {{"method", options.method}};
  if (released.levels) {
    result["levels"] = Json::object();
    for (std::size_t a = 0; a < released.levels->size(); ++a) {
      result["levels"][prepared.schema.quasi_identifiers[a]] = (*released.levels)[a];
    }
  }
  if (!released.note.empty()) result["note"] = released.note;
  if (released.ended_early) result["ended_early"] = true;
  const std::uint64_t rows = prepared.rows();
  const std::uint64_t rows_out =
      people.rows ? people.rows->rows() : rows - released.recoding.suppressed;
  result["rows_in"] = rows;
  result["rows_out"] = rows_out;
  result["suppressed"] = rows - rows_out;
  if (released.waiting) result["waiting"] = *released.waiting;
  if (people.rows) {
    result["people_in"] = prepared.people->count();
    result["people_out"] = people.rows->people();
    result["rows_changed"] = prepared.people->rows_changed();
    if (const auto names = prepared.not_measured(); !names.empty()) result["not_measured"] = names;
  }
  if (prepared.safe_harbor) {
    result["safe_harbor"] = prepared.safe_harbor->figures();
    if (!prepared.schema.identifiers.empty())
      result["safe_harbor"]["left_out"] = prepared.schema.identifiers;
  }
  return result;
}

void add_utility(const ProtectRequest& options, const PreparedTable& prepared, const Method& method,
                 const Protected& released, const OutgoingPeople& people, Progress& progress,
                 Json& result) {
  const Recoding& recoding = released.recoding;
  result["classes"] = recoding.class_count;
  result["metrics"] = to_json(
      measure_utility(prepared.measured, recoding,
                      {least_records(prepared.models), method.label, method.workload}, progress));
  for (const auto& attribute : prepared.input.attributes) {
    if (prepared.max_loss.count(attribute.name) == 0) continue;
    const auto place = static_cast<std::size_t>(&attribute - prepared.input.attributes.data());
    const double others = static_cast<double>(attribute.hierarchy->leaf_count()) - 1;
    result["largest_cell_loss"][attribute.name] =
        others <= 0 ? 0 : (widest_cell(recoding, place) - 1) / others;
  }
  if (released.lower_bound) {
    result["lower_bound"] = *released.lower_bound;
    const double loss = result["metrics"].value(options.metric, 0.0);
    if ((options.metric == "lm" || options.metric == "ncp") && loss > 0)
      result["gap"] = std::max(0.0, 1 - *released.lower_bound / loss);
  }
  if (people.rows) {
    result["metrics"]["overwritten"] = prepared.people->overwritten(
        prepared.schema.quasi_identifiers, prepared.hierarchies, recoding, people.entry_of);
  }
  result["metrics_compare_with"] = !prepared.randomised.empty() ? "the table after randomisation"
                                   : prepared.safe_harbor       ? "the table after Safe Harbor"
                                                                : "the table as it was read";
}

void add_randomised(const PreparedTable& prepared, Json& result) {
  if (prepared.randomised.empty()) return;
  result["randomised"] = Json::array();
  for (const auto& column : prepared.randomised) {
    Json change = {
        {"column", column.column}, {"operator", column.operation}, {"changed", column.changed}};
    if (column.squared_error) change["squared_error"] = *column.squared_error;
    result["randomised"].push_back(std::move(change));
  }
}

void add_attacks(const ProtectRequest& options, PreparedTable& prepared, const Protected& released,
                 const Run& run, Json& result) {
  if (!prepared.schema.quasi_identifiers.empty()) {
    result["before"] = to_json(prepared.before);
    result["after"] = to_json(exposure_after(prepared.measured, released.recoding));
    add_minimality(options, prepared, released, result);
    add_rules(options, prepared, released, run, result);
  }
  if (prepared.input.population == nullptr) return;
  result["before"]["population"] = to_json(population_exposure_before(prepared.input));
  result["after"]["population"] =
      to_json(population_exposure_after(prepared.input, released.recoding));
}

Json parameters_of_release(const ProtectRequest& options, const PreparedTable& prepared,
                           const Method& method, const Recoding& recoding, const Json& claims,
                           const std::optional<SecretKey>& key) {
  Json parameters = parameters_of(options, prepared, told_hierarchies(prepared, recoding));
  const auto& kind = find_method(options.method);
  if (kind.listens_to("recoding")) parameters["recoding"] = name_of(style_of(method));
  if (kind.listens_to("centre")) parameters["centre"] = name_of(method.centre);
  if (options.time_limit) parameters["time_limit"] = *options.time_limit;
  if (kind.listens_to("start")) parameters["start"] = method.start;
  if (key) parameters["key_fingerprint"] = key->fingerprint();
  if (prepared.safe_harbor) {
    parameters["safe_harbor"] = true;
    parameters["as_of"] = prepared.safe_harbor->as_of();
  }
  if (prepared.people) parameters["person"] = options.person;
  add_kinds_of_models(parameters, claims);
  return parameters;
}

Json claims_of_release(const ProtectRequest& options, const PreparedTable& prepared,
                       const Protected& released, const Run& run) {
  Json claims = claims_of(released.models, prepared.input, released.recoding);
  for (const auto& claim : belief_claims(prepared.request.beliefs, prepared.randomised)) {
    claims.push_back(claim);
  }
  if (prepared.safe_harbor) claims.push_back(prepared.safe_harbor->claim());
  if (prepared.earlier)
    claims.push_back(claim_of_versions(options.against, prepared, released.recoding, run));
  return claims;
}

void add_singled_out(const PreparedTable& prepared, const SingledOut& singled_out,
                     std::uint64_t alone_by_rows, const Json& claims, Json& result) {
  SingledOut(prepared, claims).put(result["before"]);
  singled_out.put(result["after"]);
  if (prepared.people && !prepared.schema.quasi_identifiers.empty())
    result["after"]["alone_by_rows"] = alone_by_rows;
  for (const char* when : {"before", "after"}) {
    if (result[when].is_null()) result.erase(when);
  }
}

// What the verifier found in the file, not what the method believes.
Json models_as_verified(const PreparedTable& prepared,
                        const std::vector<verify::ClaimResult>& verified) {
  Json models = Json::object();
  for (std::size_t m = 0; m < verified.size(); ++m) {
    const bool asked_for = m < prepared.models.size();
    const std::string name = asked_for ? prepared.models[m]->name()
                             : verified[m].attribute.empty()
                                 ? verified[m].model
                                 : verified[m].model + "@" + verified[m].attribute;
    models[name] = {{"required", verified[m].required},
                    {"achieved", finite_or_null(verified[m].achieved)}};
    if (!asked_for) continue;
    if (const auto minimum = prepared.models[m]->minimum()) models[name]["minimum"] = *minimum;
  }
  return models;
}

}  // namespace

Outcome protect(const ProtectRequest& options, const Run& run) {
  const auto began = std::chrono::steady_clock::now();
  refuse_unused(options, {options.method});
  const bool by_anatomy = options.method == kAnatomy;
  if (by_anatomy) refuse_beside_anatomy(options);
  PreparedTable prepared(options, run);
  refuse_empty_promise(prepared);
  const auto files = files_beside(options, prepared.schema);
  release::refuse_overwriting_inputs(options.out, prepared.sources, files);
  if (by_anatomy)
    return protect_by_anatomy(options, prepared, files,
                              parameters_of(options, prepared, given_hierarchies(prepared)),
                              private_parameters_of(prepared), run);
  const auto key = key_for_identifiers(options);
  const auto treatment = options.identifiers == "surrogate"
                             ? release::IdentifierTreatment::surrogate
                             : release::IdentifierTreatment::pseudonym;

  const Method method = method_of(options, prepared);
  const auto search_began = std::chrono::steady_clock::now();
  const Protected released = search(method, prepared, run.progress);
  const std::chrono::duration<double> searched = std::chrono::steady_clock::now() - search_began;

  const OutgoingColumns leaving = outgoing_columns(prepared, released.recoding, key, treatment);
  Seeded seeded = with_seed(run, options.seed);
  if (prepared.safe_harbor && !options.as_of) seeded.record("as-of", prepared.safe_harbor->as_of());
  const OutgoingPeople people = outgoing_people(prepared, released.recoding, leaving, seeded.seed);

  Json result = counts_of_release(options, prepared, released, people);
  if (!prepared.schema.quasi_identifiers.empty())
    add_utility(options, prepared, method, released, people, run.progress, result);
  add_randomised(prepared, result);
  add_attacks(options, prepared, released, run, result);
  result["unchanged"] = leaving.unchanged;
  if (!prepared.allowed.empty()) result["allowed"] = prepared.allowed;
  Json claims = claims_of_release(options, prepared, released, run);
  const Json parameters =
      parameters_of_release(options, prepared, method, released.recoding, claims, key);
  const SingledOut singled_out(prepared, released.recoding, people.entry_of, claims);
  const std::uint64_t alone_by_rows =
      prepared.people ? prepared.people->alone_by_rows(released.recoding, people.entry_of) : 0;
  add_singled_out(prepared, singled_out, alone_by_rows, claims, result);
  if (const auto hidden = hidden_columns(prepared, released.recoding); !hidden.empty())
    result["hidden"] = hidden;
  Json warnings = warnings_about(prepared, released.recoding, alone_by_rows, claims);
  const Json certain = result.value("after", Json::object()).value("sensitive_disclosed", Json(0));
  for (auto& warning : singled_out.warnings(certain.get<std::uint64_t>()))
    warnings.push_back(std::move(warning));
  if (!warnings.empty()) result["warnings"] = std::move(warnings);
  if (people.rows) {
    for (auto& claim : claims) claim["person"] = options.person;
  }

  const release::Origin origin{.kind = "tables",
                               .verb = "protect",
                               .command = seeded.command,
                               .seed = seeded.seed,
                               .inputs = prepared.sources,
                               .other_files = files,
                               .options = seeded.options,
                               .figures = tables::figures(),
                               .told = people.rows ? told_results_of_people() : told_results(),
                               .private_parameters = private_parameters_of(prepared),
                               .private_folder = run.private_folder};
  const auto published = people.rows
                             ? release::publish(run.engine, people.rows->artefact(), options.out,
                                                origin, parameters, claims, result, run.progress)
                             : release::publish(run.engine, leaving.content, options.out, origin,
                                                parameters, claims, result, run.progress);
  result["models"] = models_as_verified(prepared, published.claims);
  result["out"] = options.out;
  result["private_manifest"] = published.private_manifest;
  result["seed"] = seeded.seed;
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  result["search_seconds"] = searched.count();
  result["seconds"] = took.count();
  return {.result = result, .for_a_person = release_for_a_person(result)};
}

}  // namespace pratique::tables::flow
