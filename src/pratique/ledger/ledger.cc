#include "pratique/ledger/ledger.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/ledger/internal/canonical.h"
#include "pratique/ledger/merkle_tree.h"

namespace pratique::ledger {
namespace {

using Sorted = nlohmann::json;  // keys in the order of their bytes

constexpr const char* kTampered =
    "This line was changed by somebody. Compare with a copy or a saved head; do not add to this "
    "ledger.";

// Thrown and caught within parse.
struct BadLine {
  std::string what;
  std::string advice = kTampered;
};

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

template <std::size_t N>
std::array<std::uint8_t, N> hex_member(const Sorted& object, const char* key) {
  std::array<std::uint8_t, N> bytes{};
  const auto digits = object.find(key);
  if (digits == object.end() || !digits->is_string() ||
      !from_hex(digits->get_ref<const std::string&>(), bytes)) {
    throw BadLine{fmt::format("'{}' is not {} bytes in hexadecimal", key, N)};
  }
  return bytes;
}

const Sorted& member(const Sorted& object, const char* key, bool (Sorted::*is)() const noexcept) {
  const auto value = object.find(key);
  if (value == object.end() || !((*value).*is)())
    throw BadLine{fmt::format("'{}' is missing or malformed", key)};
  return *value;
}

Fault torn_line(std::size_t number, bool whole) {
  if (whole) {
    return {number, "the last line is complete except for its newline",
            "The machine failed while writing it, or somebody changed the file. Run add again with "
            "--repair, which adds the newline.",
            true, true};
  }
  return {number, "the last line is incomplete",
          "Either the machine failed while writing it, and it was never acknowledged; or somebody "
          "cut or changed the file, which verify --head reveals. Run add again with --repair, "
          "which removes the line.",
          true, false};
}

}  // namespace

bool from_hex(std::string_view text, std::span<std::uint8_t> bytes) {
  if (text.size() != 2 * bytes.size()) return false;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const int high = hex_digit(text[2 * i]);
    const int low = hex_digit(text[2 * i + 1]);
    if (high < 0 || low < 0) return false;
    bytes[i] = static_cast<std::uint8_t>(16 * high + low);
  }
  return true;
}

std::string head_text(std::uint64_t size, const Sha256Digest& root) {
  return fmt::format("{}\n{}\n{}\n", kFormat, size, to_hex(root));
}

bool Head::authentic() const { return verify_signature(key, head_text(size, root), signature); }

Json to_json(const Head& head) {
  return {{"key", to_hex(head.key)},
          {"root", to_hex(head.root)},
          {"signature", to_hex(head.signature)},
          {"size", head.size}};
}

Head head_from_json(const Json& json, const std::string& place) {
  Head head;
  const auto hex = [&](const char* key, std::span<std::uint8_t> bytes) {
    return json.contains(key) && json[key].is_string() &&
           from_hex(json[key].get<std::string>(), bytes);
  };
  const bool good = json.is_object() && hex("key", head.key) && hex("root", head.root) &&
                    hex("signature", head.signature) && json.contains("size") &&
                    json["size"].is_number_unsigned() && json["size"].get<std::uint64_t>() > 0;
  if (!good) {
    throw Error::input("this is not the head of a ledger")
        .at(place)
        .hint("A head is a file written by ledger verify --save-head.");
  }
  head.size = json["size"].get<std::uint64_t>();
  return head;
}

