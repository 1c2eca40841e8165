#include "pratique/codes/flow/protect.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <tuple>
#include <variant>

#include "pratique/codes/attack/attack.h"
#include "pratique/codes/attack/inference.h"
#include "pratique/codes/attack/whole_sets.h"
#include "pratique/codes/flow/code_release.h"
#include "pratique/codes/flow/disassociated_release.h"
#include "pratique/codes/flow/internal/disassociate.h"
#include "pratique/codes/flow/internal/exposure_json.h"
#include "pratique/codes/flow/internal/riders.h"
#include "pratique/codes/method/disassociation.h"
#include "pratique/codes/method/protection.h"
#include "pratique/codes/method/table_codes.h"
#include "pratique/codes/metric/diseases.h"
#include "pratique/codes/metric/metrics.h"
#include "pratique/codes/model/policy.h"
#include "pratique/codes/release/words.h"
#include "pratique/columns/default_hierarchy.h"
#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/core/parallel.h"
#include "pratique/crypto/random.h"
#include "pratique/data/builtin_hierarchies.h"
#include "pratique/data/settings.h"
#include "pratique/kind/among.h"
#include "pratique/kind/publish.h"

namespace pratique::codes::flow {
namespace {

// The method whose release is no set of codes for each patient.
constexpr std::string_view kDisassociation = "disassociation";

using Names = std::vector<std::string>;

std::string file_of(const Setting& setting, const ProtectRequest& request) {
  const auto path = request.model_files.find(setting.key);
  return path == request.model_files.end() ? std::string() : path->second;
}

bool is_given(const Setting& setting, const ProtectRequest& request) {
  const auto changed = [&](auto field) { return request.parameters.*field != Parameters{}.*field; };
  return std::visit(
      [&](const auto& value) {
        using Value = std::remove_cvref_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, Setting::FromFile>) {
          return !file_of(setting, request).empty();
        } else if constexpr (std::is_same_v<Value, Setting::Columns>) {
          return changed(value.names);
        } else if constexpr (std::is_same_v<Value, Setting::Hierarchies>) {
          return changed(value.specs);
        } else {
          return changed(value);
        }
      },
      setting.value);
}

bool listens_to(const Model& model, std::string_view key) {
  return std::ranges::find(model.settings, key, &Setting::key) != model.settings.end();
}

// The methods of km that may remove codes instead of generalising more.
bool generalises(const codes::Method& method) {
  return method.needs_tree && listens_to(find_model(method.model), "suppression");
}

// A word that nobody listens to may be the one that was meant to protect.
void refuse_unused(const ProtectRequest& request, const codes::Method& method) {
  for (const Setting& setting : model_settings()) {
    if (!is_given(setting, request) || listens_to(find_model(method.model), setting.key)) continue;
    Names hearing;
    for (const Model* model : models()) {
      if (listens_to(*model, setting.key)) hearing.emplace_back(model->key);
    }
    throw Error::input(fmt::format("--{} has no effect with --model {}", setting.key, method.model))
        .hint(fmt::format("Leave it out; it goes with --model {}.", fmt::join(hearing, ", ")));
  }
  if (request.parameters.suppression > 0 && !generalises(method)) {
    throw Error::input(fmt::format("--suppression has no effect with --method {}", method.name))
        .hint("Leave it out; it goes with --method local and apriori.");
  }
  if (method.name != kDisassociation) return;
  const char* codes_stay = "Leave it out: every code stays as it is.";
  const char* nothing_rides = "Leave it out: no other column leaves with the codes.";
  const std::tuple<const char*, bool, const char*> others[] = {
      {"hierarchy", !request.codes.hierarchy.empty(), codes_stay},
      {"weights", !request.weights.empty(), codes_stay},
      {"insensitive", !request.insensitive.empty(), nothing_rides},
      {"allow", !request.allowed.empty(), nothing_rides}};
  for (const auto& [option, given, hint] : others) {
    if (!given) continue;
    throw Error::input(fmt::format("--{} has no effect with --method {}", option, method.name))
        .hint(hint);
  }
}

// Reads what the models ask for beside numbers.
codes::Parameters read_parameters(codes::Parameters read, const ProtectRequest& request,
                                  const CodeSets& sets) {
  for (const auto& setting : model_settings()) {
    const auto* from_file = std::get_if<Setting::FromFile>(&setting.value);
    const auto path = file_of(setting, request);
    if (from_file != nullptr && !path.empty()) (*from_file)(path, sets, read);
  }
  return read;
}

// The model that changes other columns than the codes.
constexpr std::string_view kTableAndCodes = "table+codes";

// A column without a hierarchy takes the one of its type.
std::vector<codes::QuasiIdentifier> quasi_identifiers_of(const Parameters& options,
                                                         const Names& columns,
                                                         const CodeFile& file) {
  auto hierarchies = column_values(options.value_hierarchies, "--qi-hierarchy", columns);
  std::vector<codes::QuasiIdentifier> result;
  for (const auto& column : columns) {
    const auto spec = hierarchies.extract(column);
    const auto rider =
        std::ranges::find(file.riders.columns, column, [](const Column& c) { return c.name; });
    // Which of the columns cannot be one is told where they are bound.
    if (!spec.empty() || rider == file.riders.columns.end()) {
      result.push_back({column, spec.empty() ? "flat" : spec.mapped()});
    } else {
      result.push_back({column, columns::default_hierarchy(column, rider->dictionary)});
    }
  }
  if (!hierarchies.empty()) {
    throw Error::input(fmt::format("--qi-hierarchy names '{}', which is not a quasi-identifier",
                                   hierarchies.begin()->first));
  }
  return result;
}

std::vector<double> read_weights(const std::string& path, const CodeSets& sets,
                                 const std::optional<Spelling>& spelling, const Run& run) {
  if (path.empty()) return {};
  const Table table = run.engine.load(run.open(path), {"code", "weight"}, run.progress);
  std::vector<double> weights(sets.codes.size(), 1);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto text = table.columns[1].text(row);
    double weight = -1;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), weight);
    if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size() ||
        !std::isfinite(weight) || weight < 0) {
      throw Error::input("a weight is not a number of 0 or more")
          .at(fmt::format("{}, row {}", path, row + 1));
    }
    for (const Code code : codes_named(table.columns[0].text(row), sets.codes, spelling,
                                       fmt::format("{}, row {}", path, row + 1))) {
      weights[code] = weight;
    }
  }
  return weights;
}

