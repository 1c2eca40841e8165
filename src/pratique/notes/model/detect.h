// All detectors together: patterns, words and what is known (find/finder.h), and a trained model
// where there is one.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/notes/find/finder.h"
#include "pratique/notes/model/tagger.h"

namespace pratique::notes {

struct Detectors {
  double certainty = kDefaultCertainty;
  std::shared_ptr<const Tagger> model = {};

  // `model_path` empty: none.
  static Detectors with(double certainty, const std::string& model_path);
  [[nodiscard]] std::vector<Span> find(std::string_view text,
                                       const KnownIdentifiers* known = nullptr) const;
};

}  // namespace pratique::notes