void Ledger::take(std::string_view line) {
  if (!shallow(line)) throw BadLine{"this is not a line of a ledger"};
  const Sorted read = Sorted::parse(line, nullptr, false);
  if (read.is_discarded() || !read.is_object()) {
    if (!entries_.empty()) throw BadLine{"this is not one JSON object"};
    throw BadLine{"this is not one JSON object",
                  "Either this is not a ledger, or its first line was changed: compare it with a "
                  "copy or a saved head, and do not add to it."};
  }
  if (read.size() != 3) throw BadLine{"a line has entry, root and signature, and nothing else"};
  const Sorted& entry = member(read, "entry", &Sorted::is_object);
  if (entry.size() != 5)
    throw BadLine{"an entry has body, index, kind, previous and time, and nothing else"};
  const Sorted& body = member(entry, "body", &Sorted::is_object);
  const Sorted& kind = member(entry, "kind", &Sorted::is_string);
  (void)member(entry, "time", &Sorted::is_string);
  if (canonical(read) != line) throw BadLine{"this line is not in canonical form"};
  const Sorted& index = member(entry, "index", &Sorted::is_number_unsigned);
  if (index.get<std::uint64_t>() != entries_.size()) {
    throw BadLine{fmt::format("entry {} is where entry {} belongs", index.get<std::uint64_t>(),
                              entries_.size()),
                  "Lines were removed, inserted or moved. Compare with a copy or a saved head; do "
                  "not add to this ledger."};
  }
  const auto previous = hex_member<32>(entry, "previous");
  if (previous != (leaves_.empty() ? Sha256Digest{} : leaves_.back())) {
    throw BadLine{"the chain is broken: 'previous' is not the hash of the entry before"};
  }
  Head head = head_;
  if (entries_.empty()) {
    if (kind != "ledger" || body.value("format", Sorted()) != kFormat) {
      throw BadLine{"the first entry does not begin a ledger",
                    "Is this the file that ledger init made?"};
    }
    head.key = hex_member<32>(body, "public_key");
  }
  const std::string text = canonical(entry);
  const Sha256Digest leaf = leaf_hash(text);
  head.root = hex_member<32>(read, "root");
  head.signature = hex_member<64>(read, "signature");
  head.size = entries_.size() + 1;
  GrowingTree grown = tree_;
  grown.add(leaf);
  if (grown.root() != head.root) throw BadLine{"the root is not that of the entries up to here"};
  if (!head.authentic()) throw BadLine{"the signature is not that of the ledger's key"};
  tree_ = std::move(grown);
  entries_.push_back(text);
  leaves_.push_back(leaf);
  head_ = head;
}

Ledger Ledger::parse(std::string_view text) {
  Ledger ledger;
  std::size_t number = 0;
  while (!text.empty()) {
    ++number;
    const auto end = text.find('\n');
    if (end == std::string_view::npos) {
      ledger.fault_ = torn_line(number, false);
      try {
        ledger.take(text);
        ledger.fault_ = torn_line(number, true);
      } catch (const BadLine&) {  // NOLINT(bugprone-empty-catch): torn within, as most are
      }
      return ledger;
    }
    try {
      ledger.take(text.substr(0, end));
    } catch (const BadLine& bad) {
      ledger.fault_ = Fault{number, bad.what, bad.advice};
      return ledger;
    }
    ledger.sound_bytes_ += end + 1;
    text.remove_prefix(end + 1);
  }
  if (ledger.entries_.empty()) {
    ledger.fault_ = Fault{0, "this ledger is empty",
                          "Nothing was ever recorded in it, or somebody emptied it. Remove it and "
                          "start a new one with ledger init."};
  }
  return ledger;
}

std::optional<Fault> Ledger::check_against(const Head& saved) const {
  const auto fault = [](std::string what) {
    return Fault{0, std::move(what),
                 "Somebody changed the history. Keep this file and the saved head, and ask whoever "
                 "has a copy."};
  };
  if (!saved.authentic()) {
    return Fault{0, "the saved head is not signed by its own key",
                 "The saved head itself was changed."};
  }
  if (saved.size > entries_.size()) {
    return fault(fmt::format("cut off: the saved head has {} entries, this ledger has {}",
                             saved.size, entries_.size()));
  }
  const auto root = tree_root(std::span(leaves_).first(static_cast<std::size_t>(saved.size)));
  if (root != saved.root) {
    return fault(
        fmt::format("forked: its first {} entries are not those of the saved head", saved.size));
  }
  if (saved.key != head_.key) return fault("the saved head has a different key");
  return std::nullopt;
}

}  // namespace pratique::ledger
