#include "pratique/consortium/union.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <thread>

#include "pratique/consortium/guarded_list.h"
#include "pratique/consortium/sealed_text.h"
#include "pratique/crypto/equal_logarithms.h"
#include "pratique/crypto/random.h"

namespace pratique::consortium {
namespace {

using namespace std::chrono_literals;

std::string union_context(const Sha256Digest& session, const std::string& what,
                          const std::string& owner, const std::string& by, std::uint64_t number) {
  return fmt::format("pratique-consortium-v1-union-{}-{}-{}-{}-{}", what, to_hex(session), owner,
                     by, number);
}

std::string mix_text(const Sha256Digest& session, const std::string& site,
                     const Sha256Digest& before, const Sha256Digest& after) {
  return fmt::format("pratique consortium mix\n{}\n{}\n{}\n{}", to_hex(session), site,
                     to_hex(before), to_hex(after));
}

Sha256Digest digest_of_points(std::span<const Point> points) {
  Sha256 hash;
  for (const Point& point : points) hash.update(std::as_bytes(std::span(point.bytes())));
  return hash.finish();
}

std::size_t union_batches(std::uint64_t size, std::uint64_t batch) {
  return (size + batch - 1) / batch;
}

// A point of which nobody knows the logarithm, for the proof that a key's secret number is known.
Point key_base(const Sha256Digest& session) {
  return Point::hash("key", "pratique-consortium-v1-union-key-" + to_hex(session));
}

// A proof for more points than one can be of: one for each part.
constexpr std::size_t kProofPart = 16'384;

// Everybody's second key, after its proof was checked; their sum.
Point read_keys(std::string_view payload, const Configuration& configuration,
                const Sha256Digest& session, std::map<std::string, Point>& keys) {
  ByteReader reader(payload);
  const Point base = key_base(session);
  std::optional<Point> sum;
  for (const auto& site : configuration.sites) {
    const auto points = reader.points(2);
    const auto bytes = reader.raw<EqualLogarithms::kBytes>();
    const auto proof = bytes ? EqualLogarithms::decode(*bytes) : std::nullopt;
    const bool fits = proof && points->size() == 2;
    const std::vector<Point> before = {base};
    const std::vector<Point> after = fits ? std::vector<Point>{(*points)[1]} : before;
    if (!fits || !verify_equal_logarithms({Point::generator(), (*points)[0], before, after}, *proof,
                                          union_context(session, "key", site, site, 0)))
      throw CheckFailed("keys", site, fmt::format("{} did not show that it knows its key", site));
    keys.insert_or_assign(site, (*points)[0]);
    sum = sum ? sum_of(*sum, (*points)[0]) : (*points)[0];
  }
  if (!reader.ended()) throw CheckFailed("keys", "", "there are more keys than sites");
  return *sum;
}

}  // namespace

struct UnionAuthority::Meeting {
  std::atomic<bool> stop{false};
  Traffic traffic;
  std::unique_ptr<net::Listener> listener;
  std::map<std::string, std::unique_ptr<Channel>> channels;
  Roster roster;
  std::map<std::string, Point> keys;
  std::uint64_t operations = 0;

