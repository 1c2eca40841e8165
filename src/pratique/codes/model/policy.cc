#include "pratique/codes/model/policy.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "pratique/codes/metric/diseases.h"
#include "pratique/codes/model/internal/settings.h"
#include "pratique/core/file.h"
#include "pratique/crypto/hash.h"
#include "pratique/data/code_constraints.h"

namespace pratique::codes {

namespace {

Policy& policy_in(Parameters& parameters, const CodeSets& sets) {
  if (parameters.policy == nullptr) parameters.policy = std::make_shared<Policy>();
  parameters.policy->codes = &sets.codes;
  return *parameters.policy;
}

// Codes that a study counts as one may be named by their beginning.
std::vector<std::vector<Code>> studies_in(const std::string& path, const CodeSets& sets,
                                          const std::optional<Spelling>& spelling) {
  std::vector<std::vector<Code>> constraints;
  for (const auto& constraint : parse_code_constraints(read_file(path), path)) {
    std::set<Code> codes;
    for (const auto& member : constraint.codes) {
      const auto named = codes_named(member.code, sets.codes, spelling, member.place);
      codes.insert(named.begin(), named.end());
    }
    if (!codes.empty()) constraints.emplace_back(codes.begin(), codes.end());
  }
  return constraints;
}

void read_privacy(const std::string& path, const CodeSets& sets, Parameters& parameters) {
  const std::string text = read_file(path);
  Policy& policy = policy_in(parameters, sets);
  policy.privacy = bind_constraints(parse_code_constraints(text, path), sets.codes);
  policy.privacy_path = path;
  policy.privacy_sha256 = sha256_hex(text);
}

void read_utility(const std::string& path, const CodeSets& sets, Parameters& parameters) {
  policy_in(parameters, sets).utility = path == kGwasName
                                            ? utility_from_diseases(gwas_diseases(), sets.codes)
                                            : studies_in(path, sets, parameters.spelling);
}

constexpr Setting kPolicySettings[] = {
    kSettingK,
    {"privacy", "policy: sets of codes an adversary may know, one per line, or JSON",
     &read_privacy},
    {.key = "utility",
     .words = "policy: sets of codes kept apart from others, one per line, or JSON; gwas: the "
              "codes of 18 diseases",
     .value = &read_utility,
     .instead = kGwasName},
};

Json texts_of(const Policy& policy, const std::vector<std::vector<Code>>& constraints) {
  Json lists = Json::array();
  for (const auto& constraint : constraints) {
    Json list = Json::array();
    for (const Code code : constraint) list.push_back(policy.codes->value(code));
    lists.push_back(std::move(list));
  }
  return lists;
}

void claim_policy(const Parameters& parameters, Json& claim) {
  claim_privacy_alone(parameters, claim);
  claim["utility"] = texts_of(*parameters.policy, parameters.policy->utility);
}

}  // namespace

const Model policy_model = {"policy", "sets of codes that a policy names fit k patients, or none",
                            kPolicySettings, check_k, claim_policy};

void claim_privacy_alone(const Parameters& parameters, Json& claim) {
  claim["model"] = "policy-anonymity";
  claim["k"] = parameters.k;
  claim["m"] = parameters.m;
  claim["privacy"] = {{"path", parameters.policy->privacy_path},
                      {"sha256", parameters.policy->privacy_sha256}};
  claim["utility"] = Json::array();
}

std::uint64_t constraints_kept(const CodeSets& sets, const Recoding& recoding,
                               const std::vector<std::vector<Code>>& utility) {
  std::vector<std::vector<std::uint32_t>> over(sets.codes.size());  // labels by code
  for (std::uint32_t l = 0; l < recoding.labels.size(); ++l) {
    for (const Code code : recoding.labels[l].covers) over[code].push_back(l);
  }
  std::vector<bool> used(recoding.labels.size(), false);
  for (const auto label : recoding.items) used[label] = true;
  std::vector<bool> lost(sets.codes.size(), false);
  for (std::size_t s = 0; s < sets.size(); ++s) {
    const auto items = recoding.set(s);
    for (const Code code : sets.set(s)) {
      lost[code] = lost[code] || std::none_of(over[code].begin(), over[code].end(), [&](auto l) {
                     return std::binary_search(items.begin(), items.end(), l);
                   });
    }
  }
  return static_cast<std::uint64_t>(
      std::count_if(utility.begin(), utility.end(), [&](const auto& constraint) {
        return std::all_of(constraint.begin(), constraint.end(), [&](Code code) {
          return !lost[code] && std::all_of(over[code].begin(), over[code].end(), [&](auto l) {
            const auto& covers = recoding.labels[l].covers;
            return !used[l] || std::includes(constraint.begin(), constraint.end(), covers.begin(),
                                             covers.end());
          });
        });
      }));
}

std::vector<std::vector<Code>> privacy_from_visits(const CodeSets& visits) {
  std::vector<std::vector<Code>> constraints;
  for (std::size_t s = 0; s < visits.size(); ++s) {
    const auto set = visits.set(s);
    constraints.emplace_back(set.begin(), set.end());
  }
  return constraints;
}

std::vector<std::vector<Code>> utility_from_hierarchy(const Hierarchy& hierarchy, int level,
                                                      const CodeSets& sets) {
  const auto leaves = hierarchy.bind(sets.codes, sets.supports(), "code");
  std::map<Hierarchy::Node, std::vector<Code>> under;
  for (Code code = 0; code < leaves.size(); ++code) {
    under[hierarchy.ancestor(leaves[code], level)].push_back(code);
  }
  std::vector<std::vector<Code>> constraints;
  for (auto& [node, codes] : under) constraints.push_back(std::move(codes));
  return constraints;
}

}  // namespace pratique::codes
