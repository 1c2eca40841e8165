// Released sets of codes, and what the claim says that their labels cover.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "pratique/data/code_sets.h"
#include "pratique/verify/internal/model_claims.h"

namespace pratique::verify {

struct ReleasedCodes {
  CodeSets sets;                                // items of the file instead of codes
  std::vector<std::vector<std::string>> under;  // by item: the codes it stands for

  explicit ReleasedCodes(const ClaimContext& context);
  // Reads the labels of a claim for these sets.
  ReleasedCodes(CodeSets released, const Json& claim);

  // By code, all items that stand for it.
  [[nodiscard]] std::map<std::string, std::vector<Code>> items_of() const;
  // By item, whether it is one of the claim's sensitive codes. An Explanation why that cannot be
  // said: a label covers a sensitive code, or some code has two items.
  struct Sensitive {
    std::vector<bool> item;
    std::string fault;
  };
  [[nodiscard]] Sensitive sensitive(const Json& claim) const;
};

}  // namespace pratique::verify
