#include "pratique/verify/internal/released_codes.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "pratique/engine/code_sets_reader.h"
#include "pratique/verify/internal/claim_reader.h"

namespace pratique::verify {
namespace {

CodeSets read_codes(const ClaimContext& context) {
  const bool sets_form = context.release.format == FileFormat::sets;
  return read_code_sets(context.engine, context.release,
                        sets_form ? "" : text_in(context.claim, "patient"),
                        sets_form ? "" : text_in(context.claim, "code"), context.progress);
}

}  // namespace

ReleasedCodes::ReleasedCodes(const ClaimContext& context)
    : ReleasedCodes(read_codes(context), context.claim) {}

ReleasedCodes::ReleasedCodes(CodeSets released, const Json& claim) : sets(std::move(released)) {
  if (!claim.contains("labels") || !claim["labels"].is_object()) {
    throw malformed("no object 'labels'");
  }
  for (Code item = 0; item < sets.codes.size(); ++item) {
    const std::string text(sets.codes.value(item));
    const auto label = claim["labels"].find(text);
    under.push_back(label == claim["labels"].end() ? std::vector<std::string>{text}
                                                   : texts_of(*label, "labels"));
    if (under.back().empty()) throw malformed("a label without codes");
  }
}

std::map<std::string, std::vector<Code>> ReleasedCodes::items_of() const {
  std::map<std::string, std::vector<Code>> items;
  for (Code item = 0; item < under.size(); ++item) {
    for (const auto& code : under[item]) items[code].push_back(item);
  }
  return items;
}

ReleasedCodes::Sensitive ReleasedCodes::sensitive(const Json& claim) const {
  const auto names = names_in(claim, "sensitive");
  const std::set<std::string> listed(names.begin(), names.end());
  Sensitive result;
  for (Code item = 0; item < under.size(); ++item) {
    const bool exact = under[item].size() == 1 && under[item].front() == sets.codes.value(item);
    const bool any = std::any_of(under[item].begin(), under[item].end(),
                                 [&](const auto& code) { return listed.contains(code); });
    if (any && !exact) {
      result.fault = fmt::format("the label {} covers a sensitive code", sets.codes.value(item));
    }
    result.item.push_back(any);
  }
  for (const auto& [code, items] : items_of()) {
    if (items.size() > 1) {
      result.fault =
          fmt::format("the code {} has several labels, of which each record may show one", code);
    }
  }
  return result;
}

}  // namespace pratique::verify
