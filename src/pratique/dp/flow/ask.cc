#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/dp/flow/histogram.h"
#include "pratique/dp/flow/released.h"
#include "pratique/dp/query/question.h"
#include "pratique/engine/sql_tree.h"

namespace pratique::dp::flow {
namespace {

constexpr double kNormal95 = 1.96;

// What of a box a question is about: the share of its cells, and the mean of a column over these.
struct Share {
  double cells = 0;
  double sum = 0;
};

}  // namespace

Outcome ask(const AskRequest& request, const Run& run) {
  if (!request.sum.empty() && !request.average.empty()) {
    throw Error::input("ask for --sum or --average, not both");
  }
  const ReleasedHistogram histogram = released_histogram(request.histogram);
  std::vector<std::string> names;
  for (const auto& domain : histogram.domains) names.push_back(domain.column());
  const Question question =
      Question::read(sql_tree("SELECT COUNT(*) FROM data WHERE " +
                              (request.where.empty() ? "TRUE" : request.where)),
                     names, "");
  if (!question.keys.empty() || question.aggregates.size() != 1 || !question.where) {
    throw Error::input("a histogram is asked with a condition, such as age BETWEEN 30 AND 40");
  }
  const std::string& valued = request.sum.empty() ? request.average : request.sum;
  std::optional<std::size_t> of;
  if (!valued.empty()) of = column_index(names, valued, request.histogram);

  // Only the columns that the question looks at are walked through, cell by cell.
  std::vector<std::size_t> walked = question.columns();
  if (of && std::find(walked.begin(), walked.end(), *of) == walked.end()) walked.push_back(*of);
  double count = 0;
  double sum = 0;
  double squares = 0;
  double widest = 0;
  for (const auto& [box, counted] : released_boxes(request.histogram, histogram, run)) {
    Share share;
    double cells = 1;
    for (const auto d : walked) cells *= static_cast<double>(box.high[d] - box.low[d] + 1);
    std::vector<std::uint64_t> place = box.low;
    std::vector<std::string> texts(names.size());
    for (const auto d : walked) texts[d] = histogram.domains[d].value_of(place[d]);
    while (true) {
      if (question.where->holds([&](std::size_t d) { return std::string_view(texts[d]); })) {
        share.cells += 1 / cells;
        if (of) share.sum += number_in(SqlValue(texts[*of])).value_or(0) / cells;
      }
      std::size_t turn = 0;
      for (; turn < walked.size(); ++turn) {
        const std::size_t d = walked[turn];
        const bool more = place[d] < box.high[d];
        place[d] = more ? place[d] + 1 : box.low[d];
        texts[d] = histogram.domains[d].value_of(place[d]);
        if (more) break;
      }
      if (turn == walked.size()) break;
    }
    count += counted * share.cells;
    sum += counted * share.sum;
    squares += share.cells * share.cells;
    if (share.cells > 0) widest = std::max(widest, std::abs(share.sum / share.cells));
  }
  double deviation = histogram.deviation_of_box * std::sqrt(squares);
  if (histogram.deviation_at_most > 0) deviation = std::min(deviation, histogram.deviation_at_most);
  Json result = {{"question", request.where}};
  if (!request.average.empty()) {
    result["answer"] = sum / std::max(1.0, count);
    result["error"] = kNormal95 * 2 * deviation * widest / std::max(1.0, count);
  } else if (!request.sum.empty()) {
    result["answer"] = sum;
    result["error"] = kNormal95 * deviation * widest;
  } else {
    result["answer"] = count;
    result["error"] = kNormal95 * deviation;
  }
  result["note"] =
      "error is that of the noise, with about 95 % confidence; within a line, people are taken to "
      "be "
      "spread evenly";
  return {result};
}

}  // namespace pratique::dp::flow
