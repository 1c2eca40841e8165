#include "pratique/trails/attack/internal/peeling.h"

#include <array>

namespace pratique::trails {
namespace {

constexpr std::uint32_t kEnd = 0xffffffffU;

}  // namespace

Peeling::Peeling(const Subtrails& trails, Rule rule, Progress& progress)
    : trails_(trails),
      rule_(rule),
      sub_left_(trails.sub().size(), true),
      blocked_(trails.sub().size(), false),
      super_left_(trails.super().size(), true),
      capacity_(trails.super().size()),
      watchers_(trails.super().size(), kEnd),
      watched_(2 * trails.sub().size(), kEnd),
      next_watcher_(2 * trails.sub().size(), kEnd) {
  for (std::size_t position = 0; position < capacity_.size(); ++position) {
    capacity_[position] = static_cast<std::uint32_t>(trails.super_capacity(position));
  }
  const std::size_t subs = trails.sub().size();
  progress.begin("finding trails with one supertrail", subs);
  for (std::size_t sub = 0; sub < subs; ++sub) {
    look_for_supertrails(sub);
    progress.advance(1);
  }
  if (rule == Rule::elements && trails.sub().elements() == trails.super().elements()) {
    count_subtrails();
  }
  while (!pending_.empty() && impossible_.empty()) {
    const GroupLink link = pending_.back();
    pending_.pop_back();
    progress.check();
    if (!sub_left_[link.sub]) continue;
    if (capacity_[link.position] >= trails.sub().capacity(link.sub)) {
      take(link);
    } else {
      impossible_.push_back(link.sub);
    }
  }
}

void Peeling::look_for_supertrails(std::size_t sub) {
  std::size_t count = 0;
  std::array<std::size_t, 2> seen{};
  bool blocked = rule_ == Rule::elements && trails_.sub().capacity(sub) > 1;
  trails_.for_each_supertrail(sub, super_left_, [&](std::size_t position) {
    seen[count++] = position;
    blocked = blocked || blocks(position);
    return !blocked && count < 2;
  });
  if (count == 0) {
    impossible_.push_back(sub);
  } else if (blocked) {
    blocked_[sub] = true;
  } else if (count == 1) {
    pending_.push_back({sub, seen[0]});
  } else {
    for (std::size_t i = 0; i < 2; ++i) watch(2 * sub + i, seen[i]);
  }
}

void Peeling::watch(std::size_t slot, std::size_t position) {
  watched_[slot] = static_cast<std::uint32_t>(position);
  next_watcher_[slot] = watchers_[position];
  watchers_[position] = static_cast<std::uint32_t>(slot);
}

// What this slot watched has left: it watches another one, beside what the other slot watches.
void Peeling::watch_another(std::size_t slot) {
  const std::size_t sub = slot / 2;
  const std::size_t beside = watched_[slot ^ 1U];
  std::size_t another = Subtrails::kNone;
  trails_.for_each_supertrail(sub, super_left_, [&](std::size_t position) {
    if (position != beside) another = position;
    return another == Subtrails::kNone;
  });
  if (another != Subtrails::kNone && blocks(another)) {
    blocked_[sub] = true;
  } else if (another != Subtrails::kNone) {
    watch(slot, another);
  } else if (super_left_.contains(beside)) {
    pending_.push_back({sub, beside});
  } else {
    impossible_.push_back(sub);
  }
}

void Peeling::count_subtrails() {
  subtrails_.assign(trails_.super().size(), 0);
  subtrail_.assign(trails_.super().size(), 0);
  for (std::size_t sub = 0; sub < trails_.sub().size(); ++sub) {
    trails_.for_each_supertrail(sub, super_left_, [&](std::size_t position) {
      subtrails_[position] += trails_.sub().capacity(sub);
      subtrail_[position] ^= sub;
      return true;
    });
  }
  for (std::size_t position = 0; position < subtrails_.size(); ++position) {
    look_for_subtrail(position);
  }
}

void Peeling::look_for_subtrail(std::size_t position) {
  if (subtrails_[position] == 1 && trails_.super_capacity(position) == 1) {
    pending_.push_back({subtrail_[position], position});
  }
}

void Peeling::take(const GroupLink& link) {
  taken_.push_back(link);
  sub_left_[link.sub] = false;
  capacity_[link.position] -= static_cast<std::uint32_t>(trails_.sub().capacity(link.sub));
  if (capacity_[link.position] == 0) leave(link.position);
  if (subtrails_.empty()) return;
  trails_.for_each_supertrail(link.sub, super_left_, [&](std::size_t position) {
    --subtrails_[position];
    subtrail_[position] ^= link.sub;
    look_for_subtrail(position);
    return true;
  });
}

void Peeling::leave(std::size_t position) {
  super_left_.erase(position);
  std::uint32_t slot = watchers_[position];
  while (slot != kEnd) {
    const std::uint32_t next = next_watcher_[slot];
    if (sub_left_[slot / 2] && !blocked_[slot / 2]) watch_another(slot);
    slot = next;
  }
}

}  // namespace pratique::trails
