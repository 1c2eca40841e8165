// Personalised privacy: what a class tells about the values under its records' guarding nodes.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "pratique/verify/internal/claim_reader.h"
#include "pratique/verify/internal/model_claims.h"
#include "pratique/verify/internal/release_classes.h"

namespace pratique::verify {
namespace {

using Cells = std::vector<std::string>;
using Guards = std::map<Cells, std::set<std::string>>;

// Classes that look the same are one to whoever reads the file.
Guards guards_in(const Json& claim) {
  if (!claim.contains("guards") || !claim["guards"].is_array()) {
    throw malformed("the guarding column is not in the release, and there is no list 'guards'");
  }
  Guards guards;
  for (const auto& entry : claim["guards"]) {
    if (!entry.is_object() || !entry.contains("class") || !entry.contains("nodes")) {
      throw malformed("'guards' does not name classes and their nodes");
    }
    const auto nodes = texts_of(entry["nodes"], "nodes");
    guards[texts_of(entry["class"], "class")].insert(nodes.begin(), nodes.end());
  }
  return guards;
}

Guards guards_in_file(const ReleaseClasses& classes) {
  Guards guards;
  for (const auto& group : classes.classes) {
    auto& nodes = guards[classes.cells_of(group)];
    for (const auto& [value, count] : group.values[1]) {
      nodes.emplace(classes.values(1).value(value));
    }
  }
  return guards;
}

}  // namespace

ClaimResult check_personalised(const ClaimContext& context) {
  const Json& claim = context.claim;
  ClaimResult result;
  result.attribute = text_in(claim, "sensitive");
  result.required = number_in(claim, "p");
  if (!claim.contains("paths")) throw malformed("no paths of the values");
  const Hierarchy tree = tree_of(claim["paths"], "paths");
  const std::string guard = text_in(claim, "guard");
  const auto& there = context.release.columns;
  const bool in_file = std::find(there.begin(), there.end(), guard) != there.end();
  std::vector<std::string> counted{result.attribute};
  if (in_file) counted.push_back(guard);
  const ReleaseClasses classes = count_classes(context, counted);
  const Guards guards = in_file ? guards_in_file(classes) : guards_in(claim);

  const auto fails = [&](const char* why) {
    result.achieved = 1;
    result.explanation = why;
    return result;
  };
  std::vector<Hierarchy::Node> leaves;
  for (const auto text : classes.values(0).values()) {
    const auto leaf = tree.leaf(text);
    if (!leaf) return fails("a sensitive value is not in the hierarchy of the claim");
    leaves.push_back(*leaf);
  }
  for (const auto& group : classes.classes) {
    const auto held = guards.find(classes.cells_of(group));
    if (held == guards.end()) {
      return fails("the guarding nodes of a class are neither in the file nor in the claim");
    }
    for (const auto& label : held->second) {
      if (label.empty()) continue;
      const auto node = tree.find(label);
      if (!node) return fails("a guarding node is not in the hierarchy of the claim");
      double under = 0;
      for (const auto& [value, count] : group.values[0]) {
        auto at = leaves[value];
        while (at != *node && at != tree.root()) at = tree.parent(at);
        if (at == *node) under += count;
      }
      result.achieved = std::max(result.achieved, under / group.records);
    }
  }
  result.holds = result.achieved <= result.required + kRounding;
  result.explanation = fmt::format(
      "the largest share of a class under a guarding node that it holds is {:.4g}, {:.4g} is "
      "allowed",
      result.achieved, result.required);
  return result;
}

}  // namespace pratique::verify
