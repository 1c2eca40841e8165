#include "pratique/verify/internal/released_codes.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "pratique/data/code_labels.h"
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
    if (label != claim["labels"].end() && label->is_string() &&
        labels_speak(label->get<std::string>())) {
      spoken_[label->get<std::string>()].emplace(text, item);
      names_.push_back(text);
      continue;
    }
    const auto codes = label == claim["labels"].end() ? std::vector<std::string>{text}
                                                      : texts_of(*label, "labels");
    if (codes.empty()) throw malformed("a label without codes");
    names_.push_back(codes.front());
    for (const auto& code : codes) listed_[code].push_back(item);
  }
}

std::vector<Code> ReleasedCodes::items_over(const std::string& code) const {
  std::set<Code> items;
  if (const auto listed = listed_.find(code); listed != listed_.end())
    items.insert(listed->second.begin(), listed->second.end());
  for (const auto& [hierarchy, labels] : spoken_) {
    for (const auto& label : labels_over(hierarchy, code)) {
      if (const auto item = labels.find(label); item != labels.end()) items.insert(item->second);
    }
  }
  return {items.begin(), items.end()};
}

ReleasedCodes::Sensitive ReleasedCodes::sensitive(const Json& claim) const {
  const auto entries = names_in(claim, "sensitive");
  const auto is_sensitive = [&](std::string_view code) {
    return std::any_of(entries.begin(), entries.end(), [&](std::string_view entry) {
      return entry == code ||
             (entry.size() > 1 && entry.back() == '*' &&
              code.substr(0, entry.size() - 1) == entry.substr(0, entry.size() - 1));
    });
  };
  Sensitive result;
  result.item.assign(names_.size(), false);
  for (const auto& [code, items] : listed_) {
    if (is_sensitive(code)) {
      for (const Code item : items) {
        result.item[item] = true;
        if (sets.codes.value(item) != code)
          result.fault =
              fmt::format("the label {} covers a sensitive code", sets.codes.value(item));
      }
      continue;
    }
    if (items_over(code).size() > 1) {
      result.fault =
          fmt::format("the code {} has several labels, of which each record may show one", code);
    }
  }
  const auto public_items_over = [&](const std::string& code) {
    auto items = items_over(code);
    std::erase_if(items, [&](Code item) { return result.item[item]; });
    return items.size();
  };
  for (const auto& [hierarchy, labels] : spoken_) {
    for (const auto& [label, item] : labels) {
      if (labels.size() > 1 && label == "*") {
        result.fault = "the label * covers what others cover, and each record may show either";
      } else if (label != "*" && public_items_over(code_under(label)) > 1) {
        result.fault = fmt::format(
            "codes under the label {} have several labels, of which each record may show one",
            label);
      }
    }
  }
  return result;
}

}  // namespace pratique::verify
