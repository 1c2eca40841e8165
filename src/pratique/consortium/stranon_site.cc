// A site of the thesis's protocol, where it differs from the proven one: guarded_list.h has the
// steps.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "pratique/consortium/guarded_list.h"
#include "pratique/consortium/internal/site_state.h"

namespace pratique::consortium {

using namespace std::chrono_literals;

std::vector<Point> Site::lower(const Scalar& key, const std::string& /*owner*/,
                               const std::vector<Point>& points) {
  return multiplied(key.inverse(), points);
}

void Site::answer_lock(State& state) {
  const Points points = receive_points(*state.authority, 0, configuration_.lock, configuration_);
  state.operations += points.size();
  send_points(*state.authority, 0, raise(state.key, configuration_.authority, points),
              configuration_);
}

std::vector<Point> Site::through_others(State& state, MessageType ask, List list,
                                        std::vector<Point> points) {
  const auto step = state.step();
  const MessageType due = ask == MessageType::raise ? MessageType::raised : MessageType::lowered;
  for (std::size_t place = 0; place < state.others.size(); ++place) {
    Channel& channel = *state.outgoing[place];
    Points answers;
    answers.reserve(points.size());
    for (std::size_t begin = 0; begin < points.size(); begin += configuration_.batch) {
      if (state.stop) throw Stopped{};
      if (state.authority->readable(net::within(0ms)))
        (void)state.authority->receive(net::within(step));  // why the session ends
      const std::size_t end = std::min<std::size_t>(points.size(), begin + configuration_.batch);
      const PointBatch batch{list,
                             begin / configuration_.batch,
                             {points.begin() + static_cast<std::ptrdiff_t>(begin),
                              points.begin() + static_cast<std::ptrdiff_t>(end)}};
      const std::string payload = batch_payload(batch);
      channel.send(ask, payload, net::within(step));
      const Message message = channel.expect(due, net::within(step));
      ByteReader reader(message.payload);
      const auto asked = reader.raw<32>();
      const auto got = reader.points(configuration_.batch);
      if (!got || !reader.ended() || *asked != digest_of(payload) ||
          got->size() != batch.points.size())
        throw CheckFailed("points", channel.peer(),
                          fmt::format("{} did not answer with as many points", channel.peer()));
      answers.insert(answers.end(), got->begin(), got->end());
    }
    points = std::move(answers);
  }
  return points;
}

void Site::send_guarded(State& state) {
  answer_lock(state);
  progress_.begin("encrypting with all sites", lists_.samples.size() + lists_.people.size());
  for (const List list : {List::samples, List::people}) {
    const auto& elements = list == List::samples ? lists_.samples : lists_.people;
    Points records;
    records.reserve(elements.size());
    for (std::size_t place = 0; place < elements.size(); ++place)
      records.push_back(hash_to_group(elements[place], list, state.roster.session));
    GuardedList guarded(records, common_dummy(list, state.roster.session), configuration_.beta);
    (void)guarded.take_encrypted(
        through_others(state, MessageType::raise, list, guarded.blinded(state.key)));
    for (std::uint64_t round = 0; round < configuration_.alpha; ++round)
      if (!guarded.is_answered(through_others(state, MessageType::lower, list, guarded.question()),
                               state.key))
        throw CheckFailed("partial key switch", "",
                          "what the other sites encrypted they did not decrypt to what it was: one "
                          "of them used another key for some records");
    state.operations += guarded.size() * (2 + 2 * configuration_.alpha);
    state.order[static_cast<std::size_t>(list)] = guarded.submitted();
    send_points(*state.authority, static_cast<std::uint8_t>(list), guarded.submission(),
                configuration_);
    progress_.advance(records.size());
    if (list == List::samples) state.records = std::move(records);
  }
}

void Site::answer_guarded(State& state, Channel& owner, const Message& message,
                          std::vector<std::uint64_t>& left) {
  const bool raises = message.type == MessageType::raise;
  ByteReader reader(message.payload);
  const auto list = reader.number(1);
  const auto number = reader.number(4);
  const auto points = reader.points(configuration_.batch);
  bool fits = (raises || message.type == MessageType::lower) && points && reader.ended() &&
              *list <= 1 && !points->empty() && number;
  if (fits) {
    // Checks first; only then what is returned to it.
    std::size_t use = (raises ? 0 : 2) + *list;
    if (use == 2 && left[2] == 0) use = 4;
    fits = points->size() <= left[use];
    if (fits) left[use] -= points->size();
    if (use == 4) state.served_back += points->size();
  }
  if (!fits)
    throw CheckFailed(
        "points", owner.peer(),
        fmt::format("{} sent something that is not a list of points, or more than it said",
                    owner.peer()));
  state.operations += points->size();
  const Points answers =
      raises ? raise(state.key, owner.peer(), *points) : lower(state.key, owner.peer(), *points);
  owner.send(raises ? MessageType::raised : MessageType::lowered,
             ByteWriter().raw(digest_of(message.payload)).points(answers).take(),
             net::within(configuration_.step));
}

SiteDecision Site::receive_locked(State& state) {
  progress_.begin("waiting for the decision", 0);
  const auto step = state.step();
  const Message head = state.authority->expect(MessageType::locked, net::within(step * 3));
  ByteReader sizes(head.payload);
  const auto count = sizes.number(4);
  if (!sizes.ended() || *count < configuration_.lock ||
      *count > configuration_.lock + lists_.samples.size())
    throw CheckFailed("decision", configuration_.authority,
                      "the authority returns more than this site has");
  const Points mixed = receive_points(*state.authority, 0, *count, configuration_);
  const Points dummies = receive_points(*state.authority, 1, configuration_.lock, configuration_);
  Points shuffled;
  for (const std::size_t place : secret_order(mixed.size())) shuffled.push_back(mixed[place]);
  const Points decrypted = multiplied(
      state.key.inverse(), through_others(state, MessageType::lower, List::samples, shuffled));
  const auto records = honestly_decrypted(decrypted, dummies);
  if (!records)
    throw CheckFailed("lock", "",
                      "not all of the authority's dummies came back: somebody did not decrypt what "
                      "was returned to this site");
  state.authority->send(MessageType::decrypted, {}, net::within(step));
  // The authority waits for the slowest site.
  const Message message = state.authority->expect(MessageType::unlock, net::within(step * 3));
  ByteReader reader(message.payload);
  const auto bytes = reader.raw<Scalar::kBytes>();
  const auto text = reader.text();
  const auto signature = reader.raw<64>();
  const auto opens = bytes ? Scalar::decode(*bytes) : std::nullopt;
  if (!reader.ended() || !opens)
    throw CheckFailed("decision", configuration_.authority, "what opens the lock is not a number");
  state.operations += mixed.size() + records->size();
  std::map<Point, std::uint32_t> places;
  for (std::uint32_t i = 0; i < state.records.size(); ++i) places.emplace(state.records[i], i);
  std::vector<std::uint32_t> disclosed;
  for (const Point& point : multiplied(*opens, *records)) {
    const auto place = places.find(point);
    if (place == places.end())
      throw CheckFailed("grab-and-go", "",
                        "what was returned is none of this site's samples: somebody spoiled it");
    disclosed.push_back(place->second);
  }
  return decision_of(state, *text, *signature, std::move(disclosed), "");
}

}  // namespace pratique::consortium
