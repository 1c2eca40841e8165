// The best labels of a line under a linear chain, and how likely each token is an identifier.
#pragma once

#include <cstdint>
#include <vector>

#include "pratique/notes/model/internal/features.h"

namespace pratique::notes {

struct ChainWeights {
  const std::vector<float>& weights;      // by row and label
  const std::vector<float>& transitions;  // by label before and label
  float temperature = 1;
};

struct Decoded {
  std::vector<std::uint8_t> labels;
  std::vector<double> certainties;  // that a token has any label but 0
};

// `always`: certainties of every line. Else those of a line in which every label is 0 are 0, and of
// one in which others found all that has a label, 1: nobody needs them.
[[nodiscard]] Decoded decode(const ModelLine& line, const ChainWeights& chain, bool always);

}  // namespace pratique::notes
