#include "pratique/genomes/release/frequency_sequence.h"

#include <algorithm>
#include <limits>

#include "pratique/genomes/attack/frequency_difference.h"
#include "pratique/genomes/release/internal/frequency_file.h"
#include "pratique/genomes/release/internal/three_releases.h"

namespace pratique::release {
namespace {

// Why two releases cannot be compared; empty where they can.
std::string why_incomparable(const FrequencyFile& added, const FrequencyFile& earlier,
                             const std::vector<std::optional<std::size_t>>& same) {
  const auto& other = earlier.shown.at("frequency").by_variant;
  bool shared = false;
  for (const auto& site : added.shown.at("frequency").by_variant)
    shared = shared || other.find(site.key) != nullptr;
  if (!shared) return "no variant is in both";
  constexpr std::size_t kOneIn = 10;
  const auto known =
      same.size() - static_cast<std::size_t>(std::count(same.begin(), same.end(), std::nullopt));
  if (kOneIn * known < std::min(same.size(), earlier.people->samples.size()))
    return "hardly any of its people were found in the added one";
  return {};
}

// Who is found by the differences of groups of two releases, every one of one against every one of
// the other: cases of one may be controls of the other, or all of it. What is left of cases taken
// off everybody are controls, whose frequencies stand there anyway: a difference is news of those
// alone who are in no group of either release that is as small.
class GroupsApart {
 public:
  GroupsApart(const FrequencyFile& added, const FrequencyFile& earlier,
              const std::vector<std::optional<std::size_t>>& same)
      : told_(added.people->samples.size(), false),
        told_gone_(earlier.people->samples.size(), false),
        now_(earlier.people->samples.size()),
        smallest_(smallest_groups(added)),
        smallest_before_(smallest_groups(earlier)) {
    for (std::size_t p = 0; p < same.size(); ++p) {
      if (!same[p]) continue;
      now_[*same[p]] = p;
      const std::uint64_t smaller = std::min(smallest_[p], smallest_before_[*same[p]]);
      smallest_[p] = smaller;
      smallest_before_[*same[p]] = smaller;
    }
  }
  // How many people it is of, where it is news.
  std::optional<std::uint64_t> take(const genomes::FrequencyDifference& difference) {
    const std::uint64_t apart = difference.apart();
    if (difference.both == 0 || apart == 0) return std::nullopt;
    bool news = false;
    for (std::size_t p = 0; p < told_.size(); ++p) {
      if (apart >= smallest_[p] || !difference.who_joined[p]) continue;
      news = true;
      told_[p] = told_[p] || difference.found_joined[p];
    }
    for (std::size_t q = 0; q < told_gone_.size(); ++q) {
      if (apart >= smallest_before_[q] || !difference.who_left[q]) continue;
      news = true;
      if (!difference.found_left[q]) continue;
      if (now_[q]) {
        told_[*now_[q]] = true;
      } else {
        told_gone_[q] = true;
      }
    }
    return news ? std::optional(apart) : std::nullopt;
  }
  // By person of the added release.
  [[nodiscard]] const std::vector<bool>& told() const { return told_; }
  // Of those who are in the earlier one only.
  [[nodiscard]] std::uint64_t told_gone() const {
    return static_cast<std::uint64_t>(std::count(told_gone_.begin(), told_gone_.end(), true));
  }

 private:
  static std::vector<std::uint64_t> smallest_groups(const FrequencyFile& file) {
    std::vector<std::uint64_t> smallest(file.people->samples.size(),
                                        std::numeric_limits<std::uint64_t>::max());
    for (const auto& [group, counted] : file.counted) {
      const auto size =
          static_cast<std::uint64_t>(std::count(counted.begin(), counted.end(), true));
      for (std::size_t p = 0; p < counted.size(); ++p) {
        if (counted[p]) smallest[p] = std::min(smallest[p], size);
      }
    }
    return smallest;
  }

  std::vector<bool> told_;
  std::vector<bool> told_gone_;
  std::vector<std::optional<std::size_t>> now_;  // by person of the earlier one
  std::vector<std::uint64_t> smallest_;
  std::vector<std::uint64_t> smallest_before_;
};

}  // namespace

bool shows_frequencies(const ReleaseFile& file) { return frequency_claim(file) != nullptr; }

SequenceRevealed attack_frequencies(Engine& engine, const SequenceRequest& request,
                                    Progress& progress) {
  SequenceRevealed revealed;
  const FrequencyFile added = read_frequency_file(engine, request.added, progress);
  if (!added.why_not.empty()) {
    revealed.why_not = added.why_not;
    return revealed;
  }
  revealed.attacked = true;
  revealed.releases = 1;
  revealed.people = added.people->samples.size();
  revealed.k_alone = revealed.people;
  revealed.k_across = revealed.people;
  // Who is found by any difference; of those who left, the most by any one.
  std::vector<bool> told(revealed.people, false);
  std::uint64_t left = 0;
  std::vector<bool> in_all(revealed.people, true);
  std::vector<FrequencyFile> earlier_files;
  for (const auto& file : request.earlier) {
    FrequencyFile read = read_frequency_file(engine, file, progress);
    if (!read.why_not.empty()) {
      leave_out(revealed, file.sha256(), read.why_not);
      continue;
    }
    const FrequencyFile& earlier = earlier_files.emplace_back(std::move(read));
    const auto same = genomes::same_people(*added.people, *earlier.people);
    if (auto why = why_incomparable(added, earlier, same); !why.empty()) {
      leave_out(revealed, file.sha256(), std::move(why));
      continue;
    }
    ++revealed.releases;
    for (std::size_t p = 0; p < same.size(); ++p) in_all[p] = in_all[p] && same[p].has_value();
    GroupsApart apart(added, earlier, same);
    for (const auto& [group, shown] : added.shown) {
      for (const auto& [other, shown_before] : earlier.shown) {
        const auto fewest = apart.take(genomes::subtract_frequencies(
            added.group(group), earlier.group(other), same, progress));
        revealed.k_across = std::min(revealed.k_across, fewest.value_or(revealed.k_across));
      }
    }
    for (std::size_t p = 0; p < told.size(); ++p) told[p] = told[p] || apart.told()[p];
    left = std::max(left, apart.told_gone());
  }
  if (!earlier_files.empty()) {
    const ThreeReleases three = attack_three(added, earlier_files, progress);
    revealed.k_across = std::min(revealed.k_across, three.fewest.value_or(revealed.k_across));
    const auto& of_three = three.told;
    for (std::size_t p = 0; p < told.size(); ++p) told[p] = told[p] || of_three[p];
    left = std::max(left, static_cast<std::uint64_t>(std::count(
                              of_three.begin() + static_cast<std::ptrdiff_t>(told.size()),
                              of_three.end(), true)));
  }
  for (const auto& path : request.known)
    leave_out(revealed, engine.identify(path).sha256,
              "files of others are not taken off frequencies");
  revealed.located = static_cast<double>(std::count(in_all.begin(), in_all.end(), true)) /
                     static_cast<double>(revealed.people);
  const auto joined = static_cast<std::uint64_t>(std::count(told.begin(), told.end(), true));
  revealed.attributes.push_back({.sensitive = "genotype",
                                 .releases = revealed.releases,
                                 .differenced_people = joined + left});
  return revealed;
}

}  // namespace pratique::release
