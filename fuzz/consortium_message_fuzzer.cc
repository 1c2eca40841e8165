// Messages of a consortium from any bytes: opened or refused. What is opened is sealed to the same
// bytes again, hellos and points that are read are written and read to the same, and nothing that
// was refused is half taken.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "pratique/consortium/accusation.h"
#include "pratique/consortium/authority.h"
#include "pratique/consortium/message.h"
#include "pratique/consortium/session.h"

namespace {

using namespace pratique::consortium;

void require(bool ok) {
  if (!ok) std::abort();
}

void open(std::string_view bytes) {
  const auto sealed = open_sealed(bytes);
  if (!sealed) return;
  const Message& message = sealed->message;
  const std::string again = ByteWriter()
                                .raw(message.session)
                                .text(message.from)
                                .text(message.to)
                                .number(message.number, 8)
                                .number(static_cast<std::uint8_t>(message.type), 1)
                                .text(message.payload)
                                .take();
  require(again == sealed->signed_bytes);
  if (message.type == MessageType::abort) (void)aborted_by(message.from, message.payload);
}

void read_points(std::string_view bytes) {
  ByteReader reader(bytes);
  const auto list = reader.number(1);
  const auto number = reader.number(4);
  const auto points = reader.points(1024);
  if (!points || !reader.ended()) return;
  require(ByteWriter().number(*list, 1).number(*number, 4).points(*points).take() == bytes);
}

// Half of it asked, half of it answered, of a site without a key that anybody knows: never proven.
void prove(std::string_view bytes) {
  static const Roster roster = [] {
    Roster made;
    made.sites["H1"] = Hello{};
    return made;
  }();
  const std::size_t half = bytes.size() / 2;
  (void)proven_answer(bytes.substr(0, half), bytes.substr(half), "H2", "H1", roster);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  open(bytes);
  read_points(bytes);
  const auto hello = Hello::decode(bytes);
  if (hello) require(hello->encode() == bytes);
  (void)aborted_by("H1", bytes);
  (void)signature_for("H1", bytes);
  prove(bytes);
  return 0;
}
