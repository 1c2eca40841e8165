// Answering a question privately.
//
// Definition. Rows that WHERE keeps are bounded per person: at most `max_rows` of each, and these
// in at most `max_groups` groups, both drawn at random from the person's own rows alone. So adding
// or removing a person changes at most max_rows rows in at most max_groups groups.
//
// Theorem. With N = max_rows, an answer of these parts, each with its share of epsilon, is
// epsilon-differentially private by sequential composition; groups are answered together, since a
// person's rows, all groups taken together, are at most N:
// - COUNT: discrete Laplace noise of rate epsilon / N on every group. The counts of all groups
//   together differ by at most N.
// - COUNT(DISTINCT person): rate epsilon / min(N, G), G = max_groups.
// - SUM: values are clamped to declared bounds and put on a grid of 2^20 steps from 0 to the larger
//   bound, so a row adds at most 2^20 steps: rate epsilon / (2^20 N).
// - AVG: half of epsilon for the sum of distances from the middle of the bounds (a row adds at most
//   2^20 steps of half their width), half for the number of values. VARIANCE: thirds, with the sum
//   of squared distances, each on the same grid.
// - Quantiles: the noisy maximum (mechanism/selection.h) over 1,025 points between the bounds. The
//   score of a point is how many rows its rank is away from the wanted one. A row moves rank and
//   wanted rank, so a score, by at most max(q, 1 - q); the scores of a group of which a person has
//   n rows, by n times that, which costs n / N of epsilon, and all groups together epsilon. Half of
//   epsilon is for the value, a quarter for each end of the interval. The wanted rank of MIN and
//   MAX is a few rows from the end, and at most half of all rows: in halves of rows, a row moves
//   twice the rank by 0 or 2 and the wanted one by 0 or 1 from its end, so a score by at most 2, as
//   noise is made for.
// - Groups: where the keys were declared, every declared group is answered, whoever is in it. Else
//   groups are found with a share of epsilon and all of delta (mechanism/threshold_report.h), by
//   the number of their people.
// What comes after the noise (averages from sums and counts, intervals) uses nothing of the data.
//
// Values that are not NULL but lie outside of the bounds are clamped, which moves sums and averages
// towards the middle: intervals are about the clamped values.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pratique/data/table.h"
#include "pratique/dp/accounting/privacy_loss.h"
#include "pratique/dp/domain.h"
#include "pratique/dp/mechanism/noise.h"
#include "pratique/dp/query/question.h"

namespace pratique::dp {

struct QueryLimits {
  std::uint64_t max_rows = 1;
  std::uint64_t max_groups = 1;
};

struct AnswerCell {
  double value = 0;
  double low = 0;  // with at least 95 % confidence, of the noise alone
  double high = 0;
};

struct AnswerRow {
  std::vector<std::string> keys;
  std::vector<AnswerCell> cells;  // beside the aggregates
};

struct AggregateCost {
  double epsilon = 0;
  double error = 0;  // half of the interval's width; of quantiles, in rows
  bool error_in_rows = false;
};

// Rows: cells of the question's columns, how many rows are like that, and whose they are.
struct QueryRows {
  const Table& table;  // columns in the order of Question::columns()
  const std::vector<std::uint64_t>& counts;
  const Column* person = nullptr;  // null: every row is somebody else's
};

class QueryPlan {
 public:
  // Throws Error::input where bounds or keys are missing, or epsilon is too small.
  QueryPlan(Question question, const std::vector<Domain>& domains, const QueryLimits& limits,
            const PrivacyLoss& loss);
  ~QueryPlan();
  QueryPlan(QueryPlan&&) noexcept;
  QueryPlan& operator=(QueryPlan&&) noexcept;

  // What is charged: all of epsilon; delta only where groups are found.
  [[nodiscard]] PrivacyLoss loss() const;
  [[nodiscard]] const Question& question() const;
  // What every aggregate costs, and how large its error is for a group of `rows` rows.
  [[nodiscard]] std::vector<AggregateCost> expected(double rows) const;
  // Where keys are found: from how many people on a group is told.
  [[nodiscard]] std::optional<std::int64_t> threshold() const;

  [[nodiscard]] std::vector<AnswerRow> answer(const QueryRows& rows, Noise& noise) const;

 private:
  struct Parts;
  std::unique_ptr<const Parts> parts_;
};

}  // namespace pratique::dp
