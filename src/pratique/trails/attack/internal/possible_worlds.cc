#include "pratique/trails/attack/internal/possible_worlds.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "pratique/core/error.h"
#include "pratique/core/parallel.h"

namespace pratique::trails {
namespace {

constexpr std::size_t kMostPairs = 100'000'000;
constexpr std::uint32_t kNoNode = 0xffffffffU;

using LocationBits = std::vector<std::uint64_t>;

LocationBits bits_of(std::span<const Location> trail, std::size_t locations) {
  LocationBits bits((locations + 63) / 64, 0);
  for (const Location c : trail) bits[c / 64] |= std::uint64_t{1} << (c % 64);
  return bits;
}

LocationBits bits_of(const std::vector<bool>& marks) {
  LocationBits bits((marks.size() + 63) / 64, 0);
  for (std::size_t c = 0; c < marks.size(); ++c) {
    if (marks[c]) bits[c / 64] |= std::uint64_t{1} << (c % 64);
  }
  return bits;
}

bool meet(const LocationBits& a, const LocationBits& b) {
  for (std::size_t w = 0; w < a.size(); ++w) {
    if ((a[w] & b[w]) != 0) return true;
  }
  return false;
}

// SideGroups of one side: what the network needs of them.
struct SideGroups {
  std::vector<LocationBits> bits;
  std::vector<std::uint32_t> size;
  std::vector<bool> must;  // have a partner, as the other side is complete where they were seen
};

SideGroups side_groups(const DistinctTrails& trails, const LocationBits& other_complete,
                       std::size_t locations) {
  SideGroups groups;
  for (std::size_t g = 0; g < trails.size(); ++g) {
    groups.bits.push_back(bits_of(trails.trail(g), locations));
    groups.size.push_back(static_cast<std::uint32_t>(trails.capacity(g)));
    groups.must.push_back(meet(groups.bits.back(), other_complete));
  }
  return groups;
}

// A flow from samples to people that fit. Nodes: groups of samples, then groups of people, then the
// hub.
class PossibleWorlds {
 public:
  PossibleWorlds(SideGroups samples, SideGroups people,
                 std::vector<std::vector<std::uint32_t>> fits)
      : samples_(std::move(samples)), people_(std::move(people)), fits_(std::move(fits)) {
    flow_.resize(fits_.size());
    fitted_by_.resize(people_.size.size());
    for (std::uint32_t s = 0; s < fits_.size(); ++s) {
      flow_[s].assign(fits_[s].size(), 0);
      for (std::uint32_t i = 0; i < fits_[s].size(); ++i) fitted_by_[fits_[s][i]].push_back({s, i});
    }
    sent_.assign(samples_.size.size(), 0);
    taken_.assign(people_.size.size(), 0);
  }

  // Gives a partner to all that must have one. Mendelsohn and Dulmage: if the samples can and the
  // people can, both can at once; whoever has one keeps one.
  [[nodiscard]] std::vector<std::size_t> impossible_samples(Progress& progress) {
    std::vector<std::size_t> impossible;
    for (std::uint32_t s = 0; s < sent_.size(); ++s) {
      progress.check();
      while (samples_.must[s] && sent_[s] < samples_.size[s]) {
        if (place_sample(s)) continue;
        impossible.push_back(s);
        break;
      }
    }
    return impossible;
  }
  [[nodiscard]] std::size_t impossible_people(Progress& progress) {
    std::size_t impossible = 0;
    for (std::uint32_t p = 0; p < taken_.size(); ++p) {
      progress.check();
      while (people_.must[p] && taken_[p] < people_.size[p]) {
        if (place_person(p)) continue;
        impossible += people_.size[p] - taken_[p];
        break;
      }
    }
    return impossible;
  }

