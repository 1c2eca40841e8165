#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "pratique/core/error.h"
#include "pratique/dp/flow/histogram.h"
#include "pratique/dp/flow/released.h"
#include "pratique/dp/query/question.h"
#include "pratique/engine/sql_tree.h"

namespace pratique::dp::flow {
namespace {

constexpr double kNormal95 = 1.96;

// What somebody adds to a count or a sum, wherever in a box they are: nothing where the question is
// not about them.
struct Reach {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  [[nodiscard]] bool varies() const { return low < high; }
  // How far from an even spread `people` may be.
  [[nodiscard]] double beyond(double people, double evenly) const {
    return std::max(high * people - evenly, evenly - low * people);
  }
};

// What of a box a question is about: the share of its cells, and the mean of a column over these.
struct Share {
  double cells = 0;
  double sum = 0;
  Reach counted = {};
  Reach summed = {};
};

// Calls visit(texts) for every cell of a box, in the columns walked: texts by column.
template <typename Visit>
void walk(const CellBox& box, const std::vector<std::size_t>& walked,
          const std::vector<Domain>& domains, const Visit& visit) {
  std::vector<std::uint64_t> place = box.low;
  std::vector<std::string> texts(domains.size());
  for (const auto d : walked) texts[d] = domains[d].value_of(place[d]);
  while (true) {
    visit(texts);
    std::size_t turn = 0;
    for (; turn < walked.size(); ++turn) {
      const std::size_t d = walked[turn];
      const bool more = place[d] < box.high[d];
      place[d] = more ? place[d] + 1 : box.low[d];
      texts[d] = domains[d].value_of(place[d]);
      if (more) break;
    }
    if (turn == walked.size()) return;
  }
}

double cells_of(const CellBox& box, const std::vector<std::size_t>& columns) {
  double cells = 1;
  for (const auto d : columns) cells *= static_cast<double>(box.high[d] - box.low[d] + 1);
  return cells;
}

// A question about a histogram, with the column that is added up.
struct HistogramQuestion {
  const Question& question;
  const std::vector<Domain>& domains;
  std::optional<std::size_t> of = {};
  std::vector<std::size_t> walked = {};  // the columns that it looks at, and no others

