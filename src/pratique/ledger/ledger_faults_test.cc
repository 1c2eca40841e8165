// Faults that only the owner of the key can plant: each line is signed, and wrong in one thing.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/ledger/ledger.h"

namespace pratique::ledger::ledger_faults_test {
namespace {

using Sorted = nlohmann::json;

// Writes a ledger from its description in ledger.h, and not by the code that is tested.
class ForgedLedger : public testing::Test {
 protected:
  PrivateFolder folder;
  SigningKey key = SigningKey::create(folder.path() + "/key");
  std::vector<Sha256Digest> leaves;
  std::string text;

  void SetUp() override { add(first()); }

  [[nodiscard]] Sorted first() const {
    return {{"body", {{"format", "pratique-ledger-1"}, {"public_key", to_hex(key.public_key())}}},
            {"index", 0},
            {"kind", "ledger"},
            {"previous", std::string(64, '0')},
            {"time", "2026-01-01T00:00:00Z"}};
  }
  [[nodiscard]] Sorted next() const {
    return {{"body", {{"rows", 5}}},
            {"index", leaves.size()},
            {"kind", "release"},
            {"previous", to_hex(leaves.back())},
            {"time", "2026-01-01T00:00:00Z"}};
  }
  // The line that records this entry.
  [[nodiscard]] Sorted line(const Sorted& entry) const {
    auto all = leaves;
    all.push_back(leaf_hash(entry.dump()));
    const std::string root = to_hex(tree_root(all));
    const std::string head =
        "pratique-ledger-1\n" + std::to_string(all.size()) + "\n" + root + "\n";
    return {{"entry", entry}, {"root", root}, {"signature", to_hex(key.sign(head))}};
  }
  void add(const Sorted& entry) {
    text += line(entry).dump() + "\n";
    leaves.push_back(leaf_hash(entry.dump()));
  }
  // What is wrong with the ledger when this stands at its end.
  [[nodiscard]] std::string fault_of(const std::string& last) const {
    const Ledger ledger = Ledger::parse(text + last + "\n");
    EXPECT_EQ(ledger.entries().size(), leaves.size());
    EXPECT_EQ(ledger.sound_bytes(), text.size());
    if (!ledger.fault()) return "none";
    EXPECT_EQ(ledger.fault()->line, leaves.size() + 1);
    EXPECT_FALSE(ledger.fault()->torn);
    EXPECT_FALSE(ledger.fault()->whole);
    EXPECT_FALSE(ledger.fault()->advice.empty());
    return ledger.fault()->what;
  }
  [[nodiscard]] std::string fault_of(const Sorted& entry) const {
    return fault_of(line(entry).dump());
  }
  [[nodiscard]] Sorted with(const char* name, const Sorted& value) const {
    Sorted entry = next();
    entry[name] = value;
    return entry;
  }
};

TEST_F(ForgedLedger, WithoutAFaultItIsSound) {
  add(next());
  add(next());
  const Ledger ledger = Ledger::parse(text);
  EXPECT_FALSE(ledger.fault());
  EXPECT_EQ(ledger.leaves(), leaves);
  EXPECT_EQ(ledger.key(), key.public_key());
  EXPECT_EQ(ledger.head().size, 3U);
  EXPECT_EQ(ledger.head().root, tree_root(leaves));
  EXPECT_EQ(ledger.sound_bytes(), text.size());
  EXPECT_TRUE(ledger.head().authentic());
  EXPECT_EQ(ledger.entries().front(), first().dump());
}

TEST_F(ForgedLedger, ALineHasItsThreePartsAndNoMore) {
  Sorted more = line(next());
  more["z"] = 1;
  EXPECT_NE(fault_of(more.dump()).find("entry, root and signature"), std::string::npos);
  for (const char* part : {"entry", "root", "signature"}) {
    Sorted less = line(next());
    less.erase(part);
    EXPECT_NE(fault_of(less.dump()).find("entry, root and signature"), std::string::npos);
    less["z"] = 1;
    EXPECT_NE(fault_of(less.dump()), "none");
  }
  for (const char* no_object : {"[]", "3", "null", "", "{", "\"a\""}) {
    EXPECT_EQ(fault_of(std::string(no_object)), "this is not one JSON object") << no_object;
  }
  EXPECT_EQ(fault_of(std::string(17, '[')), "this is not a line of a ledger");
}

TEST_F(ForgedLedger, AnEntryHasItsFivePartsAndNoMore) {
  EXPECT_NE(fault_of(with("z", 1)).find("and nothing else"), std::string::npos);
  for (const char* part : {"body", "index", "kind", "previous", "time"}) {
    Sorted less = next();
    less.erase(part);
    EXPECT_NE(fault_of(less).find("and nothing else"), std::string::npos) << part;
    less["z"] = "another";
    EXPECT_NE(fault_of(less).find(part), std::string::npos) << part;
  }
  EXPECT_EQ(fault_of(with("body", "text")), "'body' is missing or malformed");
  EXPECT_EQ(fault_of(with("kind", 3)), "'kind' is missing or malformed");
  EXPECT_EQ(fault_of(with("time", 3)), "'time' is missing or malformed");
  for (const Sorted& index : {Sorted(-1), Sorted(1.0), Sorted("1"), Sorted()}) {
    EXPECT_EQ(fault_of(with("index", index)), "'index' is missing or malformed");
  }
}

TEST_F(ForgedLedger, TheSameInOtherBytesIsAFault) {
  const std::string canonical = "this line is not in canonical form";
  EXPECT_EQ(fault_of(line(next()).dump() + " "), canonical);
  EXPECT_EQ(fault_of(line(next()).dump(-1, ' ', true).replace(0, 1, "{ ")), canonical);
  std::string escaped = line(next()).dump();
  escaped.replace(escaped.find("rows"), 1, "\\u0072");
  EXPECT_EQ(fault_of(escaped), canonical);
}

TEST_F(ForgedLedger, EntriesAreNumberedFromZero) {
  for (const int index : {0, 2, 3}) {
    const std::string what = fault_of(with("index", index));
    EXPECT_EQ(what, "entry " + std::to_string(index) + " is where entry 1 belongs");
  }
}

TEST_F(ForgedLedger, EachEntryNamesTheOneBefore) {
  for (const std::string& previous :
       {std::string(64, '0'), to_hex(leaf_hash("")), to_hex(tree_root({}))}) {
    EXPECT_NE(fault_of(with("previous", previous)).find("the chain is broken"), std::string::npos);
  }
  std::string capital = to_hex(leaves.back());
  capital[0] = 'A';
  for (const Sorted& previous : {Sorted(capital), Sorted(capital.substr(1, 62)),
                                 Sorted(to_hex(leaves.back()) + "00"), Sorted(3), Sorted("")}) {
    EXPECT_EQ(fault_of(with("previous", previous)), "'previous' is not 32 bytes in hexadecimal");
  }
  add(next());
  EXPECT_NE(fault_of(with("previous", to_hex(leaves.front()))).find("the chain is broken"),
            std::string::npos);
}

TEST_F(ForgedLedger, RootAndSignatureAreThoseOfTheEntries) {
  Sorted other = line(next());
  other["root"] = to_hex(tree_root(leaves));
  EXPECT_EQ(fault_of(other.dump()), "the root is not that of the entries up to here");
  other = line(next());
  other["signature"] = to_hex(key.sign("another text"));
  EXPECT_EQ(fault_of(other.dump()), "the signature is not that of the ledger's key");
  other["signature"] = "";
  EXPECT_EQ(fault_of(other.dump()), "'signature' is not 64 bytes in hexadecimal");
  other = line(next());
  other["root"] = "00";
  EXPECT_EQ(fault_of(other.dump()), "'root' is not 32 bytes in hexadecimal");
  // The right root, signed as the head of another size.
  other = line(next());
  const std::string head = "pratique-ledger-1\n3\n" + other["root"].get<std::string>() + "\n";
  other["signature"] = to_hex(key.sign(head));
  EXPECT_EQ(fault_of(other.dump()), "the signature is not that of the ledger's key");
}

TEST_F(ForgedLedger, TheFirstEntryIsThatOfALedger) {
  const Sorted proper = first();
  text.clear();
  leaves.clear();
  EXPECT_FALSE(Ledger::parse(line(proper).dump() + "\n").fault());
  const std::string none = "the first entry does not begin a ledger";
  Sorted other = proper;
  other["kind"] = "release";
  EXPECT_EQ(fault_of(other), none);
  other = proper;
  other["body"]["format"] = "pratique-ledger-2";
  EXPECT_EQ(fault_of(other), none);
  other["body"].erase("format");
  EXPECT_EQ(fault_of(other), none);
  other = proper;
  other["body"]["public_key"] = "00";
  EXPECT_EQ(fault_of(other), "'public_key' is not 32 bytes in hexadecimal");
  other = proper;
  other["previous"] = to_hex(leaf_hash(""));
  EXPECT_NE(fault_of(other).find("the chain is broken"), std::string::npos);
}

// Only of the first line can one not tell whether the file was a ledger at all.
TEST_F(ForgedLedger, AFileThatMayBeNoLedgerGetsAnotherAdvice) {
  const Ledger foreign = Ledger::parse("name,age\n");
  const Ledger changed = Ledger::parse(text + "name,age\n");
  ASSERT_TRUE(foreign.fault() && changed.fault());
  EXPECT_EQ(foreign.fault()->what, changed.fault()->what);
  EXPECT_NE(foreign.fault()->advice, changed.fault()->advice);
  EXPECT_EQ(foreign.fault()->line, 1U);
  EXPECT_EQ(foreign.sound_bytes(), 0U);
}

TEST_F(ForgedLedger, OnlyTheFirstFaultIsTold) {
  add(next());
  const Ledger ledger = Ledger::parse(text + "x\ny\n" + text);
  EXPECT_EQ(ledger.entries().size(), 2U);
  EXPECT_EQ(ledger.fault()->line, 3U);
}

TEST_F(ForgedLedger, AnEmptyFileIsAFaultOfTheWhole) {
  const Ledger empty = Ledger::parse("");
  ASSERT_TRUE(empty.fault());
  EXPECT_EQ(empty.fault()->line, 0U);
  EXPECT_FALSE(empty.fault()->torn);
}

// Of a torn last line: how many bytes are sound, and whether nothing is missing but the end.
TEST_F(ForgedLedger, EveryCutWithinTheLastLineIsTorn) {
  const std::string before = text;
  add(next());
  for (std::size_t length = before.size(); length <= text.size(); ++length) {
    const Ledger cut = Ledger::parse(std::string_view(text).substr(0, length));
    const bool torn = length != before.size() && length != text.size();
    const bool whole = length + 1 == text.size();
    ASSERT_EQ(cut.fault().has_value(), torn) << length;
    EXPECT_EQ(cut.entries().size(), whole || length == text.size() ? 2U : 1U);
    EXPECT_EQ(cut.sound_bytes(), length == text.size() ? text.size() : before.size());
    if (torn) {
      EXPECT_TRUE(cut.fault()->torn);
      EXPECT_EQ(cut.fault()->whole, whole);
      EXPECT_EQ(cut.fault()->line, 2U);
    }
  }
}

TEST_F(ForgedLedger, HeadsThatAreNone) {
  const Head head = Ledger::parse(text).head();
  const Json good = to_json(head);
  const Head again = head_from_json(good, "here");
  EXPECT_EQ(again.size, head.size);
  EXPECT_EQ(again.root, head.root);
  EXPECT_EQ(again.key, head.key);
  EXPECT_EQ(again.signature, head.signature);
  const auto refused = [](const Json& json) {
    try {
      (void)head_from_json(json, "here");
      return false;
    } catch (const Error& error) {
      EXPECT_EQ(error.place(), "here");
      return error.code() == ErrorCode::bad_input;
    }
  };
  EXPECT_FALSE(refused(good));
  EXPECT_TRUE(refused(Json::array()));
  EXPECT_TRUE(refused(Json()));
  for (const char* part : {"key", "root", "signature", "size"}) {
    Json less = good;
    less.erase(part);
    EXPECT_TRUE(refused(less)) << part;
    for (const Json& value : {Json(), Json("00"), Json(-1), Json(1.5), Json(0), Json::array()}) {
      Json other = good;
      other[part] = value;
      EXPECT_TRUE(refused(other)) << part << value;
    }
  }
}

TEST_F(ForgedLedger, HeldAgainstASavedHead) {
  std::vector<Head> heads;
  for (int i = 0; i < 5; ++i) {
    heads.push_back(Ledger::parse(text).head());
    add(next());
  }
  const Ledger grown = Ledger::parse(text);
  for (const Head& head : heads) EXPECT_FALSE(grown.check_against(head));
  EXPECT_FALSE(grown.check_against(grown.head()));
  const auto what = [&](const Head& head) { return grown.check_against(head)->what; };

  Head unsigned_head = heads[2];
  unsigned_head.signature[0] ^= 1U;
  EXPECT_NE(what(unsigned_head).find("not signed"), std::string::npos);

  const auto signed_head = [](const SigningKey& by, std::uint64_t size, const Sha256Digest& root) {
    return Head{size, root, by.sign(head_text(size, root)), by.public_key()};
  };
  EXPECT_NE(what(signed_head(key, 7, grown.head().root)).find("cut off"), std::string::npos);
  EXPECT_NE(what(signed_head(key, 6, heads[2].root)).find("forked"), std::string::npos);
  EXPECT_NE(what(signed_head(key, 3, grown.head().root)).find("forked"), std::string::npos);
  const SigningKey other = SigningKey::create(folder.path() + "/other");
  EXPECT_NE(what(signed_head(other, 3, heads[2].root)).find("different key"), std::string::npos);
}

TEST(FromHex, ReadsWhatToHexWritesAndNothingElse) {
  std::array<std::uint8_t, 1> byte{};
  const std::string digits = "0123456789abcdef";
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      const std::string text = {static_cast<char>(first), static_cast<char>(second)};
      const auto high = digits.find(text[0]);
      const auto low = digits.find(text[1]);
      const bool good = high != std::string::npos && low != std::string::npos;
      ASSERT_EQ(from_hex(text, byte), good) << first << " " << second;
      if (good) {
        ASSERT_EQ(byte[0], 16 * high + low);
      }
    }
  }
  std::array<std::uint8_t, 3> bytes{};
  EXPECT_TRUE(from_hex("0102ff", bytes));
  EXPECT_EQ(bytes, (std::array<std::uint8_t, 3>{1, 2, 255}));
  for (const char* text : {"", "01", "0102", "0102f", "0102ff0", "0102ff00", "0102fF", "0102f "}) {
    EXPECT_FALSE(from_hex(text, bytes)) << text;
  }
}

}  // namespace
}  // namespace pratique::ledger::ledger_faults_test
