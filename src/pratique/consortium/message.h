// A message of the consortium: who says what to whom in which session, signed.
//
//   length (4 bytes) | session (32) | from | to | number (8) | type (1) | payload | signature (64)
//
// from, to and payload have their length before them (4 bytes); numbers have the highest byte
// first. `to` is empty where everybody is meant. `number` counts the messages of one connection and
// direction. The signature (Ed25519, by the key of the sender's certificate) is over all before it
// but the length, so that a message of another session, connection or place in the sequence, one
// that was cut, prolonged or changed, is refused, and one that broke a rule can be shown to others.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/core/error.h"
#include "pratique/crypto/hash.h"
#include "pratique/crypto/ristretto.h"
#include "pratique/crypto/signing.h"

namespace pratique::consortium {

inline constexpr std::size_t kLargestMessage = std::size_t{1} << 21U;

enum class MessageType : std::uint8_t {
  hello = 1,     // site to authority: commitment, sizes, clock
  roster = 2,    // authority to site: all hellos; it makes the session
  greeting = 3,  // site to site, first on a connection
  raise = 4,     // owner to hop: points of a list
  raised = 5,    // the answer, with its proof
  list = 6,      // owner to authority: fully encrypted points
  decision = 7,  // authority to owner: a bitmap over its order
  have = 8,      // owner to authority: it has its decision
  commit = 9,    // authority to all: everybody has
  relay = 10,    // site to site: the authority's commit
  abort = 11,    // why the session ends
  // Of stranon alone:
  lower = 12,      // owner to hop: points to decrypt
  lowered = 13,    // the answer
  locked = 14,     // authority to owner: how many points it gets, under a lock
  decrypted = 15,  // owner to authority: all of them were decrypted
  unlock = 16,     // authority to owner: its decision, and what opens the lock
};

struct Message {
  Sha256Digest session{};
  std::string from;
  std::string to;
  std::uint64_t number = 0;
  MessageType type = MessageType::hello;
  std::string payload;
};

[[nodiscard]] std::string seal(const Message& message, const SigningKey& key);
// Without its length. Nothing where it has not this form; the signature is not looked at.
struct Sealed {
  Message message;
  std::string_view signed_bytes;  // of what was opened
  Signature signature;
};
[[nodiscard]] std::optional<Sealed> open_sealed(std::string_view bytes);

class ByteWriter {
 public:
  ByteWriter& number(std::uint64_t value, std::size_t bytes);
  ByteWriter& text(std::string_view value);  // with its length
  ByteWriter& raw(std::span<const std::uint8_t> value);
  ByteWriter& points(std::span<const Point> value);  // with their number
  [[nodiscard]] std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Each returns nothing where the bytes are not there, and from then on nothing is.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}
  [[nodiscard]] std::optional<std::uint64_t> number(std::size_t bytes);
  [[nodiscard]] std::optional<std::string> text();
  template <std::size_t Size>
  [[nodiscard]] std::optional<std::array<std::uint8_t, Size>> raw() {
    const auto part = take(Size);
    if (!part) return std::nullopt;
    std::array<std::uint8_t, Size> value{};
    std::copy(part->begin(), part->end(), value.begin());
    return value;
  }
  // Each the only encoding of a point that is not the identity.
  [[nodiscard]] std::optional<std::vector<Point>> points(std::size_t at_most);
  [[nodiscard]] bool ended() const { return !broken_ && rest_.empty(); }

 private:
  [[nodiscard]] std::optional<std::string_view> take(std::size_t bytes);
  std::string_view rest_;
  bool broken_ = false;
};

// A rule of the protocol that somebody broke; the session ends, and nobody writes anything.
class CheckFailed : public Error {
 public:
  // `evidence` shows it to others (accusation.h); `kept` is for who found it alone.
  CheckFailed(std::string check, std::string culprit, const std::string& what,
              std::string evidence = "", std::string kept = "")
      : Error(ErrorCode::check_failed, what),
        check_(std::move(check)),
        culprit_(std::move(culprit)),
        evidence_(std::move(evidence)),
        kept_(std::move(kept)) {}
  [[nodiscard]] const std::string& check() const { return check_; }
  [[nodiscard]] const std::string& culprit() const { return culprit_; }
  [[nodiscard]] const std::string& evidence() const { return evidence_; }
  [[nodiscard]] const std::string& kept() const { return kept_; }

 private:
  std::string check_;
  std::string culprit_;
  std::string evidence_;
  std::string kept_;
};

// Another participant ended the session, and said why.
class Aborted : public Error {
 public:
  Aborted(const Error& error, std::string check, std::string culprit, std::string evidence = "",
          std::string from = "")
      : Error(error),
        check_(std::move(check)),
        culprit_(std::move(culprit)),
        evidence_(std::move(evidence)),
        from_(std::move(from)) {}
  [[nodiscard]] const std::string& check() const { return check_; }
  [[nodiscard]] const std::string& culprit() const { return culprit_; }
  [[nodiscard]] const std::string& evidence() const { return evidence_; }
  [[nodiscard]] const std::string& from() const { return from_; }  // whose message it was

 private:
  std::string check_;
  std::string culprit_;
  std::string evidence_;
  std::string from_;
};

[[nodiscard]] std::string abort_payload(const Error& error);
[[nodiscard]] Aborted aborted_by(const std::string& sender, std::string_view payload);

}  // namespace pratique::consortium
