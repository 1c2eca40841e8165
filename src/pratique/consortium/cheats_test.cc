// Participants that really misbehave, each against a whole consortium on the loopback.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "pratique/consortium/accusation.h"
#include "pratique/consortium/testing/together.h"

namespace pratique::consortium::cheats_test {
namespace {

using testing::Killed;
using testing::Points;
using testing::Together;
using namespace std::chrono_literals;

double seconds_of(Together& together) {
  const auto began = std::chrono::steady_clock::now();
  together.run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

TEST(Cheats, WhoeverAltersRecordsIsNamedAndNobodyWritesAnything) {
  const auto other = Scalar::random();
  const auto switched = [&](std::size_t count) {
    return [&, count](const Scalar& key, Points& p) {
      for (std::size_t i = 0; i < std::min(count, p.size()); ++i)
        p[i] = (key.inverse() * other) * p[i];
    };
  };
  const std::map<std::string, std::function<void(const Scalar&, Points&)>> cheats = {
      {"one record under another key", switched(1)},
      {"five records", switched(5)},
      {"all records", switched(1000)},
      {"half of them",
       [&](const Scalar& key, Points& p) {
         for (std::size_t i = 0; i < p.size(); i += 2) p[i] = (key.inverse() * other) * p[i];
       }},
      {"one dropped", [](const Scalar&, Points& p) { p.pop_back(); }},
      {"one doubled", [](const Scalar&, Points& p) { p[0] = p.back(); }},
      {"one added", [](const Scalar&, Points& p) { p.push_back(p.back()); }},
      {"two exchanged", [](const Scalar&, Points& p) { std::swap(p[0], p[1]); }},
  };
  SeededRandom random(5);
  for (const auto& [what, raised] : cheats) {
    Together together(3, 2);
    together.fill(16, 0.6, random);
    together.conduct[1].raised = raised;
    together.run();
    EXPECT_TRUE(together.written.empty()) << what;
    EXPECT_EQ(together.failed.size(), 4U) << what;  // nobody goes on
    // Both others saw it, and whoever is first tells everybody.
    for (const char* name : {"A", "H00", "H02"})
      EXPECT_EQ(together.failed[name], "proofs/H01") << what << ", " << name;
  }
}

TEST(Cheats, TwoSitesTogetherCannotMendEachOthersAlterations) {
  // One multiplies by c, the other by 1/c: all is right in the end, and each hop is refused.
  const auto c = Scalar::random();
  SeededRandom random(5);
  Together together(4, 2);
  together.fill(16, 0.6, random);
  together.conduct[1].raised = [&](const Scalar&, Points& p) { p[0] = c * p[0]; };
  together.conduct[2].raised = [&](const Scalar&, Points& p) { p[0] = c.inverse() * p[0]; };
  together.run();
  EXPECT_TRUE(together.written.empty());
  EXPECT_EQ(together.failed.size(), 5U);
  // Whoever is first tells the authority, and the cheats refuse each other, too.
  EXPECT_TRUE(together.failed["A"] == "proofs/H01" || together.failed["A"] == "proofs/H02")
      << together.failed["A"];
}

TEST(Cheats, WhoeverTakesItsAnswersAndGoesGetsNoDecision) {
  SeededRandom random(5);
  Together together(3, 2);
  together.configuration.step = 2s;
  together.fill(16, 0.6, random);
  bool decided = false;
  std::atomic<bool> done{false};
  // It answers nobody any more once it has sent its own list.
  together.conduct[1].raised = [&](const Scalar&, Points& /*raised*/) {
    while (!done) std::this_thread::sleep_for(10ms);
    throw Killed{};
  };
  together.conduct[1].reached = [&](SiteStep step) {
    if (step == SiteStep::has_decision) decided = true;
    if (step == SiteStep::sent_lists) done = true;
  };
  EXPECT_LT(seconds_of(together), 15);
  EXPECT_FALSE(decided);
  EXPECT_TRUE(together.written.empty());
  EXPECT_EQ(together.failed.size(), 4U);
}

// Against the thesis's protocol. Who it was nobody can tell there.
TEST(Cheats, TheThesissChecksFindKeySwitchesAndGrabs) {
  const auto other = Scalar::random();
  SeededRandom random(5);
  std::map<std::string, std::size_t> sizes;
  std::map<std::string, std::string> failed;
  const auto attempt = [&](const testing::Conduct& conduct) {
    Together together(3, 2);
    together.configuration.protocol = "stranon";
    together.configuration.beta = 30;
    together.configuration.lock = 60;
    together.fill(16, 0.6, random);
    for (std::size_t c = 0; c < 3; ++c)
      sizes[together.configuration.sites[c]] =
          together.lists[c].samples.size() + together.lists[c].people.size();
    together.conduct[1] = conduct;
    together.run();
    EXPECT_TRUE(together.written.empty());
    EXPECT_EQ(together.failed.size(), 4U);
    failed = together.failed;
    return together.failed["A"];
  };
  const auto under_another = [&](const Scalar& key, Points& p) {
    for (auto& x : p) x = (key.inverse() * other) * x;
  };
  // Every second batch under another key.
  std::atomic<int> calls{0};
  EXPECT_EQ(attempt({.raised =
                         [&](const Scalar& key, Points& p) {
                           if (calls++ % 2 == 0) under_another(key, p);
                         },
                     .lowered = {}}),
            "partial key switch/");
  // One record of a batch, five, and half of it.
  for (const std::size_t count : {1U, 5U, 0U}) {
    EXPECT_EQ(attempt({.raised =
                           [&](const Scalar& key, Points& p) {
                             const std::size_t all = count == 0 ? p.size() / 2 : count;
                             for (std::size_t i = 0; i < std::min(all, p.size()); ++i)
                               p[i] = (key.inverse() * other) * p[i];
                           }}),
              "partial key switch/")
        << count;
  }
  // Dropped: whoever gets the list refuses it. What reaches the authority first may be that the
  // cheat found its line closed.
  (void)attempt({.raised = [](const Scalar&, Points& p) { p.pop_back(); }});
  EXPECT_TRUE(std::ranges::any_of(
      failed, [](const auto& of) { return of.first != "H01" && of.second.starts_with("points"); }));
  // Doubled.
  EXPECT_EQ(attempt({.raised = [](const Scalar&, Points& p) { p[0] = p.back(); }}),
            "partial key switch/");
  // All that anybody asks for, and decrypted rightly: only the common dummy tells.
  EXPECT_EQ(attempt({.raised = under_another,
                     .lowered =
                         [&](const Scalar& key, const std::string&, Points& p) {
                           for (auto& x : p) x = (other.inverse() * key) * x;
                         }}),
            "full key switch/");
  // Right in the checks, and wrong in all that comes after them.
  std::map<std::string, std::size_t> asked;
  std::mutex mutex;
  EXPECT_EQ(attempt({.raised = {},
                     .lowered =
                         [&](const Scalar&, const std::string& owner, Points& p) {
                           const std::lock_guard lock(mutex);
                           const std::size_t checked = sizes[owner] + 2 * std::size_t{31};
                           asked[owner] += p.size();
                           if (asked[owner] <= checked) return;
                           for (auto& x : p) x = other * x;
                         }})
                .substr(0, 5),
            "lock/");
}

TEST(Cheats, TrailsThatCannotBeAreDetected) {
  Together together(2, 2);
  SeededRandom random(5);
  together.fill(12, 0.5, random);
  // A sample at both sites, and nobody who is at both.
  for (auto& list : together.lists) {
    for (auto& person : list.people) person += &list == together.lists.data() ? " a" : " b";
  }
  together.lists[0].samples.front() = together.lists[1].samples.front() = "shared";
  together.run();
  EXPECT_TRUE(together.written.empty());
  EXPECT_EQ(together.failed["A"], "possible trails/");
}

// Three samples at both sites, and two people who are.
TEST(Cheats, MoreSamplesThanPeopleTheyCouldBelongToAreDetected) {
  for (const bool possible : {true, false}) {
    Together together(2, 2);
    for (std::size_t c = 0; c < 2; ++c) {
      for (int i = 0; i < 3; ++i)
        together.lists[c].samples.push_back("sample " + std::to_string(i));
      for (int i = 0; i < 6; ++i) {
        const bool common = i < (possible ? 3 : 2);
        together.lists[c].people.push_back(
            "person " + std::to_string(common ? i : i + 10 * static_cast<int>(c)));
      }
    }
    together.run();
    EXPECT_EQ(together.written.empty(), !possible);
    EXPECT_EQ(together.failed["A"], possible ? "" : "possible trails/");
  }
}

// With one sample alone it would know which encrypted record that is, and where else it was.
TEST(Cheats, AnAuthorityThatSinglesASampleOutIsRefused) {
  for (const char* protocol : {"proven", "stranon"}) {
    SeededRandom random(5);
    Together together(3, 3);
    together.configuration.protocol = protocol;
    together.fill(16, 0.6, random);
    together.authority.decided = [](Decision& decision) {
      auto& bits = decision.disclosed[1];
      std::fill(bits.begin(), bits.end(), false);
      bits[4] = true;
      bits[2] = true;
    };
    together.run();
    EXPECT_TRUE(together.written.empty()) << protocol;
    EXPECT_EQ(together.failed["H01"], "decision/A") << protocol;
    EXPECT_EQ(together.failed.size(), 4U) << protocol;
  }
}

TEST(Cheats, ARecordTwiceIsRefused) {
  Together together(2, 2);
  SeededRandom random(5);
  together.fill(12, 0.5, random);
  together.lists[1].samples.back() = together.lists[1].samples.front();
  together.run();
  EXPECT_TRUE(together.written.empty());
  EXPECT_EQ(together.failed["H00"], "no record twice/H01");
}

TEST(Cheats, StrangersAreNotHeardAndChangeNothing) {
  SeededRandom random(5);
  Together together(3, 2);
  Together elsewhere(3, 2);  // the same names, signed by somebody else
  together.fill(16, 0.6, random);
  const Identity stranger = Identity::load(elsewhere.configuration, "H01");
  std::atomic<bool> done{false};
  std::jthread knocks([&] {
    while (!done) {
      for (const auto& at : together.configuration.addresses) {
        try {
          auto plain = net::Socket::connect(at.host, at.port, net::within(200ms));
          plain.write("GET / HTTP/1.0\r\n\r\n", net::within(100ms));
        } catch (const Error&) {
        }
        try {
          auto socket =
              net::Socket::connect(at.host, at.port, net::within(200ms), &stranger.client);
        } catch (const Error&) {
        }
      }
      std::this_thread::sleep_for(50ms);
    }
  });
  together.run();
  done = true;
  EXPECT_TRUE(together.failed.empty()) << together.failed.begin()->second;
  EXPECT_EQ(together.disclosed_trails(), together.in_the_clear());
}

// They connect, and hold the line.
TEST(Cheats, StrangersWhoSayNothingKeepNobodyWaiting) {
  SeededRandom random(5);
  Together together(3, 2);
  together.fill(16, 0.6, random);
  std::vector<net::Socket> silent;
  std::jthread callers([&](const std::stop_token& ended) {
    std::map<std::string, int> calls;
    while (!ended.stop_requested()) {
      for (const auto& at : together.configuration.addresses) {
        if (calls[at.name] >= 20) continue;
        try {
          silent.push_back(net::Socket::connect(at.host, at.port, net::within(200ms)));
          ++calls[at.name];
        } catch (const Error&) {  // it does not listen yet
        }
      }
      std::this_thread::sleep_for(1ms);
    }
  });
  // One after the other they would take a minute at each door.
  EXPECT_LT(seconds_of(together), 15);
  EXPECT_TRUE(together.failed.empty()) << together.failed.begin()->second;
  EXPECT_EQ(together.written.size(), 3U);
}

// A member who talks to another as it likes: what it sends goes out as it is.
class Talk {
 public:
  Talk() : together_(2, 2), self_(Identity::load(together_.configuration, "H01")) {}

  // What H00 says of what H01 sent it, after a greeting that was right.
  std::string refused(const std::vector<std::string>& frames,
                      std::chrono::milliseconds pause = {}) {
    const Identity other = Identity::load(together_.configuration, "H00");
    net::Listener listener("127.0.0.1", 0);
    std::jthread sender([&] {
      try {
        auto socket =
            net::Socket::connect("127.0.0.1", listener.port(), net::within(5s), &self_.client);
        for (const auto& frame : frames) {
          socket.write(frame, net::within(1s));
          std::this_thread::sleep_for(pause);
        }
        (void)socket.readable(net::within(2s));  // until the other closes
      } catch (const Error&) {
      }
    });
    Traffic traffic;
    const std::atomic<bool> stop{false};
    Channel channel(listener.accept(net::within(5s), &other.server), other, traffic, stop);
    channel.set_session(session);
    try {
      for (std::size_t i = 0; i < frames.size(); ++i) (void)channel.receive(net::within(500ms));
    } catch (const CheckFailed& error) {
      return error.check() + "/" + error.culprit();
    } catch (const Error& error) {
      return error.message();
    }
    return "";
  }

  [[nodiscard]] std::string frame(std::uint64_t number, const std::string& to = "H00",
                                  const std::string& from = "H01",
                                  Sha256Digest of = {1, 2, 3}) const {
    return framed(seal({of, from, to, number, MessageType::raise, "payload"}, self_.key));
  }
  static std::string framed(const std::string& bytes) {
    return ByteWriter().number(bytes.size(), 4).take() + bytes;
  }

  Sha256Digest session = {1, 2, 3};

 private:
  Together together_;
  Identity self_;
};

TEST(Cheats, MessagesOutOfPlaceAreRefused) {
  Talk talk;
  const std::string refused = "signed messages in order/H01";
  EXPECT_EQ(talk.refused({talk.frame(0), talk.frame(1)}), "");
  EXPECT_EQ(talk.refused({talk.frame(0), talk.frame(0)}), refused);      // again
  EXPECT_EQ(talk.refused({talk.frame(1), talk.frame(0)}), refused);      // in another order
  EXPECT_EQ(talk.refused({talk.frame(0, "H02")}), refused);              // meant for another
  EXPECT_EQ(talk.refused({talk.frame(0, "H00", "A")}), refused);         // in another's name
  EXPECT_EQ(talk.refused({talk.frame(0, "H00", "H01", {9})}), refused);  // of another session
  std::string cut = talk.frame(0);
  cut[3] = static_cast<char>(cut[3] - 1);
  cut.pop_back();
  EXPECT_EQ(talk.refused({cut}), refused);
  std::string longer = talk.frame(0) + "x";
  longer[3] = static_cast<char>(longer[3] + 1);
  EXPECT_EQ(talk.refused({longer}), refused);
  EXPECT_EQ(talk.refused({std::string("\xff\xff\xff\xff", 4)}), refused);  // without end
  EXPECT_EQ(talk.refused({Talk::framed("")}), refused);
  // Half of one, and then nothing: not for ever. Nor a letter at a time.
  EXPECT_EQ(talk.refused({talk.frame(0).substr(0, 40)}), "H01 did not answer in time");
  std::vector<std::string> letters;
  for (const char letter : talk.frame(0)) letters.emplace_back(1, letter);
  EXPECT_EQ(talk.refused(letters, 20ms), "H01 did not answer in time");
}

// A member that does as it likes from the first word on: it says hello, has the roster, and asks a
// site what it wants.
class Asker {
 public:
  Asker(Together& together, std::uint64_t announced)
      : together_(together), self_(Identity::load(together.configuration, "H01")) {
    hello_.configuration = together.configuration.digest();
    hello_.commitment = Scalar::random() * Point::generator();
    hello_.samples = hello_.people = announced;
    hello_.time = unix_seconds();
  }

  // How many points H00 answers to these messages, one after the other.
  std::size_t answered(const std::vector<std::pair<MessageType, std::string>>& messages) {
    const auto& settings = together_.configuration;
    const auto connect = [&](const std::string& name) {
      const auto& at = settings.address(name);
      for (int tries = 0;; ++tries) {
        try {
          return std::make_unique<Channel>(
              net::Socket::connect(at.host, at.port, net::within(5s), &self_.client), self_,
              traffic_, stop_);
        } catch (const Error&) {
          if (tries > 50) throw;
          std::this_thread::sleep_for(50ms);
        }
      }
    };
    std::size_t points = 0;
    const auto authority = connect("A");
    authority->send(MessageType::hello, hello_.encode(), net::within(1s));
    const Message roster = authority->expect(MessageType::roster, net::within(10s));
    const auto session = read_roster(roster.payload, settings, self_).session;
    const auto site = connect("H00");
    site->set_session(session);
    try {
      std::uint64_t asked = 0;
      for (const auto& [type, payload] : messages) {
        std::string all = payload;
        if (type == MessageType::raise && payload.starts_with(kUnsigned)) {
          all = payload.substr(kUnsigned.size()) + std::string(64, 'x');
        } else if (type == MessageType::raise) {
          const auto text = question_text(session, "H01", "H00", asked++,
                                          sha256(std::as_bytes(std::span(payload))));
          all += ByteWriter().raw(self_.key.sign(text)).take();
        }
        site->send(type, all, net::within(1s));
        if (type == MessageType::greeting) continue;
        const Message answer = site->receive(net::within(5s));
        ByteReader reader(answer.payload);
        (void)reader.number(5);
        (void)reader.raw<32>();
        (void)reader.raw<64>();
        points += reader.points(100)->size();
      }
    } catch (const Error&) {  // it is refused
    }
    return points;
  }

  static constexpr std::string_view kUnsigned = "unsigned ";
  static std::string points(std::size_t count, std::uint64_t list = 0) {
    Points chosen(count, Point::generator());
    for (auto& point : chosen) point = Scalar::random() * point;
    return ByteWriter().number(list, 1).number(0, 4).points(chosen).take();
  }

 private:
  Together& together_;
  Identity self_;
  Hello hello_;
  Traffic traffic_;
  const std::atomic<bool> stop_{false};
};

TEST(Cheats, ASiteAnswersNoMoreThanWasAnnouncedAndNothingElse) {
  using Messages = std::vector<std::pair<MessageType, std::string>>;
  const std::pair<MessageType, std::string> greeting = {MessageType::greeting, ""};
  const auto batch = [](const std::string& points) {
    return std::pair{MessageType::raise, points};
  };
  std::string identity = Asker::points(1);
  std::fill(identity.begin() + 9, identity.end(), '\0');
  std::string no_point = Asker::points(1);
  std::fill(no_point.begin() + 9, no_point.end(), '\xff');
  struct Case {
    std::string what;
    Messages messages;
    std::size_t answered;
  };
  const std::vector<Case> cases = {
      {"as announced", {greeting, batch(Asker::points(3)), batch(Asker::points(1))}, 4},
      {"more in a second batch", {greeting, batch(Asker::points(3)), batch(Asker::points(2))}, 3},
      {"more at once", {greeting, batch(Asker::points(5))}, 0},
      {"of a third list", {greeting, batch(Asker::points(1, 2))}, 0},
      {"none", {greeting, batch(Asker::points(0))}, 0},
      {"the identity", {greeting, batch(identity)}, 0},
      {"no point", {greeting, batch(no_point)}, 0},
      {"to decrypt", {greeting, {MessageType::lower, Asker::points(1)}}, 0},
      {"before the greeting", {batch(Asker::points(1))}, 0},
      {"that it did not sign", {greeting, batch("unsigned " + Asker::points(3))}, 0},
      {"without end", {greeting, batch(Asker::points(8).substr(0, 100))}, 0},
  };
  SeededRandom random(5);
  std::vector<std::unique_ptr<Together>> worlds;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    auto& together = *worlds.emplace_back(std::make_unique<Together>(2, 2));
    together.configuration.step = 6s;  // all of them begin at once
    together.fill(12, 0.7, random);
    together.absent = "H01";
  }
  std::vector<std::size_t> answered(cases.size());
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      threads.emplace_back([&, i] { worlds[i]->run(); });
      threads.emplace_back([&, i] {
        try {
          answered[i] = Asker(*worlds[i], 4).answered(cases[i].messages);
        } catch (const Error& error) {
          ADD_FAILURE() << cases[i].what << ": " << error.message();
        }
      });
    }
  }
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto& what = cases[i].what;
    EXPECT_EQ(answered[i], cases[i].answered) << what;
    EXPECT_TRUE(worlds[i]->written.empty()) << what;
    const std::string& why = worlds[i]->failed["H00"];
    EXPECT_TRUE(what == "as announced" || why == "points/H01" ||
                why == "signed messages in order/H01")
        << what << ": " << why;
  }
}

