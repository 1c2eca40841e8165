// The methods, in one table: what the command line, the map of risk and utility and the workbench
// offer. A method is its own files, a function in method.cc that hands its settings over, and one
// line in methods().
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/tables/method/microaggregate.h"
#include "pratique/tables/method/next_version.h"
#include "pratique/tables/metric/query_error.h"
#include "pratique/tables/model/model.h"
#include "pratique/tables/recoding.h"

namespace pratique::tables {

struct Method {
  std::string name = "optimal";
  std::vector<int> levels = {};   // of `levels`, beside the attributes; local begins with them
  std::string start = "optimal";  // of local: one of start_names()
  double suppression = 0;         // share of records that may be left out
  std::string metric = "lm";      // of optimal: one of metric_names()
  std::optional<CellStyle> style = {};  // of local recoding; else the style_of the method
  std::optional<double> time_limit = {};
  bool relaxed = false;                         // mondrian
  const Column* label = nullptr;                // the class label the release is for: mondrian, cm
  const std::vector<double>* target = nullptr;  // a number by group that mondrian cuts for
  // With every sensitive attribute, where models see fewer: are measures on it.
  const ProtectionInput* measured = nullptr;
  const std::vector<CountQuery>* workload = nullptr;  // of are; generated when not given
  MicroaggregationOptions::Centre centre = MicroaggregationOptions{}.centre;
  bool univariate = false;                   // microaggregate
  const EarlierVersions* earlier = nullptr;  // again
};

// What optimal may minimise: lm, ncp, dm, c_avg by bounds (optimal.h); um, cm, are by measuring
// every node (exhaustive.h).
[[nodiscard]] const std::vector<std::string>& metric_names();

// What local may start from.
[[nodiscard]] const std::vector<std::string>& start_names();

struct Protected {
  Recoding recoding;
  std::optional<std::vector<int>> levels = {};  // of full-domain methods
  // Of the metric that was minimised: nothing that satisfies the models can lose less. Only where
  // it is not known to be the loss itself.
  std::optional<double> lower_bound = {};
  bool ended_early = false;                   // the search, before it was sure
  std::string note = {};                      // what the user must know, or empty
  std::optional<std::uint64_t> waiting = {};  // of again: records withheld until others join
  std::optional<RecodingRounds> rounds = {};  // of local
  std::optional<RecodingRuns> runs = {};      // internal/class_suppression.h
  // The k that it holds, where a larger one than asked for lost less.
  std::optional<std::uint64_t> larger_k = {};
  // What was asked, as it holds of the records that leave (models_of_release).
  Models models = {};
  bool searched_by_others = false;  // the search was by other models than what was asked
};

struct MethodKind {
  std::string_view name;
  std::string_view words;
  Protected (*run)(const ProtectionInput& input, const Models& models, const Method& method,
                   Progress& progress);
  // Of the settings above, by the names of their flags, those that it listens to beside
  // `suppression`, and the metrics that change what it does.
  std::vector<std::string_view> settings;
  std::vector<std::string_view> metrics = {};
  // Whether its classes show what covers all of their records: the loss has a bound then, whatever
  // the method (internal/nearest_bound.h).
  bool covers = false;

  [[nodiscard]] bool listens_to(std::string_view setting) const;
  [[nodiscard]] bool minimises(std::string_view metric) const;
};

// How cells are written: as asked, else labels for local and freely for the others.
[[nodiscard]] CellStyle style_of(const Method& method);

[[nodiscard]] std::span<const MethodKind> methods();
[[nodiscard]] const std::vector<std::string>& method_names();
// Throws an Error that names what there is.
[[nodiscard]] const MethodKind& find_method(const std::string& name);

// How many records a share of suppression lets stay out.
[[nodiscard]] std::uint64_t most_suppressed(const ProtectionInput& input, double suppression);

}  // namespace pratique::tables