// How many codes are known beside columns that no model holds.
std::size_t known_beside_columns(const codes::Method& method, const codes::Parameters& parameters) {
  if (method.model == "complete") return ~std::size_t{0};
  return static_cast<std::size_t>(method.model == "coherence" ? parameters.p : parameters.m);
}

// What to try where every code would become the most general one.
std::string_view how_to_keep_something(const codes::Method& method) {
  if (method.model == "km")
    return "Nothing was written. Try --suppression 0.01, --method local or suppress, a smaller k "
           "or m, or a hierarchy with more levels; --keep-nothing releases it all the same.";
  if (method.model == kTableAndCodes)
    return "Nothing was written. Try --suppression 0.01, fewer columns in --qi, a smaller k or m, "
           "or a hierarchy with more levels; --keep-nothing releases it all the same.";
  return "Nothing was written. Ask for less, such as a smaller k, or give a hierarchy with more "
         "levels; --keep-nothing releases it all the same.";
}

// What the adversary of the model finds, and those who know everything.
Json attack_of(const codes::SearchableRelease& release, const CodeSets& sets,
               const codes::Parameters& parameters, Progress& progress) {
  const auto m = static_cast<std::size_t>(parameters.m);
  const auto k = parameters.k;
  Json figures = Json::object();
  if (parameters.policy != nullptr) {
    figures["constraints_known"] = to_json(
        codes::expose_constraints(release, parameters.policy->privacy, parameters.k, progress));
  } else {
    figures["m_codes_known"] = to_json(codes::expose(release, sets, k, m, progress));
  }
  figures["all_codes_known"] = to_json(codes::expose(release, sets, k, ~std::size_t{0}, progress));
  return figures;
}

