#include "answers.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/kind/publish.h"

namespace pratique::answers {
namespace {

constexpr const char* kColumn = "answer";

// Who knows what somebody answered finds one row only: is it theirs?
std::uint64_t singled_out(const std::vector<std::uint64_t>& counts, std::uint64_t at_least) {
  std::uint64_t people = 0;
  for (const auto count : counts) people += count == 1 && count >= at_least ? 1 : 0;
  return people;
}

constexpr std::array<Figure, 3> kFigures = {{
    {"rows_in", "answers read"},
    {"rows_out", "answers released"},
    {"unique", "people who alone gave their answer", Unit::people},
}};

constexpr std::array<release::ModelWords, 1> kModels = {{
    {"k-anonymity", "k-anonymity", "At least k people gave every released answer.",
     "Who knows that somebody is in the file learns that their answer is one of these."},
}};

void describe(release::PageContext& context) {
  release::add_facts(context, {"rows_in", "rows_out"});
}

}  // namespace

Outcome protect(const ProtectRequest& request, const Run& run) {
  const Source source = run.open(request.file);
  release::refuse_overwriting_inputs(request.out, {source}, run.settings());
  const GroupedTable read = run.engine.group(source, {kColumn}, run.progress);

  const Column& column = read.groups.columns.front();
  const auto texts = column.dictionary.values();
  const std::vector<std::string> values(texts.begin(), texts.end());
  release::Content content{.columns = {{kColumn, &column.codes, &values}}, .counts = &read.counts};
  std::uint64_t released = 0;
  for (std::uint32_t group = 0; group < read.counts.size(); ++group) {
    if (read.counts[group] < request.k) continue;
    content.groups.push_back(group);
    released += read.counts[group];
  }

  Json result = {{"rows_in", read.rows()},
                 {"rows_out", released},
                 {"before", {{"unique", singled_out(read.counts, 1)}}},
                 {"after", {{"unique", singled_out(read.counts, request.k)}}}};
  // The claim is one that verify/ knows. A new one is verified there, written from its definition
  // alone, without a line of this file.
  const Json claims =
      Json::array({{{"model", "k-anonymity"}, {"k", request.k}, {"quasi_identifiers", {kColumn}}}});
  const Seeded seeded = with_seed(run, request.seed);
  const auto published = release::publish(run.engine, content, request.out,
                                          {.kind = std::string(kind().noun),
                                           .verb = "protect",
                                           .command = seeded.command,
                                           .seed = seeded.seed,
                                           .inputs = {source},
                                           .other_files = run.settings(),
                                           .options = seeded.options,
                                           .figures = kFigures},
                                          {{"k", request.k}}, claims, result, run.progress);
  result["k_verified"] = published.claims.front().achieved;
  result["out"] = request.out;
  result["seed"] = seeded.seed;
  return {result};
}

release::Kind kind() {
  return {.noun = "answers",
          .title = "answers, a row per person",
          .adversary = "Somebody who knows what a person answered looks for their row.",
          .file_kind = "",
          .figures = kFigures,
          .models = kModels,
          .describe = describe};
}

}  // namespace pratique::answers
