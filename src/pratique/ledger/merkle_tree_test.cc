#include "pratique/ledger/merkle_tree.h"

#include <gtest/gtest.h>

#include <string>

namespace pratique::ledger::merkle_tree_test {
namespace {

// The definition of RFC 6962, section 2.1, word by word.
std::string hash_of(const std::string& text) {
  const auto digest = sha256(std::as_bytes(std::span(text)));
  return {digest.begin(), digest.end()};
}
std::string by_definition(const std::vector<std::string>& entries) {
  if (entries.empty()) return hash_of("");
  if (entries.size() == 1) return hash_of(std::string(1, '\0') + entries[0]);
  std::size_t k = 1;
  while (2 * k < entries.size()) k *= 2;
  const auto middle = entries.begin() + static_cast<std::ptrdiff_t>(k);
  return hash_of("\x01" + by_definition({entries.begin(), middle}) +
                 by_definition({middle, entries.end()}));
}

std::vector<std::string> entries(std::size_t count) {
  // The entries of the test vectors of Certificate Transparency's reference implementation.
  static const std::vector<std::string> kKnown = {
      "",
      std::string(1, '\0'),
      "\x10",
      "\x20\x21",
      "\x30\x31",
      "\x40\x41\x42\x43",
      "\x50\x51\x52\x53\x54\x55\x56\x57",
      "\x60\x61\x62\x63\x64\x65\x66\x67\x68\x69\x6a\x6b\x6c\x6d\x6e\x6f"};
  std::vector<std::string> all;
  for (std::size_t i = 0; i < count; ++i) {
    all.push_back(i < kKnown.size() ? kKnown[i] : "entry " + std::to_string(i));
  }
  return all;
}

std::vector<Sha256Digest> leaves(std::size_t count) {
  std::vector<Sha256Digest> all;
  for (const auto& entry : entries(count)) all.push_back(leaf_hash(entry));
  return all;
}

TEST(MerkleTree, RootsOfTheKnownEntries) {
  const std::vector<std::string> roots = {
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
      "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
      "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
      "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
      "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
      "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
      "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
      "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
      "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"};
  for (std::size_t n = 0; n < roots.size(); ++n)
    EXPECT_EQ(to_hex(tree_root(leaves(n))), roots[n]) << n;
}

TEST(MerkleTree, RootsFollowTheDefinition) {
  for (std::size_t n = 0; n <= 40; ++n) {
    const std::string expected = by_definition(entries(n));
    const auto root = tree_root(leaves(n));
    EXPECT_EQ(std::string(root.begin(), root.end()), expected) << n;
  }
}

TEST(MerkleTree, EveryInclusionIsProvedAndNoOther) {
  for (std::size_t n = 1; n <= 20; ++n) {
    const auto all = leaves(n);
    const auto root = tree_root(all);
    for (std::size_t i = 0; i < n; ++i) {
      const auto proof = inclusion_proof(all, i);
      EXPECT_TRUE(verify_inclusion(all[i], i, n, proof, root));
      for (std::size_t j = 0; j < n; ++j) {
        if (j != i) {
          EXPECT_FALSE(verify_inclusion(all[i], j, n, proof, root)) << n << i << j;
          EXPECT_FALSE(verify_inclusion(all[j], i, n, proof, root)) << n << i << j;
        }
      }
      EXPECT_FALSE(verify_inclusion(all[i], i, n, proof, tree_root(leaves(n + 1))));
      auto longer = proof;
      longer.push_back(root);
      EXPECT_FALSE(verify_inclusion(all[i], i, n, longer, root));
      for (std::size_t p = 0; p < proof.size(); ++p) {
        auto broken = proof;
        broken[p][5] ^= 1U;
        EXPECT_FALSE(verify_inclusion(all[i], i, n, broken, root));
        broken = proof;
        broken.erase(broken.begin() + static_cast<std::ptrdiff_t>(p));
        EXPECT_FALSE(verify_inclusion(all[i], i, n, broken, root));
      }
    }
    EXPECT_FALSE(verify_inclusion(all[0], n, n, {}, root));
  }
}

TEST(MerkleTree, EveryBeginningIsProvedAndNoOther) {
  for (std::size_t n = 1; n <= 20; ++n) {
    const auto all = leaves(n);
    const auto root = tree_root(all);
    for (std::size_t m = 1; m <= n; ++m) {
      const auto earlier = tree_root(leaves(m));
      const auto proof = consistency_proof(all, m);
      EXPECT_TRUE(verify_consistency(m, earlier, n, root, proof)) << m << " of " << n;
      // A fork: the last entry that both should share is another.
      auto other = leaves(m);
      other.back()[0] ^= 1U;
      EXPECT_FALSE(verify_consistency(m, tree_root(other), n, root, proof));
      auto changed = all;
      changed[m - 1][0] ^= 1U;
      EXPECT_FALSE(
          verify_consistency(m, earlier, n, tree_root(changed), consistency_proof(changed, m)));
      for (std::size_t p = 0; p < proof.size(); ++p) {
        auto broken = proof;
        broken[p][9] ^= 1U;
        EXPECT_FALSE(verify_consistency(m, earlier, n, root, broken));
        broken = proof;
        broken.erase(broken.begin() + static_cast<std::ptrdiff_t>(p));
        EXPECT_FALSE(verify_consistency(m, earlier, n, root, broken));
      }
      auto longer = proof;
      longer.push_back(root);
      EXPECT_FALSE(verify_consistency(m, earlier, n, root, longer));
    }
    EXPECT_FALSE(verify_consistency(0, tree_root({}), n, root, {}));
    EXPECT_FALSE(verify_consistency(n + 1, tree_root(leaves(n + 1)), n, root, {}));
  }
}

}  // namespace
}  // namespace pratique::ledger::merkle_tree_test