// What a site answered in an earlier session, for the same lists.
TEST(Cheats, AnswersOfAStaleSessionAreRefused) {
  SeededRandom random(5);
  Together together(3, 2);
  together.fill(16, 0.6, random);
  std::vector<Points> answered;
  std::mutex mutex;
  together.conduct[1].raised = [&](const Scalar&, Points& p) {
    const std::lock_guard lock(mutex);
    answered.push_back(p);
  };
  together.run();
  ASSERT_TRUE(together.failed.empty()) << together.failed.begin()->second;
  together.conduct[1].raised = [&](const Scalar&, Points& p) {
    const std::lock_guard lock(mutex);
    for (const Points& earlier : answered)
      if (earlier.size() == p.size()) p = earlier;
  };
  together.run();
  EXPECT_TRUE(together.written.empty());
  for (const char* name : {"A", "H00", "H02"}) EXPECT_EQ(together.failed[name], "proofs/H01");
}

// An authority that has the hello of an earlier session, of the same minute, in the roster: nobody
// meets in that session, as the site itself is not in it.
TEST(Cheats, ARosterWithAStaleHelloIsRefused) {
  SeededRandom random(5);
  Together together(2, 2);
  together.configuration.step = 2s;
  together.fill(12, 0.7, random);
  const auto& settings = together.configuration;
  const Identity cheat = Identity::load(settings, "A");
  std::string stale;
  for (const bool again : {false, true}) {
    std::map<std::string, std::string> failed;
    std::mutex mutex;
    std::vector<std::jthread> sites;
    net::Listener listener("127.0.0.1", settings.address("A").port);
    for (std::size_t c = 0; c < 2; ++c) {
      sites.emplace_back([&, c] {
        const Identity identity = Identity::load(settings, settings.sites[c]);
        Site site(settings, identity, together.lists[c].packed(), Progress::silent());
        std::string why = "nothing";
        try {
          (void)site.run([](const SiteDecision&) { return Sha256Digest{}; },
                         [](const Signature&) {});
        } catch (const CheckFailed& error) {
          why = error.check() + "/" + error.culprit();
        } catch (const Error& error) {
          why = error.message();
        }
        const std::lock_guard lock(mutex);
        failed[settings.sites[c]] = why;
      });
    }
    Traffic traffic;
    const std::atomic<bool> stop{false};
    std::map<std::string, std::unique_ptr<Channel>> channels;
    std::map<std::string, std::string> hellos;
    while (channels.size() < 2) {
      auto channel = std::make_unique<Channel>(listener.accept(net::within(5s), &cheat.server),
                                               cheat, traffic, stop);
      (void)channel->expect(MessageType::hello, net::within(5s));
      hellos[channel->peer()] = channel->last();
      channels[channel->peer()] = std::move(channel);
    }
    if (again) {
      const std::string roster = roster_payload({hellos["H00"], stale}, Sha256Digest{});
      for (auto& [name, channel] : channels)
        channel->send(MessageType::roster, roster, net::within(1s));
      sites.clear();
      EXPECT_EQ(failed["H01"], "roster/A");
      EXPECT_NE(failed["H00"], "nothing");
    }
    stale = hellos["H01"];
  }
}

