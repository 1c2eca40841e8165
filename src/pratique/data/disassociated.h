// Sets of codes that were taken apart: in each cluster of records, which parts of records there
// are, and not which parts belong to one record (Terrovitis et al., PVLDB 2012).
//
// A cluster has so many records, chunks, and an item chunk. A chunk lists the parts of the records
// over some of the codes; a record has one of its parts or none. The item chunk lists codes that at
// least one of the cluster's records has. A joint cluster holds clusters, and chunks whose parts
// are of records of any of them.
//
// As lines, after the line "joint cluster records chunk codes":
//   1 1 12 1 401.9 414.01     cluster 1 of joint cluster 1 has 12 records; a part in its chunk 1
//   1 1 12 items 250.00 V58   the item chunk of that cluster
//   1 - - 1 272.4 780.2       a part in the shared chunk 1 of joint cluster 1
// As a table: joint, cluster, records, chunk, part, code, a row per code. Parts are numbered within
// their chunk; that of the item chunk is -.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/data/table.h"

namespace pratique {

inline constexpr std::string_view kDisassociatedHeader = "joint cluster records chunk codes";

struct CodeChunk {
  std::vector<std::vector<Code>> parts;  // ascending codes, none empty
  auto operator<=>(const CodeChunk&) const = default;
};

struct CodeCluster {
  std::uint64_t records = 0;
  std::vector<CodeChunk> chunks;
  std::vector<Code> items;  // the item chunk, ascending
  auto operator<=>(const CodeCluster&) const = default;
};

struct JointCluster {
  std::vector<CodeCluster> clusters;
  std::vector<CodeChunk> shared;
  [[nodiscard]] std::uint64_t records() const;
  auto operator<=>(const JointCluster&) const = default;
};

struct DisassociatedSets {
  Dictionary codes;
  std::vector<JointCluster> joints;
};

// `place` names the text in errors, as PLACE:LINE.
[[nodiscard]] DisassociatedSets parse_disassociated(std::string_view text,
                                                    const std::string& place);
// From the columns joint, cluster, records, chunk, part, code, in this order.
[[nodiscard]] DisassociatedSets collect_disassociated(const Table& table, const std::string& place);

}  // namespace pratique
