#include "pratique/verify/internal/contributors.h"

#include <fmt/format.h>

#include <map>
#include <numeric>
#include <tuple>

#include "pratique/core/error.h"
#include "pratique/core/parallel.h"

namespace pratique::verify {
namespace {

constexpr std::uint32_t kNotPublished = static_cast<std::uint32_t>(-1);
constexpr std::uint32_t kNobodyKnown = static_cast<std::uint32_t>(-1);
constexpr std::uint64_t kMostCoalitions = 2'000'000;
constexpr std::size_t kCoalitionsPerRound = 512;
constexpr std::size_t kCoalitionsPerBlock = 16;

// Submitted samples that nothing distinguishes.
struct AlikeSamples {
  std::uint32_t group = kNotPublished;  // of published trails
  std::uint32_t person = kNobodyKnown;  // by the truth: the owners' group
  std::vector<Code> trail;              // as submitted
  std::uint32_t count = 0;
};

using Members = std::vector<Code>;

// Elements of one group that have so many partners.
struct Finding {
  bool identified = false;
  std::size_t group = 0;
  std::uint64_t elements = 0;
  std::uint64_t partners = 0;
};

struct CoalitionView {
  std::vector<Finding> findings;
  std::uint64_t impossible = 0;
  bool exact = true;
  bool looked_at = true;
};

class Coalitions {
 public:
  Coalitions(const TrailLists& lists, const LinkGraph& everybody,
             const std::optional<std::vector<Code>>& owners)
      : lists_(lists), everybody_(everybody), has_truth_(owners.has_value()) {
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::vector<Code>>, std::uint32_t> counts;
    const auto published = lists.published_group();
    for (std::size_t s = 0; s < published.size(); ++s) {
      const auto trail = lists.submitted->locations(s);
      counts[{published[s].value_or(kNotPublished),
              owners ? lists.people.group_of[(*owners)[s]] : kNobodyKnown,
              {trail.begin(), trail.end()}}] += lists.submitted->count(s);
    }
    for (const auto& [key, count] : counts) {
      samples_.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), count});
    }
    linked_from_.resize(lists.people.sizes.size());
    for (std::uint32_t g = 0; g < lists.samples.sizes.size(); ++g) {
      for (auto link = links(g).first; link < links(g).second; ++link) {
        linked_from_[everybody.groups.linked[link]].push_back(g);
      }
    }
  }

  // `graph` is a copy of the external one, whose sizes are overwritten.
  [[nodiscard]] CoalitionView view(const Members& members, LinkGraph& graph,
                                   const PartnerTally& tally, Progress& progress) const {
    const Known known(*this, members);
    CoalitionView view;
    if (has_truth_) {
      look_with_truth(known, graph, view, progress);
    } else if (known.people <= known.samples) {
      std::uint64_t fewest = static_cast<std::uint64_t>(-1);
      for (const auto count : known.unknown) {
        if (count > 0) fewest = std::min<std::uint64_t>(fewest, count);
      }
      view.looked_at = !tally.is_settled_below(fewest);
      if (view.looked_at) look(known, known.unknown, graph, view, progress);
    } else {
      view.exact = false;
      bound(known, view);
    }
    return view;
  }

 private:
  struct Known {
    Known(const Coalitions& all, const Members& members)
        : is_member(all.lists_.locations.size()), unknown(all.lists_.samples.sizes) {
      for (const Code member : members) is_member[member] = true;
      const auto& listed = all.lists_.people;
      for (std::size_t p = 0; p < listed.trails.size(); ++p) {
        person.push_back(has(listed.trails[p]));
        if (person.back()) people += listed.sizes[p];
      }
      for (const AlikeSamples& alike : all.samples_) {
        if (!has(alike.trail)) continue;
        samples += alike.count;
        if (alike.group != kNotPublished) unknown[alike.group] -= alike.count;
      }
    }
    [[nodiscard]] bool has(const std::vector<Code>& trail) const {
      return std::any_of(trail.begin(), trail.end(),
                         [&](Code location) { return is_member[location]; });
    }

    std::vector<bool> is_member;         // by location
    std::vector<bool> person;            // by group of people: they are listed by a member
    std::vector<std::uint32_t> unknown;  // by published group: not submitted by a member
    std::uint64_t people = 0;            // |P|
    std::uint64_t samples = 0;           // |K|
  };

  [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> links(std::size_t group) const {
    return {everybody_.groups.first[group], everybody_.groups.first[group + 1]};
  }

  // The people of the coalition, and all samples but `left`, are gone.
  void reduce(const Known& known, const std::vector<std::uint32_t>& left, LinkGraph& graph) const {
    auto& groups = graph.groups;
    groups.right_size = lists_.people.sizes;
    std::uint64_t people = 0;
    for (std::size_t p = 0; p < known.person.size(); ++p) {
      if (known.person[p]) groups.right_size[p] = 0;
      people += groups.right_size[p];
    }
    std::copy(left.begin(), left.end(), groups.left_size.begin());
    const auto samples = std::accumulate(left.begin(), left.end(), std::uint64_t{0});
    if (graph.has_null_group) {
      groups.left_size[graph.null_group()] =
          static_cast<std::uint32_t>(people > samples ? people - samples : 0);
    }
  }

  void look(const Known& known, const std::vector<std::uint32_t>& left, LinkGraph& graph,
            CoalitionView& view, Progress& progress) const {
    reduce(known, left, graph);
    const Partners partners = count_partners(graph, progress);
    for (std::size_t g = 0; g < left.size(); ++g) {
      if (partners.left[g]) view.findings.push_back({false, g, left[g], *partners.left[g]});
    }
    for (std::size_t p = 0; p < partners.right.size(); ++p) {
      if (!partners.right[p]) continue;
      view.findings.push_back({true, p, graph.groups.right_size[p], *partners.right[p]});
    }
    view.impossible = std::max(view.impossible, partners.impossible);
  }

  void look_with_truth(const Known& known, LinkGraph& graph, CoalitionView& view,
                       Progress& progress) const {
    std::vector<std::uint32_t> left(known.unknown.size());
    // Of the coalition's people: those whose sample it did not submit, by where that is published.
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> unsure;
    std::vector<std::uint32_t> without = lists_.people.sizes;
    for (const AlikeSamples& alike : samples_) {
      without[alike.person] -= alike.count;
      if (known.person[alike.person]) {
        if (!known.has(alike.trail)) unsure[{alike.person, alike.group}] += alike.count;
      } else if (alike.group != kNotPublished) {
        left[alike.group] += alike.count;
      }
    }
    for (std::uint32_t p = 0; p < without.size(); ++p) {
      if (known.person[p] && without[p] > 0) unsure[{p, kNotPublished}] += without[p];
    }
    look(known, left, graph, view, progress);
    for (const auto& [pair, count] : unsure) {
      const auto [person, group] = pair;
      reduce(known, left, graph);
      graph.groups.right_size[person] = 1;
      ++graph.groups.left_size[group == kNotPublished ? graph.null_group() : group];
      const Partners partners = count_partners(graph, progress);
      if (group != kNotPublished && partners.left[group])
        view.findings.push_back({false, group, count, *partners.left[group]});
      if (partners.right[person])
        view.findings.push_back({true, person, count, *partners.right[person]});
    }
  }

  void bound(const Known& known, CoalitionView& view) const {
    const std::uint64_t hidden = known.people - known.samples;
    std::vector<std::uint64_t> shared(known.unknown.size());
    for (std::uint32_t g = 0; g < known.unknown.size(); ++g) {
      const std::uint64_t unknown = known.unknown[g];
      if (unknown == 0) continue;
      std::uint64_t inside = 0;
      std::uint64_t outside = 0;
      std::fill(shared.begin(), shared.end(), 0);
      for (auto link = links(g).first; link < links(g).second; ++link) {
        const auto person = everybody_.groups.linked[link];
        const std::uint64_t people = lists_.people.sizes[person];
        (known.person[person] ? inside : outside) += people;
        if (known.person[person]) continue;
        for (const auto other : linked_from_[person]) shared[other] += people;
      }
      const std::uint64_t of_known = lists_.samples.sizes[g] - unknown;
      const std::uint64_t may_know = std::min(hidden, inside > of_known ? inside - of_known : 0);
      std::uint64_t taken = 0;
      for (std::uint32_t other = 0; other < shared.size(); ++other) {
        if (other != g) taken += std::min<std::uint64_t>(shared[other], known.unknown[other]);
      }
      const std::uint64_t partners =
          std::max({unknown > may_know ? unknown - may_know : 0,
                    outside > taken ? outside - taken : 0, std::uint64_t{1}});
      view.findings.push_back({false, g, unknown, partners});
    }
  }

  const TrailLists& lists_;
  const LinkGraph& everybody_;
  const bool has_truth_;
  std::vector<AlikeSamples> samples_;
  std::vector<std::vector<std::uint32_t>> linked_from_;  // by group of people: published groups
};

