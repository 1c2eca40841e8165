#include "pratique/data/disassociated.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <span>

#include "pratique/core/error.h"

namespace pratique {
namespace {

constexpr std::string_view kNone = "-";
constexpr std::string_view kItems = "items";

// Written out only when something is wrong there.
struct Where {
  const std::string& place;
  std::size_t number = 0;  // 0: the file as a whole
  bool row = false;        // of a table; else a line

  [[nodiscard]] std::string text() const {
    if (number == 0) return place;
    return row ? fmt::format("{}, row {}", place, number) : fmt::format("{}:{}", place, number);
  }
};

Error not_so(const std::string& what, const Where& where) {
  return Error::input(what)
      .at(where.text())
      .hint(
          "A disassociated release must stay exactly as written; docs/codes.md describes its "
          "format.");
}

// Numbers joint clusters, clusters and chunks by the names they go by, in their order in the file.
class Assembly {
 public:
  // Where a part of this chunk goes.
  std::vector<Code>& part(std::string_view joint, std::string_view cluster,
                          std::string_view records, std::string_view chunk, std::string_view part,
                          const Where& where) {
    const std::array<std::string_view, 4> named = {joint, cluster, records, chunk};
    if (std::equal(named.begin(), named.end(), last_named_.begin())) {
      return part_of(*last_parts_, named, part);
    }
    const std::size_t j = number(joints_, std::string(joint), sets_.joints);
    const bool shared = cluster == kNone;
    if (shared != (records == kNone)) {
      throw not_so("a cluster has records, a shared chunk has none of its own", where);
    }
    std::string name = fmt::format("{}\n{}", j, cluster);
    std::vector<CodeChunk>* chunks = &sets_.joints[j].shared;
    if (shared) {
      if (chunk == kItems) throw not_so("an item chunk belongs to a cluster", where);
    } else {
      CodeCluster& code_cluster =
          sets_.joints[j].clusters[number(clusters_, name, sets_.joints[j].clusters)];
      const std::uint64_t size = count(records, where);
      if (code_cluster.records != 0 && code_cluster.records != size) {
        throw not_so("a cluster has two numbers of records", where);
      }
      code_cluster.records = size;
      if (chunk == kItems) return code_cluster.items;
      chunks = &code_cluster.chunks;
    }
    name += fmt::format("\n{}", chunk);
    last_parts_ = &(*chunks)[number(chunks_, name, *chunks)].parts;
    std::copy(named.begin(), named.end(), last_named_.begin());
    return part_of(*last_parts_, named, part);
  }

  DisassociatedSets finish(const std::string& file) && {
    const Where place{file};
    for (auto& joint : sets_.joints) {
      if (joint.clusters.empty()) throw not_so("a joint cluster has no cluster", place);
      for (auto& chunk : joint.shared) sort(chunk, place);
      for (auto& cluster : joint.clusters) {
        sort(cluster.items, place);
        for (auto& chunk : cluster.chunks) sort(chunk, place);
      }
    }
    return std::move(sets_);
  }

  Dictionary& codes() { return sets_.codes; }

 private:
  std::vector<Code>& part_of(std::vector<std::vector<Code>>& parts,
                             std::span<const std::string_view> named, std::string_view part) {
    if (part.empty()) return parts.emplace_back();
    return parts[number(parts_, fmt::format("{}\n{}", fmt::join(named, "\n"), part), parts)];
  }

  template <typename List>
  static std::size_t number(std::map<std::string, std::size_t>& names, const std::string& name,
                            List& list) {
    const auto [entry, fresh] = names.try_emplace(name, list.size());
    if (fresh) list.emplace_back();
    return entry->second;
  }

  static std::uint64_t count(std::string_view text, const Where& where) {
    std::uint64_t value = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
    if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size() || value == 0 ||
        value > 0xffffffffU) {
      throw not_so("the number of records of a cluster is not a whole number of 1 or more", where);
    }
    return value;
  }

  static void sort(std::vector<Code>& codes, const Where& place) {
    std::sort(codes.begin(), codes.end());
    if (std::adjacent_find(codes.begin(), codes.end()) != codes.end()) {
      throw not_so("a part contains a code twice", place);
    }
  }
  static void sort(CodeChunk& chunk, const Where& place) {
    for (auto& part : chunk.parts) sort(part, place);
  }

  DisassociatedSets sets_;
  std::map<std::string, std::size_t> joints_;
  std::map<std::string, std::size_t> clusters_;
  std::map<std::string, std::size_t> chunks_;
  std::map<std::string, std::size_t> parts_;
  // Parts of one chunk follow each other as a rule.
  std::array<std::string, 4> last_named_;
  std::vector<std::vector<Code>>* last_parts_ = nullptr;
};

std::string_view next_word(std::string_view& rest) {
  constexpr std::string_view kWhitespace = " \t\r";
  rest.remove_prefix(std::min(rest.find_first_not_of(kWhitespace), rest.size()));
  const std::string_view word = rest.substr(0, rest.find_first_of(kWhitespace));
  rest.remove_prefix(word.size());
  return word;
}

}  // namespace

std::uint64_t JointCluster::records() const {
  std::uint64_t total = 0;
  for (const auto& cluster : clusters) total += cluster.records;
  return total;
}

DisassociatedSets parse_disassociated(std::string_view text, const std::string& place) {
  Assembly assembly;
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view rest = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const Where where{place, line};
    if (line == 1) {
      if (rest != kDisassociatedHeader) {
        throw not_so(fmt::format("the first line is not '{}'", kDisassociatedHeader), where);
      }
      continue;
    }
    const auto joint = next_word(rest);
    const auto cluster = next_word(rest);
    const auto records = next_word(rest);
    const auto chunk = next_word(rest);
    std::string_view code = next_word(rest);
    if (code.empty()) throw not_so("a line has no code", where);
    auto& part = assembly.part(joint, cluster, records, chunk, "", where);
    for (; !code.empty(); code = next_word(rest)) part.push_back(assembly.codes().intern(code));
  }
  return std::move(assembly).finish(place);
}

DisassociatedSets collect_disassociated(const Table& table, const std::string& place) {
  Assembly assembly;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto cell = [&](std::size_t c) { return table.columns[c].text(row); };
    const Where where{place, row + 1, true};
    for (std::size_t c = 0; c < 6; ++c) {
      if (cell(c).empty()) throw not_so("a cell is empty", where);
      if (cell(c).find('\n') != std::string_view::npos) {
        throw not_so("a cell has a line break", where);
      }
    }
    if ((cell(3) == kItems) != (cell(4) == kNone)) {
      throw not_so("parts are numbered, but not in an item chunk", where);
    }
    assembly.part(cell(0), cell(1), cell(2), cell(3), cell(4), where)
        .push_back(assembly.codes().intern(cell(5)));
  }
  return std::move(assembly).finish(place);
}

}  // namespace pratique
