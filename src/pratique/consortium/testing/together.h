// A consortium on the loopback for tests, each participant in its own thread with its own sockets,
// any of which may misbehave.
#pragma once

#include <algorithm>
#include <atomic>
#include <csignal>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "pratique/consortium/authority.h"
#include "pratique/consortium/site.h"
#include "pratique/core/file.h"
#include "pratique/crypto/random.h"
#include "pratique/trails/method/protection.h"

namespace pratique::consortium::testing {

using Points = std::vector<Point>;
using Trail = std::vector<std::size_t>;

// Thrown by a participant that dies without a word.
struct Killed {};

struct PlainLists {
  std::vector<std::string> samples;
  std::vector<std::string> people;

  [[nodiscard]] SiteLists packed() const {
    return {ElementList::of(samples), ElementList::of(people)};
  }
};

// What a participant does otherwise than it should.
struct Conduct {
  std::function<void(const Scalar& key, Points& raised)> raised = {};
  std::function<void(const Scalar& key, const std::string& owner, Points& lowered)> lowered = {};
  std::function<void(SiteStep)> reached = {};
  std::function<void(const Message&)> saw = {};
};

class MisbehavingSite final : public Site {
 public:
  MisbehavingSite(const Configuration& configuration, const Identity& identity, SiteLists lists,
                  Conduct conduct)
      : Site(configuration, identity, std::move(lists), Progress::silent()),
        conduct_(std::move(conduct)) {}

 protected:
  Points raise(const Scalar& key, const std::string& owner, const Points& points) override {
    Points raised = Site::raise(key, owner, points);
    if (conduct_.raised) conduct_.raised(key, raised);
    return raised;
  }
  Points lower(const Scalar& key, const std::string& owner, const Points& points) override {
    Points lowered = Site::lower(key, owner, points);
    if (conduct_.lowered) conduct_.lowered(key, owner, lowered);
    return lowered;
  }
  void reached(SiteStep step) override {
    if (conduct_.reached) conduct_.reached(step);
  }
  void saw(const Message& message) override {
    if (conduct_.saw) conduct_.saw(message);
  }

 private:
  Conduct conduct_;
};

struct AuthorityConduct {
  std::function<void(AuthorityStep)> reached = {};
  std::function<void(Decision&)> decided = {};
  std::function<void(const Message&)> saw = {};
};

class MisbehavingAuthority final : public Authority {
 public:
  MisbehavingAuthority(const Configuration& configuration, const Identity& identity, Engine& engine,
                       AuthorityConduct conduct)
      : Authority(configuration, identity, engine, Progress::silent()),
        conduct_(std::move(conduct)) {}

 protected:
  void reached(AuthorityStep step) override {
    if (conduct_.reached) conduct_.reached(step);
  }
  void decided(Decision& decision) override {
    if (conduct_.decided) conduct_.decided(decision);
  }
  void saw(const Message& message) override {
    if (conduct_.saw) conduct_.saw(message);
  }

 private:
  AuthorityConduct conduct_;
};

class Together {
 public:
  Together(std::size_t sites, std::uint64_t k) : engine_(Engine::duckdb()) {
    for (std::size_t i = 0; i < sites; ++i)
      configuration.sites.push_back((i < 10 ? "H0" : "H") + std::to_string(i));
    std::signal(SIGPIPE, SIG_IGN);  // of TLS
    configuration.k = k;
    configuration.batch = 8;
    configuration.wait = std::chrono::seconds(20);
    configuration.step = std::chrono::seconds(20);
    configuration.folder = folder_.path();
    std::vector<std::unique_ptr<net::Listener>> ports;  // all at once, so that they differ
    make_certificate_authority(folder_.path());
    for (const auto& name : configuration.everybody()) {
      ports.push_back(free_port());
      configuration.addresses.push_back({name, "127.0.0.1", ports.back()->port()});
      make_key(folder_.path(), name);
      certify(folder_.path(), name, "127.0.0.1");
    }
    lists.resize(sites);
    conduct.resize(sites);
  }

  // Person i has sample i; everybody is at one site at least.
  void fill(std::size_t people, double chance, SeededRandom& random) {
    for (std::size_t i = 0; i < people; ++i) {
      const std::size_t sure = random.below(lists.size());
      for (std::size_t c = 0; c < lists.size(); ++c) {
        if (c != sure && !random.chance(chance)) continue;
        lists[c].people.push_back("person " + std::to_string(i));
        lists[c].samples.push_back("sample " + std::to_string(i));
      }
    }
  }

