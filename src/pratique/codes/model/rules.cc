#include "pratique/codes/model/rules.h"

#include <nlohmann/json.hpp>

#include "pratique/codes/model/internal/settings.h"
#include "pratique/core/error.h"
#include "pratique/core/file.h"

namespace pratique::codes {
namespace {

void read_rules(const std::string& path, const CodeSets& sets, Parameters& parameters) {
  parameters.rules = parse_code_rules(read_file(path), path, &sets.codes);
}

constexpr Setting kRulesSettings[] = {
    kSettingK,
    {"rules", "rules: file with lines such as 401.2 401.4 -> 295", &read_rules},
    {"c", "rules: the largest share that may have what a rule infers", &Parameters::c, 0, 1},
};

void check_rules(const Parameters& parameters, const CodeSets& sets) {
  check_k(parameters, sets);
  if (parameters.rules.empty()) {
    throw Error::input("the model rules needs rules")
        .hint("Give --rules FILE, with lines such as: 401.2 401.4 -> 295");
  }
  if (parameters.c >= 1) {
    throw Error::input("--c 1 allows every inference").hint("Choose less than 1.");
  }
}

void claim_rules(const Parameters& parameters, Json& claim) {
  claim["model"] = "ps-rules";
  claim["k"] = parameters.k;
  claim["c"] = parameters.c;
  claim["rules"] = Json::array();
  for (const CodeRule& rule : parameters.rules) {
    claim["rules"].push_back({{"known", rule.known}, {"inferred", rule.inferred}});
  }
}

}  // namespace

const Model rules_model = {"rules",
                           "the left of a rule fits k patients, at most a share c its right",
                           kRulesSettings, check_rules, claim_rules};

}  // namespace pratique::codes
