// The consortium from files to files, on the loopback: what each flow writes, says and refuses.
#include "pratique/consortium/flow/participants.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <thread>

#include "pratique/consortium/flow/quota.h"
#include "pratique/consortium/guarded_list.h"
#include "pratique/consortium/testing/together.h"
#include "pratique/core/csv_field.h"
#include "pratique/core/file.h"
#include "pratique/kind/testing/flow_fixture.h"

namespace pratique::consortium::flow::participants_test {
namespace {

namespace fs = std::filesystem;

unsigned mode_of(const std::string& path) {
  return static_cast<unsigned>(fs::status(path).permissions());
}

class ConsortiumFlow : public FlowFixture {
 protected:
  // Certificates of three sites and the authority, and ports that are free.
  testing::Together together{3, 2};
  std::string data = path("data");

  ConsortiumFlow() {
    config = together.folder() + "/consortium.yaml";
    write_settings();
  }
  void write_settings() const { write_file_atomically(config, together.configuration.to_yaml()); }
  void lists(const std::string& site, const std::vector<std::string>& people,
             const std::vector<std::string>& samples) const {
    const auto text = [](const std::vector<std::string>& elements) {
      std::string all = "element\n";
      for (const auto& element : elements) all += csv_field(element) + "\n";
      return all;
    };
    file("data/" + site + "/identified.csv", text(people));
    file("data/" + site + "/deidentified.csv", text(samples));
  }
  // How many lines the three lists have, each sorted: of every sample at least one, as all can
  // leave.
  static std::size_t disclosed(const std::string& a, const std::string& b, const std::string& c) {
    std::size_t lines = 0;
    std::set<std::string> samples;
    for (const auto& path : {a, b, c}) {
      auto own = lines_of(path);
      EXPECT_EQ(own.at(0), "element");
      own.erase(own.begin());
      EXPECT_TRUE(std::is_sorted(own.begin(), own.end()));
      lines += own.size();
      samples.insert(own.begin(), own.end());
    }
    EXPECT_EQ(samples, (std::set<std::string>{"s1", "s2", "s3", "s4"}));
    return lines;
  }
  // The same four people, and their samples, everywhere: each sample may be anybody's.
  void everybody_everywhere() const {
    for (const char* site : {"H00", "H01", "H02"})
      lists(site, {"p1", "p2", "p3", "p4"}, {"s4", "s2", "s1", "s3"});
  }
  // Every participant in a thread of its own, with an engine of its own.
  template <class Participate>
  std::map<std::string, Outcome> apart(const Participate& participate) {
    std::map<std::string, Outcome> outcomes;
    std::mutex mutex;
    std::vector<std::jthread> threads;
    for (const auto& name : together.configuration.everybody()) {
      threads.emplace_back([&, name] {
        try {
          const auto own = Engine::duckdb({.threads = 1});
          Progress progress;
          Outcome outcome =
              participate(name, {.engine = *own, .progress = progress, .config = config});
          const std::lock_guard lock(mutex);
          outcomes.emplace(name, std::move(outcome));
        } catch (const std::exception& error) {
          ADD_FAILURE() << name << ": " << error.what();
        }
      });
    }
    threads.clear();  // all have ended
    return outcomes;
  }
  [[nodiscard]] std::string of(const std::string& site, const std::string& name) const {
    return data + "/" + site + "/" + name;
  }
};

TEST_F(ConsortiumFlow, InitWritesWhatWasAskedFor) {
  const InitRequest request{.sites = {"H2", "H1", "H3"},
                            .authority = "Boss",
                            .addresses = {"H1=h1.example.org:1", "Boss=10.0.0.7:65535"},
                            .port = 9000,
                            .k = 4,
                            .coalition = 2,
                            .method = "force",
                            .protocol = "stranon",
                            .alpha = 3,
                            .beta = 11,
                            .lock = 12,
                            .unicode = "nfkc",
                            .letters = "fold",
                            .blanks = "keep",
                            .dates = "day-first",
                            .batch = 64,
                            .records = 5000,
                            .quota = 7,
                            .sessions = 8,
                            .wait = 13,
                            .step = 14,
                            .clock = 15,
                            .out = path("C")};
  const Json result = *init(request, run()).result;
  EXPECT_EQ(result, (Json{{"config", path("C/consortium.yaml")},
                          {"authority", "Boss"},
                          {"sites", 3},
                          {"k", 4},
                          {"method", "force"},
                          {"protocol", "stranon"}}));
  const auto read = Configuration::read(path("C/consortium.yaml"));
  EXPECT_EQ(read.sites, (std::vector<std::string>{"H1", "H2", "H3"}));
  EXPECT_EQ(read.authority, "Boss");
  EXPECT_EQ(read.k, 4U);
  EXPECT_EQ(read.coalition, 2U);
  EXPECT_EQ(read.method, "force");
  EXPECT_EQ(read.protocol, "stranon");
  EXPECT_EQ(read.alpha, 3U);
  EXPECT_EQ(read.beta, 11U);
  EXPECT_EQ(read.lock, 12U);
  EXPECT_EQ(read.form.unicode, "nfkc");
  EXPECT_EQ(read.form.letters, "fold");
  EXPECT_EQ(read.form.blanks, "keep");
  EXPECT_EQ(read.form.dates, "day-first");
  EXPECT_EQ(read.batch, 64U);
  EXPECT_EQ(read.records, 5000U);
  EXPECT_EQ(read.quota, 7U);
  EXPECT_EQ(read.sessions, 8U);
  EXPECT_EQ(read.wait.count(), 13);
  EXPECT_EQ(read.step.count(), 14);
  EXPECT_EQ(read.clock.count(), 15);
  EXPECT_EQ(read.address("H1").host, "h1.example.org");
  EXPECT_EQ(read.address("H1").port, 1);
  EXPECT_EQ(read.address("Boss").host, "10.0.0.7");
  EXPECT_EQ(read.address("Boss").port, 65535);
  // The others from the first port on, each its own.
  EXPECT_EQ(read.address("H2").host, "127.0.0.1");
  std::set<int> ports;
  for (const auto& name : read.everybody()) ports.insert(read.address(name).port);
  EXPECT_EQ(ports.size(), 4U);
  for (const char* name : {"H2", "H3"}) {
    EXPECT_GE(read.address(name).port, 9000);
    EXPECT_LT(read.address(name).port, 9004);
  }
  EXPECT_EQ(mode_of(path("C")), 0700U);
  for (const char* name : {"ca", "Boss", "H1", "H2", "H3"})
    EXPECT_EQ(mode_of(path(fmt::format("C/{}.key", name))), 0600U) << name;
  for (const auto& name : read.everybody())
    EXPECT_EQ(Identity::load(read, name).everybody.size(), 4U) << name;
}

TEST_F(ConsortiumFlow, InitTakesTheRequestsOfThoseWhoMadeTheirOwnKey) {
  const Json asked = *request_certificate({.name = "H1", .out = path("house")}, run()).result;
  EXPECT_EQ(asked, (Json{{"key", path("house/H1.key")}, {"request", path("house/H1.csr")}}));
  EXPECT_EQ(mode_of(path("house/H1.key")), 0600U);
  fs::create_directories(path("requests"));
  fs::rename(path("house/H1.csr"), path("requests/H1.csr"));
  (void)init({.sites = {"H1", "H2"}, .k = 2, .requests = path("requests"), .out = path("C")},
             run());
  EXPECT_FALSE(fs::exists(path("C/H1.key")));
  EXPECT_TRUE(fs::exists(path("C/H2.key")));
  fs::copy(path("house/H1.key"), path("C/H1.key"));
  EXPECT_EQ(Identity::load(Configuration::read(path("C/consortium.yaml")), "H1").name, "H1");
}

TEST_F(ConsortiumFlow, AParticipantMayBeCalledAnything) {
  const std::vector<std::string> names = {"consortium", "the_consortium", "CA", "H-1.example"};
  (void)init({.sites = names, .out = path("C")}, run());
  const auto configuration = Configuration::read(path("C/consortium.yaml"));
  for (const auto& name : names) EXPECT_EQ(Identity::load(configuration, name).name, name);
}

TEST_F(ConsortiumFlow, ACoalitionLeavesSomebodyToBeProtected) {
  const auto refused = [&](std::size_t sites, std::uint64_t coalition) {
    InitRequest request{.coalition = coalition, .out = path("C")};
    for (std::size_t i = 0; i < sites; ++i) request.sites.push_back("H" + std::to_string(i));
    try {
      (void)init(request, run());
    } catch (const Error& error) {
      return error.message();
    }
    fs::remove_all(path("C"));
    return std::string();
  };
  EXPECT_EQ(refused(3, 2), "");
  EXPECT_EQ(refused(3, 3), "coalition is 3, of 3 sites");
  // 64 and 2,016 and 41,664 are few enough to be looked at; 635,376 more are not. Before anybody
  // has sent anything.
  EXPECT_EQ(refused(64, 3), "");
  EXPECT_EQ(refused(64, 4), "64 locations have too many coalitions of up to 4");
}

TEST_F(ConsortiumFlow, InitRefusesAddressesThatAreNone) {
  for (const char* address : {"H1", "H1=host", "H1:5=host", "H1=host:0", "H1=host:65536",
                              "H1=host:x", "H1=host:-1", "H9=host:1", "=host:1", "H1=h:"}) {
    EXPECT_NE(refusal([&] {
                return init(
                    {.sites = {"H1", "H2"}, .addresses = {address}, .k = 2, .out = path("C")},
                    run());
              }).find("NAME=HOST:PORT"),
              std::string::npos)
        << address;
  }
  EXPECT_FALSE(fs::exists(path("C")));
}

TEST_F(ConsortiumFlow, InitReplacesNoConsortium) {
  for (const char* name : {"consortium.yaml", "ca.pem", "ca.key"}) {
    const auto there = file(fmt::format("{}-there/{}", name, name), "kept");
    const auto out = path(fmt::format("{}-there", name));
    EXPECT_NE(refusal([&] {
                return init({.sites = {"H1", "H2"}, .k = 2, .out = out}, run());
              }).find(there),
              std::string::npos);
    EXPECT_EQ(read_file(there), "kept");
    EXPECT_EQ(std::distance(fs::directory_iterator(out), fs::directory_iterator()), 1);
  }
  // A folder that was there keeps its mode.
  fs::create_directories(path("mine"));
  fs::permissions(path("mine"), fs::perms{0755});
  (void)init({.sites = {"H1", "H2"}, .k = 2, .out = path("mine")}, run());
  EXPECT_EQ(mode_of(path("mine")), 0755U);
}

TEST_F(ConsortiumFlow, APlanSufficesAtEverySite) {
  config.clear();
  const Json result =
      *plan({.confidence = 0.9, .participants = 3, .records = {50, 400, 100}}, run()).result;
  EXPECT_EQ(result.at("confidence"), 0.9);
  EXPECT_EQ(result.at("sites"), 3);
  ASSERT_EQ(result.at("plan").size(), 3U);
  std::uint64_t bandwidth = 0;
  const std::uint64_t sizes[] = {50, 400, 100};
  for (std::size_t i = 0; i < 3; ++i) {
    const Json& one = result["plan"][i];
    const auto expected = plan_guards(3, sizes[i], sizes[i], 0.9);
    EXPECT_EQ(one, (Json{{"records", sizes[i]},
                         {"alpha", expected.rounds},
                         {"beta", expected.dummies},
                         {"lock", expected.lock},
                         {"bandwidth", expected.bandwidth},
                         {"key_switch_found", expected.key_switch_found},
                         {"grab_found", expected.grab_found}}));
    for (const char* key : {"alpha", "beta", "lock"})
      EXPECT_GE(result.at(key).get<std::uint64_t>(), one.at(key).get<std::uint64_t>()) << key;
    bandwidth += expected.bandwidth;
  }
  for (const char* key : {"alpha", "beta", "lock"}) {
    const auto& all = result["plan"];
    EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const Json& one) {
      return one.at(key) == result.at(key);
    })) << key;
  }
  EXPECT_EQ(result.at("bandwidth"), bandwidth);
  EXPECT_EQ(result.at("bytes"), 32 * bandwidth);
  // One number is for all sites, and the settings say how many these are.
  const Json alike = *plan({.confidence = 0.9, .participants = 4, .records = {50}}, run()).result;
  EXPECT_EQ(alike.at("plan").size(), 4U);
  config = together.folder() + "/consortium.yaml";
  EXPECT_EQ(
      plan({.confidence = 0.9, .participants = 9, .records = {50}}, run()).result->at("sites"), 3);
  EXPECT_NE(refusal([&] {
              return plan({.confidence = 0.9, .records = {50, 60}}, run());
            }).find("2 numbers for 3"),
            std::string::npos);
}

