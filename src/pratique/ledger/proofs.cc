#include "pratique/ledger/proofs.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/ledger/internal/canonical.h"
#include "pratique/ledger/merkle_tree.h"

namespace pratique::ledger {
namespace {

Json hexes(const std::vector<Sha256Digest>& path) {
  Json list = Json::array();
  for (const auto& hash : path) list.push_back(to_hex(hash));
  return list;
}

bool same(const Head& a, const Head& b) {
  return a.size == b.size && a.root == b.root && a.key == b.key;
}

}  // namespace

Json prove_entry(const Ledger& ledger, std::uint64_t index) {
  if (index >= ledger.entries().size()) {
    throw Error::input(fmt::format("there is no entry {}", index))
        .hint(fmt::format("Entries are numbered from 0 to {}.", ledger.entries().size() - 1));
  }
  return {{"type", "inclusion"},
          {"entry", parse_json(ledger.entries()[index], "the ledger")},
          {"index", index},
          {"path", hexes(inclusion_proof(ledger.leaves(), index))},
          {"head", to_json(ledger.head())}};
}

Json prove_growth(const Ledger& ledger, const Head& from) {
  if (const auto fault = ledger.check_against(from)) {
    throw Error::check("the ledger has not grown from that head: " + fault->what)
        .hint(fault->advice);
  }
  return {{"type", "consistency"},
          {"from", to_json(from)},
          {"path", hexes(consistency_proof(ledger.leaves(), static_cast<std::size_t>(from.size)))},
          {"head", to_json(ledger.head())}};
}

ProofFound check_proof(const std::string& text, const std::string& place,
                       const std::optional<Head>& saved) {
  const auto malformed = [&] {
    return Error::input("this is not a proof")
        .at(place)
        .hint("A proof is a file written by ledger prove.");
  };
  if (!shallow(text)) throw malformed();
  const Json proof = parse_json(text, place);
  try {
    const Head head = head_from_json(proof.at("head"), place);
    std::vector<Sha256Digest> path;
    for (const auto& hash : proof.at("path")) {
      if (!from_hex(hash.get<std::string>(), path.emplace_back())) throw malformed();
    }
    if (!head.authentic()) return {false, "the head in the proof is not signed by its key"};
    if (saved && !saved->authentic()) return {false, "the saved head is not signed by its key"};
    if (saved && saved->key != head.key)
      return {false, "the proof is of a ledger with another key"};
    if (proof.at("type") == "inclusion") {
      if (saved && !same(*saved, head))
        return {false, "the proof is about a head other than the saved one"};
      if (!proof.at("index").is_number_unsigned()) throw malformed();
      const auto index = proof.at("index").get<std::uint64_t>();
      const auto entry = nlohmann::json::parse(proof.at("entry").dump());
      const bool holds =
          verify_inclusion(leaf_hash(canonical(entry)), index, head.size, path, head.root);
      return {holds, holds ? fmt::format("the entry is number {} of {} in the ledger of this head",
                                         index, head.size)
                           : std::string("the entry is not in the ledger of this head")};
    }
    if (proof.at("type") != "consistency") throw malformed();
    const Head from = head_from_json(proof.at("from"), place);
    if (!from.authentic() || from.key != head.key)
      return {false, "the earlier head is not signed by the same key"};
    if (saved && !same(*saved, from))
      return {false, "the proof begins at a head other than the saved one"};
    const bool holds = verify_consistency(from.size, from.root, head.size, head.root, path);
    return {holds,
            holds ? fmt::format("the first {} of {} entries are unchanged", from.size, head.size)
                  : std::string("the ledger has not grown from the earlier head")};
  } catch (const Json::exception&) {
    throw malformed();
  }
}

}  // namespace pratique::ledger
