// ARE: how far COUNT queries on the release are from the same queries on the original (LeFevre et
// al. 2006; tutorial's AvgRE).
//
// A query asks how many records have every one of some attributes in spans of its leaves and, when
// it names one, a sensitive value. On the release a record counts with the product of the shares of
// its cells' leaves that lie in the spans: values are taken as spread evenly over a cell. The error
// of a query is |actual - estimated| / actual; queries whose actual count is 0 are left out.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/tables/metric/internal/cell_coverage.h"
#include "pratique/tables/recoding.h"

namespace pratique::tables {

struct CountQuery {
  struct Predicate {
    std::size_t attribute = 0;
    std::vector<RankSpan> spans;  // any of them; apart from each other
  };
  std::vector<Predicate> predicates;
  // Index of the sensitive attribute, and its value.
  std::optional<std::pair<std::size_t, Code>> sensitive;
};

struct WorkloadOptions {
  std::size_t queries = 300;
  std::size_t attributes = 2;  // in a query; fewer when the table has fewer
  // The share of an attribute's values that a predicate asks for, at least one value.
  double selectivity = 0.2;
  std::uint64_t seed = 1;
};

// Spans start at values of random records, so that most queries ask for something that is there.
// Half of the queries name a sensitive value when there is a sensitive attribute.
[[nodiscard]] std::vector<CountQuery> generate_workload(const ProtectionInput& input,
                                                        const WorkloadOptions& options);

[[nodiscard]] double average_relative_error(const ProtectionInput& input, const Recoding& recoding,
                                            const std::vector<CountQuery>& workload,
                                            Progress& progress = Progress::silent());
// The same with what the cells stand for, by attribute.
[[nodiscard]] double average_relative_error(const ProtectionInput& input, const Recoding& recoding,
                                            const std::vector<CountQuery>& workload,
                                            const std::vector<CellSpans>& spans,
                                            Progress& progress = Progress::silent());
[[nodiscard]] std::vector<CellSpans> spans_of_cells(const ProtectionInput& input,
                                                    const Recoding& recoding);

}  // namespace pratique::tables
