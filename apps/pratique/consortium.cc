#include "command.h"
#include "nouns.h"
#include "pratique/consortium/flow/participants.h"
#include "pratique/trails/method/protection.h"

namespace pratique::app {
namespace consortium_verbs {
namespace {

namespace flow = consortium::flow;

void declare_init(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::InitRequest>();
  Verb& verb = program.add(
      "consortium", "init", "Make the folder of a consortium: settings, certificates and keys",
      session.flow([request](const Run& run) { return flow::init(*request, run); }));
  verb.not_a_job = true;
  verb.text("sites", &request->sites, "the names of the sites").separated_by_commas().require();
  verb.text("authority", &request->authority, "the name of the authority");
  verb.text("addresses", &request->addresses, "NAME=HOST:PORT: where a participant listens")
      .separated_by_commas()
      .unless_given("127.0.0.1, with ports that follow --port");
  verb.whole_number("port", &request->port, 1024, 65000, "the first port, of the authority");
  verb.whole_number("k", &request->k, 2, 1'000'000'000,
                    "how many people every disclosed sample must be able to belong to");
  verb.whole_number("coalition", &request->coalition, 1, 64,
                    "how many sites may pool what they know");
  verb.choice("method", &request->method, trails::method_names(), "how samples are chosen");
  verb.choice("protocol", &request->protocol, {"proven", "stranon"},
              "every step with a proof that it was done right, or the thesis's dummies and checks");
  verb.whole_number("alpha", &request->alpha, 1, 64, "check rounds of stranon");
  verb.whole_number("beta", &request->beta, 0, 1'000'000, "dummies of each site, of stranon");
  verb.whole_number("lock", &request->lock, 1, 10'000'000, "the authority's dummies, of stranon");
  verb.choice("unicode", &request->unicode, {"nfc", "nfkc", "none"},
              "the Unicode form in which elements are compared");
  verb.choice("letters", &request->letters, {"keep", "fold"},
              "whether capitals count in unions; in sessions they never do");
  verb.choice("blanks", &request->blanks, {"single", "keep"},
              "whether blanks count in unions; in sessions they never do");
  verb.text("dates", &request->dates, "the form of elements that are dates, such as day-first");
  verb.whole_number("batch", &request->batch, 1, 16384, "points in one message");
  verb.whole_number("records", &request->records, 1, 4'000'000, "records of one list, at most");
  verb.whole_number("quota", &request->quota, 0, 1'000'000, "unions of each pair of sites");
  verb.whole_number("sessions", &request->sessions, 0, 1'000'000,
                    "other sessions of each pair of sites, where each is in its own house");
  verb.whole_number("wait", &request->wait, 1, 86400, "seconds for the others to start");
  verb.whole_number("step", &request->step, 1, 86400, "seconds for the next message");
  verb.whole_number("clock", &request->clock, 1, 86400, "seconds by which clocks may differ");
  verb.folder_read("requests", &request->requests,
                   "NAME.csr of participants that made their own key");
  verb.folder_written("out", &request->out, "the folder").require();
}

void declare_request(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::KeyRequest>();
  Verb& verb = program.add(
      "consortium", "request", "Make a participant's key, and a request for its certificate",
      session.flow([request](const Run& run) { return flow::request_certificate(*request, run); }));
  verb.not_a_job = true;
  verb.text("name", &request->name, "the participant").require();
  verb.folder_written("out", &request->out, "for NAME.key and NAME.csr").require();
}

void declare_authority(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::AuthorityRequest>();
  Verb& verb = program.add(
      "consortium", "authority",
      "Decide what sites may disclose, on records that only they can read",
      session.flow([request](const Run& run) { return flow::authority(*request, run); }));
  verb.not_a_job = true;
  verb.text("name", &request->name, "the authority").require();
}

void declare_site(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::SiteRequest>();
  Verb& verb = program.add(
      "consortium", "site", "Take part with this site's lists, and write what it may disclose",
      session.flow([request](const Run& run) { return flow::site(*request, run); }));
  verb.not_a_job = true;
  verb.text("name", &request->name, "the site").require();
  verb.file_read("identified", &request->identified, "its people: a column element").require();
  verb.file_read("deidentified", &request->deidentified, "its samples: a column element").require();
  verb.file_written("out", &request->out, "the samples that it may disclose")
      .replaces({"element\n"})
      .require();
}

void declare_finish(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::FinishRequest>();
  Verb& verb = program.add(
      "consortium", "finish", "Write the list of a site that was killed after the decision",
      session.flow([request](const Run& run) { return flow::finish(*request, run); }));
  verb.not_a_job = true;
  verb.text("name", &request->name, "the site").require();
  verb.file_read("commit", &request->commit, "NAME.commit.json of another participant")
      .unless_given("the commit had come before the site was killed");
}

void declare_plan(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::PlanRequest>();
  Verb& verb = program.add(
      "consortium", "plan", "Choose check rounds and dummies of stranon for the least bandwidth",
      session.flow([request](const Run& run) { return flow::plan(*request, run); }));
  verb.quick = true;
  Option& confidence = verb.number("confidence", &request->confidence, 0, 1,
                                   "how certainly a single cheat must be caught, such as 0.99");
  confidence.open = true;
  confidence.require();
  verb.whole_number("participants", &request->participants, 2, 64, "how many sites")
      .unless_given("those of --config, or 10");
  verb.whole_number("per-site", &request->records, 1, 4'000'000,
                    "records of every site, or of each")
      .separated_by_commas();
}

void declare_run(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::RunRequest>();
  Verb& verb =
      program.add("consortium", "run", "Run all participants on this machine, to try it out",
                  session.flow([request](const Run& run) { return flow::run_all(*request, run); }));
  verb.not_a_job = true;
  verb.folder_read("data", &request->data,
                   "a folder per site with identified.csv and deidentified.csv; disclosed.csv is "
                   "written there")
      .require();
}

void declare_union(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::UnionRequest>();
  Verb& verb =
      program.add("consortium", "union",
                  "What the sites have altogether or in common, without saying whose it is",
                  session.flow([request](const Run& run) { return flow::unite(*request, run); }));
  verb.not_a_job = true;
  verb.folder_read(
      "data", &request->data,
      "all on this machine: a folder per site with its list; union.csv is written there");
  verb.text("name", &request->name, "or one participant, in its own house");
  verb.file_read("elements", &request->elements, "of one site: its list, a column element");
  verb.file_written("out", &request->out, "of one site: the result").replaces({"element\n"});
  verb.choice("list", &request->list, {"deidentified", "identified"}, "of --data: which list");
  verb.choice("of", &request->of, {"all", "common"}, "what any site has, or what all have");
  verb.whole_number("minimum", &request->minimum, 1, 1'000'000'000,
                    "reveal nothing where there are fewer elements");
}

}  // namespace
}  // namespace consortium_verbs

void add_consortium(CommandLine& program, Session& session) {
  using namespace consortium_verbs;
  program.nouns.push_back(
      {"consortium", "Hospitals that may not see each other's data protect their trails together"});
  declare_init(program, session);
  declare_request(program, session);
  declare_authority(program, session);
  declare_site(program, session);
  declare_finish(program, session);
  declare_run(program, session);
  declare_plan(program, session);
  declare_union(program, session);
}

}  // namespace pratique::app
