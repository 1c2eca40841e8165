// A side written down in tests: for each element, where it was seen.
#pragma once

#include <vector>

#include "pratique/trails/world.h"

namespace pratique::trails {

template <class Trail = std::vector<Location>>
Side side_of(const std::vector<Trail>& trails) {
  std::vector<Element> elements;
  std::vector<Location> locations;
  for (Element e = 0; e < trails.size(); ++e) {
    for (const Location location : trails[e]) {
      elements.push_back(e);
      locations.push_back(location);
    }
  }
  return {trails.size(), elements, locations};
}

}  // namespace pratique::trails
