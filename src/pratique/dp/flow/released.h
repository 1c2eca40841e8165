// Releases of this kind, read again: recognised by their manifests, and by nothing else, because
// raw data looks the same.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pratique/dp/domain.h"
#include "pratique/dp/histogram/histogram.h"
#include "pratique/dp/synthesis/attribute.h"
#include "pratique/kind/run.h"
#include "pratique/manifest/manifest.h"

namespace pratique::dp::flow {

// A release of `dp VERB`, with its manifest. Throws Error::input where it is none, with this hint,
// and Error::check where the file was changed.
[[nodiscard]] Manifest released_by(const std::string& path, const std::string& verb,
                                   const std::string& hint);

struct ReleasedHistogram {
  Manifest manifest;
  std::vector<Domain> domains;
  double deviation_of_box = 0;
  double deviation_at_most = 0;
  std::optional<CountedTree> tree = {};
};
[[nodiscard]] ReleasedHistogram released_histogram(const std::string& path);

// A line of its table.
struct ReleasedBox {
  CellBox box;
  double count = 0;
};
[[nodiscard]] std::vector<ReleasedBox> released_boxes(const std::string& path,
                                                      const ReleasedHistogram& histogram,
                                                      const Run& run);

// The columns of a synthetic table.
[[nodiscard]] std::vector<Attribute> released_attributes(const std::string& path,
                                                         const Manifest& manifest);

}  // namespace pratique::dp::flow