  [[nodiscard]] Channel& of(const std::string& site) { return *channels.at(site); }
};

UnionAuthority::UnionAuthority(const Configuration& configuration, const Identity& identity,
                               const UnionQuestion& question, Progress& progress)
    : configuration_(configuration),
      identity_(identity),
      question_(question),
      progress_(progress) {}

Report UnionAuthority::run() {
  Meeting meeting;
  Report report;
  try {
    serve(meeting, report);
  } catch (const Error& error) {
    for (auto& [site, channel] : meeting.channels) {
      try {
        channel->send(MessageType::abort, abort_payload(error), net::within(1s));
      } catch (...) {  // NOLINT(bugprone-empty-catch): whoever is gone need not be told
      }
    }
    throw;
  }
  report.operations = meeting.operations;
  report.least_operations = meeting.operations;
  report.bytes = meeting.traffic.sent + meeting.traffic.received;
  return report;
}

void UnionAuthority::meet(Meeting& meeting, Report& report) {
  meeting.listener = listen_for(configuration_.address(identity_.name));
  const auto met = net::within(configuration_.wait);
  std::map<std::string, std::string> hellos;
  progress_.begin("waiting for the sites", configuration_.sites.size());
  while (hellos.size() < configuration_.sites.size()) {
    progress_.check();
    if (std::chrono::steady_clock::now() >= met)
      throw Error::machine("not all sites came in time")
          .hint("Start all participants within the time that `wait` in consortium.yaml allows.");
    if (!meeting.listener->awaited(net::within(200ms))) continue;
    try {
      auto channel =
          std::make_unique<Channel>(meeting.listener->accept(net::within(3s), &identity_.server),
                                    identity_, meeting.traffic, meeting.stop);
      const std::string site = channel->peer();
      (void)channel->expect(MessageType::hello, net::within(5s));
      const bool is_site =
          std::ranges::find(configuration_.sites, site) != configuration_.sites.end();
      if (!is_site || hellos.contains(site)) continue;
      hellos[site] = channel->last();
      meeting.channels[site] = std::move(channel);
      progress_.advance(1);
    } catch (const Aborted&) {
      throw;
    } catch (const Error&) {
      continue;  // a stranger
    }
  }
  std::vector<std::string> in_order;
  for (const auto& site : configuration_.sites) in_order.push_back(hellos.at(site));
  Sha256Digest nonce{};
  secure_bytes(std::as_writable_bytes(std::span(nonce)));
  const std::string payload = roster_payload(in_order, nonce);
  meeting.roster = read_roster(payload, configuration_, identity_);
  for (auto& [site, channel] : meeting.channels) {
    channel->send(MessageType::roster, payload, net::within(configuration_.step));
    channel->set_session(meeting.roster.session);
  }
  report.session = to_hex(meeting.roster.session);
  report.held("agreement");
}

void UnionAuthority::pass_on_raised(Meeting& meeting) {
  const auto step = std::chrono::milliseconds(configuration_.step);
  const auto pass = [&](const std::string& from, const std::string& to) {
    const Message message = meeting.of(from).expect(MessageType::relay, net::within(step));
    meeting.of(to).send(MessageType::relay, message.payload, net::within(step));
  };
  for (const auto& owner : configuration_.sites) {
    const auto batches =
        union_batches(meeting.roster.sites.at(owner).samples, configuration_.batch);
    for (const auto& hop : configuration_.sites) {
      if (hop == owner) continue;
      for (std::size_t i = 0; i < batches; ++i) {
        pass(owner, hop);
        pass(hop, owner);
      }
    }
  }
}

std::vector<Point> UnionAuthority::chosen_texts(Meeting& meeting) {
  struct Kept {
    std::size_t sites = 0;
    std::string first;
    std::size_t place = 0;
  };
  std::map<Point, Kept> by_element;
  std::map<std::string, std::vector<Point>> texts;
  for (const auto& site : configuration_.sites) {
    const std::uint64_t size = meeting.roster.sites.at(site).samples;
    const auto tokens = receive_points(meeting.of(site), 0, size, configuration_);
    texts[site] = receive_points(meeting.of(site), 1, size * kSealedPoints, configuration_);
    if (std::set<Point>(tokens.begin(), tokens.end()).size() != tokens.size())
      throw CheckFailed("no record twice", site, fmt::format("{} submitted a record twice", site));
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      auto& kept = by_element.try_emplace(tokens[i], Kept{0, site, i}).first->second;
      ++kept.sites;
    }
  }
  std::vector<Point> chosen;
  std::size_t count = 0;
  for (const auto& [token, kept] : by_element) {
    if (question_.common && kept.sites < configuration_.sites.size()) continue;
    const auto& of = texts.at(kept.first);
    const auto begin = of.begin() + static_cast<std::ptrdiff_t>(kept.place * kSealedPoints);
    chosen.insert(chosen.end(), begin, begin + kSealedPoints);
    ++count;
  }
  if (count < std::max<std::uint64_t>(question_.minimum, 1))
    throw CheckFailed("minimum", "",
                      "fewer elements would be revealed than the least that may be, or none");
  return chosen;
}

