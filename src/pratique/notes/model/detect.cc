#include "pratique/notes/model/detect.h"

#include <algorithm>

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
  // It adds what nobody else found; where others did, their ends are better known.
  const std::size_t others = found.size();
  for (auto& span : model->tag(text)) {
    const bool new_one =
        span.certainty >= certainty &&
        std::none_of(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(others),
                     [&](const Span& f) { return f.start < span.end && span.start < f.end; });
    if (new_one) found.push_back(std::move(span));
  }
  std::sort(found.begin(), found.end(),
            [](const Span& a, const Span& b) { return a.start < b.start; });
  return found;
}

}  // namespace pratique::notes
