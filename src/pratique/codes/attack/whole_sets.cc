#include "pratique/codes/attack/whole_sets.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "pratique/core/parallel.h"

namespace pratique::codes {
namespace {

constexpr double kNamed = 0.9;
constexpr std::uint32_t kNoOne = kNoRecord;

// Patients whom no record tells apart: the same items cover their codes.
struct Alike {
  std::vector<std::uint32_t> sets;
  std::uint64_t patients = 0;
  std::vector<std::uint32_t> records = {};  // that fit them
};

// Lists of numbers, each with a number of its own.
class NumberedLists {
 public:
  // The number of the list, and whether it is new.
  std::pair<std::uint32_t, bool> add(std::span<const std::uint32_t> list) {
    const std::uint64_t hash = hash_of(list);
    if (const auto number = find(list, hash); number != kNoOne) return {number, false};
    const auto number = static_cast<std::uint32_t>(first_.size() - 1);
    numbers_.emplace(hash, number);
    all_.insert(all_.end(), list.begin(), list.end());
    first_.push_back(all_.size());
    return {number, true};
  }
  // kNoOne where it was not added.
  [[nodiscard]] std::uint32_t find(std::span<const std::uint32_t> list) const {
    return find(list, hash_of(list));
  }

 private:
  static std::uint64_t hash_of(std::span<const std::uint32_t> list) {
    std::uint64_t hash = list.size();
    for (const auto number : list) hash = (hash ^ number) * 0x9e3779b97f4a7c15U + (hash >> 29U);
    return hash;
  }
  [[nodiscard]] std::uint32_t find(std::span<const std::uint32_t> list, std::uint64_t hash) const {
    for (auto [at, end] = numbers_.equal_range(hash); at != end; ++at) {
      const auto same =
          std::span(all_).subspan(first_[at->second], first_[at->second + 1] - first_[at->second]);
      if (std::ranges::equal(same, list)) return at->second;
    }
    return kNoOne;
  }

  std::vector<std::size_t> first_ = {0};
  std::vector<std::uint32_t> all_;
  std::unordered_multimap<std::uint64_t, std::uint32_t> numbers_;
};

std::vector<Alike> who_are_alike(const SearchableRelease& release, const CodeSets& known) {
  NumberedLists coverings;
  std::vector<std::uint32_t> covered_by(release.known_codes(), kNoOne);
  for (Code code = 0; code < covered_by.size(); ++code) {
    if (release.shows(code)) covered_by[code] = coverings.add(release.covering(code)).first;
  }
  NumberedLists group_of;
  std::vector<Alike> groups;
  std::vector<std::uint32_t> ways;
  for (std::uint32_t s = 0; s < known.size(); ++s) {
    ways.clear();
    for (const Code code : known.set(s)) {
      if (covered_by[code] != kNoOne) ways.push_back(covered_by[code]);
    }
    std::sort(ways.begin(), ways.end());
    ways.erase(std::unique(ways.begin(), ways.end()), ways.end());
    const auto [group, fresh] = group_of.add(ways);
    if (fresh) groups.emplace_back();
    groups[group].sets.push_back(s);
    groups[group].patients += known.counts[s];
  }
  return groups;
}

// Where no record has two items over one code, as in releases by a tree or by sets, a record that
// fits is one item for each of the codes, and no more: the few there can be are looked up.
class LookUp {
 public:
  explicit LookUp(const SearchableRelease& release) : release_(release) {
    const auto wider = wider_items();
    std::vector<std::uint32_t> last_in(release.items(), kNoOne);
    for (std::uint32_t r = 0; r < release.size() && disjoint_; ++r) {
      for (const auto item : release.record(r)) last_in[item] = r;
      for (const auto item : release.record(r)) {
        disjoint_ = disjoint_ && std::none_of(wider[item].begin(), wider[item].end(),
                                              [&](auto other) { return last_in[other] == r; });
      }
      // Records that are equal would be found as one.
      disjoint_ = disjoint_ && records_.add(release.record(r)).second;
    }
  }

  // Nothing where it cannot be said without a search.
  [[nodiscard]] std::optional<std::vector<std::uint32_t>> fitting(
      std::span<const Code> known) const {
    if (!disjoint_) return std::nullopt;
    Choice choice;
    std::size_t lists = 1;
    for (const Code code : known) {
      if (!release_.shows(code)) continue;
      choice.codes.push_back(code);
      lists *= release_.covering(code).size();
      if (lists > kFewLists) return std::nullopt;
    }
    if (choice.codes.empty()) return choice.records;
    choose(choice, 0);
    std::sort(choice.records.begin(), choice.records.end());
    choice.records.erase(std::unique(choice.records.begin(), choice.records.end()),
                         choice.records.end());
    return std::move(choice.records);
  }

 private:
  struct Choice {
    std::vector<Code> codes = {};
    std::vector<std::uint32_t> items = {};
    std::vector<std::uint32_t> records = {};
  };
  static constexpr std::size_t kFewLists = 4;  // as long as a search takes

