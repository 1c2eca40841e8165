#include "pratique/verify/internal/trail_lists.h"

#include <fmt/format.h>

#include <algorithm>

#include "pratique/core/error.h"
#include "pratique/data/person_spelling.h"

namespace pratique::verify {
namespace {

// Conditions 1 and 2 of Definition 20: nothing is published that was not there.
void check_submitted(const SeenAt& published, const SeenAt& submitted, const TrailList& list,
                     const std::string& what) {
  for (std::size_t e = 0; e < published.size(); ++e) {
    const auto element = submitted.names().find(published.names().value(static_cast<Code>(e)));
    bool contained = element.has_value();
    if (contained) {
      contained = published.count(e) == submitted.count(*element) &&
                  std::ranges::includes(submitted.locations(*element), published.locations(e));
    }
    if (!contained) {
      throw Error::input(
          fmt::format("a {} was published at a location that did not submit it", what))
          .at(list.path)
          .hint(fmt::format("Both lists must use the same names for {}, and publish only what was "
                            "submitted.",
                            what == "person" ? "people" : "samples"));
    }
  }
}

}  // namespace

TrailLists::TrailLists(Engine& engine, const UnlinkabilityQuestion& question, Progress& progress)
    : identified(engine, question.identified, locations, progress),
      deidentified(engine, question.deidentified, locations, progress),
      people(distinct_sets(identified)),
      samples(distinct_sets(deidentified)) {
  if (question.submitted) {
    submitted.emplace(engine, *question.submitted, locations, progress);
    check_submitted(deidentified, *submitted, *question.submitted, "sample");
  }
  if (question.submitted_identified) {
    submitted_people.emplace(engine, *question.submitted_identified, locations, progress);
    check_submitted(identified, *submitted_people, *question.submitted_identified, "person");
  }
}

std::vector<std::optional<std::uint32_t>> TrailLists::published_group() const {
  std::vector<std::optional<std::uint32_t>> groups;
  for (const auto name : submitted->names().values()) {
    const auto number = deidentified.names().find(name);
    groups.push_back(number ? std::optional(samples.group_of[*number]) : std::nullopt);
  }
  return groups;
}

std::vector<std::string> TrailLists::names_of(const std::vector<Code>& trail) const {
  std::vector<std::string> names;
  for (const Code location : trail) names.emplace_back(locations.value(location));
  std::sort(names.begin(), names.end());
  return names;
}

ReservedSide find_reserved(const TrailLists& lists) {
  const auto people = lists.identified.sizes(lists.locations.size());
  const auto samples = lists.deidentified.sizes(lists.locations.size());
  std::size_t more_people = 0;
  std::size_t more_samples = 0;
  for (std::size_t c = 0; c < people.size(); ++c) {
    more_people += people[c] > samples[c] ? 1 : 0;
    more_samples += samples[c] > people[c] ? 1 : 0;
  }
  if (more_people > 0 && more_samples > 0) {
    throw Error::input(fmt::format("neither side can be complete: {} locations list more people "
                                   "than samples, {} more samples than people",
                                   more_people, more_samples))
        .hint(
            "If each location may withhold either, say --reserved both. Else a list is not "
            "truthful.");
  }
  if (more_samples > 0) return ReservedSide::identified;
  return more_people > 0 ? ReservedSide::deidentified : ReservedSide::none;
}

std::vector<Code> read_truth(Engine& engine, const std::string& path, const TrailLists& lists,
                             Progress& progress) {
  if (lists.submitted->elements() != lists.submitted->size() ||
      lists.identified.elements() != lists.identified.size())
    throw Error::input("whose sample each is cannot be said of elements that were counted")
        .at(path);
  const Source source = engine.open(path, {}, progress);
  const Table pairs = engine.load(source, {"deidentified", "identified"}, progress);
  std::vector<std::optional<Code>> person(lists.submitted->size());
  for (std::size_t row = 0; row < pairs.rows(); ++row) {
    const auto sample = lists.submitted->names().find(person_as_read(pairs.columns[0].text(row)));
    if (!sample) continue;
    const auto owner = lists.identified.names().find(person_as_read(pairs.columns[1].text(row)));
    if (!owner || (person[*sample] && *person[*sample] != *owner)) {
      throw Error::input(owner ? "a sample belongs to two people"
                               : "a sample belongs to a person whom no location lists")
          .at(fmt::format("{}, row {}", path, row + 1))
          .hint("Each submitted sample belongs to one person of the identified lists.");
    }
    if (!std::ranges::includes(lists.identified.locations(*owner),
                               lists.submitted->locations(*sample))) {
      throw Error::input(
          "the truth does not fit the lists: a sample was seen where its owner was not")
          .at(fmt::format("{}, row {}", path, row + 1))
          .hint("Either the truth is wrong, or a list is.");
    }
    person[*sample] = owner;
  }
  std::vector<Code> owners;
  std::vector<bool> owns(lists.identified.size());
  for (const auto& owner : person) {
    if (!owner || owns[*owner]) {
      throw Error::input(owner ? "a person owns two samples"
                               : "a submitted sample has no owner here")
          .at(path)
          .hint(
              "The truth needs one row deidentified,identified for every submitted sample, each "
              "with a person of its own.");
    }
    owns[*owner] = true;
    owners.push_back(*owner);
  }
  return owners;
}

}  // namespace pratique::verify
