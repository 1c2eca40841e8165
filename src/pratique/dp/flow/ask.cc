#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/crypto/hash.h"
#include "pratique/data/number.h"
#include "pratique/dp/flow/histogram.h"
#include "pratique/dp/histogram/cells.h"
#include "pratique/dp/query/question.h"
#include "pratique/engine/sql_tree.h"
#include "pratique/manifest/manifest.h"

namespace pratique::dp::flow {
namespace {

constexpr double kNormal95 = 1.96;

struct ReadHistogram {
  std::vector<Domain> domains;
  double deviation_of_box = 0;
  double deviation_at_most = 0;
};

// By its manifest, and by nothing else: a raw table looks the same.
ReadHistogram recognised(const std::string& path) {
  const auto manifest = Manifest::beside(path);
  if (!manifest || manifest->kind != "dp" || manifest->verb != "histogram") {
    throw Error::input("this is not a histogram of dp histogram, with its manifest beside it")
        .at(path)
        .hint("Raw data is asked through its budget: pratique dp query LEDGER \"SELECT ...\".");
  }
  if (sha256_file(path) != manifest->output().sha256) {
    throw Error::check("this is not the file that its manifest describes")
        .at(path)
        .hint("It was changed. Take the release as it was published.");
  }
  ReadHistogram read;
  try {
    const Json& parameters = *manifest->parameters;
    for (const auto& column : parameters.at("columns")) {
      const auto name = column.at("column").get<std::string>();
      read.domains.push_back(
          column.contains("values")
              ? Domain::of(name, column.at("values").get<std::vector<std::string>>())
              : Domain::range(name, column.at("low").get<double>(),
                              column.at("high").get<double>()));
    }
    read.deviation_of_box = parameters.at("deviation_of_box").get<double>();
    read.deviation_at_most = parameters.at("deviation_at_most").get<double>();
  } catch (const nlohmann::json::exception&) {
    throw Manifest::malformed(Manifest::path_of(path));
  }
  return read;
}

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
  const ReadHistogram histogram = recognised(request.histogram);
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
  const Source source = run.open(request.histogram);
  const Table table = run.engine.load(source, {}, run.progress);
  if (table.columns.size() != 2 * names.size() + 1) {
    throw Manifest::malformed(Manifest::path_of(request.histogram));
  }
  double count = 0;
  double sum = 0;
  double squares = 0;
  double widest = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    CellBox box{.low = std::vector<std::uint64_t>(names.size()),
                .high = std::vector<std::uint64_t>(names.size())};
    for (std::size_t d = 0; d < names.size(); ++d) {
      const auto low = histogram.domains[d].cell_of(table.columns[2 * d].text(row));
      const auto high = histogram.domains[d].cell_of(table.columns[2 * d + 1].text(row));
      if (!low || !high || *low > *high) {
        throw Manifest::malformed(Manifest::path_of(request.histogram));
      }
      box.low[d] = *low;
      box.high[d] = *high;
    }
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
    const std::string_view text = table.columns.back().text(row);
    const double counted = is_number(text) ? to_double(text) : 0;
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
