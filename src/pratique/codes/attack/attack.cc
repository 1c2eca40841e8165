#include "pratique/codes/attack/attack.h"

#include <algorithm>
#include <bit>

#include "pratique/core/parallel.h"

namespace pratique::codes {
namespace {

constexpr std::size_t kGrain = 256;
constexpr std::size_t kRoomForBits = std::size_t{64} << 20U;

// The codes that a released item stands for, as text; empty for anything.
std::vector<std::string> meaning_of(std::string_view item, const Hierarchy* hierarchy) {
  std::vector<std::string> codes;
  if (item.size() > 2 && item.front() == '(' && item.back() == ')' &&
      item.find('|') != std::string_view::npos) {
    std::string_view rest = item.substr(1, item.size() - 2);
    while (true) {
      const auto bar = rest.find('|');
      codes.emplace_back(rest.substr(0, bar));
      if (bar == std::string_view::npos) return codes;
      rest.remove_prefix(bar + 1);
    }
  }
  const auto node =
      hierarchy == nullptr || hierarchy->leaf(item) ? std::nullopt : hierarchy->find(item);
  if (!node) return {std::string(item)};
  for (Hierarchy::Node leaf = 0; leaf < hierarchy->leaf_count(); ++leaf) {
    if (hierarchy->is_under(leaf, *node)) codes.emplace_back(hierarchy->label(leaf));
  }
  return codes;
}

}  // namespace

SearchableRelease::SearchableRelease(const CodeSets& release, const Dictionary& known,
                                     const Hierarchy* hierarchy, const ReleasedLabels* labels,
                                     bool all_labels)
    : first_(release.first),
      items_(release.items.begin(), release.items.end()),
      counts_(release.counts),
      covering_(known.size()),
      known_under_(release.codes.size()) {
  for (std::uint32_t item = 0; item < release.codes.size(); ++item) {
    const auto text = release.codes.value(item);
    exact_.push_back(false);
    const auto label = labels == nullptr ? ReleasedLabels::const_iterator() : labels->find(text);
    if (labels != nullptr && label != labels->end()) {
      for (const auto& meant : label->second) {
        if (const auto code = known.find(meant)) known_under_[item].push_back(*code);
      }
    } else if (all_labels) {
      exact_.back() = true;
      if (const auto code = known.find(text)) known_under_[item].push_back(*code);
    } else if (text == "*") {
      for (Code code = 0; code < known.size(); ++code) known_under_[item].push_back(code);
    } else {
      const auto meaning = meaning_of(text, hierarchy);
      exact_.back() = meaning.size() == 1 && meaning.front() == text;
      for (const auto& meant : meaning) {
        if (const auto code = known.find(meant)) known_under_[item].push_back(*code);
      }
    }
  }
  index();
}

SearchableRelease::SearchableRelease(const CodeSets& sets, const Recoding& recoding)
    : first_(recoding.first),
      items_(recoding.items),
      counts_(sets.counts),
      covering_(sets.codes.size()) {
  for (const Label& label : recoding.labels) {
    known_under_.push_back(label.covers);
    exact_.push_back(label.exact());
  }
  index();
}

void SearchableRelease::index() {
  for (std::uint32_t item = 0; item < known_under_.size(); ++item) {
    for (const Code code : known_under_[item]) covering_[code].push_back(item);
  }
  with_.resize(known_under_.size());
  for (std::uint32_t r = 0; r < counts_.size(); ++r) {
    for (const auto item : record(r)) with_[item].push_back(r);
  }
  words_ = (counts_.size() + 63) / 64;
  among_.resize(with_.size());
  const bool room_for_all = with_.size() * words_ * sizeof(std::uint64_t) <= kRoomForBits;
  for (std::size_t item = 0; item < with_.size(); ++item) {
    if (!room_for_all && with_[item].size() < words_) continue;
    among_[item].assign(words_, 0);
    for (const auto r : with_[item]) among_[item][r / 64] |= std::uint64_t{1} << (r % 64);
  }
}

bool SearchableRelease::has(std::uint32_t index, std::uint32_t item) const {
  if (!among_[item].empty()) return (among_[item][index / 64] >> (index % 64) & 1U) != 0;
  const auto items = record(index);
  return std::binary_search(items.begin(), items.end(), item);
}

bool SearchableRelease::covers(std::uint32_t index, Code known) const {
  return std::any_of(covering_[known].begin(), covering_[known].end(),
                     [&](std::uint32_t item) { return has(index, item); });
}

bool SearchableRelease::shows(Code known) const {
  return std::any_of(covering_[known].begin(), covering_[known].end(),
                     [&](std::uint32_t item) { return !with_[item].empty(); });
}

void SearchableRelease::search(std::span<const Code> known, const Visit& visit) const {
  std::vector<Known> useful;
  for (const Code code : known) {
    std::size_t records = 0;
    for (const auto item : covering_[code]) records += with_[item].size();
    if (records > 0) useful.push_back({records, code});
  }
  if (useful.empty()) {
    for (std::uint32_t r = 0; r < counts_.size(); ++r) {
      if (!record(r).empty() && !visit(r, counts_[r])) return;
    }
    return;
  }
  std::sort(useful.begin(), useful.end());  // the rarest first
  if (useful.front().records > words_ && all_bits(useful)) {
    search_bits(useful, visit);
  } else {
    search_lists(useful, visit);
  }
}

bool SearchableRelease::all_bits(std::span<const Known> known) const {
  return std::all_of(known.begin(), known.end(), [&](const Known& fact) {
    return std::none_of(covering_[fact.code].begin(), covering_[fact.code].end(),
                        [&](std::uint32_t item) { return among_[item].empty(); });
  });
}

void SearchableRelease::search_lists(std::span<const Known> known, const Visit& visit) const {
  const auto& over_rarest = covering_[known.front().code];
  for (const auto item : over_rarest) {
    for (const auto r : with_[item]) {
      // A record with two items over the code is met under both; the first one counts.
      const auto first = over_rarest.size() == 1
                             ? over_rarest.begin()
                             : std::find_if(over_rarest.begin(), over_rarest.end(),
                                            [&](std::uint32_t other) { return has(r, other); });
      if (*first != item) continue;
      const bool all = std::all_of(known.begin() + 1, known.end(),
                                   [&](const Known& fact) { return covers(r, fact.code); });
      if (all && !visit(r, counts_[r])) return;
    }
  }
}

void SearchableRelease::search_bits(std::span<const Known> known, const Visit& visit) const {
  for (std::size_t w = 0; w < words_; ++w) {
    std::uint64_t left = ~std::uint64_t{0};
    for (const Known& fact : known) {
      std::uint64_t covered = 0;
      for (const auto item : covering_[fact.code]) covered |= among_[item][w];
      left &= covered;
      if (left == 0) break;
    }
    for (; left != 0; left &= left - 1) {
      const auto r =
          static_cast<std::uint32_t>(w * 64 + static_cast<std::size_t>(std::countr_zero(left)));
      if (!visit(r, counts_[r])) return;
    }
  }
}

std::uint64_t SearchableRelease::count(std::span<const Code> known, std::uint64_t enough) const {
  std::uint64_t matched = 0;
  search(known, [&](std::uint32_t, std::uint32_t patients) {
    matched += patients;
    return matched < enough;
  });
  return std::min(matched, enough);
}

namespace {

struct TargetOutcome {
  std::uint64_t candidates = 0;  // counting may end at k
  bool disclosed = false;
  std::optional<std::uint32_t> only = {};  // the record, where it is one
};

class Attacker {
 public:
  Attacker(const SearchableRelease& release, const AttackOptions& options)
      : release_(release), options_(options) {}

