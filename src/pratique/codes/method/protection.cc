#include "pratique/codes/method/protection.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "pratique/codes/method/km_methods.h"
#include "pratique/codes/method/partition.h"
#include "pratique/codes/method/policy_methods.h"
#include "pratique/codes/method/rule_methods.h"
#include "pratique/codes/method/sensitive_methods.h"
#include "pratique/codes/model/internal/unknown_name.h"
#include "pratique/codes/model/policy.h"
#include "pratique/core/error.h"
#include "pratique/data/table.h"

namespace pratique::codes {
namespace {

constexpr Method kMethods[] = {
    {"km", "local", "generalise codes only in the records that need it", true, anonymise_locally},
    {"km", "apriori", "generalise codes, the same in all records", true, anonymise_by_apriori},
    {"km", "suppress", "remove the least frequent codes of rare sets", false, suppress_rare_codes},
    {"km", "disassociation", "take records apart, keep every code as it is", false, nullptr},
    {"complete", "partition", "generalise codes, part by part of the records", true,
     anonymise_by_partition},
    {"policy", "ugaclip", "rarest code first, sets within the utility policy", false,
     anonymise_by_ugaclip},
    {"policy", "cba", "least loss first, sets within the utility policy", false, anonymise_by_cba},
    {"policy", "aclip", "sets of any codes, without a utility policy", false, anonymise_by_aclip,
     claim_privacy_alone},
    {"coherence", "generalise", "generalise public codes, suppress where that loses less", true,
     make_coherent},
    {"coherence", "suppress", "remove public codes from all records", false,
     make_coherent_by_suppression},
    {"rules", "rbat", "split the set of all public codes, top-down", false, protect_rules_top_down},
    {"rules", "bottom-up", "merge codes of rules that are not protected", false,
     protect_rules_bottom_up},
    {"uncertainty", "generalise", "generalise public codes, suppress sensitive ones", true,
     make_uncertain},
    {"table+codes", "classes", "split patients into classes, generalise codes in each", true,
     nullptr},
};

// A code that no record shows is in no released set; that the data has it is not told.
void keep_what_is_shown(Json& constraints, const Recoding& recoding) {
  std::set<std::string> shown;
  for (const auto item : recoding.items) {
    const Label& label = recoding.labels[item];
    shown.insert(label.text);
    shown.insert(label.leaves.begin(), label.leaves.end());
  }
  Json kept = Json::array();
  for (const auto& constraint : constraints) {
    Json codes = Json::array();
    for (const auto& code : constraint) {
      if (shown.contains(code.get<std::string>())) codes.push_back(code);
    }
    if (!codes.empty()) kept.push_back(std::move(codes));
  }
  constraints = std::move(kept);
}

}  // namespace

std::span<const Method> methods() { return kMethods; }

const Method& find_method(const std::string& model, const std::string& name) {
  std::vector<std::string> names;
  for (const Method& method : kMethods) {
    if (method.model != find_model(model).key) continue;
    if (name.empty() || method.name == name) return method;
    names.emplace_back(method.name);
  }
  throw unknown_name(fmt::format("method of {}", model), name, names);
}

void check(const Method& method, const Task& task) {
  if (method.needs_tree && task.tree == nullptr) {
    throw Error::input(fmt::format("the method {} generalises and needs a hierarchy", method.name))
        .hint("Give --hierarchy icd9, or a CSV file with a line per code, leaf first, root last.");
  }
  const Model& model = find_model(method.model);
  if (model.check != nullptr) model.check(task.parameters, task.sets);
}

Recoding protect(const Method& method, const Task& task, Progress& progress) {
  check(method, task);
  return method.run(task, progress);
}

Json claim_of(const Method& method, const Parameters& parameters, const Recoding& recoding,
              const std::string& patient, const std::string& code) {
  Json claim = Json::object();
  (method.claim != nullptr ? method.claim : find_model(method.model).claim)(parameters, claim);
  if (!code.empty()) {
    claim["patient"] = patient;
    claim["code"] = code;
  }
  if (claim.contains("utility")) keep_what_is_shown(claim["utility"], recoding);
  claim["labels"] = Json::object();
  std::vector<bool> used(recoding.labels.size(), false);
  for (const auto label : recoding.items) used[label] = true;
  for (std::size_t i = 0; i < used.size(); ++i) {
    const Label& label = recoding.labels[i];
    if (!used[i] || label.exact()) continue;
    Json& meaning = claim["labels"][label.text];
    if (label.hierarchy.empty()) {
      meaning = label.leaves;
    } else {
      meaning = label.hierarchy;
    }
  }
  return claim;
}

}  // namespace pratique::codes
