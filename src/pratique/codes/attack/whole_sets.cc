#include "pratique/codes/attack/whole_sets.h"

#include <algorithm>
#include <map>

#include "pratique/core/parallel.h"

namespace pratique::codes {
namespace {

constexpr double kNamed = 0.9;
constexpr std::uint32_t kNoOne = 0xffffffffU;

// Patients whom no record tells apart: the same items cover their codes.
struct Alike {
  std::vector<std::uint32_t> sets;
  std::uint64_t patients = 0;
  std::vector<std::uint32_t> records = {};  // that fit them
};

std::vector<Alike> who_are_alike(const SearchableRelease& release, const CodeSets& known) {
  std::map<std::vector<std::uint32_t>, std::uint32_t> number;
  std::vector<std::uint32_t> covered_by(release.known_codes(), kNoOne);
  for (Code code = 0; code < covered_by.size(); ++code) {
    if (!release.shows(code)) continue;
    const auto items = release.covering(code);
    covered_by[code] =
        number.try_emplace({items.begin(), items.end()}, static_cast<std::uint32_t>(number.size()))
            .first->second;
  }
  std::map<std::vector<std::uint32_t>, std::uint32_t> group_of;
  std::vector<Alike> groups;
  std::vector<std::uint32_t> ways;
  for (std::uint32_t s = 0; s < known.size(); ++s) {
    ways.clear();
    for (const Code code : known.set(s)) {
      if (covered_by[code] != kNoOne) ways.push_back(covered_by[code]);
    }
    std::sort(ways.begin(), ways.end());
    ways.erase(std::unique(ways.begin(), ways.end()), ways.end());
    const auto [entry, fresh] =
        group_of.try_emplace(ways, static_cast<std::uint32_t>(groups.size()));
    if (fresh) groups.emplace_back();
    groups[entry->second].sets.push_back(s);
    groups[entry->second].patients += known.counts[s];
  }
  return groups;
}

// Looks for one set after the other.
class FitSearch {
 public:
  explicit FitSearch(const SearchableRelease& release) : release_(release) {}

  std::vector<std::uint32_t> fitting(std::span<const Code> known) {
    mark(known);
    std::vector<std::uint32_t> records;
    if (marked_.empty()) return records;
    release_.search(known, [&](std::uint32_t record, std::uint32_t) {
      if (all_marked(record)) records.push_back(record);
      return true;
    });
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
  // The items that stand for one of the codes.
  void mark(std::span<const Code> known) {
    is_marked_.resize(release_.items(), false);
    for (const auto item : marked_) is_marked_[item] = false;
    marked_.clear();
    for (const Code code : known) {
      for (const auto item : release_.covering(code)) {
        if (!is_marked_[item]) marked_.push_back(item);
        is_marked_[item] = true;
      }
    }
  }

  bool all_marked(std::uint32_t record) const {
    const auto items = release_.record(record);
    return std::all_of(items.begin(), items.end(),
                       [&](std::uint32_t item) { return is_marked_[item]; });
  }

  const SearchableRelease& release_;
  std::vector<std::uint32_t> marked_;
  std::vector<bool> is_marked_;  // by item
};

// `own`, by set: the record made of it; empty where nobody knows.
WholeSetExposure expose_sets(const SearchableRelease& release, const CodeSets& known,
                             std::span<const std::uint32_t> own, std::uint64_t k,
                             Progress& progress) {
  auto groups = who_are_alike(release, known);
  progress.begin("comparing whole sets of codes", groups.size());
  parallel_blocks(groups.size(), 64, [&](std::size_t begin, std::size_t end) {
    FitSearch search(release);
    for (std::size_t g = begin; g < end; ++g) {
      const auto codes = known.set(groups[g].sets.front());
      groups[g].records = search.fitting(codes);
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

}  // namespace

WholeSetExposure expose_whole_sets(const CodeSets& sets, const Recoding& recoding, std::uint64_t k,
                                   Progress& progress) {
  // Records that are equal are one, or coarse releases would have as many pairs as patients
  // squared.
  Recoding distinct{recoding.labels, {0}, {}, recoding.domain};
  CodeSets counted;
  for (const auto code : sets.codes.values()) (void)counted.codes.intern(code);
  std::map<std::vector<std::uint32_t>, std::uint32_t> number;
  std::vector<std::uint32_t> own(sets.size(), kNoOne);
  for (std::size_t s = 0; s < sets.size(); ++s) {
    const auto items = recoding.set(s);
    if (items.empty()) continue;
    const auto [entry, fresh] =
        number.try_emplace({items.begin(), items.end()}, static_cast<std::uint32_t>(number.size()));
    own[s] = entry->second;
    if (fresh) {
      distinct.items.insert(distinct.items.end(), items.begin(), items.end());
      distinct.first.push_back(distinct.items.size());
      counted.counts.push_back(0);
    }
    counted.counts[own[s]] += sets.counts[s];
  }
  return expose_sets(SearchableRelease(counted, distinct), sets, own, k, progress);
}

WholeSetExposure expose_whole_sets(const SearchableRelease& release, const CodeSets& known,
                                   std::uint64_t k, Progress& progress) {
  return expose_sets(release, known, {}, k, progress);
}

}  // namespace pratique::codes
