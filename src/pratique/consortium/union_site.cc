#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "pratique/consortium/guarded_list.h"
#include "pratique/consortium/internal/meeting.h"
#include "pratique/consortium/internal/union_parts.h"
#include "pratique/consortium/sealed_text.h"
#include "pratique/consortium/union.h"
#include "pratique/crypto/equal_logarithms.h"

namespace pratique::consortium {

struct UnionSite::State : Attendance {
  using Attendance::Attendance;
  Scalar key = Scalar::random();
  Scalar blind = Scalar::random();
  Scalar second = Scalar::random();
  std::map<std::string, Point> keys;
  std::optional<Point> sum;
  std::vector<std::uint32_t> order;  // in which its elements are sent
  Points own;                        // its elements, while they are multiplied
  std::uint64_t size = 0;            // points of the result
  Points texts;                      // to open
  Sha256Digest gave{};               // its own mix
};

UnionSite::UnionSite(const Configuration& configuration, const Identity& identity,
                     ElementList elements, const UnionQuestion& question, Progress& progress)
    : configuration_(configuration),
      identity_(identity),
      elements_(std::move(elements)),
      question_(question),
      progress_(progress) {}

void UnionSite::agree_on_key(State& state) {
  const auto step = state.step();
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
  const auto step = state.step();
  const auto& session = state.roster.session;
  state.order = secret_order(elements_.size());
  Points& own = state.own;
  for (const std::size_t place : state.order)
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
                              fmt::format("{} sent something that is not a list of points", owner));
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
}

// From now on the authority can compare.
void UnionSite::submit(State& state) {
  send_points(*state.authority, 0, multiplied(state.blind.inverse(), state.own), configuration_);
  Points sealed;
  for (const std::size_t place : state.order)
    for (const Point& point : seal_text(elements_[place], *state.sum)) sealed.push_back(point);
  send_points(*state.authority, 1, sealed, configuration_);
  state.operations += state.own.size() + sealed.size();
  state.own = {};
  const auto patience = state.step() * static_cast<int>(configuration_.sites.size() + 1);
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
  const auto step = state.step();
  const Points got = receive_points(*state.authority, 3, state.size, configuration_);
  Points gave;
  gave.reserve(got.size());
  for (const std::size_t place : secret_order(got.size() / kSealedPoints)) {
    const auto begin = got.begin() + static_cast<std::ptrdiff_t>(place * kSealedPoints);
    gave.insert(gave.end(), begin, begin + kSealedPoints);
  }
  make_anew(gave, *state.sum);
  mixed(gave);
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
  const auto step = state.step();
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
  const Share share = share_of(state.second, state.keys.at(identity_.name), identity_.name, texts,
                               state.roster.session);
  send_points(*state.authority, 2, share.points, configuration_);
  state.authority->send(MessageType::raised, share.proofs, net::within(step));
  state.operations += 2 * share.points.size();
  state.texts = texts;
}

std::vector<std::string> UnionSite::receive_result(State& state) {
  const auto patience = state.step() * static_cast<int>(configuration_.sites.size() + 1);
  std::map<std::string, Share> shares;
  for (const auto& [site, key] : state.keys) {
    Share& share = shares[site];
    (void)state.authority->readable(net::within(patience));
    share.points = receive_points(*state.authority, 5, state.size / 2, configuration_);
    share.proofs = state.authority->expect(MessageType::unlock, net::within(patience)).payload;
    state.operations += 2 * share.points.size();
  }
  // By itself: an authority that changed texts to know them again could change the result back.
  auto result = opened_texts(state.texts, shares, state.keys, state.roster.session);
  state.operations += kTextPoints * result.size();
  std::set<std::string> smaller(result.begin(), result.end());
  std::set<std::string> larger;
  for (std::size_t place = 0; place < elements_.size(); ++place) larger.emplace(elements_[place]);
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
  State state(configuration_, identity_, report_);
  state.attend([&] {
    state.come(progress_);
    const Hello hello = state.hello(state.key, elements_.size(), elements_.size());
    state.say(hello);
    state.wait_for_roster(hello);
    agree_on_key(state);
    raise_with_all(state);
    spend();
    submit(state);
    mix(state);
    open(state);
    const auto result = receive_result(state);
    prepare(result);
    state.authority->send(MessageType::have, {}, net::within(state.step()));
    (void)state.authority->expect(MessageType::commit, net::within(state.step() * 3));
    commit();
    state.report.held("commit");
    state.report.disclosed = result.size();
  });
  report_.least_operations = report_.operations;
  return report_;
}

}  // namespace pratique::consortium
