// The options by which every trails command is given its two sides.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "command.h"
#include "pratique/trails/format/reader.h"
#include "pratique/trails/reserved.h"

namespace pratique::app {

struct TrailOptions {
  std::string identified;
  std::string deidentified;
  std::string location = "location";
  std::vector<std::string> element = {"element"};
  std::vector<std::string> identified_element;
  std::vector<std::string> deidentified_element;
  std::string reserved;

  void add(Verb& verb);
  [[nodiscard]] trails::SideSource identified_side(Session& session) const;
  [[nodiscard]] trails::SideSource deidentified_side(Session& session) const;
  [[nodiscard]] trails::NamedWorld read(Session& session) const {
    return trails::read_world(session.engine(), identified_side(session),
                              deidentified_side(session), session.progress);
  }
  // What --reserved says; nothing when it is to be found out.
  [[nodiscard]] std::optional<trails::Reserved> said() const;
};

// The pairs of --truth that are of this world: codes of de-identified and of identified elements.
[[nodiscard]] std::set<std::pair<Code, Code>> true_pairs(Session& session, const std::string& path,
                                                         const trails::NamedWorld& world);

}  // namespace pratique::app
