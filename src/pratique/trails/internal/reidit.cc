// REIDIT-C, REIDIT-I with REIDIT-I-K, and REIDIT-M, on groups of equal trails.
//
// Only groups of one element are ever re-identified by REIDIT-I: two equal trails have the same
// candidates, and on truthful data at least two of them. Nor does a group of the super side that
// has two elements ever lose one. So a trail with a candidate group of two or more is out of the
// game for good, and all others watch two candidates: nothing about a trail changes until one of
// the two it watches leaves.
#include <algorithm>

#include "pratique/core/parallel.h"
#include "pratique/trails/internal/algorithms.h"

namespace pratique::trails {
namespace {

constexpr std::size_t kGrain = 4096;
constexpr std::uint32_t kEnd = 0xffffffffU;

class Peeling {
 public:
  Peeling(const Subtrails& trails, Progress& progress)
      : trails_(trails),
        progress_(progress),
        sub_alive_(trails.sub().size(), true),
        blocked_(trails.sub().size(), false),
        super_alive_(trails.super().size(), true),
        watchers_(trails.super().size(), kEnd),
        watched_(2 * trails.sub().size(), kEnd),
        next_watcher_(2 * trails.sub().size(), kEnd) {}

  void run() {
    const std::size_t subs = trails_.sub().size();
    progress_.begin("finding trails with one supertrail", subs);
    for (std::size_t g = 0; g < subs; ++g) {
      look_for_supertrails(g);
      if (g % kGrain == 0) progress_.set(g);
    }
    if (trails_.sub().elements() == trails_.super().elements()) count_subtrails();
    while (!found_.empty() && result_.impossible.empty()) {
      const GroupLink link = found_.back();
      found_.pop_back();
      if (!sub_alive_[link.sub]) continue;
      if (super_alive_.contains(link.position)) {
        take(link);
      } else {
        result_.impossible.push_back(link.sub);
      }
    }
  }

  GroupAttack result(std::uint64_t count_to) {
    if (count_to > 0) {
      result_.partners = count_candidates(
          trails_, super_alive_, count_to, [](std::size_t, std::size_t) { return true; },
          progress_);
      for (const auto& link : result_.links) result_.partners[link.sub] = 1;
    }
    return std::move(result_);
  }

 private:
  void look_for_supertrails(std::size_t sub) {
    std::size_t count = 0;
    std::size_t seen[2] = {};
    bool never = trails_.sub().capacity(sub) > 1;
    trails_.for_each_supertrail(sub, super_alive_, [&](std::size_t position) {
      seen[count++] = position;
      never = never || trails_.super_capacity(position) > 1;
      return !never && count < 2;
    });
    if (count == 0) {
      result_.impossible.push_back(sub);
    } else if (!never && count == 1) {
      found_.push_back({sub, seen[0]});
    } else if (!never) {
      for (std::size_t i = 0; i < 2; ++i) watch(2 * sub + i, seen[i]);
    }
  }

  // For the flip: how many elements are subtrails of each group, and the exclusive or of the sub
  // groups' numbers, which is the number itself once one is left.
  void count_subtrails() {
    subtrails_.assign(trails_.super().size(), 0);
    subtrail_.assign(trails_.super().size(), 0);
    for (std::size_t g = 0; g < trails_.sub().size(); ++g) {
      trails_.for_each_supertrail(g, super_alive_, [&](std::size_t position) {
        subtrails_[position] += trails_.sub().capacity(g);
        subtrail_[position] ^= g;
        return true;
      });
    }
    for (std::size_t position = 0; position < subtrails_.size(); ++position) {
      look_for_subtrail(position);
    }
  }

  void look_for_subtrail(std::size_t position) {
    if (subtrails_[position] == 1 && trails_.super_capacity(position) == 1) {
      found_.push_back({subtrail_[position], position});
    }
  }

  void take(const GroupLink& link) {
    result_.links.push_back(link);
    sub_alive_[link.sub] = false;
    super_alive_.erase(link.position);
    if (!subtrails_.empty()) {
      trails_.for_each_supertrail(link.sub, super_alive_, [&](std::size_t position) {
        --subtrails_[position];
        subtrail_[position] ^= link.sub;
        look_for_subtrail(position);
        return true;
      });
    }
    std::uint32_t slot = watchers_[link.position];
    while (slot != kEnd) {
      const std::uint32_t next = next_watcher_[slot];
      if (sub_alive_[slot / 2] && !blocked_[slot / 2]) watch_another(slot);
      slot = next;
    }
  }