TEST_F(ConsortiumFlow, ASamplesListLeavesWhereEverybodyCouldBeMeant) {
  everybody_everywhere();
  const auto outcome = run_all({.data = data}, run());
  const Json result = *outcome.result;
  EXPECT_TRUE(outcome.passed);
  EXPECT_FALSE(result.contains("name"));
  EXPECT_EQ(result.at("protocol"), "proven");
  EXPECT_EQ(result.at("sites"), 3);
  EXPECT_EQ(result.at("k"), 2);
  EXPECT_EQ(result.at("disclosed"),
            disclosed(of("H00", "disclosed.csv"), of("H01", "disclosed.csv"),
                      of("H02", "disclosed.csv")));
  EXPECT_FALSE(result.contains("note"));
  EXPECT_GT(result.at("seconds").get<double>(), 0);
  for (const auto& check : result.at("checks")) EXPECT_EQ(check.at("held"), true) << check;
  // Sums over all; a byte that one sent another received.
  ASSERT_EQ(result.at("participants").size(), 4U);
  std::uint64_t operations = 0;
  std::uint64_t least = 0;
  std::uint64_t bytes = 0;
  std::set<std::string> names;
  for (const auto& one : result["participants"]) {
    names.insert(one.at("name").get<std::string>());
    operations += one.at("operations").get<std::uint64_t>();
    least += one.at("least_operations").get<std::uint64_t>();
    bytes += one.at("bytes").get<std::uint64_t>();
    EXPECT_EQ(one.at("session"), result.at("session"));
    if (one.at("name") != "A") {
      EXPECT_EQ(one.at("submitted"), 4);
      EXPECT_EQ(one.at("out"), of(one.at("name"), "disclosed.csv"));
    }
    EXPECT_FALSE(one.contains("note"));
  }
  EXPECT_EQ(names, (std::set<std::string>{"A", "H00", "H01", "H02"}));
  EXPECT_EQ(result.at("operations"), operations);
  EXPECT_EQ(result.at("least_operations"), least);
  EXPECT_EQ(result.at("bytes"), bytes / 2);
  // A person is shown less of each.
  for (const auto& one : outcome.for_a_person->at("participants")) {
    EXPECT_TRUE(one.contains("operations"));
    for (const char* key : {"protocol", "sites", "k", "checks", "session", "seed", "out", "note"})
      EXPECT_FALSE(one.contains(key)) << key;
  }
  for (const char* site : {"H00", "H01", "H02"}) {
    EXPECT_TRUE(fs::exists(together.folder() + "/" + site + ".commit.json"));
    EXPECT_EQ(mode_of(together.folder() + "/" + site + ".commit.json"), 0600U);
    EXPECT_FALSE(fs::exists(together.folder() + "/" + site + ".unfinished.json"));
    const auto manifest = manifest_of(of(site, "disclosed.csv"));
    EXPECT_EQ(manifest.at("kind"), "consortium");
    EXPECT_EQ(manifest.at("verb"), "run");
    EXPECT_EQ(manifest.at("parameters").at("session"), result.at("session"));
    EXPECT_FALSE(manifest.at("parameters").contains("earlier_session"));
  }
  EXPECT_TRUE(fs::exists(together.folder() + "/A.commit.json"));

  // Once more: what was written is replaced, and everybody is told.
  const Json again = *run_all({.data = data}, run()).result;
  EXPECT_NE(again.at("session"), result.at("session"));
  EXPECT_NE(again.at("note").get<std::string>().find("earlier session"), std::string::npos);
  for (const auto& one : again.at("participants")) EXPECT_TRUE(one.contains("note"));
  EXPECT_EQ(manifest_of(of("H01", "disclosed.csv")).at("parameters").at("earlier_session"),
            result.at("session"));
}

