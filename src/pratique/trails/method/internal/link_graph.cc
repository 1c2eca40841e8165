#include "pratique/trails/method/internal/link_graph.h"

#include <algorithm>
#include <map>

namespace pratique::trails {
namespace {

struct ByTrail {
  using is_transparent = void;
  bool operator()(std::span<const Id> a, std::span<const Id> b) const {
    return std::ranges::lexicographical_compare(a, b);
  }
};

// Elements with equal lists of locations; those with none are left out.
std::vector<LinkClass> classes(const ElementLocations& locations,
                               const std::vector<bool>& left_out) {
  std::map<std::vector<Id>, std::vector<Id>, ByTrail> members;
  auto last = members.end();  // neighbours are often alike
  for (std::size_t element = 0; element < locations.size(); ++element) {
    const auto trail = locations[element];
    if (trail.empty() || left_out[element]) continue;
    if (last == members.end() || !std::ranges::equal(last->first, trail))
      last = members.find(trail);
    if (last == members.end()) last = members.try_emplace({trail.begin(), trail.end()}).first;
    last->second.push_back(static_cast<Id>(element));
  }
  std::vector<LinkClass> link_classes;
  link_classes.reserve(members.size());
  for (auto& [trail, elements] : members) link_classes.push_back({trail, std::move(elements)});
  return link_classes;
}

std::vector<bool> marked(const LocationLists& at, std::span<const Id> locations,
                         std::size_t elements) {
  std::vector<bool> marks(elements);
  for (const Id location : locations) {
    for (const Id element : at[location]) marks[element] = true;
  }
  return marks;
}

}  // namespace

LinkGraph link_graph(const Holdings& holdings, const Allocation& allocation,
                     std::span<const Id> insiders) {
  const auto known_people = marked(holdings.people_at, insiders, holdings.people);
  const auto known_samples = marked(holdings.samples_at, insiders, holdings.samples);
  LinkGraph graph;
  graph.samples = classes(ElementLocations(allocation, holdings.samples), known_samples);

  std::vector<bool> disclosing(holdings.locations());
  std::size_t disclosed = 0;
  for (const auto& sample_class : graph.samples) {
    disclosed += sample_class.members.size();
    for (const Id location : sample_class.locations) disclosing[location] = true;
  }
  LocationLists people_at(holdings.locations());
  for (std::size_t c = 0; c < holdings.locations(); ++c) {
    if (disclosing[c]) people_at[c] = holdings.people_at[c];
  }
  graph.people = classes(ElementLocations(people_at, holdings.people), known_people);

  const auto people = holdings.people - static_cast<std::size_t>(std::count(
                                            known_people.begin(), known_people.end(), true));
  graph.null_trails = people > disclosed ? people - disclosed : 0;

  std::vector<std::vector<std::uint32_t>> seen_at(holdings.locations());
  for (std::size_t p = 0; p < graph.people.size(); ++p) {
    for (const Id location : graph.people[p].locations) {
      seen_at[location].push_back(static_cast<std::uint32_t>(p));
    }
  }
  for (const auto& sample_class : graph.samples) {
    const auto& places = sample_class.locations;
    const Id rarest = *std::min_element(places.begin(), places.end(), [&](Id a, Id b) {
      return seen_at[a].size() < seen_at[b].size();
    });
    auto& links = graph.links.emplace_back();
    for (const std::uint32_t p : seen_at[rarest]) {
      const auto& seen = graph.people[p].locations;
      if (places.size() == 1 ||
          std::includes(seen.begin(), seen.end(), places.begin(), places.end())) {
        links.push_back(p);
      }
    }
  }
  return graph;
}

}  // namespace pratique::trails
