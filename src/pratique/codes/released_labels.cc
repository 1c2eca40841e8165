#include "pratique/codes/released_labels.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "pratique/data/code_labels.h"

namespace pratique::codes {

bool is_listed(const std::vector<std::string>& entries, std::string_view code) {
  return std::any_of(entries.begin(), entries.end(), [&](std::string_view entry) {
    return entry == code || (entry.size() > 1 && entry.ends_with('*') &&
                             code.starts_with(entry.substr(0, entry.size() - 1)));
  });
}

Dictionary codes_shown(const Dictionary& items, const Json& claim) {
  const Json labels = claim.value("labels", Json::object());
  Dictionary codes;
  for (const auto item : items.values()) {
    if (!labels.is_object() || !labels.contains(std::string(item))) (void)codes.intern(item);
  }
  return codes;
}

ReleasedLabels labels_in(const Json& claim, const std::vector<const Dictionary*>& codes) {
  ReleasedLabels labels;
  const Json written = claim.value("labels", Json::object());
  if (!written.is_object()) return labels;
  std::set<std::string> hierarchies;
  for (const auto& [label, meaning] : written.items()) {
    auto& meant = labels[label];
    if (meaning.is_string()) hierarchies.insert(meaning.get<std::string>());
    if (!meaning.is_array()) continue;
    for (const auto& code : meaning) {
      if (code.is_string()) meant.push_back(code.get<std::string>());
    }
  }
  std::vector<std::string> sensitive;
  if (claim.contains("sensitive") && claim["sensitive"].is_array())
    sensitive = claim["sensitive"].get<std::vector<std::string>>();
  std::set<std::string> placed;
  for (const auto& hierarchy : hierarchies) {
    for (const auto* dictionary : codes) {
      for (const auto code : dictionary->values()) {
        if (is_listed(sensitive, code)) continue;
        if (!placed.emplace(hierarchy + " " + std::string(code)).second) continue;
        for (const auto& label : labels_over(hierarchy, code)) {
          const auto entry = labels.find(label);
          if (entry == labels.end() || written[label] != hierarchy) continue;
          if (entry->second.empty() || entry->second.back() != code)
            entry->second.emplace_back(code);
        }
      }
    }
  }
  for (auto& [label, meant] : labels) {
    if (meant.empty()) meant.push_back(label == "*" ? label : code_under(label));
  }
  return labels;
}

}  // namespace pratique::codes
