#include "pratique/ledger/merkle_tree.h"

#include <bit>

namespace pratique::ledger {
namespace {

Sha256Digest node_hash(const Sha256Digest& left, const Sha256Digest& right) {
  Sha256 hash;
  hash.update(std::string_view("\x01", 1));
  hash.update(std::as_bytes(std::span(left)));
  hash.update(std::as_bytes(std::span(right)));
  return hash.finish();
}

// The largest power of two below n; n > 1.
std::size_t split(std::size_t n) { return std::bit_floor(n - 1); }

// RFC 6962, 2.1.2: SUBPROOF(m, D, complete).
void subproof(std::span<const Sha256Digest> leaves, std::size_t earlier, bool complete,
              std::vector<Sha256Digest>& proof) {
  if (earlier == leaves.size()) {
    if (!complete) proof.push_back(tree_root(leaves));
    return;
  }
  const std::size_t k = split(leaves.size());
  if (earlier <= k) {
    subproof(leaves.first(k), earlier, complete, proof);
    proof.push_back(tree_root(leaves.subspan(k)));
  } else {
    subproof(leaves.subspan(k), earlier - k, false, proof);
    proof.push_back(tree_root(leaves.first(k)));
  }
}

bool odd(std::uint64_t number) { return (number & 1U) != 0; }

}  // namespace

Sha256Digest leaf_hash(std::string_view entry) {
  Sha256 hash;
  hash.update(std::string_view("\0", 1));
  hash.update(entry);
  return hash.finish();
}

Sha256Digest tree_root(std::span<const Sha256Digest> leaves) {
  GrowingTree tree;
  for (const auto& leaf : leaves) tree.add(leaf);
  return tree.root();
}

void GrowingTree::add(const Sha256Digest& leaf) {
  full_.push_back(leaf);
  ++size_;
  // As many pairs of equal trees have come about as size ends in zero bits.
  for (std::uint64_t rest = size_; !odd(rest); rest >>= 1U) {
    const Sha256Digest right = full_.back();
    full_.pop_back();
    full_.back() = node_hash(full_.back(), right);
  }
}

Sha256Digest GrowingTree::root() const {
  if (full_.empty()) return Sha256().finish();
  Sha256Digest root = full_.back();
  for (std::size_t i = full_.size() - 1; i-- > 0;) root = node_hash(full_[i], root);
  return root;
}

std::vector<Sha256Digest> inclusion_proof(std::span<const Sha256Digest> leaves, std::size_t index) {
  std::vector<Sha256Digest> proof;
  if (leaves.size() <= 1) return proof;
  const std::size_t k = split(leaves.size());
  if (index < k) {
    proof = inclusion_proof(leaves.first(k), index);
    proof.push_back(tree_root(leaves.subspan(k)));
  } else {
    proof = inclusion_proof(leaves.subspan(k), index - k);
    proof.push_back(tree_root(leaves.first(k)));
  }
  return proof;
}

bool verify_inclusion(const Sha256Digest& leaf, std::uint64_t index, std::uint64_t size,
                      std::span<const Sha256Digest> proof, const Sha256Digest& root) {
  if (index >= size) return false;
  std::uint64_t at = index;
  std::uint64_t last = size - 1;
  Sha256Digest computed = leaf;
  for (const auto& sibling : proof) {
    if (last == 0) return false;
    if (odd(at) || at == last) {
      computed = node_hash(sibling, computed);
      while (!odd(at) && at != 0) {
        at >>= 1U;
        last >>= 1U;
      }
    } else {
      computed = node_hash(computed, sibling);
    }
    at >>= 1U;
    last >>= 1U;
  }
  return last == 0 && computed == root;
}

std::vector<Sha256Digest> consistency_proof(std::span<const Sha256Digest> leaves,
                                            std::size_t earlier) {
  std::vector<Sha256Digest> proof;
  subproof(leaves, earlier, true, proof);
  return proof;
}

bool verify_consistency(std::uint64_t earlier, const Sha256Digest& earlier_root, std::uint64_t size,
                        const Sha256Digest& root, std::span<const Sha256Digest> proof) {
  if (earlier == 0 || earlier > size) return false;
  if (earlier == size) return proof.empty() && earlier_root == root;
  if (proof.empty()) return false;
  std::uint64_t at = earlier - 1;
  std::uint64_t last = size - 1;
  while (odd(at)) {
    at >>= 1U;
    last >>= 1U;
  }
  // A full earlier tree is a node of the other, and the proof leaves it out.
  const bool full = std::has_single_bit(earlier);
  Sha256Digest computed_earlier = full ? earlier_root : proof.front();
  Sha256Digest computed = computed_earlier;
  for (const auto& hash : proof.subspan(full ? 0 : 1)) {
    if (last == 0) return false;
    if (odd(at) || at == last) {
      computed_earlier = node_hash(hash, computed_earlier);
      computed = node_hash(hash, computed);
      while (!odd(at) && at != 0) {
        at >>= 1U;
        last >>= 1U;
      }
    } else {
      computed = node_hash(computed, hash);
    }
    at >>= 1U;
    last >>= 1U;
  }
  return last == 0 && computed_earlier == earlier_root && computed == root;
}

}  // namespace pratique::ledger