// Signed by the authority, about the right bits, and yet no statement about this site's list.
TEST(Cheats, ADecisionWhoseStatementSaysSomethingElseIsRefused) {
  SeededRandom random(5);
  Together together(2, 2);
  together.configuration.step = 2s;
  together.fill(12, 0.7, random);
  const auto& settings = together.configuration;
  const Identity cheat = Identity::load(settings, "A");
  const auto& lists = together.lists[0];
  for (const std::string& said :
       {std::string("no statement"), std::string("5"), std::string("[]"), std::string("{}"),
        std::string(R"({"site":7,"session":{},"k":"2"})"), std::string(R"({"site":"H01"})"),
        std::string("\xff\xfe")}) {
    std::string why = "nothing";
    net::Listener listener("127.0.0.1", settings.address("A").port);
    std::vector<std::jthread> sites;
    for (std::size_t c = 0; c < 2; ++c) {
      sites.emplace_back([&, c] {
        const Identity identity = Identity::load(settings, settings.sites[c]);
        Site site(settings, identity, together.lists[c].packed(), Progress::silent());
        try {
          (void)site.run([](const SiteDecision&) { return Sha256Digest{}; },
                         [](const Signature&) {});
        } catch (const CheckFailed& error) {
          if (c == 0) why = error.check() + "/" + error.culprit();
        } catch (const Error& error) {
          if (c == 0) why = error.message();
        }
      });
    }
    Traffic traffic;
    const std::atomic<bool> stop{false};
    std::map<std::string, std::unique_ptr<Channel>> channels;
    std::map<std::string, std::string> hellos;
    while (channels.size() < 2) {
      auto channel = std::make_unique<Channel>(listener.accept(net::within(5s), &cheat.server),
                                               cheat, traffic, stop);
      (void)channel->expect(MessageType::hello, net::within(5s));
      hellos[channel->peer()] = channel->last();
      channels[channel->peer()] = std::move(channel);
    }
    const std::string payload = roster_payload({hellos["H00"], hellos["H01"]}, Sha256Digest{});
    for (auto& [name, channel] : channels) {
      channel->send(MessageType::roster, payload, net::within(1s));
      channel->set_session(read_roster(payload, settings, cheat).session);
    }
    for (std::size_t c = 0; c < 2; ++c) {
      Channel& channel = *channels.at(settings.sites[c]);
      (void)receive_points(channel, 0, together.lists[c].samples.size(), settings);
      (void)receive_points(channel, 1, together.lists[c].people.size(), settings);
    }
    const std::string bits((lists.samples.size() + 7) / 8, '\0');
    channels.at("H00")->send(MessageType::decision,
                             ByteWriter()
                                 .text(said)
                                 .raw(cheat.key.sign("pratique consortium statement\n" + said))
                                 .text(bits)
                                 .raw(Sha256Digest{})
                                 .take(),
                             net::within(1s));
    channels.erase("H01");  // which is told nothing more
    sites.clear();
    EXPECT_EQ(why, "decision/A") << said;
  }
}

TEST(Cheats, ASiteInThePlaceOfTheAuthorityIsSentNothing) {
  Together together(2, 2);
  const Identity cheat = Identity::load(together.configuration, "H01");
  const Identity honest = Identity::load(together.configuration, "H00");
  std::atomic<std::uint64_t> heard{0};
  std::jthread sits([&] {
    try {
      net::Listener listener("127.0.0.1", together.configuration.address("A").port);
      auto socket = listener.accept(net::within(5s), &cheat.server);
      char byte = 0;
      heard += socket.read(&byte, 1, net::within(5s));
    } catch (const Error&) {
    }
  });
  Site site(together.configuration, honest, {{"a", "b"}, {"x", "y"}}, Progress::silent());
  std::string why;
  try {
    (void)site.run([](const SiteDecision&) { return Sha256Digest{}; }, [](const Signature&) {});
  } catch (const CheckFailed& error) {
    why = error.check() + "/" + error.culprit();
  }
  sits.join();
  EXPECT_EQ(why, "certificates/H01");
}

}  // namespace
}  // namespace pratique::consortium::cheats_test
