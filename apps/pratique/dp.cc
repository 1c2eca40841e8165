#include "command.h"
#include "nouns.h"
#include "pratique/dp/flow/budget.h"
#include "pratique/dp/flow/histogram.h"
#include "pratique/dp/flow/kmeans.h"
#include "pratique/dp/flow/query.h"
#include "pratique/dp/flow/study.h"
#include "pratique/dp/flow/synthesize.h"
#include "pratique/dp/tester/mechanisms.h"

namespace pratique::app {
namespace dp_verbs {
namespace {

namespace flow = dp::flow;

void declare_budget_ledger(Verb& verb, std::string& path) {
  verb.file_read("LEDGER", &path, "the budget's ledger, made by dp open").require();
}

void declare_open(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::OpenRequest>();
  Verb& verb =
      program.add("dp", "open", "Bind a privacy budget to a data set, and start its ledger",
                  session.flow([request](const Run& run) { return flow::open(*request, run); }));
  verb.file_read("LEDGER", &request->ledger, "the ledger to start; its key goes to LEDGER.key")
      .require();
  verb.file_read("data", &request->data, "the table that the budget is for").require();
  verb.positive_number("epsilon", &request->epsilon, "the budget of all answers together")
      .require();
  verb.number("delta", &request->delta, 0, 0.999,
              "the chance left for what is only nearly private, such as reporting groups that "
              "nobody declared");
  verb.column("person", &request->person, "the column that says whose a row is")
      .unless_given(
          "every row is another person's; a column that names people and repeats is asked "
          "about");
  verb.flag("rows-are-people", &request->rows_are_people,
            "every row is a different person, although such a column repeats");
  verb.whole_number("max-rows", &request->max_rows, 1, 1'000'000,
                    "how many rows of one person an answer uses, chosen at random");
  verb.text("table", &request->tables,
            "NAME=FILE: a further table of the same people, by the column of --person, which "
            "questions may join: JOIN NAME USING (PERSON)");
  verb.text("analyst", &request->analysts,
            "NAME=SHARE: what this analyst may spend, as a share of epsilon from 0 to 1");
  verb.file_read("registry", &request->registry, "the file that knows all budgets")
      .unless_given(".pratique-dp.json beside the data");
  verb.flag("additional", &request->additional,
            "open another budget for data that has one; for every person the two add up");
}

void declare_budget(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::BudgetRequest>();
  Verb& verb =
      program.add("dp", "budget", "Show what was spent and what is left",
                  session.flow([request](const Run& run) { return flow::budget(*request, run); }));
  declare_budget_ledger(verb, request->ledger);
}

void declare_question(Verb& verb, flow::QueryRequest& request) {
  declare_budget_ledger(verb, request.ledger);
  verb.text("SQL", &request.sql,
            "the question: SELECT keys and aggregates FROM data [WHERE ...] [GROUP BY ...]")
      .require();
  verb.number("delta", &request.delta, 0, 0.999, "delta to spend where groups are not declared")
      .unless_given("a tenth of the budget's");
  verb.column_hierarchy(
      "domain", &request.domains,
      "bounds or keys, declared without looking at the data: LOW..HIGH, a|b|c, or "
      "a file with a value per line");
  verb.whole_number("max-groups", &request.max_groups, 1, 1'000'000,
                    "how many groups one person's rows may count in");
  verb.text("analyst", &request.analyst, "who asks, where the budget is shared");
}

void declare_query(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::QueryRequest>();
  Verb& verb = program.add(
      "dp", "query", "Answer a question in SQL with noise, charged before it is computed",
      session.flow([request](const Run& run) { return flow::query(*request, run); }));
  declare_question(verb, *request);
  verb.positive_number("epsilon", &request->epsilon, "what to spend on this answer").require();
  verb.share("find-bounds", &request->find_bounds,
             "the share of epsilon for finding bounds of values that have no domain")
      .unless_given("they are refused");
  verb.whole_number("insecure-seed", &request->insecure_seed, 0, kLargestSeed,
                    "repeats the noise; NOT PRIVATE, for tests alone");
}

void declare_plan(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::PlanRequest>();
  Verb& verb =
      program.add("dp", "plan", "The expected error of an answer, or its cost; spends nothing",
                  session.flow([request](const Run& run) { return flow::plan(*request, run); }));
  declare_question(verb, request->query);
  verb.positive_number("epsilon", &request->epsilon, "show the error for this cost");
  verb.positive_number("error", &request->error,
                       "show the cost for an error of at most this, with 95 % confidence")
      .not_with({"epsilon"});
  verb.whole_number("rows", &request->rows, 1, 1'000'000'000,
                    "your guess of a group's rows, for averages and variances");
}

void declare_histogram(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::HistogramRequest>();
  Verb& verb = program.add(
      "dp", "histogram", "Release counts of all cells of a declared domain, with noise",
      session.flow([request](const Run& run) { return flow::histogram(*request, run); }));
  session.declare_private_written(verb);
  declare_budget_ledger(verb, request->ledger);
  verb.columns("columns", &request->columns, "the columns that make up the cells").require();
  verb.column_hierarchy("domain", &request->domains,
                        "what the values of a column may be, declared without looking at the data: "
                        "LOW..HIGH, a|b|c, or a file with a value per line")
      .require();
  verb.choice(
      "method", &request->method, {"auto", "cells", "kdtree", "hb", "dawa", "grid"},
      "noise on every cell, on boxes that a tree finds uniform, on a tree of intervals or boxes "
      "(one or two columns), on intervals that are found uniform (one column), on two grids, the "
      "second finer where people are (two columns), or whichever suits");
  verb.positive_number("epsilon", &request->epsilon, "what to spend on it").require();
  verb.share("split", &request->split, "of kdtree: the share of epsilon for finding the boxes");
  verb.number("xi0", &request->xi0, 0, kNoLimit, "of kdtree: a box with fewer people is not split")
      .unless_given("from epsilon");
  verb.number("xi1", &request->xi1, 0, kNoLimit,
              "of kdtree: a box whose cells differ by less, in all, is uniform")
      .unless_given("from epsilon");
  verb.column("counts", &request->counts,
              "for a file that is already counted: the column that says how many rows a row is");
  verb.text("analyst", &request->analyst, "who asks, where the budget is shared");
  verb.whole_number("insecure-seed", &request->insecure_seed, 0, kLargestSeed,
                    "repeats the noise; NOT PRIVATE, for tests alone");
  verb.file_written("out", &request->out, "the histogram to write; its manifest goes beside it")
      .require();
}

void declare_ask(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::AskRequest>();
  Verb& verb =
      program.add("dp", "ask", "Answer from a released histogram alone; costs nothing",
                  session.flow([request](const Run& run) { return flow::ask(*request, run); }));
  verb.file_read("HISTOGRAM", &request->histogram, "what dp histogram wrote").require();
  verb.text("CONDITION", &request->where, "who is counted, such as: age BETWEEN 30 AND 40")
      .require();
  verb.column("sum", &request->sum, "add up this column instead of counting");
  verb.column("average", &request->average, "the average of this column instead of a count");
}

void declare_synthesize(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::SynthesizeRequest>();
  Verb& verb =
      program.add("dp", "synthesize", "Release a synthetic table that is like the data, with noise",
                  session.flow([request, &session](const Run& run) {
                    request->memory = session.memory();
                    return flow::synthesize(*request, run);
                  }));
  session.declare_private_written(verb);
  verb.file_read("LEDGER", &request->ledger, "the budget's ledger, made by dp open");
  verb.file_read("from", &request->from,
                 "rows from a released histogram instead, which costs nothing");
  verb.choice(
      "method", &request->method, {"mst"},
      "a tree of the pairs of columns that depend most on each other, and as many pairs again");
  verb.columns("columns", &request->columns, "the columns of the table")
      .unless_given("all that have a domain");
  verb.column_hierarchy(
      "domain", &request->domains,
      "what the values of a column may be, declared without looking at the data: LOW..HIGH, "
      "LOW..HIGH:WIDTH, 0..17|18..64, 1950-01-01..2009-12-31:year (or month, day; :dmy or :mdy "
      "behind it for 05/03/1970), a|b|c, or a file with a value per line; others count as the "
      "nearest, or as other");
  verb.text("find-cuts", &request->cuts,
            "COLUMN=PARTS, or COLUMN=PARTS:date: numbers or dates whose cuts are found privately")
      .separated_by_commas();
  verb.share("cuts-share", &request->cuts_share, "the share of epsilon for finding cuts");
  verb.text("marginals", &request->marginals,
            "columns to measure together whatever the data is like, such as age+sex")
      .separated_by_commas();
  verb.positive_number("epsilon", &request->epsilon, "what to spend on it");
  verb.number("delta", &request->delta, 0, 0.999, "delta to spend")
      .unless_given("a tenth of the budget's");
  verb.whole_number("rows", &request->rows, 1, 100'000'000, "how many rows to write")
      .unless_given("about as many as there are, with noise");
  verb.text("analyst", &request->analyst, "who asks, where the budget is shared");
  verb.whole_number("insecure-seed", &request->insecure_seed, 0, kLargestSeed,
                    "repeats the noise; NOT PRIVATE, for tests alone");
  verb.file_written("out", &request->out, "the table to write; its manifest goes beside it")
      .require();
}

void declare_evaluate(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::EvaluateRequest>();
  Verb& verb = program.add(
      "dp", "evaluate",
      "For the steward alone: compare a synthetic table with the original, and attack it",
      session.flow([request](const Run& run) { return flow::evaluate(*request, run); }));
  verb.file_read("SYNTHETIC", &request->synthetic, "what dp synthesize wrote").require();
  verb.file_read("original", &request->original, "the table it was made from").require();
  verb.file_read("others", &request->others,
                 "a table of people who are not in the data, to attack membership with");
  verb.column("label", &request->label, "what a classifier predicts and a linkage attack guesses")
      .unless_given("the last column");
  verb.file_written("out", &request->out, "also write the figures here, for you alone")
      .replaces({"\"steward_only\""});
}

void declare_kmeans(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::KmeansRequest>();
  Verb& verb =
      program.add("dp", "kmeans", "Find the centres of clusters, with noise",
                  session.flow([request](const Run& run) { return flow::kmeans(*request, run); }));
  declare_budget_ledger(verb, request->ledger);
  verb.columns("columns", &request->columns, "columns of numbers: what makes rows near").require();
  verb.column_hierarchy("domain", &request->domains,
                        "LOW..HIGH of each column, declared without looking at the data; each "
                        "counts as much as any other")
      .require();
  verb.whole_number("clusters", &request->clusters, 1, 1000, "how many clusters");
  verb.whole_number("rounds", &request->rounds, 1, 100,
                    "how often centres move; each round has its part of epsilon");
  verb.positive_number("epsilon", &request->epsilon, "what to spend on it").require();
  verb.text("analyst", &request->analyst, "who asks, where the budget is shared");
  verb.whole_number("insecure-seed", &request->insecure_seed, 0, kLargestSeed,
                    "repeats the noise; NOT PRIVATE, for tests alone");
}

void declare_choose(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::ChooseRequest>();
  Verb& verb = program.add(
      "dp", "choose", "The largest epsilon that keeps what anybody may believe within bounds",
      session.flow([request](const Run& run) { return flow::choose(*request, run); }));
  verb.number("prior", &request->prior, 0, 1,
              "how probable somebody thinks a fact about a person before any answer")
      .require();
  verb.number("posterior-factor", &request->factor, 1, kNoLimit,
              "how many times as probable it may become");
  verb.whole_number("queries", &request->queries, 1, 1'000'000'000, "how many answers there are");
}

void declare_test(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::TestRequest>();
  Verb& verb = program.add(
      "dp", "test", "Look for a breach: run a mechanism on neighbouring data sets and compare",
      session.flow([request](const Run& run) { return flow::test(*request, run); }));
  std::string names;
  for (const auto& mechanism : dp::tested_mechanisms()) {
    names += (names.empty() ? "" : ", ") + std::string(mechanism.name);
  }
  verb.text("MECHANISM", &request->mechanism, "what to test: " + names).require();
  verb.positive_number("epsilon", &request->epsilon, "what it claims");
  verb.whole_number("runs", &request->runs, 1000, 100'000'000, "runs on each data set")
      .unless_given("200000, of histograms 5000, of whole tables 2000");
}

void declare_study(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::StudyRequest>();
  Verb& verb = program.add(
      "dp", "study", "Measure what the parameters of a kd-tree histogram do, on a generated table",
      session.flow([request](const Run& run) { return flow::study(*request, run); }));
  verb.whole_number("rows", &request->rows, 1, 100'000'000, "how many people the table has");
  verb.choice("vary", &request->vary, {"alpha", "xi0", "xi1", "queries", "ours", "cells"},
              "only the settings that are about this")
      .unless_given("all of them");
  verb.whole_number("draws", &request->draws, 2, 1000,
                    "how often each setting is drawn; intervals follow from it");
  verb.seed(&request->seed, "makes the same table, questions and noise")
      .unless_given("drawn and printed");
  verb.file_written("out", &request->out, "a table of all settings and their errors");
}

}  // namespace
}  // namespace dp_verbs

void add_dp(CommandLine& program, Session& session) {
  using namespace dp_verbs;
  program.nouns.push_back({"dp", "Differential privacy: answers with noise, within a budget"});
  declare_open(program, session);
  declare_budget(program, session);
  declare_query(program, session);
  declare_plan(program, session);
  declare_histogram(program, session);
  declare_ask(program, session);
  declare_synthesize(program, session);
  declare_evaluate(program, session);
  declare_kmeans(program, session);
  declare_choose(program, session);
  declare_test(program, session);
  declare_study(program, session);
}

}  // namespace pratique::app
