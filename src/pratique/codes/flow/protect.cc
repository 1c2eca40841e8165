#include "pratique/codes/flow/protect.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>

#include "pratique/codes/attack/attack.h"
#include "pratique/codes/attack/inference.h"
#include "pratique/codes/attack/whole_sets.h"
#include "pratique/codes/flow/code_release.h"
#include "pratique/codes/flow/internal/disassociate.h"
#include "pratique/codes/flow/internal/exposure_json.h"
#include "pratique/codes/flow/internal/protect_settings.h"
#include "pratique/codes/flow/internal/publish_codes.h"
#include "pratique/codes/flow/internal/riders.h"
#include "pratique/codes/method/protection.h"
#include "pratique/codes/method/table_codes.h"
#include "pratique/codes/metric/diseases.h"
#include "pratique/codes/metric/metrics.h"
#include "pratique/codes/model/policy.h"
#include "pratique/core/error.h"
#include "pratique/core/parallel.h"
#include "pratique/kind/among.h"
#include "pratique/kind/publish.h"

namespace pratique::codes::flow {
namespace {

// The model that changes other columns than the codes.
constexpr std::string_view kTableAndCodes = "table+codes";

// How many codes are known beside columns that no model holds.
std::size_t known_beside_columns(const Method& method, const Parameters& parameters) {
  if (method.model == "complete") return ~std::size_t{0};
  return static_cast<std::size_t>(method.model == "coherence" ? parameters.p : parameters.m);
}

// What to try where every code would become the most general one.
std::string_view how_to_keep_something(const Method& method) {
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
Json attack_of(const SearchableRelease& release, const CodeSets& sets, const Parameters& parameters,
               Progress& progress) {
  const auto m = static_cast<std::size_t>(parameters.m);
  const auto k = parameters.k;
  Json figures = Json::object();
  if (parameters.policy != nullptr) {
    figures["constraints_known"] =
        to_json(expose_constraints(release, parameters.policy->privacy, parameters.k, progress));
  } else {
    figures["m_codes_known"] = to_json(expose(release, sets, k, m, progress));
  }
  figures["all_codes_known"] = to_json(expose(release, sets, k, ~std::size_t{0}, progress));
  return figures;
}

// What is inferred by rules, where the model has some, and of sensitive codes from public ones.
void add_inference(Json& result, const SearchableRelease& release, const CodeSets& sets,
                   const Method& method, const Parameters& parameters, Progress& progress) {
  if (!parameters.rules.empty()) {
    const auto inference = infer(release, sets.codes, parameters.rules, parameters.k, parameters.c);
    result["rules_known"] = {{"targets", inference.rules},
                             {"matched_under_k", inference.matched_under_k},
                             {"inferred", inference.inferred}};
  }
  if (parameters.sensitive.empty()) return;
  const bool coherence = method.model == "coherence";
  const auto most = coherence ? static_cast<std::size_t>(parameters.p) : ~std::size_t{0};
  const double limit = coherence ? 1 / parameters.h : parameters.rho;
  const auto inference = infer(release, sets, parameters.sensitive, most, limit, progress);
  result["sensitive_inferred"] = {{"targets", inference.targets}, {"inferred", inference.inferred}};
}

// One run over one file of codes, which lets go of what must not leave.
class CodesProtection {
 public:
  CodesProtection(const ProtectRequest& options, const Method& method, CodeFile& file,
                  const Run& run)
      : options_(options),
        method_(method),
        file_(file),
        run_(run),
        riders_(decide_riders(options, listens_to(find_model(method.model), "qi"), file)),
        hierarchy_(method.needs_tree ? options.codes.hierarchy_for(
                                           fmt::format("the method {}", method.name), file)
                                     : options.codes.hierarchy) {
    if (!hierarchy_.empty()) tree_.emplace(CodeTree::make(hierarchy_, file.sets));
    Parameters wanted = options.parameters;
    // Lists may name codes of the system that the data does not have, whatever the hierarchy is.
    wanted.spelling = file.spelling ? file.spelling : spelling_of(file.sets, "");
    spelling_ = wanted.spelling;
    weights_ = read_weights(options.weights, file.sets, spelling_, run);
    if (!options.queries.empty())
      workload_ = read_workload(options.queries, file.sets.codes, spelling_);
    task_.emplace(
        Task{file.sets, tree_ ? &*tree_ : nullptr, read_parameters(wanted, options, file.sets)});
    task_->parameters.quasi_identifiers = riders_.quasi_identifiers;
  }

  Outcome run(std::vector<std::string> files, std::chrono::steady_clock::time_point began) {
    attack_columns(before_,
                   [&](std::size_t patient) { return file_.sets.set(file_.sets.set_of[patient]); });
    protect();
    release::make_writable(recoding_, file_.long_form());
    const Seeded seeded = with_seed(run_, options_.seed);
    measure(seeded.seed);
    require_something_left();
    const Json claim = claim_of(method_, task_->parameters, recoding_,
                                file_.long_form() ? file_.columns.patient : "",
                                file_.long_form() ? file_.columns.code : "");
    return publish_codes({leaving_->artefact(), file_, method_, std::move(files), options_.out,
                          seeded, told_parameters(claim), claim, began},
                         result(), run_);
  }

 private:
  template <typename RecordOf>
  void attack_columns(Json& figures, RecordOf record_of) {
    std::vector<RecordItems> records;
    for (std::size_t patient = 0; patient < file_.sets.set_of.size(); ++patient)
      records.push_back(record_of(patient));
    attack_by_columns(file_, riders_, records, task_->parameters.k,
                      known_beside_columns(method_, task_->parameters), figures, run_.progress);
  }

  template <typename WholeSets>
  void attack(const SearchableRelease& release, WholeSets whole_sets, Json& figures) {
    figures.update(attack_of(release, file_.sets, task_->parameters, run_.progress));
    figures["whole_set_known"] = to_json(whole_sets());
    add_inference(figures, release, file_.sets, method_, task_->parameters, run_.progress);
  }

  void attack_before() {
    const auto original = unchanged(file_.sets, task_->tree);
    attack(
        SearchableRelease(file_.sets, original),
        [&] { return expose_whole_sets(file_.sets, original, task_->parameters.k, run_.progress); },
        before_);
  }

  void attack_after() {
    const auto distinct = distinct_records(file_.sets, recoding_);
    const SearchableRelease release(distinct.counted, distinct.records);
    attack(
        release,
        [&] {
          return expose_whole_sets(release, file_.sets, distinct.own, task_->parameters.k,
                                   run_.progress);
        },
        after_);
  }

  void protect() {
    check(method_, *task_);
    if (method_.model != kTableAndCodes) {
      parallel_tasks({[&] { recoding_ = codes::protect(method_, *task_, run_.progress); },
                      [&] { attack_before(); }});
      return;
    }
    attack_before();  // it changes the sets
    const auto held = quasi_identifiers_of(task_->parameters, riders_.quasi_identifiers, file_);
    for (const auto& [column, spec] : held) qi_hierarchies_[column] = spec;
    together_ =
        anonymise_table_and_codes(file_, *task_->tree, held, task_->parameters, run_.progress);
    recoding_ = std::move(together_->recoding);
  }

  void measure(std::uint64_t seed) {
    attack_columns(after_,
                   [&](std::size_t patient) { return recoding_.set(file_.sets.set_of[patient]); });
    parallel_tasks({[&] { leaving_.emplace(file_, recoding_, seed); }, [&] { attack_after(); },
                    [&] {
                      metrics_ =
                          codes::measure(file_.sets, recoding_, weights_, run_.progress, workload_);
                      gwas_supported_ = gwas_supported(file_.sets, recoding_);
                    }});
  }

  void require_something_left() const {
    if (leaving_->patients() == 0) {
      throw Error::check("nothing would be left: every code of every patient would be removed")
          .at(options_.out)
          .hint(
              "Nothing was written. Ask for less, or generalise: --hierarchy and another "
              "--method.");
    }
    if (metrics_.ncp >= 1 && !options_.keeps_nothing) {
      throw Error::check("nothing would be left: every code would become the most general one")
          .at(options_.out)
          .hint(std::string(how_to_keep_something(method_)));
    }
  }

  [[nodiscard]] Json figures_of_utility() const {
    Json figures = {{"ncp", metrics_.ncp},
                    {"ul", metrics_.ul},
                    {"are", metrics_.are},
                    {"are_one_code", metrics_.are_one_code},
                    {"suppressed_items", metrics_.suppressed_items},
                    {"suppressed_occurrences", metrics_.suppressed_occurrences},
                    {"suppressed_patients", metrics_.suppressed_patients},
                    {"groups", metrics_.groups}};
    if (may_be_icd9(spelling_)) figures["gwas_supported"] = gwas_supported_;
    const auto& policy = task_->parameters.policy;
    if (policy != nullptr && !policy->utility.empty()) {
      figures["utility_constraints"] = policy->utility.size();
      figures["utility_kept"] = constraints_kept(file_.sets, recoding_, policy->utility);
    }
    if (together_) figures["demographics_ncp"] = together_->demographics_ncp;
    return figures;
  }

  void add_table(Json& result) const {
    if (!together_) return;
    result["classes"] = together_->classes;
    result["qi_hierarchies"] = qi_hierarchies_;
    result["before"]["demographics_and_m_codes_known"] = to_json(together_->before);
    result["before"]["demographics_and_all_codes_known"] = to_json(together_->before_all);
    result["after"]["demographics_and_m_codes_known"] = to_json(together_->after);
    result["after"]["demographics_and_all_codes_known"] = to_json(together_->after_all);
  }

  void add_columns(Json& result) const {
    Json as_they_are = Json::array();
    for (const auto& rider : file_.riders.columns) {
      if (!release::among(riders_.quasi_identifiers, rider.name)) as_they_are.push_back(rider.name);
    }
    if (auto warning = warning_about_columns(result["after"], as_they_are); !warning.empty())
      result["warnings"] = {std::move(warning)};
    result["unchanged"] = std::move(as_they_are);
    result["dropped"] = file_.dropped;
    for (const auto& [column, why] : riders_.left_out)
      result["left_out"].push_back({{"column", column}, {"why", why}});
    if (!riders_.allowed.empty()) result["allowed"] = riders_.allowed;
  }

  [[nodiscard]] Json result() const {
    Json result = {{"model", method_.model},
                   {"method", method_.name},
                   {"hierarchy", hierarchy_},
                   {"patients_in", file_.sets.patients()},
                   {"patients_out", leaving_->patients()},
                   {"metrics", figures_of_utility()},
                   {"before", before_},
                   {"after", after_}};
    add_table(result);
    if (!file_.cells.columns.empty() && !file_.cells.one_code_a_row()) {
      result["code_columns"] = file_.cells.columns;
      result["separator"] = file_.cells.separator;
      result["patients_without_codes"] = file_.patients_without_codes;
    }
    if (file_.respelled.spellings > 0) result["respelled"] = to_json(file_.respelled);
    add_columns(result);
    return result;
  }

  [[nodiscard]] Json told_parameters(const Json& claim) const {
    Json parameters = {{"model", method_.model},
                       {"method", method_.name},
                       {"k", options_.parameters.k},
                       {"m", options_.parameters.m},
                       {"suppression", options_.parameters.suppression},
                       {"hierarchy", hierarchy_},
                       {"code_system", file_.spelling ? file_.spelling->system->name : ""},
                       {"points", file_.spelling && file_.spelling->points},
                       {"code_columns", file_.cells.columns},
                       {"separator", file_.cells.separator},
                       {"format", file_.long_form() ? "long" : "sets"},
                       {"insensitive", riders_.insensitive},
                       {"allowed", riders_.allowed}};
    if (options_.rows_are_people) parameters["rows_are_people"] = true;
    for (const auto& [key, value] : claim.items()) {
      if (value.is_number()) parameters[key] = value;
    }
    return parameters;
  }

  const ProtectRequest& options_;
  const Method& method_;
  CodeFile& file_;
  const Run& run_;
  RiderDecisions riders_;
  std::string hierarchy_;
  std::optional<CodeTree> tree_;
  std::optional<Spelling> spelling_;
  std::vector<double> weights_;
  Workload workload_;
  std::optional<Task> task_;
  Recoding recoding_;
  std::optional<TableAndCodes> together_;
  Json qi_hierarchies_ = Json::object();
  Metrics metrics_;
  std::uint64_t gwas_supported_ = 0;
  std::optional<release::CodeRelease> leaving_;
  Json before_ = Json::object();
  Json after_ = Json::object();
};

}  // namespace

Outcome protect(const ProtectRequest& options, const Run& run) {
  const auto began = std::chrono::steady_clock::now();
  const Method& method = find_method(options.model, options.method);
  refuse_unused(options, method);
  CodeFile file = options.codes.read(run, options.file);
  auto files = run.settings(other_files(options));
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
  return CodesProtection(options, method, file, run).run(std::move(files), began);
}

}  // namespace pratique::codes::flow