  // By item: those that cover one of its codes and as many codes or more.
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> wider_items() const {
    const auto width = [&](std::uint32_t item) {
      return std::pair(release_.known_under(item).size(), item);
    };
    std::vector<std::vector<std::uint32_t>> wider(release_.items());
    for (Code code = 0; code < release_.known_codes(); ++code) {
      for (const auto item : release_.covering(code)) {
        for (const auto other : release_.covering(code)) {
          if (width(other) > width(item)) wider[item].push_back(other);
        }
      }
    }
    for (auto& others : wider) {
      std::sort(others.begin(), others.end());
      others.erase(std::unique(others.begin(), others.end()), others.end());
    }
    return wider;
  }

  void choose(Choice& choice, std::size_t at) const {
    if (at == choice.codes.size()) {
      auto list = choice.items;
      std::sort(list.begin(), list.end());
      if (const auto record = records_.find(list); record != kNoOne)
        choice.records.push_back(record);
      return;
    }
    const auto over = release_.covering(choice.codes[at]);
    const bool covered = std::any_of(over.begin(), over.end(), [&](std::uint32_t item) {
      return std::find(choice.items.begin(), choice.items.end(), item) != choice.items.end();
    });
    if (covered) return choose(choice, at + 1);
    for (const auto item : over) {
      if (release_.with(item).empty()) continue;
      choice.items.push_back(item);
      choose(choice, at + 1);
      choice.items.pop_back();
    }
  }

  const SearchableRelease& release_;
  bool disjoint_ = true;
  NumberedLists records_;
};

// A bit of 64 for each item. A record whose bits are not all among those of some items has another.
std::uint64_t bit_of(std::uint32_t item) { return std::uint64_t{1} << (item % 64); }

std::vector<std::uint64_t> bits_of_records(const SearchableRelease& release) {
  std::vector<std::uint64_t> bits(release.size(), 0);
  for (std::uint32_t r = 0; r < bits.size(); ++r) {
    for (const auto item : release.record(r)) bits[r] |= bit_of(item);
  }
  return bits;
}

// Looks for one set after the other.
class FitSearch {
 public:
  FitSearch(const SearchableRelease& release, const std::vector<std::uint64_t>& record_bits)
      : release_(release), record_bits_(record_bits) {}

  std::vector<std::uint32_t> fitting(std::span<const Code> known) {
    mark(known);
    std::vector<std::uint32_t> records;
    if (marked_.empty()) return records;
    // Most records show something that the patient never had, so that is looked at first.
    for (const auto item : release_.covering(rarest_of(known))) {
      for (const auto record : release_.with(item)) {
        if (all_marked(record) && covers_all(record, known)) records.push_back(record);
      }
    }
    std::sort(records.begin(), records.end());
    records.erase(std::unique(records.begin(), records.end()), records.end());
    return records;
  }

  // With the fewest of the codes missing.
  std::vector<std::uint32_t> nearly_fitting(std::span<const Code> known) {
    mark(known);
    std::vector<std::uint32_t> near;
    for (const auto item : marked_) {
      near.insert(near.end(), release_.with(item).begin(), release_.with(item).end());
    }
    std::sort(near.begin(), near.end());
    near.erase(std::unique(near.begin(), near.end()), near.end());
    std::vector<std::uint32_t> records;
    std::ptrdiff_t most = 0;
    for (const auto record : near) {
      if (!all_marked(record)) continue;
      const auto covered = std::count_if(known.begin(), known.end(),
                                         [&](Code code) { return release_.covers(record, code); });
      if (covered > most) records.clear();
      most = std::max(most, covered);
      if (covered == most) records.push_back(record);
    }
    return records;
  }

 private:
  // The code that the fewest records cover, of those that some do.
  Code rarest_of(std::span<const Code> known) const {
    Code rarest = known.front();
    std::size_t fewest = ~std::size_t{0};
    for (const Code code : known) {
      std::size_t records = 0;
      for (const auto item : release_.covering(code)) records += release_.with(item).size();
      if (records == 0 || records >= fewest) continue;
      fewest = records;
      rarest = code;
    }
    return rarest;
  }

  bool covers_all(std::uint32_t record, std::span<const Code> known) const {
    return std::all_of(known.begin(), known.end(), [&](Code code) {
      return release_.covers(record, code) || !release_.shows(code);
    });
  }

  // The items that stand for one of the codes.
  void mark(std::span<const Code> known) {
    is_marked_.resize(release_.items(), 0);
    for (const auto item : marked_) is_marked_[item] = 0;
    marked_.clear();
    marked_bits_ = 0;
    for (const Code code : known) {
      for (const auto item : release_.covering(code)) {
        if (is_marked_[item] == 0) marked_.push_back(item);
        is_marked_[item] = 1;
        marked_bits_ |= bit_of(item);
      }
    }
  }

  bool all_marked(std::uint32_t record) const {
    if ((record_bits_[record] & ~marked_bits_) != 0) return false;
    const auto items = release_.record(record);
    return std::all_of(items.begin(), items.end(),
                       [&](std::uint32_t item) { return is_marked_[item] != 0; });
  }