  // What every and what some possible world has.
  void find_components() {
    const std::size_t nodes = hub() + 1;
    number_.assign(nodes, kNoNode);
    low_.assign(nodes, 0);
    component_.assign(nodes, kNoNode);
    for (std::uint32_t node = 0; node < nodes; ++node) {
      if (number_[node] == kNoNode) visit(node);
    }
  }
  [[nodiscard]] bool some_world_pairs(std::uint32_t s, std::uint32_t link) const {
    return flow_[s][link] > 0 || component_[s] == component_[person_node(fits_[s][link])];
  }
  [[nodiscard]] bool every_world_pairs(std::uint32_t s, std::uint32_t link) const {
    const std::uint32_t p = fits_[s][link];
    return samples_.size[s] == 1 && people_.size[p] == 1 && flow_[s][link] == 1 &&
           component_[s] != component_[person_node(p)];
  }

 private:
  struct Entry {
    std::uint32_t sample;
    std::uint32_t link;
  };

  [[nodiscard]] std::uint32_t person_node(std::uint32_t p) const {
    return static_cast<std::uint32_t>(samples_.size.size() + p);
  }
  [[nodiscard]] std::uint32_t hub() const {
    return static_cast<std::uint32_t>(samples_.size.size() + people_.size.size());
  }
  [[nodiscard]] std::uint32_t room(std::uint32_t s, std::uint32_t link) const {
    return std::min(samples_.size[s], people_.size[fits_[s][link]]) - flow_[s][link];
  }

  // One more of sample group `root`: along a path to people with room, or to samples that can do
  // without.
  bool place_sample(std::uint32_t root) {
    std::vector<Entry> into(taken_.size(), {kNoNode, 0});    // by people: how they were reached
    std::vector<std::uint32_t> from(sent_.size(), kNoNode);  // by samples: whom they would leave
    std::deque<std::uint32_t> waiting = {root};
    std::vector<bool> reached(sent_.size(), false);
    reached[root] = true;
    const auto shift = [&](std::uint32_t s) {  // back to the root
      while (s != root) {
        const std::uint32_t p = from[s];
        --flow_[s][link_of(s, p)];
        s = into[p].sample;
        ++flow_[s][into[p].link];
      }
    };
    while (!waiting.empty()) {
      const std::uint32_t s = waiting.front();
      waiting.pop_front();
      if (s != root && !samples_.must[s]) {
        shift(s);
        --sent_[s];
        ++sent_[root];
        return true;
      }
      for (std::uint32_t link = 0; link < fits_[s].size(); ++link) {
        const std::uint32_t p = fits_[s][link];
        if (into[p].sample != kNoNode || room(s, link) == 0) continue;
        into[p] = {s, link};
        if (taken_[p] < people_.size[p]) {
          ++flow_[s][link];
          shift(s);
          ++taken_[p];
          ++sent_[root];
          return true;
        }
        for (const Entry& entry : fitted_by_[p]) {
          if (flow_[entry.sample][entry.link] == 0 || reached[entry.sample]) continue;
          reached[entry.sample] = true;
          from[entry.sample] = p;
          waiting.push_back(entry.sample);
        }
      }
    }
    return false;
  }

  // The same for people. Samples that have a partner keep one.
  bool place_person(std::uint32_t root) {
    std::vector<std::uint32_t> into(sent_.size(), kNoNode);  // by samples: who would take them
    std::vector<Entry> from(taken_.size(), {kNoNode, 0});    // by people: whom they would lose
    std::deque<std::uint32_t> waiting = {root};
    std::vector<bool> reached(taken_.size(), false);
    reached[root] = true;
    const auto shift = [&](std::uint32_t p) {
      while (p != root) {
        const Entry lost = from[p];
        --flow_[lost.sample][lost.link];
        p = into[lost.sample];
        ++flow_[lost.sample][link_of(lost.sample, p)];
      }
    };
    while (!waiting.empty()) {
      const std::uint32_t p = waiting.front();
      waiting.pop_front();
      if (p != root && !people_.must[p]) {
        shift(p);
        --taken_[p];
        ++taken_[root];
        return true;
      }
      for (const Entry& entry : fitted_by_[p]) {
        const std::uint32_t s = entry.sample;
        if (into[s] != kNoNode || room(s, entry.link) == 0) continue;
        into[s] = p;
        if (sent_[s] < samples_.size[s]) {
          ++flow_[s][entry.link];
          shift(p);
          ++sent_[s];
          ++taken_[root];
          return true;
        }
        for (std::uint32_t link = 0; link < fits_[s].size(); ++link) {
          const std::uint32_t other = fits_[s][link];
          if (flow_[s][link] == 0 || reached[other]) continue;
          reached[other] = true;
          from[other] = {s, link};
          waiting.push_back(other);
        }
      }
    }
    return false;
  }

