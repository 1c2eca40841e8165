// A record that can only grow, in a file that a person can read: one JSON object per line.
//
//   {"entry":{"body":{...},"index":2,"kind":"release","previous":"<hex>","time":"<UTC>"},
//    "root":"<hex>","signature":"<hex>"}
//
// - Canonical: keys in the order of their bytes, no blanks, UTF-8. A line that says the same in
//   other bytes is a fault.
// - entry is what is recorded. index counts from 0; previous is the leaf hash of the entry before
//   (64 zeros in the first): the chain.
// - root is the root of the hash tree over all entries up to this one (merkle_tree.h, leaves are
// the
//   bytes of entries), and signature the Ed25519 signature of the head, these bytes:
//       pratique-ledger-1\n<number of entries>\n<root in hex>\n
//   So every line is a signed head that commits to everything before it.
// - The first entry is of kind "ledger"; its body has format (pratique-ledger-1) and public_key.
//
// Changes, doubled lines, another order and foreign entries are found from the file alone. Whoever
// holds the private key can rewrite all of it, and anybody can cut lines off its end: both are
// found against a head that was saved elsewhere.
//
// Writers take turns by a lock on the file and write a line at once, with fsync. A machine that
// fails in between leaves a line without an end: a torn line, which is told, and mended only on
// request: it is cut off, or given its end where it is whole but for that. A line that a machine
// failed to write was never acknowledged; whether it was the machine or a person who cut it, a
// saved head can tell.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/core/json.h"
#include "pratique/core/progress.h"
#include "pratique/crypto/hash.h"
#include "pratique/crypto/signing.h"
#include "pratique/ledger/merkle_tree.h"

namespace pratique::ledger {

struct Head {
  std::uint64_t size = 0;
  Sha256Digest root = {};
  Signature signature = {};
  PublicKey key = {};

  // Signed by its key.
  [[nodiscard]] bool authentic() const;
};

// The bytes that are signed.
[[nodiscard]] std::string head_text(std::uint64_t size, const Sha256Digest& root);
// key, root, signature, size
[[nodiscard]] Json to_json(const Head& head);
[[nodiscard]] Head head_from_json(const Json& json, const std::string& place);
// 2 * N digits, small letters; false when it is anything else.
[[nodiscard]] bool from_hex(std::string_view text, std::span<std::uint8_t> bytes);

// What is wrong, where, and what to do.
struct Fault {
  std::size_t line = 0;  // from 1; 0: the whole
  std::string what;
  std::string advice;
  bool torn = false;   // the last line has no end
  bool whole = false;  // of a torn line: nothing else is wrong with it
};

// Throws when there is no file, and says how to begin one.
void require_ledger(const std::string& path);

// What stands in a ledger, up to its first fault.
class Ledger {
 public:
  // Never throws, whatever the text.
  static Ledger parse(std::string_view text);
  // What a writer is just writing is not taken for torn.
  static Ledger read(const std::string& path);

  [[nodiscard]] const std::optional<Fault>& fault() const { return fault_; }
  // Canonical JSON, all verified; with a last line that is whole but for its end.
  [[nodiscard]] const std::vector<std::string>& entries() const { return entries_; }
  [[nodiscard]] const std::vector<Sha256Digest>& leaves() const { return leaves_; }
  [[nodiscard]] const PublicKey& key() const { return head_.key; }
  // After the last entry; there is one.
  [[nodiscard]] const Head& head() const { return head_; }
  // Of the text: the lines that were verified.
  [[nodiscard]] std::size_t sound_bytes() const { return sound_bytes_; }

  // Whether this ledger is what the head was, or what has become of it.
  [[nodiscard]] std::optional<Fault> check_against(const Head& saved) const;

 private:
  void take(std::string_view line);
  std::optional<Fault> fault_;
  std::vector<std::string> entries_;
  std::vector<Sha256Digest> leaves_;
  GrowingTree tree_;
  Head head_;
  std::size_t sound_bytes_ = 0;
};

// A ledger opened for writing: nobody else writes while this object lives.
class LedgerFile {
 public:
  // Makes the ledger and its key. Never writes over anything, whoever else does the same.
  static Head create(const std::string& path, const std::string& key_path);

  // Waits for other writers. Throws Error::check when it has a fault, a torn line but for `repair`,
  // which mends it.
  LedgerFile(std::string path, bool repair, Progress& progress);
  ~LedgerFile();
  LedgerFile(const LedgerFile&) = delete;
  LedgerFile& operator=(const LedgerFile&) = delete;

  [[nodiscard]] const Ledger& ledger() const { return ledger_; }
  // On disk when it returns.
  Head append(const std::string& kind, const Json& body, const SigningKey& key);

 private:
  std::string path_;
  int descriptor_ = -1;
  Ledger ledger_;
};

}  // namespace pratique::ledger