  void watch(std::size_t slot, std::size_t position) {
    watched_[slot] = static_cast<std::uint32_t>(position);
    next_watcher_[slot] = watchers_[position];
    watchers_[position] = static_cast<std::uint32_t>(slot);
  }

  // What this slot watched has left: watch another one, beside what the other slot watches.
  void watch_another(std::size_t slot) {
    const std::size_t sub = slot / 2;
    const std::size_t beside = watched_[slot ^ 1U];
    std::size_t another = Subtrails::kNone;
    trails_.for_each_supertrail(sub, super_alive_, [&](std::size_t position) {
      if (position != beside) another = position;
      return another == Subtrails::kNone;
    });
    if (another == Subtrails::kNone && super_alive_.contains(beside)) {
      found_.push_back({sub, beside});
    } else if (another == Subtrails::kNone) {
      result_.impossible.push_back(sub);
    } else if (trails_.super_capacity(another) == 1) {
      watch(slot, another);
    } else {
      blocked_[sub] = true;
    }
  }

  const Subtrails& trails_;
  Progress& progress_;
  std::vector<bool> sub_alive_;
  std::vector<bool> blocked_;  // a candidate group has two elements or more
  PositionSet super_alive_;
  std::vector<std::uint32_t> watchers_;      // by position: the first slot (2 * sub + 0 or 1)
  std::vector<std::uint32_t> watched_;       // by slot: the position
  std::vector<std::uint32_t> next_watcher_;  // by slot: the next one that watches the same
  std::vector<std::uint64_t> subtrails_;     // by position; empty without the flip
  std::vector<std::size_t> subtrail_;
  std::vector<GroupLink> found_;
  GroupAttack result_;
};

}  // namespace

std::vector<std::uint64_t> count_candidates(
    const Subtrails& trails, const PositionSet& among, std::uint64_t limit,
    const std::function<bool(std::size_t sub, std::size_t position)>& allowed, Progress& progress) {
  std::vector<std::uint64_t> counts(trails.sub().size(), 0);
  progress.begin("counting candidates", counts.size());
  parallel_blocks(counts.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t g = begin; g < end; ++g) {
      std::uint64_t count = 0;
      trails.for_each_supertrail(g, among, [&](std::size_t position) {
        if (allowed(g, position)) count += trails.super_capacity(position);
        return count < limit;
      });
      counts[g] = std::min(count, limit);
    }
    progress.advance(end - begin);
  });
  return counts;
}

GroupAttack attack_complete(const DistinctTrails& sub, const DistinctTrails& super,
                            const std::vector<bool>& complete, std::uint64_t count_to) {
  const auto open = static_cast<std::size_t>(std::ranges::count(complete, false));
  GroupAttack result;
  if (count_to > 0) result.partners.assign(sub.size(), count_to);
  for (std::size_t g = 0; g < sub.size(); ++g) {
    const auto trail = sub.trail(g);
    const auto seen_open = static_cast<std::size_t>(
        std::ranges::count_if(trail, [&](Location c) { return !complete[c]; }));
    if (seen_open < open) continue;  // it holds a *
    const auto equal = super.find(trail);
    if (!equal || super.capacity(*equal) < sub.capacity(g)) {
      result.impossible.push_back(g);
      continue;
    }
    const std::size_t candidates = super.capacity(*equal);
    if (candidates == 1) result.links.push_back({g, *equal});
    if (count_to > 0) result.partners[g] = std::min<std::uint64_t>(candidates, count_to);
  }
  return result;
}

GroupAttack attack_incomplete(const Subtrails& trails, std::uint64_t count_to, Progress& progress) {
  Peeling peeling(trails, progress);
  peeling.run();
  return peeling.result(count_to);
}

GroupAttack attack_multiple(const Subtrails& trails, std::uint64_t count_to, Progress& progress) {
  const PositionSet all(trails.super().size(), true);
  GroupAttack result;
  result.partners = count_candidates(
      trails, all, std::max<std::uint64_t>(count_to, 2),
      [](std::size_t, std::size_t) { return true; }, progress);
  for (std::size_t g = 0; g < trails.sub().size(); ++g) {
    if (result.partners[g] == 0) result.impossible.push_back(g);
    if (result.partners[g] == 1) result.links.push_back({g, trails.first_supertrail(g, all)});
  }
  if (count_to == 0) result.partners.clear();
  return result;
}

}  // namespace pratique::trails
