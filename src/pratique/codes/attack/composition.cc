#include "pratique/codes/attack/composition.h"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>

#include "pratique/codes/attack/attack.h"
#include "pratique/codes/attack/rarity.h"
#include "pratique/core/parallel.h"

namespace pratique::codes {
namespace {

constexpr std::size_t kPeoplePerBlock = 16;

using Bits = std::vector<std::uint64_t>;

bool test(const Bits& bits, std::uint32_t at) { return (bits[at / 64] >> (at % 64) & 1U) != 0; }
void set(Bits& bits, std::uint32_t at) { bits[at / 64] |= std::uint64_t{1} << (at % 64); }

// Over one dictionary of all codes that the people have or a release names.
struct View {
  std::unique_ptr<SearchableRelease> release;
  std::size_t items = 0;
  std::vector<bool> shown = {};  // by code
  // For each view and each of its items: which records here allow a code that it covers.
  std::vector<std::vector<Bits>> allowing = {};
};

View view_of(const ComposedRelease& release, const Dictionary& codes) {
  Recoding recoding;
  recoding.first = release.records.first;
  recoding.items.assign(release.records.items.begin(), release.records.items.end());
  for (const auto item : release.records.codes.values()) {
    Label label;
    label.text = item;
    label.leaves = meaning_of(item, release);
    for (const auto& code : label.leaves) label.covers.push_back(*codes.find(code));
    if (label.leaves.empty()) {
      for (Code code = 0; code < codes.size(); ++code) label.covers.push_back(code);
    }
    std::sort(label.covers.begin(), label.covers.end());
    recoding.labels.push_back(std::move(label));
  }
  CodeSets counted;
  for (const auto code : codes.values()) (void)counted.codes.intern(code);
  counted.counts = release.records.counts;
  View view{std::make_unique<SearchableRelease>(counted, recoding), recoding.labels.size()};
  for (Code code = 0; code < codes.size(); ++code) {
    view.shown.push_back(view.release->shows(code));
  }
  return view;
}

// Which records of `view` allow a code that the item covers.
Bits allowing(const View& view, std::span<const Code> covered) {
  Bits bits((view.release->size() + 63) / 64, 0);
  const bool any =
      std::any_of(covered.begin(), covered.end(), [&](Code code) { return !view.shown[code]; });
  for (std::uint32_t r = 0; any && r < view.release->size(); ++r) set(bits, r);
  for (const Code code : covered) {
    for (const auto item : view.release->covering(code)) {
      for (const auto r : view.release->with(item)) set(bits, r);
    }
  }
  return bits;
}

// What is known of a group of people, and how many they are.
using Targets = std::map<std::vector<Code>, std::uint64_t>;

Targets targets_of(const CodeSets& people, std::size_t most) {
  const auto rarity = rarity_of(people);
  Targets targets;
  for (std::size_t s = 0; s < people.size(); ++s) {
    std::vector<Code> known(people.set(s).begin(), people.set(s).end());
    std::sort(known.begin(), known.end(), [&](Code a, Code b) { return rarity[a] < rarity[b]; });
    if (known.size() > most) known.resize(most);
    std::sort(known.begin(), known.end());
    targets[std::move(known)] += people.counts[s];
  }
  return targets;
}

// One target in some of the releases, while records are ruled out.
class Narrowing {
 public:
  // `in`: indices of the views that have candidates.
  Narrowing(const std::vector<View>& views, std::span<const std::size_t> in,
            std::span<const Code> known, std::size_t codes)
      : views_(views), in_(in), known_(known), codes_(codes), candidates_(in.size()) {
    for (std::size_t j = 0; j < in.size(); ++j) {
      view(j).release->search(known, [&](std::uint32_t record, std::uint32_t) {
        candidates_[j].push_back(record);
        return true;
      });
    }
  }

  // Step 3.
  void narrow() {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t j = 0; j < in_.size(); ++j) {
        const auto lonely = [&](std::uint32_t r) {
          for (std::size_t i = 0; i < in_.size(); ++i) {
            if (i != j && std::none_of(candidates_[i].begin(), candidates_[i].end(),
                                       [&](std::uint32_t s) { return agree(j, r, i, s); }))
              return true;
          }
          return false;
        };
        changed = std::erase_if(candidates_[j], lonely) > 0 || changed;
      }
    }
  }

  [[nodiscard]] std::uint64_t patients(std::size_t j) const {
    std::uint64_t all = 0;
    for (const auto r : candidates_[j]) all += view(j).release->patients(r);
    return all;
  }

  // How many codes beside the known ones candidates of all these releases allow.
  [[nodiscard]] std::uint64_t codes_left(std::size_t first, std::size_t count) const {
    std::vector<bool> left(codes_, true);
    for (std::size_t j = first; j < first + count; ++j) keep(left, allowed(j, candidates_[j]));
    for (const Code code : known_) left[code] = false;
    return static_cast<std::uint64_t>(std::count(left.begin(), left.end(), true));
  }

