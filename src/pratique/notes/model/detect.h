// All detectors together: patterns, words and what is known (find/finder.h), and a model
// (tagger.h): one that notes train made, or the default, which is trained on generated notes when
// the program is built.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/notes/find/finder.h"
#include "pratique/notes/model/tagger.h"

namespace pratique::notes {

// How sure the default model has to be to add what no rule found: it knows generated notes alone.
inline constexpr double kDefaultModelAdds = 0.9;

struct Detectors {
  double certainty = kDefaultCertainty;
  std::shared_ptr<const Tagger> model = {};
  double model_adds = 0;  // certainty that the model needs to add a span, at least
  std::optional<double> recall_calibrated;  // where a recall was asked for

  // `model_path` empty: the default; none: none. `recall`: the threshold is looked up in the
  // model's table, whatever `certainty` says.
  static Detectors with(double certainty, const std::string& model_path,
                        std::optional<double> recall = std::nullopt);
  [[nodiscard]] std::vector<Span> find(std::string_view text,
                                       const KnownIdentifiers* known = nullptr) const;
};

// The bytes of the default model, which live as long as the program; until then there is none.
void provide_default_model(std::string_view bytes);

}  // namespace pratique::notes
