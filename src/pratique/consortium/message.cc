#include "pratique/consortium/message.h"

#include <fmt/format.h>

#include <algorithm>

namespace pratique::consortium {

std::string seal(const Message& message, const SigningKey& key) {
  std::string bytes = ByteWriter()
                          .raw(message.session)
                          .text(message.from)
                          .text(message.to)
                          .number(message.number, 8)
                          .number(static_cast<std::uint8_t>(message.type), 1)
                          .text(message.payload)
                          .take();
  const Signature signature = key.sign("pratique consortium 1\n" + bytes);
  bytes.append(reinterpret_cast<const char*>(signature.data()), signature.size());
  return bytes;
}

std::optional<Sealed> open_sealed(std::string_view bytes) {
  if (bytes.size() < sizeof(Signature) || bytes.size() > kLargestMessage) return std::nullopt;
  Sealed sealed;
  sealed.signed_bytes = bytes.substr(0, bytes.size() - sizeof(Signature));
  const auto signature = bytes.substr(sealed.signed_bytes.size());
  std::copy(signature.begin(), signature.end(), sealed.signature.begin());
  ByteReader reader(sealed.signed_bytes);
  const auto session = reader.raw<32>();
  auto from = reader.text();
  auto to = reader.text();
  const auto number = reader.number(8);
  const auto type = reader.number(1);
  auto payload = reader.text();
  if (!payload || !reader.ended() || *type < 1 || *type > 16) return std::nullopt;
  sealed.message = {*session,
                    std::move(*from),
                    std::move(*to),
                    *number,
                    static_cast<MessageType>(*type),
                    std::move(*payload)};
  return sealed;
}

ByteWriter& ByteWriter::number(std::uint64_t value, std::size_t bytes) {
  for (std::size_t i = bytes; i > 0; --i)
    bytes_ += static_cast<char>((value >> (8U * (i - 1))) & 0xffU);
  return *this;
}

ByteWriter& ByteWriter::text(std::string_view value) {
  number(value.size(), 4);
  bytes_ += value;
  return *this;
}

ByteWriter& ByteWriter::raw(std::span<const std::uint8_t> value) {
  bytes_.append(reinterpret_cast<const char*>(value.data()), value.size());
  return *this;
}

ByteWriter& ByteWriter::points(std::span<const Point> value) {
  number(value.size(), 4);
  for (const Point& point : value) raw(point.bytes());
  return *this;
}

std::optional<std::string_view> ByteReader::take(std::size_t bytes) {
  if (broken_ || rest_.size() < bytes) {
    broken_ = true;
    return std::nullopt;
  }
  const auto part = rest_.substr(0, bytes);
  rest_.remove_prefix(bytes);
  return part;
}

std::optional<std::uint64_t> ByteReader::number(std::size_t bytes) {
  const auto part = take(bytes);
  if (!part) return std::nullopt;
  std::uint64_t value = 0;
  for (const char c : *part) value = (value << 8U) | static_cast<unsigned char>(c);
  return value;
}

std::optional<std::string> ByteReader::text() {
  const auto length = number(4);
  if (!length) return std::nullopt;
  const auto part = take(*length);
  if (!part) return std::nullopt;
  return std::string(*part);
}

std::optional<std::vector<Point>> ByteReader::points(std::size_t at_most) {
  const auto count = number(4);
  if (!count || *count > at_most || rest_.size() < *count * Point::kBytes) {
    broken_ = true;
    return std::nullopt;
  }
  std::vector<Point> points;
  points.reserve(*count);
  for (std::uint64_t i = 0; i < *count; ++i) {
    const auto point = Point::decode(*raw<Point::kBytes>());
    if (!point) {
      broken_ = true;
      return std::nullopt;
    }
    points.push_back(*point);
  }
  return points;
}

std::string abort_payload(const Error& error) {
  std::string check;
  std::string culprit;
  std::string evidence;
  if (const auto* failed = dynamic_cast<const CheckFailed*>(&error)) {
    check = failed->check();
    culprit = failed->culprit();
    evidence = failed->evidence();
  } else if (const auto* aborted = dynamic_cast<const Aborted*>(&error)) {
    check = aborted->check();
    culprit = aborted->culprit();
    evidence = aborted->evidence();
  }
  return ByteWriter()
      .number(static_cast<std::uint8_t>(error.code()), 1)
      .text(check)
      .text(culprit)
      .text(error.message())
      .text(error.hint())
      .text(evidence)
      .take();
}

Aborted aborted_by(const std::string& sender, std::string_view payload) {
  constexpr std::size_t kLongestWords = 2000;  // bytes; they are shown to a person
  ByteReader reader(payload);
  const auto code = reader.number(1);
  const auto check = reader.text();
  const auto culprit = reader.text();
  const auto message = reader.text();
  const auto hint = reader.text();
  auto evidence = reader.text();
  if (!reader.ended() ||
      std::max({check->size(), culprit->size(), message->size(), hint->size()}) > kLongestWords)
    return {Error::machine(sender + " ended the session"), "", "", "", sender};
  Error error(*code == 1   ? ErrorCode::check_failed
              : *code == 2 ? ErrorCode::bad_input
                           : ErrorCode::machine,
              message->starts_with(sender + ": ") || message->starts_with(sender + " ")
                  ? *message
                  : fmt::format("{}: {}", sender, *message));
  error.hint(*hint);
  return {error, *check, *culprit, std::move(*evidence), sender};
}

}  // namespace pratique::consortium
