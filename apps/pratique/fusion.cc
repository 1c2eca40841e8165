#include "command.h"
#include "nouns.h"
#include "pratique/fusion/flow/compose.h"
#include "pratique/fusion/flow/fred.h"
#include "pratique/fusion/flow/rules.h"
#include "pratique/fusion/flow/web.h"
#include "table_options.h"

namespace pratique::app {
namespace fusion_verbs {
namespace {

namespace flow = fusion::flow;

void declare_composition_study(Verb& verb, flow::ComposeRequest& request) {
  verb.flag("simulate", &request.simulate,
            "instead of attacking given releases, draw overlapping subsets of --data, anonymise "
            "each separately and attack them");
  verb.file_read("data", &request.data, "of --simulate: the table to draw from");
  verb.whole_number("overlap", &request.overlap, 1, 100'000'000,
                    "of --simulate: how many people are in all releases");
  verb.whole_number("ks", &request.ks, 1, 1'000'000'000, "of --simulate: values of k")
      .separated_by_commas();
  verb.choice("methods", &request.methods, {"mondrian", "microaggregate", "mixed"},
              "of --simulate: methods to draw; the first is used for l, t, "
              "sensitive attributes and numbers of releases")
      .separated_by_commas();
  verb.number("l", &request.ls, 1.0, 1e9, "of --simulate: entropy l-diversity")
      .separated_by_commas();
  verb.share("t", &request.ts, "of --simulate: t-closeness").separated_by_commas();
  verb.whole_number("diversity-k", &request.diversity_k, 1, 1'000'000'000,
                    "of --simulate: the k used with --l and --t");
  verb.whole_number("releases", &request.release_counts, 1, 64,
                    "of --simulate: numbers of releases; 1 puts everybody in one release")
      .separated_by_commas();
  verb.choice("recoding", &request.recoding, {"labels", "free"},
              "of --simulate: cells are labels of the hierarchies or free");
  verb.whole_number("runs", &request.runs, 1, 100'000, "of --simulate: number of draws");
  verb.seed(&request.seed, "of --simulate: repeats it").unless_given("drawn and printed");
}

void declare_compose(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::ComposeRequest>();
  Verb& verb = program.add("fusion", "compose",
                           "Intersect what independent releases say about the people they share",
                           session.flow([request](const Run& run) {
                             return request->simulate ? flow::study_composition(*request, run)
                                                      : flow::compose_releases(*request, run);
                           }));
  verb.file_read("release", &request->releases,
                 "a released table, from any tool; numbered from 1 in the order given");
  verb.file_read("targets", &request->targets,
                 "people who are in all releases, with their original quasi-identifiers");
  declare_quasi_identifiers(verb, request->columns);
  verb.columns("sensitive", &request->columns.said.sensitive,
               "the sensitive attribute; with --simulate the "
               "first is attacked and all are compared");
  verb.column("truth-column", &request->truth,
              "a column of the targets with their true sensitive values, to score the attack");
  declare_date_form(verb, request->forms.dates);
  declare_number_form(verb, request->forms.numbers);
  verb.column("person", &request->person,
              "of the targets, says whose each row is: people are counted instead of rows")
      .unless_given(
          "as the manifests say; else a column that names people and repeats is asked "
          "about");
  verb.flag("rows-are-people", &request->rows_are_people,
            "every target is a different person, although such a column repeats");
  declare_hierarchies(verb, request->columns);
  verb.release_hierarchy("hierarchy-of", &request->hierarchies, "the hierarchy for release N only");
  verb.text("locate", &request->locate,
            "[N:]MODE, of all releases or of release N: contain (the cells contain the target), "
            "nearest (the nearest centroid), auto")
      .unless_given("auto, what fits");
  verb.text("overlap-probability", &request->presence,
            "[N:]P: the probability that a target is in the releases, or in release N, if that is "
            "not known")
      .by_default("1");
  verb.positive_number(
          "prior-strength", &request->strength,
          "how closely the frequencies of a class follow those of all releases, in rows")
      .unless_given("fitted");
  verb.share("max-breach", &request->max_breach,
             "exit 1 when a larger share than this is left with one value or isolated by a "
             "difference, or nobody has any");
  verb.file_written("out", &request->out,
                    "a CSV with one row of figures per target, without names or values; with "
                    "--simulate, a folder for figures 3.1 to 3.8 as CSV and SVG")
      .replaces({"target,prior,left,confidence,bayes\n"});
  declare_config(verb, request->columns);
  declare_composition_study(verb, *request);
}

void declare_names(Verb& verb, flow::NameRequest& names) {
  verb.column("key", &names.key, "the column that names people, in all files").require();
  verb.column("auxiliary-key", &names.auxiliary_key,
              "its name in the auxiliary files, where it differs");
  verb.share("likeness", &names.matching.threshold,
             "the least Jaro-Winkler likeness at which names match");
  verb.share("margin", &names.matching.margin,
             "a match is ambiguous when another comes this close");
}

void declare_web(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::WebRequest>();
  Verb& verb = program.add(
      "fusion", "web", "Estimate what a release with names left out, using facts from the web",
      session.flow([request](const Run& run) { return flow::web(*request, run); }));
  verb.file_read("release", &request->release, "the release, which keeps names").require();
  verb.file_read("auxiliary", &request->auxiliary, "facts about people, by name").require();
  declare_names(verb, request->names);
  verb.column("target", &request->target, "the number to estimate: an output of the rules")
      .require();
  verb.file_read("rules", &request->rules, "the adversary's rules, IEC 61131-7 FCL text").require();
  verb.file_read(
      "truth", &request->truth,
      "the private table, to score the estimates; not needed if the release still has the target");
  verb.column("truth-key", &request->truth_key, "the column that joins release and truth")
      .unless_given("--key");
  verb.file_read("learn", &request->learn,
                 "a sample with the key and the target of some people: tunes the rules and adds a "
                 "regression; these people are not scored");
  declare_number_form(verb, request->number_forms);
  verb.file_written("out", &request->out, "write the estimates, readable only by you (mode 0600)")
      .replaces({",estimate,found\n", ";estimate;found\n", "\testimate\tfound\n"});
  verb.share(
      "fail-above", &request->fail_above,
      "exit 1 when a larger share than this is estimated within 10 %, or nothing was measured");
}

void declare_rules(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::RulesRequest>();
  Verb& verb =
      program.add("fusion", "rules", "Draft a rule file from data, for you to edit",
                  session.flow([request](const Run& run) { return flow::draft(*request, run); }));
  verb.file_read("from", &request->from, "a table with the target and inputs").require();
  verb.column("target", &request->target, "the column to estimate").require();
  verb.columns("inputs", &request->inputs, "what to estimate it from")
      .unless_given("all suitable columns");
  verb.file_read("auxiliary", &request->auxiliary, "more columns, about people found by name");
  verb.column("key", &request->key, "the column that names people; no input");
  verb.column("auxiliary-key", &request->auxiliary_key,
              "its name in the auxiliary file, where it differs");
  verb.whole_number("terms", &request->drafting.terms, 2, 7, "terms of an input");
  verb.whole_number("output-terms", &request->drafting.output_terms, 2, 7, "terms of the target");
  verb.whole_number("most-rules", &request->drafting.most_rules, 1, 100'000,
                    "keep only the rules with the most rows");
  declare_number_form(verb, request->number_forms);
  verb.flag("tune", &request->tune,
            "move the corners of the sets until the rules fit the data better");
  verb.file_written("out", &request->out,
                    "the FCL file to write (mode 0600); without it the text is printed")
      .replaces({"(* Drafted by pratique "});
}

void declare_fred(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::FredRequest>();
  Verb& verb = program.add(
      "fusion", "fred", "Release a table with names that resists estimates from web facts",
      session.flow([request](const Run& run) { return flow::fred(*request, run); }));
  verb.makes_release = true;
  session.declare_private_written(verb);
  verb.file_read("FILE", &request->file, "the private table, with names and the target").require();
  verb.file_read("auxiliary", &request->auxiliary, "facts about people, by name");
  verb.folder_read("attack-set", &request->attack_set,
                   "a folder of such files: the strongest attack over all of them counts");
  declare_names(verb, request->names);
  verb.columns("qi", &request->quasi_identifiers, "the columns to anonymise level by level")
      .require();
  verb.columns("id", &request->identifiers, "columns that are never released");
  verb.columns("insensitive", &request->insensitive, "harmless columns: they leave as they are");
  verb.columns("allow", &request->allowed,
               "columns that may leave as they are although they look like identifiers or undo "
               "what classes hide; everyone "
               "who verifies the release is told");
  verb.flag("rows-are-people", &request->rows_are_people,
            "every row is a different person, although the key repeats");
  verb.column("target", &request->target, "the private number; it is never released").require();
  verb.file_read("rules", &request->rules, "the adversary's rules, IEC 61131-7 FCL text").require();
  verb.file_read("learn", &request->learn,
                 "a sample that the adversary has: tunes the rules and adds a regression");
  verb.number("tp", &request->fred.protection, 0, kNoLimit,
              "the least dissimilarity of estimates, in units of the target squared")
      .require();
  verb.number("tu", &request->fred.utility, 0, kNoLimit,
              "the least utility, 1 / sum of squared class sizes")
      .require();
  verb.number("w1", &request->fred.w1, 0, kNoLimit, "the weight of protection");
  verb.number("w2", &request->fred.w2, 0, kNoLimit, "the weight of utility");
  verb.choice("method", &request->method, {"microaggregate", "mondrian"}, "how each level is made");
  verb.whole_number("k-max", &request->fred.largest_k, 2, 1'000'000'000, "the last level to try")
      .unless_given("no limit");
  verb.seed(&request->seed, "orders the released rows").unless_given("drawn and recorded");
  declare_date_form(verb, request->date_forms);
  declare_number_form(verb, request->number_forms);
  verb.folder_written("charts", &request->charts,
                      "for dissimilarity, utility and objective by k, as .csv and .svg");
  verb.file_written("out", &request->out, "the release to write; its manifest goes beside it")
      .require();
}

}  // namespace
}  // namespace fusion_verbs

void add_fusion(CommandLine& program, Session& session) {
  using namespace fusion_verbs;
  program.nouns.push_back(
      {"fusion", "Attacks that join releases and outside knowledge, and what resists them"});
  declare_compose(program, session);
  declare_web(program, session);
  declare_rules(program, session);
  declare_fred(program, session);
}

}  // namespace pratique::app