  TargetOutcome look_for(std::span<const Code> known) const {
    TargetOutcome outcome;
    std::vector<std::uint32_t> shared;  // items that all candidates so far show
    bool first = true;
    release_.search(known, [&](std::uint32_t record, std::uint32_t patients) {
      outcome.candidates += patients;
      outcome.only = outcome.candidates == 1 ? std::optional(record) : std::nullopt;
      std::vector<std::uint32_t> left;
      const auto items = release_.record(record);
      if (first) {
        for (const auto item : items) {
          if (tells(item, known)) left.push_back(item);
        }
      } else {
        std::set_intersection(shared.begin(), shared.end(), items.begin(), items.end(),
                              std::back_inserter(left));
      }
      first = false;
      shared = std::move(left);
      return outcome.candidates < std::max<std::uint64_t>(options_.k, 2) || !shared.empty();
    });
    outcome.disclosed = !first && !shared.empty();
    return outcome;
  }

  // Whether the record is what became of the true set: each explains all of the other.
  bool is_made_from(std::uint32_t record, std::span<const Code> truth) const {
    const auto items = release_.record(record);
    return std::all_of(
               truth.begin(), truth.end(),
               [&](Code code) { return !release_.shows(code) || release_.covers(record, code); }) &&
           std::all_of(items.begin(), items.end(), [&](std::uint32_t item) {
             const auto under = release_.known_under(item);
             return std::any_of(under.begin(), under.end(), [&](Code code) {
               return std::binary_search(truth.begin(), truth.end(), code);
             });
           });
  }