  const SearchableRelease& release_;
  const std::vector<std::uint64_t>& record_bits_;
  std::vector<std::uint32_t> marked_;
  std::vector<std::uint8_t> is_marked_;  // by item
  std::uint64_t marked_bits_ = 0;
};

// `own`, by set: the record made of it; empty where nobody knows.
WholeSetExposure expose_sets(const SearchableRelease& release, const CodeSets& known,
                             std::span<const std::uint32_t> own, std::uint64_t k,
                             Progress& progress) {
  auto groups = who_are_alike(release, known);
  const LookUp look_up(release);
  const auto record_bits = bits_of_records(release);
  progress.begin("comparing whole sets of codes", groups.size());
  parallel_blocks(groups.size(), 64, [&](std::size_t begin, std::size_t end) {
    FitSearch search(release, record_bits);
    for (std::size_t g = begin; g < end; ++g) {
      const auto codes = known.set(groups[g].sets.front());
      auto records = look_up.fitting(codes);
      groups[g].records = records ? std::move(*records) : search.fitting(codes);
      if (groups[g].records.empty() && !own.empty()) {
        groups[g].records = search.nearly_fitting(codes);
      }
    }
    progress.advance(end - begin);
  });
  std::vector<double> patients_fitting(release.size(), 0);
  for (const Alike& group : groups) {
    for (const auto r : group.records) patients_fitting[r] += static_cast<double>(group.patients);
  }
  WholeSetExposure exposure;
  for (const Alike& group : groups) {
    exposure.targets += group.patients;
    if (group.records.empty()) continue;
    std::uint64_t matched = 0;
    double total = 0;
    std::uint32_t likeliest = group.records.front();
    for (const auto r : group.records) {
      matched += release.patients(r);
      total += release.patients(r) / patients_fitting[r];
      if (patients_fitting[r] < patients_fitting[likeliest]) likeliest = r;
    }
    if (matched < k) exposure.matched_under_k += group.patients;
    if (matched == 1) exposure.reidentified += group.patients;
    if (1 / patients_fitting[likeliest] < kNamed * total) continue;
    exposure.named += group.patients;
    for (const auto s : group.sets) {
      if (!own.empty() && own[s] == likeliest) exposure.named_rightly += known.counts[s];
    }
  }
  return exposure;
}

// Codes as they were: a record fits those who have exactly its codes. Sets that are equal may be
// told apart for another reason.
WholeSetExposure expose_originals(const CodeSets& sets, std::uint64_t k) {
  NumberedLists lists;
  std::vector<std::uint64_t> counts;
  for (std::size_t s = 0; s < sets.size(); ++s) {
    const auto [number, fresh] = lists.add(sets.set(s));
    if (fresh) counts.push_back(0);
    counts[number] += sets.counts[s];
  }
  WholeSetExposure exposure;
  for (const auto patients : counts) {
    exposure.targets += patients;
    if (patients < k) exposure.matched_under_k += patients;
    if (patients == 1) ++exposure.reidentified;
  }
  exposure.named = exposure.reidentified;
  exposure.named_rightly = exposure.reidentified;
  return exposure;
}

}  // namespace

DistinctRecords distinct_records(const CodeSets& sets, const Recoding& recoding) {
  DistinctRecords distinct{{}, {recoding.labels, {0}, {}, recoding.domain}, {}};
  for (const auto code : sets.codes.values()) (void)distinct.counted.codes.intern(code);
  NumberedLists lists;
  distinct.own.assign(sets.size(), kNoRecord);
  for (std::size_t s = 0; s < sets.size(); ++s) {
    const auto items = recoding.set(s);
    if (items.empty()) continue;
    const auto [number, fresh] = lists.add(items);
    distinct.own[s] = number;
    if (fresh) {
      auto& records = distinct.records;
      records.items.insert(records.items.end(), items.begin(), items.end());
      records.first.push_back(records.items.size());
      distinct.counted.counts.push_back(0);
    }
    distinct.counted.counts[number] += sets.counts[s];
  }
  return distinct;
}

WholeSetExposure expose_whole_sets(const CodeSets& sets, const Recoding& recoding, std::uint64_t k,
                                   Progress& progress) {
  const bool as_it_was = recoding.items.size() == sets.items.size() &&
                         std::all_of(recoding.labels.begin(), recoding.labels.end(),
                                     [](const Label& label) { return label.exact(); });
  if (as_it_was) return expose_originals(sets, k);
  // Records that are equal are one, or coarse releases would have as many pairs as patients
  // squared.
  const DistinctRecords distinct = distinct_records(sets, recoding);
  return expose_sets(SearchableRelease(distinct.counted, distinct.records), sets, distinct.own, k,
                     progress);
}

WholeSetExposure expose_whole_sets(const SearchableRelease& release, const CodeSets& sets,
                                   std::span<const std::uint32_t> own, std::uint64_t k,
                                   Progress& progress) {
  return expose_sets(release, sets, own, k, progress);
}

WholeSetExposure expose_whole_sets(const SearchableRelease& release, const CodeSets& known,
                                   std::uint64_t k, Progress& progress) {
  return expose_sets(release, known, {}, k, progress);
}

}  // namespace pratique::codes