// Subsets of {0, .., locations - 1} by size, then in the order of their members.
class Subsets {
 public:
  Subsets(std::size_t locations, std::size_t largest)
      : locations_(locations), largest_(std::min(locations, largest)) {}

  // Beyond kMostCoalitions, no more than that.
  [[nodiscard]] std::uint64_t count() const {
    std::uint64_t all = 0;
    std::uint64_t ways = 1;
    for (std::size_t size = 1; size <= largest_ && all <= kMostCoalitions; ++size) {
      ways = ways * (locations_ - size + 1) / size;
      all += ways;
    }
    return all;
  }

  [[nodiscard]] std::optional<Members> next() {
    if (!advance()) {
      if (members_.size() >= largest_) return std::nullopt;
      members_.resize(members_.size() + 1);
      std::iota(members_.begin(), members_.end(), Code{0});
    }
    return members_;
  }

 private:
  bool advance() {
    for (std::size_t i = members_.size(); i-- > 0;) {
      if (members_[i] + (members_.size() - i) >= locations_) continue;
      ++members_[i];
      for (std::size_t j = i + 1; j < members_.size(); ++j) members_[j] = members_[j - 1] + 1;
      return true;
    }
    return false;
  }

  std::size_t locations_;
  std::size_t largest_;
  Members members_;
};

}  // namespace