std::vector<std::string> UnionAuthority::opened(Meeting& meeting, const std::vector<Point>& texts) {
  const auto to_multiply = to_open(texts);
  std::vector<Point> shares;
  for (const auto& site : configuration_.sites) {
    Channel& channel = meeting.of(site);
    const auto own = receive_points(channel, 2, to_multiply.size(), configuration_);
    const Message message = channel.expect(MessageType::raised, net::within(configuration_.step));
    ByteReader reader(message.payload);
    for (std::size_t begin = 0; begin < own.size(); begin += kProofPart) {
      const std::size_t size = std::min(kProofPart, own.size() - begin);
      const auto bytes = reader.raw<EqualLogarithms::kBytes>();
      const auto proof = bytes ? EqualLogarithms::decode(*bytes) : std::nullopt;
      if (!proof ||
          !verify_equal_logarithms(
              {Point::generator(), meeting.keys.at(site),
               std::span(to_multiply).subspan(begin, size), std::span(own).subspan(begin, size)},
              *proof, union_context(meeting.roster.session, "open", site, site, begin)))
        throw CheckFailed("proofs", site, fmt::format("{} did not open texts with its key", site));
    }
    meeting.operations += 2 * own.size();
    if (shares.empty()) {
      shares = own;
    } else {
      for (std::size_t i = 0; i < own.size(); ++i) shares[i] = sum_of(shares[i], own[i]);
    }
  }
  std::set<std::string> elements;
  for (std::size_t i = 0; i < texts.size() / kSealedPoints; ++i) {
    const auto text = open_text(std::span(texts).subspan(i * kSealedPoints, kSealedPoints),
                                std::span(shares).subspan(i * kTextPoints, kTextPoints));
    meeting.operations += kTextPoints;
    if (!text || !elements.insert(*text).second)
      throw CheckFailed("texts", "",
                        "an element was replaced by what is no text, or is there twice");
  }
  return {elements.begin(), elements.end()};
}

void UnionAuthority::serve(Meeting& meeting, Report& report) {
  const auto step = std::chrono::milliseconds(configuration_.step);
  meet(meeting, report);
  const auto& session = meeting.roster.session;
  // 2. Keys.
  std::string keys;
  for (const auto& site : configuration_.sites)
    keys += meeting.of(site).expect(MessageType::hello, net::within(step)).payload;
  (void)read_keys(keys, configuration_, session, meeting.keys);
  for (auto& [site, channel] : meeting.channels)
    channel->send(MessageType::roster, keys, net::within(step));
  report.held("keys");
  // 3. Elements.
  progress_.begin("comparing what only its owners can read", 0);
  pass_on_raised(meeting);
  std::vector<Point> texts = chosen_texts(meeting);
  report.held("no record twice");
  report.held("minimum");
  // 4. The mix.
  const std::uint64_t size = texts.size();
  for (auto& [site, channel] : meeting.channels)
    channel->send(MessageType::decision, ByteWriter().number(size, 4).take(), net::within(step));
  ByteWriter chain;
  for (const auto& site : configuration_.sites) {
    Channel& channel = meeting.of(site);
    send_points(channel, 3, texts, configuration_);
    texts = receive_points(channel, 3, size, configuration_);
    const Message hashes = channel.expect(MessageType::raised, net::within(step));
    ByteReader reader(hashes.payload);
    const auto before = reader.raw<32>();
    const auto after = reader.raw<32>();
    const auto signature = reader.raw<64>();
    if (!reader.ended() || *after != digest_of_points(texts))
      throw CheckFailed("mix", site, fmt::format("{} did not say what it gave", site));
    chain.raw(*before).raw(*after).raw(*signature);
  }
  // 5. Opening.
  const std::string hashes = chain.take();
  for (auto& [site, channel] : meeting.channels) {
    channel->send(MessageType::locked, hashes, net::within(step));
    send_points(*channel, 4, texts, configuration_);
  }
  const auto elements = opened(meeting, texts);
  report.held("proofs");
  report.disclosed = elements.size();
  // 6. To all.
  for (auto& [site, channel] : meeting.channels) {
    for (std::size_t begin = 0; begin < elements.size(); begin += configuration_.batch) {
      const std::size_t end = std::min<std::size_t>(elements.size(), begin + configuration_.batch);
      ByteWriter part;
      part.number(end == elements.size() ? 1 : 0, 1).number(end - begin, 4);
      for (std::size_t i = begin; i < end; ++i) part.text(elements[i]);
      channel->send(MessageType::unlock, part.take(), net::within(step));
    }
  }
  for (auto& [site, channel] : meeting.channels)
    (void)channel->expect(MessageType::have, net::within(step * 2));
  report.held("everybody found its own");
  for (auto& [site, channel] : meeting.channels) {
    try {
      channel->send(MessageType::commit, {}, net::within(step), true);
    } catch (const Error&) {  // NOLINT(bugprone-empty-catch): it has the result
    }
  }
}