TEST_F(ConsortiumFlow, EachInItsOwnHouseWritesTheSame) {
  everybody_everywhere();
  const auto outcomes = apart([&](const std::string& name, const pratique::Run& own) {
    return name == "A" ? authority({.name = name}, own)
                       : site({.name = name,
                               .identified = of(name, "identified.csv"),
                               .deidentified = of(name, "deidentified.csv"),
                               .out = path(name + ".csv")},
                              own);
  });
  ASSERT_EQ(outcomes.size(), 4U);
  EXPECT_EQ(outcomes.at("A").result->at("disclosed"),
            disclosed(path("H00.csv"), path("H01.csv"), path("H02.csv")));
  const auto number = outcomes.at("A").result->at("seed");
  EXPECT_TRUE(number.is_number_unsigned());
  for (const auto& [name, outcome] : outcomes) {
    EXPECT_TRUE(outcome.passed) << name;
    EXPECT_EQ(outcome.result->at("name"), name);
    if (name == "A") continue;
    EXPECT_EQ(manifest_of(path(name + ".csv")).at("verb"), "site");
    EXPECT_FALSE(outcome.result->contains("seed"));
    EXPECT_EQ(read_json_file(together.folder() + "/" + name + ".sessions.json").size(), 2U);
  }
}

TEST_F(ConsortiumFlow, ASessionThatWasNotFinishedComesFirst) {
  everybody_everywhere();
  const auto kept = together.folder() + "/H01.unfinished.json";
  write_file_atomically(kept, "{}");
  const SiteRequest request{.name = "H01",
                            .identified = of("H01", "identified.csv"),
                            .deidentified = of("H01", "deidentified.csv"),
                            .out = path("H01.csv")};
  for (const auto& why : {refusal([&] { return site(request, run()); }),
                          refusal([&] { return run_all({.data = data}, run()); })}) {
    EXPECT_NE(why.find("H01 has a session that it did not finish"), std::string::npos);
    EXPECT_NE(why.find(kept), std::string::npos);
  }
  EXPECT_EQ(read_file(kept), "{}");
  EXPECT_FALSE(fs::exists(of("H00", "disclosed.csv")));
  fs::remove(kept);
  EXPECT_TRUE(run_all({.data = data}, run()).passed);
}