  // Step 4, by the candidates in release j.
  [[nodiscard]] bool discloses(std::size_t j, const std::vector<bool>& sensitive) const {
    std::vector<Code> shared;
    bool first = true;
    for (const auto r : candidates_[j]) {
      const std::vector<Code> forced = forced_by(j, r, sensitive);
      std::vector<Code> both;
      std::set_intersection(shared.begin(), shared.end(), forced.begin(), forced.end(),
                            std::back_inserter(both));
      shared = first ? forced : both;
      first = false;
      if (shared.empty()) return false;
    }
    return !first;
  }

 private:
  [[nodiscard]] const View& view(std::size_t j) const { return views_[in_[j]]; }

  [[nodiscard]] bool allows(std::size_t j, std::uint32_t r, std::size_t i, std::uint32_t s) const {
    const auto items = view(i).release->record(s);
    return std::all_of(items.begin(), items.end(),
                       [&](std::uint32_t item) { return test(view(j).allowing[in_[i]][item], r); });
  }
  // Step 2.
  [[nodiscard]] bool agree(std::size_t j, std::uint32_t r, std::size_t i, std::uint32_t s) const {
    return allows(j, r, i, s) && allows(i, s, j, r);
  }

  static void keep(std::vector<bool>& codes, const std::vector<bool>& those) {
    for (std::size_t code = 0; code < codes.size(); ++code) {
      if (!those[code]) codes[code] = false;
    }
  }
  // What some of the records allow.
  [[nodiscard]] std::vector<bool> allowed(std::size_t j,
                                          std::span<const std::uint32_t> records) const {
    std::vector<bool> codes = view(j).shown;
    codes.flip();
    for (const auto r : records) {
      for (const auto item : view(j).release->record(r)) {
        for (const Code code : view(j).release->known_under(item)) codes[code] = true;
      }
    }
    return codes;
  }

  // Codes that may be certain and that the patient has, if the record is the patient's.
  [[nodiscard]] std::vector<Code> forced_by(std::size_t j, std::uint32_t r,
                                            const std::vector<bool>& sensitive) const {
    std::vector<bool> left = allowed(j, {&r, 1});
    for (std::size_t i = 0; i < in_.size(); ++i) {
      if (i == j) continue;
      std::vector<std::uint32_t> agreeing;
      std::copy_if(candidates_[i].begin(), candidates_[i].end(), std::back_inserter(agreeing),
                   [&](std::uint32_t s) { return agree(j, r, i, s); });
      keep(left, allowed(i, agreeing));
    }
    std::vector<Code> forced;
    for (const auto item : view(j).release->record(r)) {
      std::vector<Code> under;
      for (const Code code : view(j).release->known_under(item)) {
        if (left[code]) under.push_back(code);
      }
      if (under.size() == 1 && sensitive[under.front()] &&
          !std::binary_search(known_.begin(), known_.end(), under.front())) {
        forced.push_back(under.front());
      }
    }
    std::sort(forced.begin(), forced.end());
    forced.erase(std::unique(forced.begin(), forced.end()), forced.end());
    return forced;
  }

  const std::vector<View>& views_;
  std::span<const std::size_t> in_;
  std::span<const Code> known_;
  std::size_t codes_;
  std::vector<std::vector<std::uint32_t>> candidates_;
};

// What is added up, in people.
struct Sums {
  std::vector<std::uint64_t> located_in;
  std::uint64_t located = 0;
  std::uint64_t together = 0;
  std::uint64_t contradicted = 0;
  std::uint64_t disclosed_alone = 0;
  std::uint64_t disclosed = 0;
  std::uint64_t vulnerable = 0;
  std::uint64_t under_k = 0;
  std::uint64_t measured = 0;
  std::uint64_t codes_left = 0;
  std::uint64_t k_alone = ~std::uint64_t{0};
  std::uint64_t k_across = ~std::uint64_t{0};

  void add(const Sums& other) {
    for (std::size_t j = 0; j < located_in.size(); ++j) located_in[j] += other.located_in[j];
    located += other.located;
    together += other.together;
    contradicted += other.contradicted;
    disclosed_alone += other.disclosed_alone;
    disclosed += other.disclosed;
    vulnerable += other.vulnerable;
    under_k += other.under_k;
    measured += other.measured;
    codes_left += other.codes_left;
    k_alone = std::min(k_alone, other.k_alone);
    k_across = std::min(k_across, other.k_across);
  }
};

class Composer {
 public:
  Composer(const std::vector<View>& views, std::size_t codes, const std::vector<bool>& sensitive,
           std::uint64_t k)
      : views_(views), codes_(codes), sensitive_(sensitive), k_(k) {}