struct UnionSite::State {
  std::atomic<bool> stop{false};
  Traffic traffic;
  std::unique_ptr<Channel> authority;
  Roster roster;
  Scalar key = Scalar::random();
  Scalar blind = Scalar::random();
  Scalar second = Scalar::random();
  std::map<std::string, Point> keys;
  std::optional<Point> sum;
  std::uint64_t operations = 0;
  std::uint64_t size = 0;  // points of the result
  Sha256Digest gave{};     // its own mix
  Report report;
};

UnionSite::UnionSite(const Configuration& configuration, const Identity& identity,
                     std::vector<std::string> elements, const UnionQuestion& question,
                     Progress& progress)
    : configuration_(configuration),
      identity_(identity),
      elements_(std::move(elements)),
      question_(question),
      progress_(progress) {}

void UnionSite::begin(State& state) {
  const auto met = net::within(configuration_.wait);
  const auto step = std::chrono::milliseconds(configuration_.step);
  const Address& at = configuration_.address(configuration_.authority);
  while (!state.authority) {
    progress_.check();
    try {
      state.authority =
          std::make_unique<Channel>(net::Socket::connect(at.host, at.port, met, &identity_.client),
                                    identity_, state.traffic, state.stop);
    } catch (const CheckFailed&) {
      throw;
    } catch (const Error& error) {
      if (std::chrono::steady_clock::now() + 200ms >= met)
        throw Error::machine(fmt::format("{}: {}", configuration_.authority, error.message()));
      std::this_thread::sleep_for(100ms);
    }
  }
  Hello hello;
  hello.configuration = configuration_.digest();
  secure_bytes(std::as_writable_bytes(std::span(hello.nonce)));
  hello.commitment = state.key * Point::generator();
  hello.samples = elements_.size();
  hello.people = elements_.size();
  hello.time = unix_seconds();
  state.authority->send(MessageType::hello, hello.encode(), net::within(step));
  const Message roster = state.authority->expect(MessageType::roster, met + step);
  state.roster = read_roster(roster.payload, configuration_, identity_);
  if (state.roster.sites.at(identity_.name).encode() != hello.encode())
    throw CheckFailed("roster", configuration_.authority,
                      "the roster has another hello of this site");
  state.authority->set_session(state.roster.session);
  state.report.session = to_hex(state.roster.session);
  state.report.held("agreement");
}

void UnionSite::agree_on_key(State& state) {
  const auto step = std::chrono::milliseconds(configuration_.step);
  const auto& session = state.roster.session;
  const std::vector<Point> before = {key_base(session)};
  const std::vector<Point> after = {state.second * before[0]};
  const Point key = state.second * Point::generator();
  const auto proof =
      prove_equal_logarithms(state.second, {Point::generator(), key, before, after},
                             union_context(session, "key", identity_.name, identity_.name, 0));
  const std::vector<Point> shown = {key, after[0]};
  state.authority->send(MessageType::hello, ByteWriter().points(shown).raw(proof.encode()).take(),
                        net::within(step));
  const Message all = state.authority->expect(MessageType::roster, net::within(step * 2));
  state.sum = read_keys(all.payload, configuration_, session, state.keys);
  if (state.keys.at(identity_.name) != key)
    throw CheckFailed("keys", configuration_.authority, "another key of this site is passed on");
  state.report.held("keys");
}