  [[nodiscard]] std::uint32_t link_of(std::uint32_t s, std::uint32_t p) const {
    const auto& fits = fits_[s];
    return static_cast<std::uint32_t>(std::lower_bound(fits.begin(), fits.end(), p) - fits.begin());
  }

  // The next node that the residual graph leads to, from the position on; kNoNode at the end.
  std::uint32_t next(std::uint32_t node, std::size_t& position) const {
    const auto samples = static_cast<std::uint32_t>(sent_.size());
    if (node == hub()) {
      // To samples that are not all placed, and to people who may lose theirs.
      for (; position < samples; ++position) {
        if (sent_[position] < samples_.size[position])
          return static_cast<std::uint32_t>(position++);
      }
      for (; position < hub(); ++position) {
        const std::size_t p = position - samples;
        if (taken_[p] > 0 && !people_.must[p]) return static_cast<std::uint32_t>(position++);
      }
      return kNoNode;
    }
    if (node < samples) {
      if (position == 0) {
        position = 1;
        if (sent_[node] > 0 && !samples_.must[node]) return hub();
      }
      while (position - 1 < fits_[node].size()) {
        const auto link = static_cast<std::uint32_t>(position++ - 1);
        if (room(node, link) > 0) return person_node(fits_[node][link]);
      }
      return kNoNode;
    }
    const std::uint32_t p = node - samples;
    if (position == 0) {
      position = 1;
      if (taken_[p] < people_.size[p]) return hub();
    }
    while (position - 1 < fitted_by_[p].size()) {
      const Entry& entry = fitted_by_[p][position++ - 1];
      if (flow_[entry.sample][entry.link] > 0) return entry.sample;
    }
    return kNoNode;
  }

  // Tarjan (1972), without recursion.
  void visit(std::uint32_t root) {
    struct Frame {
      std::uint32_t node;
      std::size_t position = 0;
    };
    std::vector<Frame> frames;
    const auto push = [&](std::uint32_t node) {
      number_[node] = low_[node] = count_++;
      stack_.push_back(node);
      frames.push_back({node});
    };
    push(root);
    while (!frames.empty()) {
      Frame& frame = frames.back();
      const std::uint32_t node = frame.node;
      const std::uint32_t child = next(node, frame.position);
      if (child != kNoNode) {
        if (number_[child] == kNoNode) {
          push(child);
        } else if (component_[child] == kNoNode) {
          low_[node] = std::min(low_[node], number_[child]);
        }
        continue;
      }
      frames.pop_back();
      if (low_[node] == number_[node]) {
        std::uint32_t member = kNoNode;
        while (member != node) {
          member = stack_.back();
          stack_.pop_back();
          component_[member] = node;
        }
      }
      if (!frames.empty()) {
        low_[frames.back().node] = std::min(low_[frames.back().node], low_[node]);
      }
    }
  }