// Of what a site asks of the others there is an end, also where a session is cut short.
TEST_F(ConsortiumFlow, SessionsOfEachPairOfSitesAreCounted) {
  lists("H00", {"p1", "p2"}, {"s9", "s1"});  // s9 is nobody's: no session comes to its end
  lists("H01", {"p1", "p3"}, {"s9", "s1"});
  lists("H02", {"p2", "p3"}, {"s9", "s3"});
  together.configuration.sessions = 2;
  write_settings();
  const auto request = [&](const std::string& name) {
    return SiteRequest{.name = name,
                       .identified = of(name, "identified.csv"),
                       .deidentified = of(name, "deidentified.csv"),
                       .out = path(name + ".csv")};
  };
  for (int session = 1; session <= 2; ++session) {
    const auto outcomes = apart([&](const std::string& name, const pratique::Run& own) {
      return name == "A" ? authority({.name = name}, own) : site(request(name), own);
    });
    ASSERT_EQ(outcomes.size(), 4U);
    for (const auto& [name, outcome] : outcomes) EXPECT_FALSE(outcome.passed);
    for (const char* name : {"H00", "H01", "H02"})
      EXPECT_EQ(read_json_file(together.folder() + "/" + name + ".sessions.json").begin().value(),
                session);
  }
  const auto why = refusal([&] { return site(request("H00"), run()); });
  EXPECT_NE(why.find("all the sessions"), std::string::npos);
  EXPECT_NE(why.find("`sessions`"), std::string::npos);
  // Where all lists are in one house nobody is kept from anything.
  EXPECT_EQ(run_all({.data = data}, run()).result->at("checks").back().at("name"),
            "possible trails");
  EXPECT_EQ(read_json_file(together.folder() + "/H00.sessions.json").at("H01"), 2);
}

