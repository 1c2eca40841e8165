// The hash tree of a log that only grows (RFC 6962, section 2.1; RFC 9162 says the same).
//
//   root of no leaf          SHA-256 of nothing
//   hash of a leaf           SHA-256(0x00 || entry)
//   root of n > 1 leaves     SHA-256(0x01 || root of the first k || root of the others), k the
//                            largest power of two below n
//
// The different first bytes keep a node from passing for a leaf. Two proofs follow from it, each of
// about log2(n) hashes:
//   inclusion    an entry is in the tree of a known root, at this place
//   consistency  the tree of a known root is the beginning of the tree of another: nothing in it
//   was
//                changed, taken out or put in another order
// Verifying follows RFC 9162, sections 2.1.3.2 and 2.1.4.2.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "pratique/crypto/hash.h"

namespace pratique::ledger {

[[nodiscard]] Sha256Digest leaf_hash(std::string_view entry);

// `leaves` are hashes of leaves, here and below.
[[nodiscard]] Sha256Digest tree_root(std::span<const Sha256Digest> leaves);

// index < leaves.size()
[[nodiscard]] std::vector<Sha256Digest> inclusion_proof(std::span<const Sha256Digest> leaves,
                                                        std::size_t index);
[[nodiscard]] bool verify_inclusion(const Sha256Digest& leaf, std::uint64_t index,
                                    std::uint64_t size, std::span<const Sha256Digest> proof,
                                    const Sha256Digest& root);

// 0 < earlier <= leaves.size()
[[nodiscard]] std::vector<Sha256Digest> consistency_proof(std::span<const Sha256Digest> leaves,
                                                          std::size_t earlier);
[[nodiscard]] bool verify_consistency(std::uint64_t earlier, const Sha256Digest& earlier_root,
                                      std::uint64_t size, const Sha256Digest& root,
                                      std::span<const Sha256Digest> proof);

// The root after every leaf, in a few hashes each.
class GrowingTree {
 public:
  void add(const Sha256Digest& leaf);
  [[nodiscard]] Sha256Digest root() const;
  [[nodiscard]] std::uint64_t size() const { return size_; }

 private:
  std::uint64_t size_ = 0;
  std::vector<Sha256Digest> full_;  // roots of the full trees that size is made of, largest first
};

}  // namespace pratique::ledger
