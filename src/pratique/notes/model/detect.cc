#include "pratique/notes/model/detect.h"

namespace pratique::notes {

Detectors Detectors::with(double certainty, const std::string& model_path) {
  Detectors detectors{.certainty = certainty};
  if (!model_path.empty())
    detectors.model = std::make_shared<const Tagger>(Tagger::read(model_path));
  return detectors;
}

std::vector<Span> Detectors::find(std::string_view text, const KnownIdentifiers* known) const {
  auto found = find_identifiers(text, certainty, known);
  if (!model) return found;
  for (auto& span : model->tag(text)) {
    if (span.certainty >= certainty) found.push_back(std::move(span));
  }
  return compete(text, std::move(found));
}

}  // namespace pratique::notes