TEST_F(ConsortiumFlow, SpellingsOfAnElementAreTakenForOneAndTold) {
  // One sample at two sites, which only one person can have: nothing of it may leave twice.
  const auto filled = [](std::string first, const char* others, int count) {
    std::vector<std::string> all = {std::move(first)};
    for (int i = 0; i < count; ++i) all.push_back(others + std::to_string(i));
    return all;
  };
  lists("H00", filled("carla", "a", 6), filled("acgt", "sa", 5));
  lists("H01", filled("Carla", "b", 6), filled("ACGT", "sb", 5));
  lists("H02", filled("c", "c", 4), filled("sc", "sc", 3));
  const auto outcome = run_all({.data = data}, run());
  EXPECT_TRUE(outcome.passed);
  std::multiset<std::string> leave;
  for (const char* site : {"H00", "H01"})
    for (const auto& line : lines_of(of(site, "disclosed.csv"))) leave.insert(line);
  EXPECT_LE(leave.count("acgt") + leave.count("ACGT"), 1U);
  EXPECT_GT(leave.size(), 2U);
  for (const auto& one : outcome.result->at("participants")) EXPECT_FALSE(one.contains("note"));
  lists("H02", filled("C0", "c", 4), filled("SC0", "sc", 3));  // in one list
  const Json told = *run_all({.data = data}, run()).result;
  for (const auto& one : told.at("participants"))
    EXPECT_EQ(one.value("note", "").find("spellings") != std::string::npos,
              one.at("name") == "H02");
}

