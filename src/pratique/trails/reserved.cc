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

Comparison compare_sizes(const World& world) {
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

std::string at_locations(std::size_t count) {
  return count == 1 ? "1 location" : fmt::format("{} locations", count);
}

Error impossible(const std::string& message, const std::string& first = {}) {
  return Error::input(message).hint(
      first + (first.empty() ? "Either a table" : "either a table") +
      " is not truthful, or a person has several elements on one side "
      "(--algorithm multiple), or both sides have errors.");
}

}  // namespace

std::string_view to_text(Reserved reserved) {
  switch (reserved) {
    case Reserved::deidentified:
      return "deidentified";
    case Reserved::identified:
      return "identified";
    case Reserved::both:
      return "both";
    case Reserved::none:
      break;
  }
  return "none";
}

std::optional<Reserved> reserved_from_text(std::string_view text) {
  for (const auto reserved :
       {Reserved::none, Reserved::deidentified, Reserved::identified, Reserved::both}) {
    if (text == to_text(reserved)) return reserved;
  }
  return std::nullopt;
}

std::string Disclosure::to_text() const {
  if (reserved == Reserved::both) {
    return "either side's trails may be incomplete; at each location the longer list is complete "
           "(as said)";
  }
  const std::string what =
      reserved == Reserved::none
          ? "both sides are complete"
          : fmt::format("{} trails may be incomplete",
                        reserved == Reserved::identified ? "identified" : "de-identified");
  if (by_algorithm) return what + " (as a person may have several samples)";
  return what + (assumed ? " (detected from the sizes per location)" : " (as said)");
}

Disclosure find_disclosure(const World& world, std::optional<Reserved> said) {
  Comparison sizes = compare_sizes(world);
  const bool identified_may_be = sizes.identified_longer == 0;
  const bool deidentified_may_be = sizes.deidentified_longer == 0;
  if (!said && !identified_may_be && !deidentified_may_be) {
    throw impossible(
        fmt::format("neither side can be complete: the identified list is longer at {}, the "
                    "de-identified one "
                    "at {}",
                    at_locations(sizes.identified_longer), at_locations(sizes.deidentified_longer)),
        "If each location may withhold either, say --reserved both. Else ");
  }
  if (said == Reserved::both) {
    const auto identified = world.identified.sizes(world.locations);
    const auto deidentified = world.deidentified.sizes(world.locations);
    Disclosure disclosure{Reserved::both, {}, false};
    for (std::size_t c = 0; c < world.locations; ++c) {
      disclosure.complete.push_back(deidentified[c] >= identified[c]);
      disclosure.identified_complete.push_back(identified[c] >= deidentified[c]);
    }
    return disclosure;
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
    throw impossible(fmt::format(
        "more de-identified than identified elements at {}, so the identified side is not "
        "complete",
        at_locations(sizes.deidentified_longer)));
  }
  if (reserved != Reserved::deidentified && !identified_may_be) {
    throw impossible(fmt::format(
        "more identified than de-identified elements at {}, so the de-identified side is not "
        "complete",
        at_locations(sizes.identified_longer)));
  }
  return {reserved, std::move(sizes.equal), !said};
}

Disclosure find_disclosure_of_many(const World& world, std::optional<Reserved> said) {
  if (said == Reserved::both) {
    throw Error::input("where either side may be incomplete, several elements of one prove nothing")
        .hint(
            "--algorithm multiple needs one side that is complete: --reserved deidentified or "
            "identified.");
  }
  Disclosure result{said.value_or(Reserved::deidentified),
                    std::vector<bool>(world.locations, false), false};
  result.by_algorithm = !said;
  return result;
}

}  // namespace pratique::trails
