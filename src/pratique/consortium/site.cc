#include "pratique/consortium/site.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "pratique/consortium/accusation.h"
#include "pratique/consortium/guarded_list.h"
#include "pratique/consortium/internal/reception.h"
#include "pratique/consortium/internal/site_state.h"
#include "pratique/core/json.h"
#include "pratique/crypto/equal_logarithms.h"

namespace pratique::consortium {
namespace {

using namespace std::chrono_literals;

std::size_t batches_of(std::uint64_t records, std::uint64_t batch) {
  return (records + batch - 1) / batch;
}

}  // namespace

Site::Site(const Configuration& configuration, const Identity& identity, SiteLists lists,
           Progress& progress)
    : configuration_(configuration),
      identity_(identity),
      lists_(std::move(lists)),
      progress_(progress) {}
Site::~Site() = default;

Report Site::run(const Prepare& prepare, const Commit& commit) {
  State state(configuration_, identity_, report_);
  state.traffic.saw = [this](const Message& message) { saw(message); };
  state.attend([&] {
    try {
      take_part(state, prepare, commit);
    } catch (...) {
      state.stop = true;
      if (state.first) std::rethrow_exception(state.first);
      throw;
    }
  });
  return report_;
}

void Site::take_part(State& state, const Prepare& prepare, const Commit& commit) {
  const auto step = state.step();
  state.listener = state.listen(progress_);
  state.come(progress_);
  reached(SiteStep::connected);
  const Hello hello = state.hello(state.key, lists_.samples.size(), lists_.people.size());
  state.say(hello);
  reached(SiteStep::said_hello);
  state.wait_for_roster(hello);
  check_sizes(state.roster, configuration_);
  reached(SiteStep::has_roster);

  const auto& sites = configuration_.sites;
  const auto own =
      static_cast<std::size_t>(std::ranges::find(sites, identity_.name) - sites.begin());
  for (std::size_t i = 1; i < sites.size(); ++i)
    state.others.push_back(sites[(own + i) % sites.size()]);
  state.queues.resize(sites.size());
  state.batches = batches_of(hello.samples, configuration_.batch) +
                  batches_of(hello.people, configuration_.batch);
  std::jthread acceptor([&] {
    try {
      accept_peers(state);
    } catch (const Stopped&) {
    } catch (...) {
      state.fail();
    }
  });
  struct StopAtEnd {
    std::atomic<bool>& stop;
    ~StopAtEnd() { stop = true; }
  } const stop_at_end{state.stop};
  std::size_t greeted = 0;
  for (const auto& name : state.others) {
    const Address& there = configuration_.address(name);
    const auto until = net::within(step);
    while (state.outgoing.size() == greeted) {
      if (state.stop) throw Stopped{};
      try {
        state.outgoing.push_back(std::make_unique<Channel>(
            net::Socket::connect(there.host, there.port, until, &identity_.client), identity_,
            state.traffic, state.stop));
      } catch (const CheckFailed&) {
        throw;
      } catch (const Error& error) {
        // It listened when it said hello: a busy machine, or it is gone.
        if (state.authority->readable(net::within(100ms)))
          (void)state.authority->receive(net::within(step));
        if (std::chrono::steady_clock::now() >= until)
          throw Error::machine(fmt::format("{}: {}", name, error.message()));
      }
    }
    ++greeted;
    state.outgoing.back()->set_session(state.roster.session);
    if (state.outgoing.back()->peer() != name)
      throw CheckFailed("certificates", name,
                        fmt::format("another participant answers for {}", name));
    state.outgoing.back()->send(MessageType::greeting, {}, net::within(step));
  }
  state.report.held("certificates");
  reached(SiteStep::met_sites);
  const bool guarded = configuration_.protocol == "stranon";
  if (guarded) {
    try {
      send_guarded(state);
    } catch (...) {
      state.fail();
    }
  } else {
    std::vector<std::jthread> hops;
    for (std::size_t place = 0; place < state.others.size(); ++place)
      hops.emplace_back([&, place] {
        try {
          hop(state, place);
        } catch (const Stopped&) {
        } catch (...) {
          state.fail();
        }
      });
    try {
      send_own(state);
    } catch (...) {
      state.fail();
    }
  }
  if (state.first) std::rethrow_exception(state.first);
  state.report.held(guarded ? "partial key switch" : "proofs");
  reached(SiteStep::sent_lists);
  const SiteDecision decision = guarded ? receive_locked(state) : receive_decision(state);
  state.report.held("decision");
  reached(SiteStep::has_decision);
  state.report.disclosed = decision.disclosed.size();
  const Sha256Digest commitment = prepare(decision);
  state.authority->send(MessageType::have, ByteWriter().raw(commitment).take(), net::within(step));
  reached(SiteStep::said_have);
  const Signature signature =
      wait_for_commit(state, signed_release(decision.statement.text, commitment));
  reached(SiteStep::has_commit);
  commit(signature);
  state.report.held("commit");
  state.report.commit = state.commit;
  std::uint64_t served = 0;
  for (const auto& [name, other] : state.roster.sites)
    if (name != identity_.name) served += other.samples + other.people;
  const std::uint64_t records = hello.samples + hello.people;
  if (guarded) {
    // Two lists of each site, each with its dummies and the common one.
    const std::uint64_t extra = 2 * (configuration_.beta + 1);
    // Blinded and unblinded, and in each check round asked and compared; of others encrypted and
    // decrypted. Of what is returned: its own key and the lock taken away.
    state.report.least_operations =
        (records + extra) * (2 + 2 * configuration_.alpha) +
        (served + state.others.size() * extra) * (1 + configuration_.alpha) + configuration_.lock +
        state.served_back + 2 * decision.disclosed.size() + configuration_.lock;
  } else {
    // Blinded and unblinded, two for each proof that is checked, two for each record of others.
    state.report.least_operations = records * (2 + 2 * state.others.size()) + 2 * served;
  }
}

void Site::accept_peers(State& state) {
  std::map<std::string, std::unique_ptr<Channel>> peers;
  std::vector<std::jthread> threads;
  Reception reception(*state.listener, identity_, state.traffic, state.stop);
  while (!state.stop) {
    if (peers.size() == state.others.size()) {
      std::this_thread::sleep_for(20ms);
      continue;
    }
    auto channel = reception.next(net::within(100ms));
    if (!channel) continue;
    const std::string name = channel->peer();
    if (std::ranges::find(state.others, name) == state.others.end() || peers.contains(name))
      continue;
    channel->set_session(state.roster.session);
    peers[name] = std::move(channel);
    threads.emplace_back([this, &state, &owner = *peers[name]] {
      try {
        answer(state, owner);
      } catch (const Stopped&) {
      } catch (...) {
        state.fail();
      }
    });
  }
}

std::vector<Point> Site::raise(const Scalar& key, const std::string& /*owner*/,
                               const std::vector<Point>& points) {
  std::vector<Point> raised;
  raised.reserve(points.size());
  for (const Point& point : points) raised.push_back(key * point);
  return raised;
}

void Site::answer(State& state, Channel& owner) {
  const auto step = state.step();
  const Hello& hello = state.roster.sites.at(owner.peer());
  (void)owner.expect(MessageType::greeting, net::within(step));
  std::uint64_t left[] = {hello.samples, hello.people};
  std::vector<std::uint64_t> guarded_left;  // to encrypt, by list; to decrypt; back to its owner
  for (const std::uint64_t rounds : {std::uint64_t{1}, configuration_.alpha})
    for (const std::uint64_t size : left)
      guarded_left.push_back(rounds * (size + configuration_.beta + 1));
  guarded_left.push_back(hello.samples + configuration_.lock);
  Message message;
  std::uint64_t answered = 0;
  while (owner.receive_or_end(message, net::within(24h))) {
    if (message.type == MessageType::relay) {
      const Message commit = open_passed_on(message.payload, configuration_.authority,
                                            state.roster.session, identity_);
      if (commit.type == MessageType::commit) state.take_commit(commit.payload);
      continue;
    }
    if (configuration_.protocol == "stranon") {
      answer_guarded(state, owner, message, guarded_left);
      continue;
    }
    ByteReader reader(message.payload);
    const auto list = reader.number(1);
    const auto number = reader.number(4);
    const auto points = reader.points(configuration_.batch);
    const auto signature = reader.raw<64>();
    const auto asked = signature ? digest_of(message.payload.substr(0, message.payload.size() - 64))
                                 : Sha256Digest{};
    if (message.type != MessageType::raise || !signature || !reader.ended() || *list > 1 ||
        points->empty() || points->size() > left[*list] ||
        !verify_signature(
            identity_.everybody.at(owner.peer()),
            question_text(state.roster.session, owner.peer(), identity_.name, answered, asked),
            *signature))
      throw CheckFailed(
          "points", owner.peer(),
          fmt::format("{} sent something that is not a list of points, or more than it said",
                      owner.peer()));
    left[*list] -= points->size();
    ++answered;
    const auto raised = raise(state.key, owner.peer(), *points);
    const Hello& own = state.roster.sites.at(identity_.name);
    // A site that misbehaves may have other points than it was given, and proves what it can.
    EqualLogarithms proof{Scalar::random(), Scalar::random()};
    if (raised.size() == points->size())
      proof =
          prove_equal_logarithms(state.key, {Point::generator(), own.commitment, *points, raised},
                                 proof_context(state.roster.session, owner.peer(), identity_.name,
                                               static_cast<List>(*list), *number));
    state.operations += 2 * points->size() + 3;
    owner.send(MessageType::raised,
               ByteWriter()
                   .number(*list, 1)
                   .number(*number, 4)
                   .raw(asked)
                   .raw(*signature)
                   .points(raised)
                   .raw(proof.encode())
                   .take(),
               net::within(step));
  }
}

void Site::hop(State& state, std::size_t place) {
  const auto step = state.step();
  Channel& channel = *state.outgoing[place];
  const std::string& name = state.others[place];
  for (std::size_t done = 0; done < state.batches;) {
    auto batch = state.queues[place].pop(50ms);
    if (state.stop) throw Stopped{};
    if (!batch) continue;
    const std::string payload = batch_payload(*batch);
    const Signature signature = identity_.key.sign(
        question_text(state.roster.session, identity_.name, name, done, digest_of(payload)));
    channel.send(MessageType::raise, payload + ByteWriter().raw(signature).take(),
                 net::within(step));
    const Message answered = channel.expect(MessageType::raised, net::within(step));
    auto points = proven_answer(payload, answered.payload, identity_.name, name, state.roster);
    state.operations += 2 * batch->points.size() + 4;
    if (!points)
      throw CheckFailed(
          "proofs", name,
          fmt::format("{} did not multiply every record by the key that it committed to", name),
          evidence_of(payload, channel.last()));
    batch->points = std::move(*points);
    ++done;
    if (!state.queues[place + 1].push(std::move(*batch), state.stop)) throw Stopped{};
  }
}

void Site::send_own(State& state) {
  const auto step = state.step();
  const Scalar hides = state.key * state.blind;
  const Scalar shows = state.blind.inverse();
  const ElementList* lists[] = {&lists_.samples, &lists_.people};
  std::jthread feeder([&] {
    try {
      for (const List list : {List::samples, List::people}) {
        const auto& elements = *lists[static_cast<std::size_t>(list)];
        auto& order = state.order[static_cast<std::size_t>(list)];
        order = secret_order(elements.size());
        for (std::size_t begin = 0; begin < order.size(); begin += configuration_.batch) {
          PointBatch batch{list, begin / configuration_.batch, {}};
          const std::size_t end = std::min<std::size_t>(order.size(), begin + configuration_.batch);
          for (std::size_t i = begin; i < end; ++i)
            batch.points.push_back(hides *
                                   hash_to_group(elements[order[i]], list, state.roster.session));
          state.operations += batch.points.size();
          if (!state.queues[0].push(std::move(batch), state.stop)) return;
        }
      }
    } catch (...) {
      state.fail();
    }
  });
  progress_.begin("encrypting with all sites", lists_.samples.size() + lists_.people.size());
  for (std::size_t done = 0; done < state.batches;) {
    if (state.stop) throw Stopped{};
    auto batch = state.queues.back().pop(50ms);
    if (!batch) {
      if (state.authority->readable(net::within(0ms)))
        (void)state.authority->receive(net::within(step));
      continue;
    }
    for (Point& point : batch->points) point = shows * point;
    state.operations += batch->points.size();
    state.authority->send(MessageType::list, batch_payload(*batch), net::within(step));
    progress_.advance(batch->points.size());
    ++done;
  }
}

SiteDecision Site::receive_decision(State& state) {
  progress_.begin("waiting for the decision", 0);
  // The authority waits for the slowest site.
  const Message message =
      state.authority->expect(MessageType::decision, net::within(state.step() * 3));
  ByteReader reader(message.payload);
  const auto text = reader.text();
  const auto signature = reader.raw<64>();
  const auto bits = reader.text();
  const auto salt = reader.raw<32>();
  if (!reader.ended() || bits->size() != (lists_.samples.size() + 7) / 8)
    throw CheckFailed("decision", configuration_.authority,
                      "the decision is not about this site's list");
  std::vector<std::uint32_t> disclosed;
  const auto& order = state.order[0];
  for (std::size_t i = 0; i < order.size(); ++i)
    if ((static_cast<unsigned char>((*bits)[i / 8]) >> (i % 8) & 1U) != 0)
      disclosed.push_back(order[i]);
  return decision_of(state, *text, *signature, std::move(disclosed),
                     bitmap_commitment(*bits, *salt));
}

SiteDecision Site::decision_of(State& state, const std::string& text, const Signature& signature,
                               std::vector<std::uint32_t> disclosed,
                               const std::string& commitment) {
  const auto refuse = [&] {
    throw CheckFailed("decision", configuration_.authority,
                      "the decision is not one of the authority about this site's list");
  };
  if (!verify_signature(identity_.everybody.at(configuration_.authority),
                        "pratique consortium statement\n" + text, signature))
    refuse();
  SiteDecision decision{std::move(disclosed), 0, {text, signature}};
  std::ranges::sort(decision.disclosed);
  try {
    const Json said = parse_json(text, "the authority's statement");
    if (said.at("site") != Json(identity_.name) ||
        said.at("session") != Json(state.report.session) ||
        said.at("k") != Json(configuration_.k) ||
        said.at("disclosed") != Json(decision.disclosed.size()) ||
        said.at("bitmap_commitment") != Json(commitment))
      refuse();
    decision.by_all = said.at("disclosed_by_all").get<std::uint64_t>();
  } catch (const Json::exception&) {
    refuse();
  } catch (const CheckFailed&) {
    throw;
  } catch (const Error&) {  // it is no JSON
    refuse();
  }
  // A lying authority would know again which encrypted records a few are, and where else they were.
  if (!decision.disclosed.empty() && decision.disclosed.size() < configuration_.k)
    throw CheckFailed("decision", configuration_.authority,
                      "the authority would have this site disclose fewer than k samples, which is "
                      "never safe");
  return decision;
}

Signature Site::wait_for_commit(State& state, const std::string& signed_text) {
  const auto until = net::within(state.step() * 2);
  const auto step = state.step();
  bool lost = false;
  while (!state.committed) {
    if (std::chrono::steady_clock::now() >= until)
      throw Error::machine("the authority's commit did not come in time");
    if (lost) {
      std::this_thread::sleep_for(20ms);
      continue;
    }
    if (!state.authority->readable(net::within(20ms))) continue;
    try {
      state.take_commit(state.authority->expect(MessageType::commit, net::within(step)).payload);
    } catch (const Aborted&) {
      throw;
    } catch (const Error& error) {
      if (error.code() != ErrorCode::machine) throw;
      lost = true;  // others may have it, and pass it on
      continue;
    }
    for (const auto& channel : state.outgoing) {
      try {
        channel->send(MessageType::relay, state.authority->last(), net::within(1s));
      } catch (const Error&) {  // NOLINT(bugprone-empty-catch): it is done already
      }
    }
  }
  const auto signature = signature_for(identity_.name, state.commit);
  if (!signature ||
      !verify_signature(identity_.everybody.at(configuration_.authority), signed_text, *signature))
    throw CheckFailed("commit", configuration_.authority,
                      "the commit is not about what this site has prepared");
  return *signature;
}

}  // namespace pratique::consortium
