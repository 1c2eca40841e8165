// Makes an allocation that keeps k-unlinkability: the chosen method, run several times with ties
// broken differently, and the best of the runs. A method is its own files and one line in
// methods().
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "pratique/core/progress.h"
#include "pratique/trails/method/best_allocation.h"
#include "pratique/trails/world.h"

namespace pratique::trails {

struct ProtectRequest {
  std::size_t k = 2;
  std::string method = "best";  // one of methods()
  Objective objective = Objective::samples;
  bool secure = false;
  std::size_t coalition = 1;             // when secure: so many locations may pool what they know
  bool keep_copies = false;              // of `best`, when not secure
  std::optional<std::size_t> runs = {};  // else those of the method
  std::uint64_t seed = 0;

  [[nodiscard]] std::size_t run_count() const;
};

struct Method {
  std::string_view name;
  std::string_view words;
  std::size_t runs;   // as many as are worth their time, unless the user says otherwise
  bool keeps_copies;  // whether it can disclose a sample at several locations
  Allocation (*run)(const Holdings& holdings, const ProtectRequest& request,
                    const DedupRules& rules, SeededRandom& random, Progress& progress);
};

[[nodiscard]] std::span<const Method> methods();
[[nodiscard]] std::vector<std::string> method_names();
// Throws an Error that names what there is.
[[nodiscard]] const Method& find_method(const std::string& name);

struct Spread {
  double mean = 0;
  double deviation = 0;  // of the sample: divided by n - 1
};
[[nodiscard]] Spread spread_of(const std::vector<double>& values);

struct Protection {
  Allocation allocation;
  Spread samples;  // over the runs
  Spread locations;
  DisclosureBound bound;
};

[[nodiscard]] Holdings holdings_of(const World& world);

[[nodiscard]] Protection protect(const Holdings& holdings, const ProtectRequest& request,
                                 Progress& progress);

}  // namespace pratique::trails