bool tally_coalitions(const TrailLists& lists, const LinkGraph& everybody, std::uint64_t size,
                      const std::optional<std::vector<Code>>& owners, PartnerTally& tally,
                      Progress& progress) {
  Subsets subsets(lists.locations.size(), size);
  if (subsets.count() > kMostCoalitions) {
    throw Error::input(fmt::format("{} locations have too many coalitions of up to {}",
                                   lists.locations.size(), size))
        .hint(
            fmt::format("Ask for smaller coalitions: at most {} are looked at.", kMostCoalitions));
  }
  const Coalitions coalitions(lists, everybody, owners);
  progress.begin("contributors", subsets.count());
  bool exact = true;
  bool more = true;
  while (more) {
    std::vector<Members> round;
    while (round.size() < kCoalitionsPerRound) {
      auto members = subsets.next();
      more = members.has_value();
      if (!more) break;
      round.push_back(std::move(*members));
    }
    std::vector<CoalitionView> views(round.size());
    parallel_blocks(round.size(), kCoalitionsPerBlock, [&](std::size_t begin, std::size_t end) {
      LinkGraph graph = everybody;
      for (std::size_t c = begin; c < end; ++c) {
        views[c] = coalitions.view(round[c], graph, tally, progress);
      }
      progress.advance(end - begin);
    });
    for (std::size_t c = 0; c < round.size(); ++c) {
      exact = exact && views[c].exact;
      tally.impossible(views[c].impossible);
      std::vector<std::string> names;
      for (const Code member : round[c]) names.emplace_back(lists.locations.value(member));
      for (const Finding& finding : views[c].findings) {
        tally.add(finding.identified, finding.group, finding.elements, finding.partners, names);
      }
    }
  }
  return exact;
}

}  // namespace pratique::verify