void UnionSite::raise_with_all(State& state) {
  const auto step = std::chrono::milliseconds(configuration_.step);
  const auto& session = state.roster.session;
  const auto order = secret_order(elements_.size());
  Points own;
  for (const std::size_t place : order)
    own.push_back((state.key * state.blind) *
                  hash_to_group(elements_[place], List::samples, session));
  state.operations += own.size();
  // Everybody has its turn as often as this: long lists of others are waited for.
  const auto patience = step * static_cast<int>(configuration_.sites.size() + 1);
  for (const auto& owner : configuration_.sites) {
    const std::uint64_t size = state.roster.sites.at(owner).samples;
    for (const auto& hop : configuration_.sites) {
      if (hop == owner) continue;
      for (std::uint64_t number = 0; number < union_batches(size, configuration_.batch); ++number) {
        const std::string context = union_context(session, "raise", owner, hop, number);
        if (owner == identity_.name) {
          const std::size_t begin = number * configuration_.batch;
          const std::size_t end = std::min<std::size_t>(own.size(), begin + configuration_.batch);
          const Points part(own.begin() + static_cast<std::ptrdiff_t>(begin),
                            own.begin() + static_cast<std::ptrdiff_t>(end));
          state.authority->send(MessageType::relay,
                                seal({session, owner, hop, number, MessageType::raise,
                                      ByteWriter().points(part).take()},
                                     identity_.key),
                                net::within(step));
          const Message passed = state.authority->expect(MessageType::relay, net::within(patience));
          const Message answer = open_passed_on(passed.payload, hop, session, identity_);
          ByteReader reader(answer.payload);
          const auto raised = reader.points(configuration_.batch);
          const auto bytes = reader.raw<EqualLogarithms::kBytes>();
          const auto proof = bytes ? EqualLogarithms::decode(*bytes) : std::nullopt;
          if (!proof || !reader.ended() || answer.to != owner || answer.number != number ||
              !verify_equal_logarithms(
                  {Point::generator(), state.roster.sites.at(hop).commitment, part, *raised},
                  *proof, context))
            throw CheckFailed(
                "proofs", hop,
                fmt::format("{} did not multiply every record by the key that it committed to",
                            hop));
          std::copy(raised->begin(), raised->end(),
                    own.begin() + static_cast<std::ptrdiff_t>(begin));
          state.operations += 2 * part.size();
        } else if (hop == identity_.name) {
          const Message passed = state.authority->expect(MessageType::relay, net::within(patience));
          // Signed by the owner: the authority can ask for nothing in its name.
          const Message asked = open_passed_on(passed.payload, owner, session, identity_);
          ByteReader reader(asked.payload);
          const auto points = reader.points(configuration_.batch);
          const std::uint64_t due =
              std::min(configuration_.batch, size - number * configuration_.batch);
          if (!points || !reader.ended() || asked.to != hop || asked.number != number ||
              asked.type != MessageType::raise || points->size() != due)
            throw CheckFailed("points", owner,
                              fmt::format("{} sent what is no list of points", owner));
          const Points raised = multiplied(state.key, *points);
          const auto proof = prove_equal_logarithms(
              state.key,
              {Point::generator(), state.roster.sites.at(hop).commitment, *points, raised},
              context);
          state.operations += 2 * points->size();
          state.authority->send(MessageType::relay,
                                seal({session, hop, owner, number, MessageType::raised,
                                      ByteWriter().points(raised).raw(proof.encode()).take()},
                                     identity_.key),
                                net::within(step));
        }
      }
    }
  }
  state.report.held("proofs");
  send_points(*state.authority, 0, multiplied(state.blind.inverse(), own), configuration_);
  Points sealed;
  for (const std::size_t place : order)
    for (const Point& point : seal_text(elements_[place], *state.sum)) sealed.push_back(point);
  send_points(*state.authority, 1, sealed, configuration_);
  state.operations += own.size() + sealed.size();
  const Message decision = state.authority->expect(MessageType::decision, net::within(patience));
  ByteReader reader(decision.payload);
  const auto count = reader.number(4);
  std::uint64_t most = 0;
  for (const auto& [name, hello] : state.roster.sites) most += hello.samples;
  if (!reader.ended() || *count == 0 || *count % kSealedPoints != 0 ||
      *count / kSealedPoints > most || *count / kSealedPoints < question_.minimum)
    throw CheckFailed("minimum", configuration_.authority,
                      "fewer elements would be revealed than the least that may be");
  state.size = *count;
}

void UnionSite::mix(State& state) {
  const auto step = std::chrono::milliseconds(configuration_.step);
  const Points got = receive_points(*state.authority, 3, state.size, configuration_);
  Points gave;
  gave.reserve(got.size());
  for (const std::size_t place : secret_order(got.size() / kSealedPoints)) {
    const auto begin = got.begin() + static_cast<std::ptrdiff_t>(place * kSealedPoints);
    gave.insert(gave.end(), begin, begin + kSealedPoints);
  }
  make_anew(gave, *state.sum);
  state.operations += gave.size();
  state.gave = digest_of_points(gave);
  const Sha256Digest before = digest_of_points(got);
  send_points(*state.authority, 3, gave, configuration_);
  state.authority->send(MessageType::raised,
                        ByteWriter()
                            .raw(before)
                            .raw(state.gave)
                            .raw(identity_.key.sign(
                                mix_text(state.roster.session, identity_.name, before, state.gave)))
                            .take(),
                        net::within(step));
}

