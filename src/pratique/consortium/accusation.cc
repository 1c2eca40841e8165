#include "pratique/consortium/accusation.h"

#include <fmt/format.h>

#include "pratique/crypto/equal_logarithms.h"

namespace pratique::consortium {
namespace {

constexpr std::size_t kMostPoints = 16'384;  // of a batch, whatever the settings

Sha256Digest hash_of_asked(std::string_view asked) {
  return sha256(std::as_bytes(std::span(asked)));
}

}  // namespace

std::string proof_context(const Sha256Digest& session, const std::string& owner,
                          const std::string& hop, List list, std::uint64_t number) {
  return fmt::format("pratique-consortium-v1-raise-{}-{}-{}-{}-{}", to_hex(session), owner, hop,
                     static_cast<int>(list), number);
}

std::string question_text(const Sha256Digest& session, const std::string& owner,
                          const std::string& hop, std::uint64_t number, const Sha256Digest& asked) {
  return fmt::format("pratique consortium question\n{}\n{}\n{}\n{}\n{}", to_hex(session), owner,
                     hop, number, to_hex(asked));
}

std::optional<std::vector<Point>> proven_answer(std::string_view asked, std::string_view answer,
                                                const std::string& owner, const std::string& hop,
                                                const Roster& roster) {
  ByteReader question(asked);
  const auto list = question.number(1);
  const auto number = question.number(4);
  const auto before = question.points(kMostPoints);
  ByteReader reader(answer);
  const auto of_list = reader.number(1);
  const auto of_number = reader.number(4);
  const auto of_asked = reader.raw<32>();
  (void)reader.raw<64>();  // what the owner signed
  auto after = reader.points(kMostPoints);
  const auto bytes = reader.raw<EqualLogarithms::kBytes>();
  const auto proof = bytes ? EqualLogarithms::decode(*bytes) : std::nullopt;
  const auto site = roster.sites.find(hop);
  if (!proof || !reader.ended() || !question.ended() || site == roster.sites.end() || *list > 1 ||
      *of_asked != hash_of_asked(asked) || *of_list != *list || *of_number != *number ||
      after->size() != before->size() ||
      !verify_equal_logarithms(
          {Point::generator(), site->second.commitment, *before, *after}, *proof,
          proof_context(roster.session, owner, hop, static_cast<List>(*list), *number)))
    return std::nullopt;
  return after;
}

std::string evidence_of(std::string_view asked, std::string_view answer) {
  return ByteWriter().text(asked).text(answer).take();
}

bool shows_guilt(std::string_view evidence, const std::string& culprit, const Roster& roster,
                 const Identity& self) {
  ByteReader reader(evidence);
  const auto asked = reader.text();
  const auto answer = reader.text();
  if (!reader.ended()) return false;
  try {
    const Message message = open_passed_on(*answer, culprit, roster.session, self);
    if (message.type != MessageType::raised) return false;
    // Nobody honest signs one that cannot be read, or to what its owner did not sign as the
    // question of this number. If it did, and asked something else besides, the owner did it, not
    // the culprit.
    ByteReader head(message.payload);
    (void)head.number(5);
    const auto of_asked = head.raw<32>();
    const auto signature = head.raw<64>();
    const auto owner = self.everybody.find(message.to);
    if (!signature || owner == self.everybody.end() ||
        !verify_signature(
            owner->second,
            question_text(roster.session, message.to, culprit, message.number, *of_asked),
            *signature))
      return true;
    if (*of_asked != hash_of_asked(*asked)) return false;
    return !proven_answer(*asked, message.payload, message.to, culprit, roster);
  } catch (const CheckFailed&) {
    return false;  // the culprit did not sign it
  }
}

Aborted judged(const Aborted& accusation, const Configuration& configuration, const Roster& roster,
               const Identity& self) {
  const std::string& from = accusation.from();
  if (accusation.culprit().empty() || accusation.culprit() == from) return accusation;
  // Answers of stranon and of unions carry no question: they show nothing.
  const bool stands =
      accusation.evidence().empty()
          ? from == configuration.authority
          : configuration.protocol == "proven" &&
                shows_guilt(accusation.evidence(), accusation.culprit(), roster, self);
  if (stands) return accusation;
  return {accusation, accusation.check(), "", "", from};
}

}  // namespace pratique::consortium