  SideGroups samples_;
  SideGroups people_;
  std::vector<std::vector<std::uint32_t>> fits_;  // by sample group: people, ascending
  std::vector<std::vector<Entry>> fitted_by_;     // by group of people
  std::vector<std::vector<std::uint32_t>> flow_;  // beside fits_
  std::vector<std::uint32_t> sent_;
  std::vector<std::uint32_t> taken_;
  std::vector<std::uint32_t> number_;
  std::vector<std::uint32_t> low_;
  std::vector<std::uint32_t> component_;
  std::vector<std::uint32_t> stack_;
  std::uint32_t count_ = 0;
};

// Definition 6, by groups.
std::vector<std::vector<std::uint32_t>> who_fits(const DistinctTrails& sub,
                                                 const DistinctTrails& super,
                                                 const SideGroups& samples,
                                                 const SideGroups& people, const World& world,
                                                 const LocationBits& samples_complete,
                                                 const LocationBits& people_complete) {
  std::vector<std::vector<std::uint32_t>> fits(sub.size());
  const auto block_of = [&](std::span<const Location> trail) {
    return world.blocks.empty() ? 0 : world.blocks[trail.front()];
  };
  std::vector<std::uint32_t> people_blocks;
  for (std::size_t p = 0; p < super.size(); ++p) people_blocks.push_back(block_of(super.trail(p)));
  parallel_blocks(sub.size(), 64, [&](std::size_t begin, std::size_t end) {
    for (std::size_t s = begin; s < end; ++s) {
      const LocationBits& seen = samples.bits[s];
      const std::uint32_t block = block_of(sub.trail(s));
      for (std::uint32_t p = 0; p < people.bits.size(); ++p) {
        if (people_blocks[p] != block) continue;
        const LocationBits& listed = people.bits[p];
        bool conflict = false;
        for (std::size_t w = 0; w < seen.size() && !conflict; ++w) {
          conflict = ((seen[w] & ~listed[w] & people_complete[w]) |
                      (listed[w] & ~seen[w] & samples_complete[w])) != 0;
        }
        if (!conflict) fits[s].push_back(p);
      }
    }
  });
  std::size_t pairs = 0;
  for (const auto& list : fits) pairs += list.size();
  if (pairs > kMostPairs) {
    throw Error::input(
        fmt::format("{} pairs of different trails fit each other, which is too many", pairs))
        .hint("Link fewer elements at once, by --block for instance.");
  }
  return fits;
}

}  // namespace

GroupAttack attack_possible_worlds(const DistinctTrails& sub, const DistinctTrails& super,
                                   const World& world, const Disclosure& disclosure,
                                   std::uint64_t count_to, Progress& progress) {
  const LocationBits samples_complete = bits_of(disclosure.complete);
  const LocationBits people_complete = bits_of(disclosure.identified_complete);
  SideGroups samples = side_groups(sub, people_complete, world.locations);
  SideGroups people = side_groups(super, samples_complete, world.locations);
  auto fits = who_fits(sub, super, samples, people, world, samples_complete, people_complete);
  const auto links = fits;
  PossibleWorlds worlds(std::move(samples), std::move(people), std::move(fits));
  GroupAttack result;
  result.impossible = worlds.impossible_samples(progress);
  if (!result.impossible.empty()) return result;
  if (const std::size_t people_left = worlds.impossible_people(progress); people_left > 0) {
    throw Error::input(
        fmt::format("{} identified trails fit no de-identified trail: somebody's table is not "
                    "truthful",
                    people_left))
        .hint("Correct the tables, or allow for errors with --errors.");
  }
  worlds.find_components();
  if (count_to > 0) result.partners.assign(sub.size(), 0);
  for (std::uint32_t s = 0; s < links.size(); ++s) {
    for (std::uint32_t link = 0; link < links[s].size(); ++link) {
      if (worlds.every_world_pairs(s, link)) result.links.push_back({s, links[s][link]});
      if (count_to > 0 && worlds.some_world_pairs(s, link)) {
        result.partners[s] =
            std::min(count_to, result.partners[s] + super.capacity(links[s][link]));
      }
    }
  }
  return result;
}

}  // namespace pratique::trails
