#include "pratique/genomes/release/internal/three_releases.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <set>

#include "pratique/genomes/attack/frequency_combination.h"

namespace pratique::release {
namespace {

using genomes::GenotypeSet;
using genomes::ShownGroup;

// Everybody of several files under one number each.
class NumberedPeople {
 public:
  // Of a file in which nobody has been looked for yet.
  const std::vector<std::size_t>& number(const GenotypeSet& file) {
    std::vector<std::size_t> numbers(file.samples.size(), kNobody);
    for (std::size_t f = 0; f < files_.size(); ++f) {
      if (std::find(numbers.begin(), numbers.end(), kNobody) == numbers.end()) break;
      const auto same = genomes::same_people(file, *files_[f]);
      for (std::size_t p = 0; p < numbers.size(); ++p) {
        if (numbers[p] == kNobody && same[p]) numbers[p] = numbers_[f][*same[p]];
      }
    }
    // Two of a file are two.
    std::set<std::size_t> taken;
    for (std::size_t& own : numbers) {
      if (own == kNobody || !taken.insert(own).second) own = people_++;
    }
    files_.push_back(&file);
    numbers_.push_back(std::move(numbers));
    return numbers_.back();
  }
  [[nodiscard]] std::size_t people() const { return people_; }

 private:
  static constexpr std::size_t kNobody = std::numeric_limits<std::size_t>::max();
  std::vector<const GenotypeSet*> files_;
  std::deque<std::vector<std::size_t>> numbers_;  // by file and person; a number stays where it is
  std::size_t people_ = 0;
};

class ThreeTogether {
 public:
  ThreeTogether(const FrequencyFile& added, const std::vector<FrequencyFile>& earlier) {
    take_groups(added, 0);
    for (std::size_t e = 0; e < earlier.size(); ++e) take_groups(earlier[e], e + 1);
    for (auto& group : groups_) group.sign.group = &group.shown;
    smallest_.assign(people_.people(), std::numeric_limits<std::uint64_t>::max());
    for (std::size_t a = 0; a < groups_.size(); ++a) {
      take_size({groups_[a].sign});
      for (std::size_t b = 0; b < a; ++b) take_size({groups_[a].sign, opposite(groups_[b].sign)});
    }
  }

  // The fewest people that a combination which is news is of; nothing where none is.
  std::optional<std::uint64_t> attack(Progress& progress) {
    const auto choices = combinations();
    told_.assign(people_.people(), false);
    std::optional<std::uint64_t> fewest;
    // Over all combinations as often as over one difference of two.
    constexpr double kFalsePositives = 0.001;
    const double each = kFalsePositives / std::max(1.0, static_cast<double>(choices.size()));
    progress.begin("taking three releases together", choices.size());
    for (const auto& choice : choices) {
      progress.check();
      if (!is_news(choice)) continue;
      const auto combined = genomes::combine_frequencies(choice, people_.people(), each, progress);
      if (combined.variants == 0) continue;
      fewest = std::min(fewest.value_or(combined.apart), combined.apart);
      for (std::size_t p = 0; p < told_.size(); ++p) told_[p] = told_[p] || combined.told[p];
      take_size(choice);
    }
    return fewest;
  }
  // By number; those of the added release come first.
  [[nodiscard]] const std::vector<bool>& told() const { return told_; }

 private:
  using Signed = std::vector<genomes::SignedGroup>;
  struct NumberedGroup {
    std::size_t file = 0;
    ShownGroup shown = {};
    genomes::SignedGroup sign = {};
  };

  static genomes::SignedGroup opposite(genomes::SignedGroup group) {
    group.sign = -group.sign;
    return group;
  }
  void take_groups(const FrequencyFile& file, std::size_t number) {
    const auto& numbers = people_.number(*file.people);
    for (const auto& [name, shown] : file.shown) {
      groups_.push_back({.file = number, .shown = file.group(name)});
      groups_.back().sign.number = &numbers;
    }
  }
  [[nodiscard]] std::uint64_t size_of(const Signed& groups) const {
    const auto left = genomes::left_over(groups, people_.people());
    return left.size() - static_cast<std::uint64_t>(std::count(left.begin(), left.end(), 0));
  }
  // Those who are left know a sum of so few.
  void take_size(const Signed& groups) {
    const std::uint64_t size = size_of(groups);
    const auto left = genomes::left_over(groups, people_.people());
    for (std::size_t p = 0; p < left.size(); ++p) {
      if (left[p] != 0) smallest_[p] = std::min(smallest_[p], size);
    }
  }
  [[nodiscard]] bool is_news(const Signed& groups) const {
    const std::uint64_t size = size_of(groups);
    const auto left = genomes::left_over(groups, people_.people());
    for (std::size_t p = 0; p < left.size(); ++p) {
      if (left[p] != 0 && size < smallest_[p]) return true;
    }
    return false;
  }
  // One group of the added release and two of others, each added or taken off, the fewest first.
  [[nodiscard]] std::vector<Signed> combinations() const {
    std::vector<std::pair<std::uint64_t, Signed>> by_size;
    for (const auto& a : groups_) {
      if (a.file != 0) break;
      for (std::size_t b = 0; b < groups_.size(); ++b) {
        for (std::size_t c = b + 1; c < groups_.size(); ++c) {
          if (groups_[b].file == 0) continue;
          for (const auto& [sign_b, sign_c] :
               {std::pair(-1, -1), std::pair(-1, 1), std::pair(1, -1)}) {
            Signed signed_groups = {a.sign, groups_[b].sign, groups_[c].sign};
            signed_groups[1].sign = sign_b;
            signed_groups[2].sign = sign_c;
            if (is_news(signed_groups))
              by_size.emplace_back(size_of(signed_groups), std::move(signed_groups));
          }
        }
      }
    }
    std::stable_sort(by_size.begin(), by_size.end(),
                     [](const auto& x, const auto& y) { return x.first < y.first; });
    std::vector<Signed> sorted;
    for (auto& [size, signed_groups] : by_size) sorted.push_back(std::move(signed_groups));
    return sorted;
  }

  NumberedPeople people_;
  std::deque<NumberedGroup> groups_;
  std::vector<std::uint64_t> smallest_;  // by number
  std::vector<bool> told_;
};

}  // namespace

ThreeReleases attack_three(const FrequencyFile& added, const std::vector<FrequencyFile>& earlier,
                           Progress& progress) {
  ThreeTogether together(added, earlier);
  const auto fewest = together.attack(progress);
  return {.fewest = fewest, .told = together.told()};
}

}  // namespace pratique::release
