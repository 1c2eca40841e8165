#include "pratique/trails/reserved.h"

#include <fmt/format.h>

#include "pratique/core/error.h"

namespace pratique::trails {
namespace {

// At how many locations each side has the longer list.
struct Comparison {
  std::size_t identified_longer = 0;
  std::size_t deidentified_longer = 0;
  std::vector<bool> equal;
};

Comparison compare(const World& world) {
  const auto identified = world.identified.sizes(world.locations);
  const auto deidentified = world.deidentified.sizes(world.locations);
  Comparison result;
  for (std::size_t c = 0; c < world.locations; ++c) {
    result.equal.push_back(identified[c] == deidentified[c]);
    result.identified_longer += identified[c] > deidentified[c] ? 1 : 0;
    result.deidentified_longer += deidentified[c] > identified[c] ? 1 : 0;
  }
  return result;
}

Error impossible(const std::string& message) {
  return Error::input(message).hint(
      "Either a table is not truthful, or a person has several elements on one side "
      "(--algorithm multiple), or both sides have errors.");
}

}  // namespace

std::string_view to_text(Reserved reserved) {
  switch (reserved) {
    case Reserved::deidentified:
      return "deidentified";
    case Reserved::identified:
      return "identified";
    case Reserved::none:
      break;
  }
  return "none";
}

std::optional<Reserved> reserved_from_text(std::string_view text) {
  for (const auto reserved : {Reserved::none, Reserved::deidentified, Reserved::identified}) {
    if (text == to_text(reserved)) return reserved;
  }
  return std::nullopt;
}

std::string Disclosure::to_text() const {
  const std::string what =
      reserved == Reserved::none
          ? "both sides are complete"
          : fmt::format("{} trails may be incomplete",
                        reserved == Reserved::identified ? "identified" : "de-identified");
  return what + (assumed ? " (found out from the sizes per location)" : " (as said)");
}

Disclosure find_disclosure(const World& world, std::optional<Reserved> said) {
  Comparison sizes = compare(world);
  const bool identified_may_be = sizes.identified_longer == 0;
  const bool deidentified_may_be = sizes.deidentified_longer == 0;
  if (!said && !identified_may_be && !deidentified_may_be) {
    throw impossible(fmt::format(
        "neither side can be complete: {} locations have the longer identified list, {} the longer "
        "de-identified one",
        sizes.identified_longer, sizes.deidentified_longer));
  }
  Reserved reserved = Reserved::none;
  if (said) {
    reserved = *said;
  } else if (!identified_may_be) {
    reserved = Reserved::deidentified;
  } else if (!deidentified_may_be) {
    reserved = Reserved::identified;
  }
  if (reserved != Reserved::identified && !deidentified_may_be) {
    throw impossible(
        fmt::format("{} locations have more de-identified than identified elements, "
                    "so the identified side is not complete",
                    sizes.deidentified_longer));
  }
  if (reserved != Reserved::deidentified && !identified_may_be) {
    throw impossible(
        fmt::format("{} locations have more identified than de-identified elements, "
                    "so the de-identified side is not complete",
                    sizes.identified_longer));
  }
  return {reserved, std::move(sizes.equal), !said};
}

Disclosure find_disclosure_of_many(const World& world, std::optional<Reserved> said) {
  const Comparison sizes = compare(world);
  const bool identified_is = sizes.identified_longer == 0 && sizes.deidentified_longer > 0;
  const Reserved found = identified_is ? Reserved::identified : Reserved::deidentified;
  return {said.value_or(found), std::vector<bool>(world.locations, false), !said};
}

}  // namespace pratique::trails
