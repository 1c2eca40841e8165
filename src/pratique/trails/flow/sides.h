// The two sides that every trails command is given: lists with names, and lists without.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "pratique/kind/run.h"
#include "pratique/trails/format/reader.h"
#include "pratique/trails/reserved.h"

namespace pratique::trails::flow {

struct Sides {
  std::string identified = {};
  std::string deidentified = {};
  std::string location = "location";
  std::vector<std::string> element = {"element"};
  std::vector<std::string> identified_element = {};
  std::vector<std::string> deidentified_element = {};
  std::string reserved = {};
  std::string block = {};  // a column that both sides share

  [[nodiscard]] trails::SideSource identified_side(const Run& run) const;
  [[nodiscard]] trails::SideSource deidentified_side(const Run& run) const;
  [[nodiscard]] trails::NamedWorld read(const Run& run) const {
    return trails::read_world(run.engine, identified_side(run), deidentified_side(run),
                              run.progress);
  }
  // What --reserved says; nothing when it is to be found out.
  [[nodiscard]] std::optional<trails::Reserved> said() const;
};

// The pairs of --truth that are of this world: codes of de-identified and of identified elements.
[[nodiscard]] std::set<std::pair<Code, Code>> true_pairs(const Run& run, const std::string& path,
                                                         const trails::NamedWorld& world);

// Null where a side is empty: nothing was tried, which is not the same as nobody re-identified.
[[nodiscard]] JsonValue share_of_samples(std::size_t reidentified, const trails::NamedWorld& world);

// Passes without a threshold, or with a `share` that is known and not above it. A note says where
// nothing was tried.
[[nodiscard]] Outcome judged(Json& result, const std::optional<double>& fail_above);

}  // namespace pratique::trails::flow