// What is inferred by rules, where the model has some, and of sensitive codes from public ones.
void add_inference(Json& result, const codes::SearchableRelease& release, const CodeSets& sets,
                   const codes::Method& method, const codes::Parameters& parameters,
                   Progress& progress) {
  if (!parameters.rules.empty()) {
    const auto inference =
        codes::infer(release, sets.codes, parameters.rules, parameters.k, parameters.c);
    result["rules_known"] = {{"targets", inference.rules},
                             {"matched_under_k", inference.matched_under_k},
                             {"inferred", inference.inferred}};
  }
  if (parameters.sensitive.empty()) return;
  const bool coherence = method.model == "coherence";
  const auto most = coherence ? static_cast<std::size_t>(parameters.p) : ~std::size_t{0};
  const double limit = coherence ? 1 / parameters.h : parameters.rho;
  const auto inference = codes::infer(release, sets, parameters.sensitive, most, limit, progress);
  result["sensitive_inferred"] = {{"targets", inference.targets}, {"inferred", inference.inferred}};
}

}  // namespace

Outcome protect(const ProtectRequest& options, const Run& run) {
  const auto began = std::chrono::steady_clock::now();
  const codes::Method& method = codes::find_method(options.model, options.method);
  refuse_unused(options, method);
  codes::CodeFile file = options.codes.read(run, options.file);
  auto files = options.codes.other_files();
  for (const Setting& setting : model_settings()) {
    const auto path = file_of(setting, options);
    if (!path.empty() && path != setting.instead) files.push_back(path);
  }
  if (!options.weights.empty()) files.push_back(options.weights);
  if (!options.queries.empty()) files.push_back(options.queries);
  for (const auto& [column, spec] :
       column_values(options.parameters.value_hierarchies, "--qi-hierarchy",
                     options.parameters.quasi_identifiers)) {
    if (!is_builtin_hierarchy(spec)) files.push_back(spec);
  }
  files = run.settings(std::move(files));
  release::refuse_overwriting_inputs(options.out, {file.source}, files);
  if (!file.long_form() && options.out.ends_with(".parquet")) {
    throw Error::input("sets of codes, one per line, cannot be released as Parquet")
        .at(options.out)
        .hint("Choose another name, such as OUT.dat.");
  }
  if (!options.rows_are_people) ask_whose_codes(file, run);
  if (method.name == kDisassociation) {
    return protect_by_disassociation(file, method, options.parameters, options.out, options.seed,
                                     files, options.queries, run);
  }
  const RiderDecisions riders =
      decide_riders(options, listens_to(find_model(method.model), "qi"), file);
  const std::string hierarchy =
      method.needs_tree
          ? options.codes.hierarchy_for(fmt::format("the method {}", method.name), file)
          : options.codes.hierarchy;
  std::optional<codes::CodeTree> tree;
  if (!hierarchy.empty()) tree.emplace(codes::CodeTree::make(hierarchy, file.sets));
  codes::Parameters wanted = options.parameters;
  // Lists may name codes of the system that the data does not have, whatever the hierarchy is.
  wanted.spelling = file.spelling ? file.spelling : spelling_of(file.sets, "");
  const auto weights = read_weights(options.weights, file.sets, wanted.spelling, run);
  const auto workload = options.queries.empty()
                            ? codes::Workload()
                            : read_workload(options.queries, file.sets.codes, wanted.spelling);
  codes::Task task{file.sets, tree ? &*tree : nullptr, read_parameters(wanted, options, file.sets)};
  task.parameters.quasi_identifiers = riders.quasi_identifiers;
  codes::Recoding recoding;
  Json before = Json::object();
  Json after = Json::object();
  const auto known = known_beside_columns(method, task.parameters);
  std::vector<RecordItems> records;
  for (const auto set : file.sets.set_of) records.push_back(file.sets.set(set));
  attack_by_columns(file, riders, records, task.parameters.k, known, before, run.progress);
  const auto attack = [&](const codes::SearchableRelease& release, const auto& whole_sets,
                          Json& figures) {
    figures.update(attack_of(release, file.sets, task.parameters, run.progress));
    figures["whole_set_known"] = to_json(whole_sets());
    add_inference(figures, release, file.sets, method, task.parameters, run.progress);
  };
  const auto attack_before = [&] {
    const auto original = codes::unchanged(file.sets, task.tree);
    const auto whole_sets = [&] {
      return codes::expose_whole_sets(file.sets, original, task.parameters.k, run.progress);
    };
    attack(codes::SearchableRelease(file.sets, original), whole_sets, before);
  };
  const auto attack_after = [&] {
    const auto distinct = codes::distinct_records(file.sets, recoding);
    const codes::SearchableRelease release(distinct.counted, distinct.records);
    const auto whole_sets = [&] {
      return codes::expose_whole_sets(release, file.sets, distinct.own, task.parameters.k,
                                      run.progress);
    };
    attack(release, whole_sets, after);
  };
  std::optional<codes::TableAndCodes> together;
  Json qi_hierarchies = Json::object();
  if (method.model == kTableAndCodes) {
    codes::check(method, task);
    attack_before();  // it changes the sets
    const auto held = quasi_identifiers_of(task.parameters, riders.quasi_identifiers, file);
    for (const auto& [column, spec] : held) qi_hierarchies[column] = spec;
    together =
        codes::anonymise_table_and_codes(file, *task.tree, held, task.parameters, run.progress);
    recoding = std::move(together->recoding);
  } else {
    codes::check(method, task);
    parallel_tasks({[&] { recoding = codes::protect(method, task, run.progress); }, attack_before});
  }
  release::make_writable(recoding, file.long_form());

  const Seeded seeded = with_seed(run, options.seed);
  codes::Metrics metrics;
  std::uint64_t gwas_supported = 0;
  std::optional<release::CodeRelease> leaving;
  for (std::size_t p = 0; p < records.size(); ++p) records[p] = recoding.set(file.sets.set_of[p]);
  attack_by_columns(file, riders, records, task.parameters.k, known, after, run.progress);
  parallel_tasks({[&] { leaving.emplace(file, recoding, seeded.seed); }, attack_after,
                  [&] {
                    metrics = codes::measure(file.sets, recoding, weights, run.progress, workload);
                    gwas_supported = codes::gwas_supported(file.sets, recoding);
                  }});
  if (leaving->patients() == 0) {
    throw Error::check("nothing would be left: every code of every patient would be removed")
        .at(options.out)
        .hint(
            "Nothing was written. Ask for less, or generalise: --hierarchy and another --method.");
  }
  if (metrics.ncp >= 1 && !options.keeps_nothing) {
    throw Error::check("nothing would be left: every code would become the most general one")
        .at(options.out)
        .hint(std::string(how_to_keep_something(method)));
  }
  Json result = {{"model", method.model},
                 {"method", method.name},
                 {"hierarchy", hierarchy},
                 {"patients_in", file.sets.patients()},
                 {"patients_out", leaving->patients()},
                 {"metrics",
                  {{"ncp", metrics.ncp},
                   {"ul", metrics.ul},
                   {"are", metrics.are},
                   {"are_one_code", metrics.are_one_code},
                   {"suppressed_items", metrics.suppressed_items},
                   {"suppressed_occurrences", metrics.suppressed_occurrences},
                   {"suppressed_patients", metrics.suppressed_patients},
                   {"groups", metrics.groups}}}};
  if (may_be_icd9(wanted.spelling)) result["metrics"]["gwas_supported"] = gwas_supported;
  const auto& policy = task.parameters.policy;
  if (policy != nullptr && !policy->utility.empty()) {
    result["metrics"]["utility_constraints"] = policy->utility.size();
    result["metrics"]["utility_kept"] =
        codes::constraints_kept(file.sets, recoding, policy->utility);
  }
  result["before"] = std::move(before);
  result["after"] = std::move(after);
  if (together) {
    result["metrics"]["demographics_ncp"] = together->demographics_ncp;
    result["classes"] = together->classes;
    result["qi_hierarchies"] = std::move(qi_hierarchies);
    result["before"]["demographics_and_m_codes_known"] = to_json(together->before);
    result["before"]["demographics_and_all_codes_known"] = to_json(together->before_all);
    result["after"]["demographics_and_m_codes_known"] = to_json(together->after);
    result["after"]["demographics_and_all_codes_known"] = to_json(together->after_all);
  }
  if (!file.cells.columns.empty() && !file.cells.one_code_a_row()) {
    result["code_columns"] = file.cells.columns;
    result["separator"] = file.cells.separator;
    result["patients_without_codes"] = file.patients_without_codes;
  }
  if (file.respelled.spellings > 0) result["respelled"] = to_json(file.respelled);
  Json unchanged = Json::array();
  for (const auto& rider : file.riders.columns) {
    if (!release::among(riders.quasi_identifiers, rider.name)) unchanged.push_back(rider.name);
  }
  if (auto warning = warning_about_columns(result["after"], unchanged); !warning.empty())
    result["warnings"] = {std::move(warning)};
  result["unchanged"] = std::move(unchanged);
  result["dropped"] = file.dropped;
  for (const auto& [column, why] : riders.left_out)
    result["left_out"].push_back({{"column", column}, {"why", why}});
  if (!riders.allowed.empty()) result["allowed"] = riders.allowed;

  Json parameters = {{"model", method.model},
                     {"method", method.name},
                     {"k", options.parameters.k},
                     {"m", options.parameters.m},
                     {"suppression", options.parameters.suppression},
                     {"hierarchy", hierarchy},
                     {"code_system", file.spelling ? file.spelling->system->name : ""},
                     {"points", file.spelling && file.spelling->points},
                     {"code_columns", file.cells.columns},
                     {"separator", file.cells.separator},
                     {"format", file.long_form() ? "long" : "sets"},
                     {"insensitive", riders.insensitive},
                     {"allowed", riders.allowed}};
  if (options.rows_are_people) parameters["rows_are_people"] = true;
  const auto& columns = file.columns;
  Json claim =
      codes::claim_of(method, task.parameters, recoding, file.long_form() ? columns.patient : "",
                      file.long_form() ? columns.code : "");
  for (const auto& [key, value] : claim.items()) {
    if (value.is_number()) parameters[key] = value;
  }
  const Json claims = Json::array({std::move(claim)});
  const auto published = release::publish(run.engine, leaving->artefact(), options.out,
                                          {.kind = "codes",
                                           .verb = "protect",
                                           .command = seeded.command,
                                           .seed = seeded.seed,
                                           .inputs = {file.source},
                                           .other_files = files,
                                           .options = seeded.options,
                                           .figures = codes::figures(),
                                           .told = codes::told_results(),
                                           .private_folder = run.private_folder},
                                          parameters, claims, result, run.progress);
  result["models"] = {{std::string(method.model),
                       {{"required", published.claims.front().required},
                        {"achieved", finite_or_null(published.claims.front().achieved)}}}};
  result["verified"] = true;
  result["out"] = options.out;
  result["private_manifest"] = published.private_manifest;
  result["seed"] = seeded.seed;
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  result["seconds"] = took.count();
  return {result};
}

}  // namespace pratique::codes::flow