  void add(std::span<const Code> known, std::uint64_t people, Sums& sums) const {
    std::vector<std::size_t> in;
    for (std::size_t j = 0; j < views_.size(); ++j) {
      if (views_[j].release->count(known, 1) == 0) continue;
      in.push_back(j);
      sums.located_in[j] += people;
    }
    if (in.size() == views_.size()) sums.located += people;
    if (in.size() > 1) sums.together += people;
    if (in.empty()) return;
    bool alone_discloses = false;
    std::uint64_t alone = 0;
    if (in.front() == 0) {
      const Narrowing first(views_, std::span(in.data(), 1), known, codes_);
      alone = first.patients(0);
      sums.k_alone = std::min(sums.k_alone, alone);
      alone_discloses = first.discloses(0, sensitive_);
      if (alone_discloses) sums.disclosed_alone += people;
    }
    Narrowing all(views_, in, known, codes_);
    std::uint64_t fewest_codes = ~std::uint64_t{0};
    for (std::size_t j = 0; j < in.size(); ++j)
      fewest_codes = std::min(fewest_codes, all.codes_left(j, 1));
    all.narrow();
    std::uint64_t fewest = ~std::uint64_t{0};
    bool discloses = alone_discloses;
    for (std::size_t j = 0; j < in.size(); ++j) {
      fewest = std::min(fewest, all.patients(j));
      discloses = discloses || all.discloses(j, sensitive_);
    }
    if (discloses) sums.disclosed += people;
    if (fewest == 0) {
      sums.contradicted += people;
      fewest = alone;
    } else {
      const std::uint64_t left = all.codes_left(0, in.size());
      sums.measured += people;
      sums.codes_left += people * left;
      if (left < fewest_codes) sums.vulnerable += people;
    }
    if (fewest == 0) return;
    sums.k_across = std::min(sums.k_across, fewest);
    if (fewest < k_) sums.under_k += people;
  }

 private:
  const std::vector<View>& views_;
  std::size_t codes_;
  const std::vector<bool>& sensitive_;
  std::uint64_t k_;
};

}  // namespace

std::vector<std::string> meaning_of(std::string_view item, const ComposedRelease& release) {
  const auto label = release.labels.find(item);
  if (label != release.labels.end()) return label->second;
  if (item == "*") return {};
  if (item.size() <= 2 || item.front() != '(' || item.back() != ')' ||
      item.find('|') == std::string_view::npos) {
    return {std::string(item)};
  }
  std::vector<std::string> codes;
  std::string_view rest = item.substr(1, item.size() - 2);
  for (auto bar = rest.find('|'); bar != std::string_view::npos; bar = rest.find('|')) {
    codes.emplace_back(rest.substr(0, bar));
    rest.remove_prefix(bar + 1);
  }
  codes.emplace_back(rest);
  return codes;
}

CodeComposition compose(const std::vector<ComposedRelease>& releases, const CodeSets& people,
                        const CompositionQuestion& question, Progress& progress) {
  Dictionary codes;
  for (const auto code : people.codes.values()) (void)codes.intern(code);
  for (const auto& release : releases) {
    for (const auto item : release.records.codes.values()) {
      for (const auto& code : meaning_of(item, release)) (void)codes.intern(code);
    }
  }
  std::vector<View> views;
  for (const auto& release : releases) views.push_back(view_of(release, codes));
  for (auto& view : views) {
    for (const auto& other : views) {
      auto& by_item = view.allowing.emplace_back();
      for (std::uint32_t item = 0; item < other.items; ++item)
        by_item.push_back(allowing(view, other.release->known_under(item)));
    }
  }
  std::vector<bool> sensitive(codes.size(), question.sensitive.empty());
  for (const auto& code : question.sensitive) {
    if (const auto number = codes.find(code)) sensitive[*number] = true;
  }
  const Targets targets = targets_of(people, question.known);
  const std::vector<Targets::value_type> list(targets.begin(), targets.end());
  const Composer composer(views, codes.size(), sensitive, question.k);
  Sums sums;
  sums.located_in.resize(views.size());
  std::mutex mutex;
  progress.begin("attacking releases of codes together", list.size());
  parallel_blocks(list.size(), kPeoplePerBlock, [&](std::size_t begin, std::size_t end) {
    Sums here;
    here.located_in.resize(views.size());
    for (std::size_t t = begin; t < end; ++t) composer.add(list[t].first, list[t].second, here);
    progress.advance(end - begin);
    const std::lock_guard lock(mutex);
    sums.add(here);
  });
  CodeComposition composition;
  composition.people = people.patients();
  const auto share = [&](std::uint64_t count) {
    return composition.people == 0
               ? 0
               : static_cast<double>(count) / static_cast<double>(composition.people);
  };
  composition.located = share(sums.located);
  for (const auto located : sums.located_in) composition.located_in.push_back(share(located));
  composition.together = share(sums.together);
  composition.contradicted = share(sums.contradicted);
  composition.disclosed_alone = share(sums.disclosed_alone);
  composition.disclosed = share(sums.disclosed);
  composition.vulnerable = share(sums.vulnerable);
  composition.under_k = share(sums.under_k);
  composition.codes_left = sums.measured == 0 ? 0
                                              : static_cast<double>(sums.codes_left) /
                                                    static_cast<double>(sums.measured);
  const auto fewest = [](std::uint64_t k) { return k == ~std::uint64_t{0} ? 0 : k; };
  composition.k_alone = fewest(sums.k_alone);
  composition.k_across = fewest(sums.k_across);
  return composition;
}

}  // namespace pratique::codes