TEST_F(ConsortiumFlow, WhatCannotBeDisclosedSafelyIsNotWritten) {
  together.configuration.coalition = 2;
  write_settings();
  // Two sites that pool what they know have all samples but one's.
  lists("H00", {"p1", "p2"}, {"s1", "s2"});
  lists("H01", {"p1"}, {"s1"});
  lists("H02", {"p2"}, {"s2"});
  const auto outcome = run_all({.data = data}, run());
  EXPECT_FALSE(outcome.passed);
  EXPECT_EQ(outcome.result->at("disclosed"), 0);
  EXPECT_NE(outcome.result->at("note").get<std::string>().find("nothing was written"),
            std::string::npos);
  for (const auto& one : outcome.result->at("participants"))
    EXPECT_NE(one.at("note").get<std::string>().find("nothing was written"), std::string::npos);
  for (const char* site : {"H00", "H01", "H02"}) {
    EXPECT_FALSE(fs::exists(of(site, "disclosed.csv")));
    EXPECT_FALSE(fs::exists(together.folder() + "/" + site + ".commit.json"));
  }
  EXPECT_FALSE(fs::exists(together.folder() + "/A.commit.json"));
}

TEST_F(ConsortiumFlow, ASampleOfNobodyEndsTheSessionForAll) {
  // Nobody was seen at all three sites, and a sample was.
  lists("H00", {"p1", "p2"}, {"s9", "s1"});
  lists("H01", {"p1", "p3"}, {"s9", "s1"});
  lists("H02", {"p2", "p3"}, {"s9", "s3"});
  const auto outcome = run_all({.data = data}, run());
  EXPECT_FALSE(outcome.passed);
  EXPECT_EQ(outcome.result->at("disclosed"), 0);
  EXPECT_TRUE(outcome.result->contains("culprit"));
  EXPECT_NE(outcome.result->at("note").get<std::string>().find("possible trails"),
            std::string::npos);
  const auto& checks = outcome.result->at("checks");
  EXPECT_EQ(std::count_if(checks.begin(), checks.end(),
                          [](const Json& one) { return one.at("held") == false; }),
            1);
  for (const char* site : {"H00", "H01", "H02"}) {
    EXPECT_FALSE(fs::exists(of(site, "disclosed.csv")));
    EXPECT_FALSE(fs::exists(together.folder() + "/" + site + ".unfinished.json"));
  }
}

// A count would tell a site that made up a list at how many sites what it made up is.
TEST_F(ConsortiumFlow, NoSiteIsToldHowManySamplesAreOfNobody) {
  std::set<std::string> told;
  for (const bool two : {false, true}) {
    lists("H00", {"p1", "p2"}, {"s9", two ? "s8" : "s1"});
    lists("H01", {"p1", "p3"}, {"s9", two ? "s8" : "s1"});
    lists("H02", {"p2", "p3"}, {"s9", two ? "s8" : "s3"});
    const auto outcome = run_all({.data = data}, run());
    for (const auto& one : outcome.result->at("participants")) {
      const auto note = one.at("note").get<std::string>();
      if (one.at("name") != "A") told.insert(note);
      EXPECT_EQ(note.find(two ? "there are 2," : "there are 1,") != std::string::npos,
                one.at("name") == "A");
    }
  }
  EXPECT_EQ(told.size(), 1U);
  EXPECT_EQ(told.begin()->find_first_of("0123456789"), std::string::npos);
}

