#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "fusion_people.h"
#include "fusion_verbs.h"
#include "pratique/core/file.h"
#include "pratique/fusion/fcl.h"
#include "pratique/fusion/rule_drafting.h"
#include "pratique/fusion/rule_tuning.h"
#include "pratique/kind/publish.h"

namespace pratique::app {
namespace {

struct RulesOptions {
  std::string from;
  std::string target;
  std::vector<std::string> inputs;
  std::string auxiliary;
  std::string key;
  std::string auxiliary_key;
  fusion::NameMatching matching;
  fusion::Drafting drafting;
  bool tune = false;
  std::string out;
};

int run(Session& session, const RulesOptions& options) {
  const LoadedTable data = load_table(session, options.from);
  (void)data.column(options.target);
  std::vector<Source> sources = {data.source};
  std::optional<LoadedTable> auxiliary;
  fusion::People people{&data.table, nullptr, {}};
  Json result = {{"rows", data.table.rows()}};
  if (!options.auxiliary.empty()) {
    if (options.key.empty()) {
      throw Error::input("--auxiliary needs --key").hint("Name the column that names people.");
    }
    auxiliary = load_table(session, options.auxiliary);
    sources.push_back(auxiliary->source);
    const std::string& key = options.auxiliary_key.empty() ? options.key : options.auxiliary_key;
    auto found = fusion::match_names(data.column(options.key), auxiliary->column(key),
                                     options.matching, session.progress);
    result["matched"] = found.matched;
    people.auxiliary = &auxiliary->table;
    people.found = std::move(found.found);
  }
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
      throw Error::input("the target cannot be an input, too").hint("Leave it out of --inputs.");
    }
  }
  if (inputs.empty()) inputs = fusion::usable_inputs(people, excluded);
  if (inputs.empty()) {
    throw Error::input("no column could be an input: none has numbers or a few words")
        .at(options.from)
        .hint("Name columns with --inputs, or an --auxiliary file.");
  }
  auto draft = fusion::draft_rules(people, inputs, options.target, options.drafting);
  if (options.tune) {
    const auto seen = fusion::observe(draft.system, data.table, people.auxiliary, people.found);
    auto tuned = fusion::tune(draft.system, 0, seen,
                              target_numbers(data.column(options.target), data.source.name),
                              fusion::Reading::possible, session.progress);
    draft.system = std::move(tuned.system);
    result["squared_error_drafted"] = tuned.error_before;
    result["squared_error_tuned"] = tuned.error_after;
  }
  const std::string text = fusion::print_fcl(
      draft.system,
      fmt::format("Drafted by pratique from {} rows: terms at quantiles, rules after Wang and "
                  "Mendel. Edit it. It was made from private data: keep it like these.",
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
  session.print(result);
  return 0;
}

}  // namespace

void add_fusion_rules(CommandLine& program, Session& session) {
  auto options = std::make_shared<RulesOptions>();
  Verb& verb = program.add("fusion", "rules", "Draft a rule file from data, to be edited",
                           [options, &session] { return run(session, *options); });
  verb.file_read("from", &options->from, "a table with the target and inputs").require();
  verb.column("target", &options->target, "the column to estimate").require();
  verb.columns("inputs", &options->inputs, "what to estimate it from")
      .unless_given("all columns that can be");
  verb.file_read("auxiliary", &options->auxiliary, "more columns, about people found by name");
  verb.column("key", &options->key, "the column that names people; no input");
  verb.column("auxiliary-key", &options->auxiliary_key,
              "its name in the auxiliary file, where it differs");
  verb.whole_number("terms", &options->drafting.terms, 2, 7, "terms of an input");
  verb.whole_number("output-terms", &options->drafting.output_terms, 2, 7, "terms of the target");
  verb.whole_number("most-rules", &options->drafting.most_rules, 1, 100'000,
                    "keeps the rules with most rows");
  verb.flag("tune", &options->tune,
            "move the corners of the sets until the rules fit the data better");
  verb.file_written("out", &options->out,
                    "the FCL file to write (mode 0600); without it the text is printed");
}

}  // namespace pratique::app
