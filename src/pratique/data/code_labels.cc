#include "pratique/data/code_labels.h"

#include "pratique/data/code_systems.h"

namespace pratique {

bool labels_speak(std::string_view hierarchy) {
  return hierarchy == "flat" || find_code_system(hierarchy) != nullptr;
}

std::vector<std::string> labels_over(std::string_view hierarchy, std::string_view code) {
  std::vector<std::string> labels = {"*"};
  const CodeSystem* system = find_code_system(hierarchy);
  if (system == nullptr) return labels;
  std::vector<std::string> above;
  for (const bool points : {false, true}) {
    if (!system->place(code, points, above)) return labels;
    above.push_back(*system->normal(code, points));
    for (auto& label : above) {
      labels.push_back(label + "*");
      labels.push_back(std::move(label));
    }
  }
  return labels;
}

std::string code_under(std::string_view label) {
  // The first category of a range.
  const auto node = label.substr(0, label.find_last_not_of('*') + 1);
  return std::string(node.substr(0, node.find('-')));
}

}  // namespace pratique
