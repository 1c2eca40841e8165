// Released sets of codes, and what the claim says that their labels cover.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "pratique/data/code_sets.h"
#include "pratique/verify/internal/model_claims.h"

namespace pratique::verify {

class ReleasedCodes {
 public:
  CodeSets sets;  // items of the file instead of codes

  explicit ReleasedCodes(const ClaimContext& context);
  // Reads the labels of a claim for these sets.
  ReleasedCodes(CodeSets released, const Json& claim);

  // All items that stand for the code. Sensitive codes are under no label of a hierarchy.
  [[nodiscard]] std::vector<Code> items_over(const std::string& code) const;
  // A code that the item stands for, or the item.
  [[nodiscard]] const std::string& name(Code item) const { return names_[item]; }
  // By item, whether it is one of the claim's sensitive codes. An Explanation why that cannot be
  // said: a label covers a sensitive code, or some code has two items.
  struct Sensitive {
    std::vector<bool> item;
    std::string fault;
  };
  [[nodiscard]] Sensitive sensitive(const Json& claim) const;

 private:
  std::vector<std::string> names_;                             // by item
  std::map<std::string, std::vector<Code>> listed_;            // items by code, as lists say
  std::map<std::string, std::map<std::string, Code>> spoken_;  // by hierarchy: labels that say it
};

}  // namespace pratique::verify
