#include "pratique/codes/method/protection.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "pratique/codes/method/km_methods.h"
#include "pratique/codes/method/partition.h"
#include "pratique/codes/method/rule_methods.h"
#include "pratique/codes/method/sensitive_methods.h"
#include "pratique/codes/model/policy.h"
#include "pratique/core/error.h"
#include "pratique/data/table.h"

namespace pratique::codes {
namespace {

void claim_table_and_codes(const Parameters& /*parameters*/, Json& claim) {
  claim["model"] = "k-km-anonymity";
}

constexpr Method kMethods[] = {
    {"km", "apriori", "generalise codes, the same in all records", true, anonymise_by_apriori},
    {"km", "local", "generalise codes only in the records that need it", true, anonymise_locally},
    {"km", "suppress", "remove the least frequent codes of rare sets", false, suppress_rare_codes},
    {"km", "disassociation", "take records apart, keep every code as it is", false, nullptr},
    {"complete", "partition", "generalise codes, part by part of the records", true,
     anonymise_by_partition},
    {"policy", "ugaclip", "rarest code first, sets within the utility policy", false,
     anonymise_by_ugaclip},
    {"policy", "cba", "least loss first, sets within the utility policy", false, anonymise_by_cba},
    {"policy", "aclip", "sets of any codes, without a utility policy", false, anonymise_by_aclip},
    {"coherence", "generalise", "generalise public codes, suppress where that loses less", true,
     make_coherent, claim_coherence},
    {"coherence", "suppress", "remove public codes from all records", false,
     make_coherent_by_suppression, claim_coherence},
    {"rules", "rbat", "split the set of all public codes, top-down", false, protect_rules_top_down,
     claim_rules},
    {"rules", "bottom-up", "merge codes of rules that are not protected", false,
     protect_rules_bottom_up, claim_rules},
    {"uncertainty", "generalise", "generalise public codes, suppress sensitive ones", true,
     make_uncertain, claim_uncertainty},
    {"table+codes", "classes", "split patients into classes, generalise codes in each", true,
     nullptr, claim_table_and_codes},
};

Error not_there(const std::string& what, const std::string& name,
                const std::vector<std::string>& names) {
  const auto near = nearest_names(names, name);
  return Error::input(fmt::format("there is no {} '{}'", what, name))
      .hint(near.empty() ? fmt::format("There is: {}.", fmt::join(names, ", "))
                         : fmt::format("Did you mean {}?", fmt::join(near, " or ")));
}

}  // namespace

std::span<const Method> methods() { return kMethods; }

const Method& find_method(const std::string& model, const std::string& name) {
  std::vector<std::string> models;
  std::vector<std::string> names;
  for (const Method& method : kMethods) {
    if (models.empty() || models.back() != method.model) models.emplace_back(method.model);
    if (method.model != model) continue;
    if (name.empty() || method.name == name) return method;
    names.emplace_back(method.name);
  }
  if (names.empty()) throw not_there("model", model, models);
  throw not_there(fmt::format("method of {}", model), name, names);
}

void check(const Method& method, const Task& task) {
  // rho-uncertainty is over shares: it has no k.
  if (method.claim != claim_uncertainty && task.parameters.k > task.sets.patients()) {
    const bool one = task.sets.patients() == 1;
    throw Error::input(fmt::format("k is {}, but there {} only {} patient{}", task.parameters.k,
                                   one ? "is" : "are", task.sets.patients(), one ? "" : "s"))
        .hint("Choose a smaller --k; nobody can be hidden among more patients than there are.");
  }
  if (method.needs_tree && task.tree == nullptr) {
    throw Error::input(fmt::format("the method {} generalises and needs a hierarchy", method.name))
        .hint("Give --hierarchy icd9, or a CSV file with a line per code, leaf first, root last.");
  }
  if (method.claim == claim_coherence || method.claim == claim_uncertainty) {
    const auto& sensitive = task.parameters.sensitive;
    if (std::none_of(sensitive.begin(), sensitive.end(),
                     [&](const auto& code) { return task.sets.codes.find(code).has_value(); })) {
      throw Error::input(sensitive.empty()
                             ? fmt::format("the model {} needs sensitive codes", method.model)
                             : "no patient has one of the sensitive codes")
          .hint("Give --sensitive FILE, with a code per line as they stand in the data.");
    }
  }
  if (method.claim == claim_uncertainty && !(task.parameters.rho > 0)) {
    throw Error::input("--rho 0 lets no sensitive code be shown at all")
        .hint("Choose more than 0.");
  }
  if (method.claim == claim_rules && task.parameters.rules.empty()) {
    throw Error::input("the model rules needs rules")
        .hint("Give --rules FILE, with lines such as: 401.2 401.4 -> 295");
  }
  if (method.claim == claim_rules && task.parameters.c >= 1) {
    throw Error::input("--c 1 allows every inference").hint("Choose less than 1.");
  }
}

Recoding protect(const Method& method, const Task& task, Progress& progress) {
  check(method, task);
  return method.run(task, progress);
}

Json claim_of(const Method& method, const Parameters& parameters, const Recoding& recoding,
              const std::string& patient, const std::string& code) {
  Json claim = {{"model", fmt::format("{}-anonymity", method.model)}};
  if (!code.empty()) {
    claim["patient"] = patient;
    claim["code"] = code;
  }
  claim["k"] = parameters.k;
  claim["m"] = parameters.m;
  if (parameters.policy != nullptr) {
    add_policy_claim(claim, *parameters.policy, method.name != "aclip");
  }
  claim["labels"] = Json::object();
  std::vector<bool> used(recoding.labels.size(), false);
  for (const auto label : recoding.items) used[label] = true;
  for (std::size_t i = 0; i < used.size(); ++i) {
    const Label& label = recoding.labels[i];
    if (used[i] && !label.exact()) claim["labels"][label.text] = label.leaves;
  }
  if (method.claim != nullptr) method.claim(parameters, claim);
  return claim;
}

}  // namespace pratique::codes
