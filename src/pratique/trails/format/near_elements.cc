#include "pratique/trails/format/near_elements.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace pratique::trails {
namespace {

struct Piece {
  std::size_t begin = 0;
  std::size_t length = 0;
};

std::vector<Piece> pieces_of(std::size_t length, std::size_t most) {
  std::vector<Piece> pieces;
  for (std::size_t i = 0; i <= most; ++i) {
    const std::size_t begin = length * i / (most + 1);
    pieces.push_back({begin, length * (i + 1) / (most + 1) - begin});
  }
  return pieces;
}

// Names of one length by each of their pieces.
class PieceIndex {
 public:
  PieceIndex(std::size_t length, std::size_t most)
      : pieces_(pieces_of(length, most)), by_piece_(most + 1) {}

  void add(Code name, std::string_view text) {
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      by_piece_[i][text.substr(pieces_[i].begin, pieces_[i].length)].push_back(name);
    }
  }
  void candidates(std::string_view text, std::size_t most, std::vector<Code>& names_near) const {
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      const std::size_t begin = pieces_[i].begin;
      for (std::size_t at = begin > most ? begin - most : 0; at <= begin + most; ++at) {
        if (at + pieces_[i].length > text.size()) break;
        const auto names = by_piece_[i].find(text.substr(at, pieces_[i].length));
        if (names == by_piece_[i].end()) continue;
        names_near.insert(names_near.end(), names->second.begin(), names->second.end());
      }
    }
  }

 private:
  std::vector<Piece> pieces_;
  std::vector<std::unordered_map<std::string_view, std::vector<Code>>> by_piece_;
};

// Clusters, and where the members of each were seen.
class Clusters {
 public:
  explicit Clusters(const Side& side) : parent_(side.elements()), size_(side.elements(), 1) {
    std::iota(parent_.begin(), parent_.end(), Element{0});
    for (Element element = 0; element < side.elements(); ++element) {
      const auto trail = side.trail(element);
      seen_.emplace_back(trail.begin(), trail.end());
    }
  }
  [[nodiscard]] Element root(Element element) {
    while (parent_[element] != element) element = parent_[element] = parent_[parent_[element]];
    return element;
  }
  // False: one location has both.
  bool join(Element a, Element b) {
    a = root(a);
    b = root(b);
    if (a == b) return true;
    std::vector<Location> common;
    std::ranges::set_intersection(seen_[a], seen_[b], std::back_inserter(common));
    if (!common.empty()) return false;
    if (size_[a] < size_[b]) std::swap(a, b);
    parent_[b] = a;
    size_[a] += size_[b];
    std::vector<Location> all;
    std::ranges::merge(seen_[a], seen_[b], std::back_inserter(all));
    seen_[a] = std::move(all);
    seen_[b].clear();
    return true;
  }

 private:
  std::vector<Element> parent_;
  std::vector<std::size_t> size_;
  std::vector<std::vector<Location>> seen_;
};

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t most) {
  if (a.size() < b.size()) std::swap(a, b);
  if (a.size() - b.size() > most) return most + 1;
  // Row i of the table, where only cells within `most` of the diagonal can matter.
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    const std::size_t first = i > most ? i - most : 1;
    const std::size_t last = std::min(b.size(), i + most);
    std::size_t diagonal = row[first - 1];
    row[first - 1] = first == 1 ? i : most + 1;
    std::size_t least = row[first - 1];
    for (std::size_t j = first; j <= last; ++j) {
      const std::size_t above = j == i + most ? most + 1 : row[j];
      const std::size_t here =
          std::min({diagonal + (a[i - 1] == b[j - 1] ? 0 : 1), above + 1, row[j - 1] + 1});
      diagonal = row[j];
      row[j] = here;
      least = std::min(least, here);
    }
    if (least > most) return most + 1;
  }
  return std::min(row[b.size()], most + 1);
}

std::vector<NearPair> near_pairs(const Dictionary& names, std::size_t most, Progress& progress) {
  std::vector<Code> order(names.size());
  std::iota(order.begin(), order.end(), Code{0});
  std::ranges::stable_sort(order, {}, [&](Code name) { return names.value(name).size(); });
  std::unordered_map<std::size_t, PieceIndex> by_length;
  std::vector<NearPair> pairs;
  std::vector<Code> names_near;
  progress.begin("comparing elements", order.size());
  for (const Code name : order) {
    const std::string_view text = names.value(name);
    names_near.clear();
    for (std::size_t shorter = 0; shorter <= std::min(most, text.size()); ++shorter) {
      const auto index = by_length.find(text.size() - shorter);
      if (index != by_length.end()) index->second.candidates(text, most, names_near);
    }
    std::ranges::sort(names_near);
    names_near.erase(std::unique(names_near.begin(), names_near.end()), names_near.end());
    for (const Code other : names_near) {
      const std::size_t edits = edit_distance(text, names.value(other), most);
      if (edits <= most) pairs.push_back({std::min(name, other), std::max(name, other), edits});
    }
    by_length.try_emplace(text.size(), text.size(), most).first->second.add(name, text);
    progress.advance(1);
  }
  std::ranges::sort(pairs, {},
                    [](const NearPair& pair) { return std::pair(pair.first, pair.second); });
  return pairs;
}

JoinedElements join_near_samples(NamedWorld& read, std::size_t most, Progress& progress) {
  const Side& side = read.world.deidentified;
  auto pairs = near_pairs(read.deidentified, most, progress);
  // By names, not by numbers: the order of rows must not matter.
  std::ranges::sort(pairs, {}, [&](const NearPair& pair) {
    const auto names =
        std::minmax({read.deidentified.value(pair.first), read.deidentified.value(pair.second)});
    return std::tuple(pair.edits, names.first, names.second);
  });
  JoinedElements result;
  result.before = side.elements();
  Clusters clusters(side);
  const auto block_of = [&](Element element) {
    const auto trail = side.trail(element);
    return read.world.blocks.empty() || trail.empty() ? 0 : read.world.blocks[trail.front()];
  };
  for (const NearPair& pair : pairs) {
    if (block_of(pair.first) != block_of(pair.second)) continue;
    if (!clusters.join(pair.first, pair.second)) ++result.apart;
  }

  std::vector<std::vector<Element>> members(side.elements());
  for (Element element = 0; element < side.elements(); ++element) {
    members[clusters.root(element)].push_back(element);
  }
  Dictionary names;
  std::vector<Element> elements;
  std::vector<Location> seen;
  const OtherNames spellings = std::exchange(read.variants, {});
  read.own_spellings.clear();
  std::vector<Element> joined_as(side.elements());
  for (auto& cluster : members) {
    if (cluster.empty()) continue;
    std::ranges::sort(cluster, {}, [&](Element element) {
      return std::pair(-static_cast<std::ptrdiff_t>(side.trail(element).size()),
                       read.deidentified.value(element));
    });
    const Element joined = names.intern(read.deidentified.value(cluster.front()));
    result.joined += cluster.size() - 1;
    for (const Element element : cluster) {
      joined_as[element] = joined;
      if (element != cluster.front()) {
        read.variants.emplace(std::string(read.deidentified.value(element)), joined);
      }
      for (const Location location : side.trail(element)) {
        elements.push_back(joined);
        seen.push_back(location);
      }
    }
  }
  for (const auto& [name, element] : spellings) read.variants.emplace(name, joined_as[element]);
  read.world.deidentified = Side(names.size(), elements, seen);
  read.deidentified = std::move(names);
  return result;
}

}  // namespace pratique::trails
