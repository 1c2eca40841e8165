#include "pratique/trails/method/internal/link_graph.h"

#include <algorithm>
#include <numeric>

namespace pratique::trails {
namespace {

// Elements with equal lists of locations; those with none are left out.
std::vector<LinkClass> classes(const LocationLists& locations, const std::vector<bool>& left_out) {
  std::vector<Id> order;
  for (std::size_t element = 0; element < locations.size(); ++element) {
    if (!locations[element].empty() && !left_out[element]) {
      order.push_back(static_cast<Id>(element));
    }
  }
  std::sort(order.begin(), order.end(), [&](Id a, Id b) {
    return locations[a] != locations[b] ? locations[a] < locations[b] : a < b;
  });
  std::vector<LinkClass> link_classes;
  for (const Id element : order) {
    if (link_classes.empty() || link_classes.back().locations != locations[element]) {
      link_classes.push_back({locations[element], {}});
    }
    link_classes.back().members.push_back(element);
  }
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
  graph.samples = classes(locations_of(allocation, holdings.samples), known_samples);

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
  graph.people = classes(locations_of(people_at, holdings.people), known_people);

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
