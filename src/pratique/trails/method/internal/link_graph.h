// Who could be whose after an allocation is disclosed, on classes: samples disclosed at the same
// locations are one class, people seen at the same disclosing locations another. A sample may
// belong to a person who was seen wherever it was disclosed.
//
// Undisclosed samples are null trails that may belong to anybody; they are as many as make both
// sides equal (Malin 2006, section 6.2).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pratique/trails/method/holdings.h"

namespace pratique::trails {

struct LinkClass {
  std::vector<Id> locations;
  std::vector<Id> members;
};

struct LinkGraph {
  std::vector<LinkClass> samples;
  std::vector<LinkClass> people;                  // only those who were seen where something left
  std::vector<std::vector<std::uint32_t>> links;  // by sample class: classes of people
  std::size_t null_trails = 0;
};

// As `insiders` see it who pool what they know: they know the people of their own samples, and
// leave both out. Which people these are is certain only where everybody they name has a sample
// there.
[[nodiscard]] LinkGraph link_graph(const Holdings& holdings, const Allocation& allocation,
                                   std::span<const Id> insiders = {});

// What all maximum matchings of the graph together say. A sample class has `partners` people that
// its members are matched to in some maximum matching; a person class has as many samples, null
// trails included where a member can be left without a disclosed sample (`open`). Classes of one
// component can exchange their partners; a component that is not open keeps its people to itself.
struct LinkPartners {
  std::vector<std::uint64_t> of_samples;
  std::vector<std::uint64_t> of_people;
  std::vector<std::uint32_t> component_of_samples;
  std::vector<std::uint32_t> component_of_people;
  std::vector<bool> people_open;

  // Whether a link of the graph is in some maximum matching.
  [[nodiscard]] bool admits(std::uint32_t sample_class, std::uint32_t people_class) const {
    return people_open[people_class] ||
           component_of_samples[sample_class] == component_of_people[people_class];
  }
};

// Throws when not every sample can have a person of its own: the data is not truthful.
[[nodiscard]] LinkPartners link_partners(const LinkGraph& graph);

// The smallest number of partners on either side; people who can only be matched to null trails are
// exempt (definition 19). Nothing disclosed: the largest number there is.
[[nodiscard]] std::uint64_t unlinkability(const LinkPartners& partners);

}  // namespace pratique::trails