  [[nodiscard]] Share share_of(const CellBox& box) const {
    Share share;
    const double cells = cells_of(box, walked);
    walk(box, walked, domains, [&](const std::vector<std::string>& texts) {
      const bool about =
          question.where->holds([&](std::size_t d) { return std::string_view(texts[d]); });
      const double value = about && of ? number_in(SqlValue(texts[*of])).value_or(0) : 0;
      if (about) share.cells += 1 / cells;
      share.sum += value / cells;
      share.counted.add(about ? 1 : 0);
      share.summed.add(value);
    });
    return share;
  }
};

// What a histogram's file may leave out of an answer: cells whose noisy count stayed below a
// threshold have no line, and count 0.
struct LeftOut {
  double people = 0;
  double sum = 0;
};

constexpr double kMostCellsWalked = 1e7;  // of more, all are taken to be asked about

LeftOut left_out(const HistogramQuestion& asked, double threshold, double deviation,
                 double listed) {
  CellBox all;
  std::vector<std::size_t> others;
  for (std::size_t d = 0; d < asked.domains.size(); ++d) {
    all.low.push_back(0);
    all.high.push_back(asked.domains[d].cells() - 1);
    if (std::find(asked.walked.begin(), asked.walked.end(), d) == asked.walked.end())
      others.push_back(d);
  }
  const double walked = cells_of(all, asked.walked);
  double about = walked;
  double largest = 0;
  if (walked <= kMostCellsWalked) {
    const Share share = asked.share_of(all);
    about = std::round(share.cells * walked);
    largest = std::max(std::abs(share.summed.low), std::abs(share.summed.high));
  } else if (asked.of && asked.domains[*asked.of].numbers()) {
    const auto& numbers = *asked.domains[*asked.of].numbers();
    largest = std::max(std::abs(numbers.low), std::abs(numbers.high));
  }
  const double cells = std::max(0.0, about * cells_of(all, others) - listed);
  // A count below the threshold is one below it by as much as its noise took off.
  const double people = cells * threshold + kNormal95 * deviation * std::sqrt(cells);
  return {people, people * largest};
}

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
                              (request.where.empty() ? "1 = 1" : request.where)),
                     names, "");
  if (!question.keys.empty() || question.aggregates.size() != 1 || !question.where) {
    throw Error::input("a histogram is asked with a condition, such as age BETWEEN 30 AND 40");
  }
  HistogramQuestion asked{question, histogram.domains};
  const std::string& valued = request.sum.empty() ? request.average : request.sum;
  if (!valued.empty()) asked.of = column_index(names, valued, request.histogram);
  asked.walked = question.columns();
  if (asked.of &&
      std::find(asked.walked.begin(), asked.walked.end(), *asked.of) == asked.walked.end())
    asked.walked.push_back(*asked.of);

  double count = 0;
  double sum = 0;
  double squares = 0;
  double widest = 0;
  double listed = 0;
  const CellGrid grid(histogram.domains);
  std::vector<char> asked_cells(histogram.tree ? grid.cells() : 0);
  LeftOut uneven;  // how far people within lines may be from being spread evenly
  for (const auto& [box, counted] : released_boxes(request.histogram, histogram, run)) {
    const Share share = asked.share_of(box);
    count += counted * share.cells;
    sum += counted * share.sum;
    squares += share.cells * share.cells;
    if (histogram.tree && share.cells > 0) asked_cells[grid.number_of(box.low)] = 1;
    if (share.cells > 0) {
      widest = std::max(widest, std::abs(share.sum / share.cells));
      ++listed;
    }
    // As many as the line may stand for, and all of them where it hurts most.
    const double people = std::max(0.0, counted);
    const double most = people + kNormal95 * histogram.deviation_of_box;
    if (share.counted.varies()) uneven.people += share.counted.beyond(most, people * share.cells);
    if (share.summed.varies()) uneven.sum += share.summed.beyond(most, people * share.sum);
  }
  double deviation = histogram.deviation_of_box * std::sqrt(squares);
  if (histogram.tree) {
    deviation = std::min(deviation, std::sqrt(variance_over(grid, *histogram.tree, asked_cells)));
  } else if (histogram.deviation_at_most > 0) {
    deviation = std::min(deviation, histogram.deviation_at_most);
  }
  LeftOut unlisted;
  const auto threshold = histogram.manifest.results->find("threshold");
  if (threshold != histogram.manifest.results->end() && threshold->is_number())
    unlisted = left_out(asked, threshold->get<double>(), histogram.deviation_of_box, listed);

  Json result = {{"question", request.where}};
  const double people = kNormal95 * deviation;
  const double error = people + uneven.people + unlisted.people;
  const double error_of_sum = people * widest + uneven.sum + unlisted.sum;
  if (!request.average.empty()) {
    const double divisor = std::max(1.0, count);
    const double average = sum / divisor;
    result["answer"] = average;
    result["error"] = (error_of_sum + std::abs(average) * error) / divisor;
    result["error_of_noise"] = 2 * people * widest / divisor;
  } else if (!request.sum.empty()) {
    result["answer"] = sum;
    result["error"] = error_of_sum;
    result["error_of_noise"] = people * widest;
  } else {
    result["answer"] = count;
    result["error"] = error;
    result["error_of_noise"] = people;
  }
  Json& notes = result["notes"] = Json::array();
  if (uneven.people + uneven.sum > 0) {
    notes.push_back(
        "people are taken to be spread evenly within a line; error counts them where it hurts "
        "most");
  }
  if (unlisted.people > 0) {
    notes.push_back(fmt::format(
        "cells without a line count 0, and each may hold about {} people: error counts them all",
        threshold->get<std::int64_t>()));
  }
  if (histogram.manifest.parameters->value("private", true) == false)
    notes.push_back("NOT PRIVATE: the noise follows from --insecure-seed");
  if (notes.empty()) result.erase("notes");
  return {result};
}

}  // namespace pratique::dp::flow