// Two runs over one folder follow each other: the second reads nothing while the first is at work.
TEST_F(ConsortiumFlow, ARunWaitsForAnotherOverTheSameFolder) {
  fs::create_directories(data);
  std::optional<FolderLock> other(std::in_place, data + "/consortium");
  Progress progress;
  Outcome outcome;
  std::string refused;
  std::jthread second([&] {
    pratique::Run own = run();
    try {
      outcome =
          run_all({.data = data}, {.engine = own.engine, .progress = progress, .config = config});
    } catch (const Error& error) {
      refused = error.message();
    }
  });
  const auto waits = [&] {
    return progress.snapshot().step == "waiting for another run over this folder";
  };
  for (int i = 0; i < 10'000 && !waits(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_TRUE(waits());
  // Without folders of the sites it would be refused now.
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_TRUE(waits());
  everybody_everywhere();
  other.reset();
  second.join();
  EXPECT_EQ(refused, "");
  EXPECT_TRUE(outcome.passed);
}

TEST_F(ConsortiumFlow, RefusesFoldersAndFilesThatAreNotItsOwn) {
  everybody_everywhere();
  file("data/H02/disclosed.csv", "elements\nmine\n");
  EXPECT_NE(refusal([&] { return run_all({.data = data}, run()); }).find("did not write it"),
            std::string::npos);
  EXPECT_EQ(read_file(of("H02", "disclosed.csv")), "elements\nmine\n");
  file("data/H02/disclosed.csv", "");  // nothing is lost
  fs::remove_all(of("H01", ""));
  EXPECT_NE(refusal([&] { return run_all({.data = data}, run()); }).find("no folder of H01"),
            std::string::npos);
  for (const char* site : {"H00", "H02"})
    EXPECT_FALSE(fs::exists(of(site, "disclosed.csv.manifest.json")));
  config.clear();
  EXPECT_NE(refusal([&] { return run_all({.data = data}, run()); }).find("--config"),
            std::string::npos);
}

TEST_F(ConsortiumFlow, OnlyParticipantsTakePartEachInItsOwnRole) {
  const auto refused = [&](const auto& call) {
    return refusal(call).find("of this consortium") != std::string::npos;
  };
  EXPECT_TRUE(refused([&] { return authority({.name = "H00"}, run()); }));
  EXPECT_TRUE(refused([&] { return authority({.name = "B"}, run()); }));
  EXPECT_TRUE(refused([&] { return site({.name = "A"}, run()); }));
  EXPECT_TRUE(refused([&] { return site({.name = "H9"}, run()); }));
  EXPECT_TRUE(refused([&] { return finish({.name = "A"}, run()); }));
  EXPECT_TRUE(refused([&] { return unite({.name = "H9"}, run()); }));
  lists("H00", {"p"}, {"s"});
  const auto own = of("H00", "deidentified.csv");
  EXPECT_NE(refusal([&] {
              return site({.name = "H00",
                           .identified = of("H00", "identified.csv"),
                           .deidentified = own,
                           .out = own},
                          run());
            }),
            "");
  EXPECT_EQ(read_file(own), "element\ns\n");
}

class ConsortiumUnion : public ConsortiumFlow {
 protected:
  ConsortiumUnion() {
    lists("H00", {"p1"}, {"b", "a"});
    lists("H01", {"p1", "p2"}, {"a", "c,d"});
    lists("H02", {"p3"}, {"a"});
  }
  std::string united(const std::string& site) const { return read_file(of(site, "union.csv")); }
};

TEST_F(ConsortiumUnion, IsWhatAnyHasOrWhatAllHave) {
  const auto outcome = unite({.data = data}, run());
  EXPECT_TRUE(outcome.passed);
  EXPECT_EQ(outcome.result->at("of"), "all");
  EXPECT_EQ(outcome.result->at("participants").size(), 4U);
  for (const char* site : {"H00", "H01", "H02"}) {
    EXPECT_EQ(united(site), "element\na\nb\n\"c,d\"\n");
    EXPECT_EQ(mode_of(of(site, "union.csv")), 0600U);
    EXPECT_EQ(read_json_file(together.folder() + "/" + site + ".unions.json").size(), 2U);
  }
  for (const auto& one : outcome.result->at("participants"))
    EXPECT_EQ(one.contains("out"), one.at("name") != "A");
  (void)unite({.data = data, .of = "common"}, run());
  EXPECT_EQ(united("H01"), "element\na\n");
  // The third and last of the three that they may have: of the people.
  (void)unite({.data = data, .list = "identified"}, run());
  EXPECT_EQ(united("H01"), "element\np1\np2\np3\n");
  EXPECT_EQ(read_json_file(together.folder() + "/H00.unions.json"), (Json{{"H01", 3}, {"H02", 3}}));
  EXPECT_NE(refusal([&] { return unite({.data = data}, run()); }).find("all the unions"),
            std::string::npos);
}

TEST_F(ConsortiumUnion, FewerThanTheMinimumAreNotRevealed) {
  const auto outcome = unite({.data = data, .minimum = 4}, run());
  EXPECT_FALSE(outcome.passed);
  EXPECT_FALSE(fs::exists(of("H00", "union.csv")));
  EXPECT_NE(outcome.result->at("note").get<std::string>().find("minimum"), std::string::npos);
  EXPECT_TRUE(unite({.data = data, .minimum = 3}, run()).passed);
  // That it was too few was an answer, too.
  EXPECT_EQ(read_json_file(together.folder() + "/H00.unions.json").at("H01"), 2);
}

TEST_F(ConsortiumUnion, OneParticipantInItsOwnHouse) {
  const auto outcomes = apart([&](const std::string& name, const pratique::Run& own) {
    UnionRequest request{.name = name};
    if (name != "A") {
      request.elements = of(name, "deidentified.csv");
      request.out = path(name + ".csv");
    }
    return unite(request, own);
  });
  ASSERT_EQ(outcomes.size(), 4U);
  for (const auto& [name, outcome] : outcomes) EXPECT_TRUE(outcome.passed) << name;
  for (const char* name : {"H00", "H01", "H02"})
    EXPECT_EQ(read_file(path(fmt::format("{}.csv", name))), "element\na\nb\n\"c,d\"\n");
}

TEST_F(ConsortiumUnion, RefusesWhatItCannotDo) {
  const auto why = [&](const UnionRequest& request) {
    return refusal([&] { return unite(request, run()); });
  };
  EXPECT_NE(why({}).find("--name"), std::string::npos);
  EXPECT_NE(why({.data = data, .name = "H00"}).find("--name"), std::string::npos);
  EXPECT_NE(why({.name = "H00", .out = path("o")}).find("--elements"), std::string::npos);
  EXPECT_NE(why({.name = "H00", .elements = of("H00", "deidentified.csv")}).find("--elements"),
            std::string::npos);
  const auto own = of("H00", "deidentified.csv");
  EXPECT_NE(why({.name = "H00", .elements = own, .out = own}), "");
  lists("H02", {"p"}, {});
  EXPECT_NE(why({.data = data}).find("no elements"), std::string::npos);
  lists("H02", {"p"}, {std::string(119, 'x')});  // one byte more than a point takes
  EXPECT_NE(why({.data = data}), "");
  lists("H02", {"p"}, {std::string(118, 'x')});
  file("data/H01/union.csv", "mine\n");
  EXPECT_NE(why({.data = data}).find("did not write it"), std::string::npos);
  EXPECT_EQ(read_file(of("H01", "union.csv")), "mine\n");
  fs::remove(of("H01", "union.csv"));
  EXPECT_TRUE(unite({.data = data}, run()).passed);
}

TEST_F(ConsortiumUnion, AQuotaIsSpentWithEachSiteAlone) {
  together.configuration.quota = 2;
  const auto& settings = together.configuration;
  const auto counts = together.folder() + "/H00.unions.json";
  Quota quota(settings, "H00", Quota::Of::unions);
  EXPECT_FALSE(fs::exists(counts));
  quota.spend();
  EXPECT_EQ(read_json_file(counts), (Json{{"H01", 1}, {"H02", 1}}));
  EXPECT_EQ(mode_of(counts), 0600U);
  // What is counted of others stays, and a site that is new begins at none.
  write_file_atomically(counts, R"({"H02":1,"H77":2})");
  Quota(settings, "H00", Quota::Of::unions).spend();
  const Json counted = read_json_file(counts);
  EXPECT_EQ(counted.at("H01"), 1);
  EXPECT_EQ(counted.at("H02"), 2);
  EXPECT_EQ(counted.at("H77"), 2);
  EXPECT_THROW(Quota(settings, "H00", Quota::Of::unions), Error);
  EXPECT_THROW(quota.spend(), Error);
  EXPECT_EQ(read_json_file(counts).at("H01"), 1);
  EXPECT_NO_THROW(Quota(settings, "H01", Quota::Of::unions));
  // What cannot be read counts as spent; a file of something else as none.
  write_file_atomically(counts, R"({"H01":"x"})");
  EXPECT_THROW(Quota(settings, "H00", Quota::Of::unions), Error);
  write_file_atomically(counts, "[]");
  Quota(settings, "H00", Quota::Of::unions).spend();
  EXPECT_EQ(read_json_file(counts), (Json{{"H01", 1}, {"H02", 1}}));
}

}  // namespace
}  // namespace pratique::consortium::flow::participants_test