void UnionSite::open(State& state) {
  const auto step = std::chrono::milliseconds(configuration_.step);
  const auto patience = step * static_cast<int>(configuration_.sites.size() + 1);
  const Message chain = state.authority->expect(MessageType::locked, net::within(patience));
  const Points texts = receive_points(*state.authority, 4, state.size, configuration_);
  ByteReader reader(chain.payload);
  std::optional<Sha256Digest> last;
  for (const auto& site : configuration_.sites) {
    const auto before = reader.raw<32>();
    const auto after = reader.raw<32>();
    const auto signature = reader.raw<64>();
    const bool fits =
        signature && (!last || *before == *last) &&
        (site != identity_.name || *after == state.gave) &&
        verify_signature(identity_.everybody.at(site),
                         mix_text(state.roster.session, site, *before, *after), *signature);
    if (!fits)
      throw CheckFailed("mix", configuration_.authority,
                        "the texts to open did not go through all sites");
    last = *after;
  }
  if (!reader.ended() || *last != digest_of_points(texts))
    throw CheckFailed("mix", configuration_.authority,
                      "the texts to open are not those that the last site gave");
  state.report.held("mix");
  const auto to_multiply = to_open(texts);
  const Points shares = multiplied(state.second, to_multiply);
  send_points(*state.authority, 2, shares, configuration_);
  ByteWriter proofs;
  for (std::size_t begin = 0; begin < shares.size(); begin += kProofPart) {
    const std::size_t size = std::min(kProofPart, shares.size() - begin);
    proofs.raw(
        prove_equal_logarithms(
            state.second,
            {Point::generator(), state.keys.at(identity_.name),
             std::span(to_multiply).subspan(begin, size), std::span(shares).subspan(begin, size)},
            union_context(state.roster.session, "open", identity_.name, identity_.name, begin))
            .encode());
  }
  state.authority->send(MessageType::raised, proofs.take(), net::within(step));
  state.operations += 2 * shares.size();
}

std::vector<std::string> UnionSite::receive_result(State& state) {
  const auto patience = std::chrono::milliseconds(configuration_.step) *
                        static_cast<int>(configuration_.sites.size() + 1);
  std::vector<std::string> result;
  for (bool ended = false; !ended;) {
    const Message message = state.authority->expect(MessageType::unlock, net::within(patience));
    ByteReader reader(message.payload);
    const auto last = reader.number(1);
    const auto count = reader.number(4);
    for (std::uint64_t i = 0; count && i < *count && i < configuration_.batch; ++i)
      if (auto text = reader.text()) result.push_back(std::move(*text));
    if (!reader.ended() || result.size() > state.size / kSealedPoints)
      throw CheckFailed("texts", configuration_.authority, "the result is broken");
    ended = *last != 0;
  }
  std::set<std::string> smaller(result.begin(), result.end());
  std::set<std::string> larger(elements_.begin(), elements_.end());
  if (!question_.common) std::swap(smaller, larger);
  if (result.size() != state.size / kSealedPoints ||
      !std::includes(larger.begin(), larger.end(), smaller.begin(), smaller.end()))
    throw CheckFailed("texts", "",
                      question_.common
                          ? "the result has an element that this site does not have"
                          : "an element of this site is missing: somebody replaced it");
  state.report.held("texts");
  return result;
}

Report UnionSite::run(const std::function<void()>& spend,
                      const std::function<void(const std::vector<std::string>&)>& prepare,
                      const std::function<void()>& commit) {
  State state;
  const auto step = std::chrono::milliseconds(configuration_.step);
  try {
    begin(state);
    agree_on_key(state);
    raise_with_all(state);
    spend();
    mix(state);
    open(state);
    const auto result = receive_result(state);
    prepare(result);
    state.authority->send(MessageType::have, {}, net::within(step));
    (void)state.authority->expect(MessageType::commit, net::within(step * 3));
    commit();
    state.report.held("commit");
    state.report.disclosed = result.size();
  } catch (const Aborted&) {
    throw;
  } catch (const Error& error) {
    if (state.authority) {
      try {
        state.authority->send(MessageType::abort, abort_payload(error), net::within(1s));
      } catch (...) {  // NOLINT(bugprone-empty-catch): it is gone
      }
    }
    throw;
  }
  Report report = std::move(state.report);
  report.operations = state.operations;
  report.least_operations = state.operations;
  report.bytes = state.traffic.sent + state.traffic.received;
  return report;
}

}  // namespace pratique::consortium
