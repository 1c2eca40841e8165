#include "command.h"
#include "nouns.h"
#include "pratique/dp/flow/budget.h"
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
      .unless_given("every row is another person's");
  verb.whole_number("max-rows", &request->max_rows, 1, 1'000'000,
                    "how many rows of one person an answer uses, chosen at random");
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
  verb.whole_number("runs", &request->runs, 1000, 100'000'000, "runs on each data set");
}

}  // namespace
}  // namespace dp_verbs

void add_dp(CommandLine& program, Session& session) {
  using namespace dp_verbs;
  program.nouns.push_back({"dp", "Differential privacy: answers with noise, within a budget"});
  declare_open(program, session);
  declare_budget(program, session);
  declare_choose(program, session);
  declare_test(program, session);
}

}  // namespace pratique::app
