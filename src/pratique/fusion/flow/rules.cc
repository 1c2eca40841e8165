#include "pratique/fusion/flow/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/fusion/fcl.h"
#include "pratique/fusion/flow/number_reading.h"
#include "pratique/fusion/rule_drafting.h"
#include "pratique/fusion/rule_tuning.h"
#include "pratique/kind/publish.h"

namespace pratique::fusion::flow {

Outcome draft(const RulesRequest& options, const Run& run) {
  // Whatever has numbers may become an input.
  NumberReading numbers(
      options.number_forms, nullptr, options.target,
      {.key = options.key, .auxiliary_key = options.auxiliary_key, .matching = {}}, true);
  const LoadedTable data = numbers.load(run, options.from);
  (void)data.column(options.target);
  std::vector<Source> sources = {data.source};
  std::optional<LoadedTable> auxiliary;
  fusion::People people{&data.table, nullptr, {}};
  Json result = {{"rows", data.table.rows()}};
  if (!options.auxiliary.empty()) {
    if (options.key.empty()) {
      throw Error::input("--auxiliary needs --key").hint("Name the column that names people.");
    }
    auxiliary = numbers.load(run, options.auxiliary);
    sources.push_back(auxiliary->source);
    const std::string& key = options.auxiliary_key.empty() ? options.key : options.auxiliary_key;
    auto matches = fusion::match_names(data.column(options.key), auxiliary->column(key),
                                       options.matching, run.progress);
    result["matched"] = matches.matched;
    people.auxiliary = &auxiliary->table;
    people.fact_row = std::move(matches.row_of);
  }
  numbers.refuse_unheard();
  if (!options.out.empty()) release::refuse_overwriting_inputs(options.out, sources);

  const std::string target = fusion::fcl_identifier(options.target);
  auto excluded = std::vector<std::string>{target};
  for (const auto& key : {options.key, options.auxiliary_key}) {
    if (!key.empty()) excluded.push_back(fusion::fcl_identifier(key));
  }
  std::vector<std::string> inputs;
  const auto known = fusion::column_names(people);
  for (const auto& name : options.inputs) {
    const std::string input = fusion::fcl_identifier(name);
    (void)column_index(known, input, options.from);
    if (std::find(inputs.begin(), inputs.end(), input) == inputs.end()) inputs.push_back(input);
    if (input == target) {
      throw Error::input("the target cannot also be an input").hint("Leave it out of --inputs.");
    }
  }
  if (inputs.empty()) inputs = fusion::usable_inputs(people, excluded);
  if (inputs.empty()) {
    throw Error::input("no column can be an input: none has numbers or a few words")
        .at(options.from)
        .hint("Name columns with --inputs, or an --auxiliary file.");
  }
  auto draft = fusion::draft_rules(people, inputs, options.target, options.drafting);
  if (options.tune) {
    const auto seen = fusion::observe(draft.system, data.table, people.auxiliary, people.fact_row);
    auto tuned = fusion::tune(draft.system, 0, seen,
                              target_numbers(data.column(options.target), data.source.name),
                              fusion::Reading::possible, run.progress);
    draft.system = std::move(tuned.system);
    result["squared_error_drafted"] = tuned.error_before;
    result["squared_error_tuned"] = tuned.error_after;
  }
  const std::string text = fusion::print_fcl(
      draft.system,
      fmt::format("Drafted by pratique from {} rows: terms at quantiles, rules after Wang and "
                  "Mendel. Edit it. It was made from private data: protect it accordingly.",
                  draft.rows_used));
  result["rows_used"] = draft.rows_used;
  result["inputs"] = inputs;
  result["target"] = target;
  result["rules"] = draft.system.blocks.front().rules.size();
  result["rows_covered"] = draft.rows_covered;
  if (options.out.empty()) {
    result["fcl"] = text;
  } else {
    AtomicFile file(options.out);
    file.set_mode(0600);
    file.write(text);
    file.commit();
    result["out"] = options.out;
  }
  return {result};
}

}  // namespace pratique::fusion::flow