  void run() {
    written.clear();
    failed.clear();
    std::vector<std::jthread> threads;
    threads.emplace_back([&] {
      guard(configuration.authority, [&](const Identity& identity) {
        report = MisbehavingAuthority(configuration, identity, *engine_, authority).run();
      });
    });
    for (std::size_t c = 0; c < lists.size(); ++c) {
      if (configuration.sites[c] == absent) continue;
      threads.emplace_back([&, c] {
        guard(configuration.sites[c], [&](const Identity& identity) {
          MisbehavingSite site(configuration, identity, lists[c].packed(), conduct[c]);
          std::set<std::string> chosen;
          (void)site.run(
              [&](const SiteDecision& decision) {
                for (const auto place : decision.disclosed) chosen.insert(lists[c].samples[place]);
                return Sha256Digest{};
              },
              [&](const Signature&) {
                const std::lock_guard lock(mutex_);
                written[configuration.sites[c]] = chosen;
              });
        });
      });
    }
  }

  // The trails that each site discloses, by counting: samples with equal trails are alike.
  [[nodiscard]] std::multiset<std::pair<std::size_t, Trail>> disclosed_trails() const {
    std::map<std::string, Trail> trails;
    for (std::size_t c = 0; c < lists.size(); ++c)
      for (const auto& sample : lists[c].samples) trails[sample].push_back(c);
    std::multiset<std::pair<std::size_t, Trail>> result;
    for (std::size_t c = 0; c < lists.size(); ++c)
      for (const auto& sample : written.at(configuration.sites[c]))
        result.emplace(c, trails.at(sample));
    return result;
  }

  // The same in the clear.
  [[nodiscard]] std::multiset<std::pair<std::size_t, Trail>> in_the_clear() const {
    std::map<std::string, Trail> people;
    std::map<std::string, Trail> samples;
    for (std::size_t c = 0; c < lists.size(); ++c) {
      for (const auto& person : lists[c].people) people[person].push_back(c);
      for (const auto& sample : lists[c].samples) samples[sample].push_back(c);
    }
    const auto sorted = [](const std::map<std::string, Trail>& of) {
      std::vector<Trail> trails;
      for (const auto& [name, trail] : of) trails.push_back(trail);
      std::ranges::sort(trails);
      return trails;
    };
    const auto at = [&](const std::vector<Trail>& trails) {
      trails::LocationLists held(lists.size());
      for (std::size_t i = 0; i < trails.size(); ++i)
        for (const auto c : trails[i]) held[c].push_back(static_cast<trails::Id>(i));
      return held;
    };
    const auto of_people = sorted(people);
    const auto of_samples = sorted(samples);
    const trails::Holdings holdings{of_people.size(), of_samples.size(), at(of_people),
                                    at(of_samples)};
    const auto protection = trails::protect(
        holdings,
        {.k = configuration.k, .method = configuration.method, .secure = true, .seed = report.seed},
        Progress::silent());
    std::multiset<std::pair<std::size_t, Trail>> result;
    for (std::size_t c = 0; c < lists.size(); ++c)
      for (const auto id : protection.allocation[c]) result.emplace(c, of_samples[id]);
    return result;
  }

  [[nodiscard]] const std::string& folder() const { return folder_.path(); }

  Configuration configuration;
  std::vector<PlainLists> lists;
  std::vector<Conduct> conduct;  // by site
  AuthorityConduct authority = {};
  std::string absent;  // a site that the test plays itself
  Report report;
  std::map<std::string, std::set<std::string>> written;
  std::map<std::string, std::string> failed;  // by participant: check and culprit, or the message

 private:
  // Not one that the system gives to whoever connects: it may be taken again before it is used. And
  // none twice, as several consortia begin at once.
  static std::unique_ptr<net::Listener> free_port() {
    static std::atomic<unsigned> next{static_cast<unsigned>(secure_u64() % 20'000)};
    while (true) {
      try {
        return std::make_unique<net::Listener>("127.0.0.1",
                                               static_cast<int>(10'000 + next++ % 20'000));
      } catch (const Error&) {  // NOLINT(bugprone-empty-catch): the next one
      }
    }
  }

  void guard(const std::string& name, const std::function<void(const Identity&)>& body) {
    std::string why;
    try {
      const Identity identity = Identity::load(configuration, name);
      body(identity);
      return;
    } catch (const Killed&) {
      why = "killed";
    } catch (const CheckFailed& error) {
      why = error.check() + "/" + error.culprit();
    } catch (const Aborted& error) {
      why = error.check().empty() ? error.message() : error.check() + "/" + error.culprit();
    } catch (const Error& error) {
      why = error.message();
    }
    const std::lock_guard lock(mutex_);
    failed[name] = why;
  }

  PrivateFolder folder_;
  std::unique_ptr<Engine> engine_;
  std::mutex mutex_;
};

}  // namespace pratique::consortium::testing