 private:
  // An exact item that the adversary did not know, and that is sensitive.
  bool tells(std::uint32_t item, std::span<const Code> known) const {
    const auto under = release_.known_under(item);
    if (!release_.exact(item)) return false;
    if (under.empty()) return options_.sensitive.empty();
    return !std::binary_search(known.begin(), known.end(), under.front()) &&
           (options_.sensitive.empty() || options_.sensitive[under.front()]);
  }

  const SearchableRelease& release_;
  const AttackOptions& options_;
};

}  // namespace

AttackResult attack(const SearchableRelease& release, const CodeSets& known,
                    std::span<const Target> targets, const AttackOptions& options,
                    Progress& progress) {
  const Attacker attacker(release, options);
  progress.begin("attacking", known.size() + targets.size());
  std::vector<TargetOutcome> outcomes(known.size());
  parallel_blocks(known.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t s = begin; s < end; ++s) outcomes[s] = attacker.look_for(known.set(s));
    progress.advance(end - begin);
  });
  AttackResult result;
  result.targets = targets.size();
  if (options.truth != nullptr) result.correct = 0;
  for (const Target& target : targets) {
    bool under_k = false;
    bool disclosed = false;
    std::optional<std::uint32_t> only;
    for (const auto s : target.known) {
      const TargetOutcome& outcome = outcomes[s];
      under_k = under_k || (outcome.candidates > 0 && outcome.candidates < options.k);
      disclosed = disclosed || outcome.disclosed;
      if (outcome.only && !only) only = outcome.only;
    }
    result.matched_under_k += under_k ? 1 : 0;
    result.sensitive_disclosed += disclosed ? 1 : 0;
    if (!only) continue;
    ++result.reidentified;
    if (options.truth != nullptr && target.truth &&
        attacker.is_made_from(*only, options.truth->set(*target.truth))) {
      ++*result.correct;
    }
  }
  return result;
}

Exposure expose_constraints(const SearchableRelease& release,
                            const std::vector<std::vector<Code>>& constraints, std::uint64_t k,
                            Progress& progress) {
  progress.begin("looking for constraints", constraints.size());
  Exposure exposure;
  for (const auto& constraint : constraints) {
    progress.advance(1);
    std::vector<Code> known;
    std::copy_if(constraint.begin(), constraint.end(), std::back_inserter(known),
                 [&](Code code) { return release.shows(code); });
    const auto matched = known.empty() ? 0 : release.count(known, k);
    if (matched == 0) continue;
    ++exposure.targets;
    if (matched < k) ++exposure.matched_under_k;
    if (matched == 1) ++exposure.reidentified;
  }
  return exposure;
}

}  // namespace pratique::codes
