// The whole world in memory, before it is written: people, patients, what others know of them, and
// the order in which each file numbers its rows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/synthetic/consortium.h"
#include "pratique/synthetic/internal/care.h"

namespace pratique::synthetic {

struct Member {               // of the insurer
  std::uint32_t patient = 0;  // in World::patients
  int visit_index = 1;
  int expenditure_index = 1;
  int valuation = 1;
};

struct Page {                // on the web
  std::uint32_t person = 0;  // in World::people
  std::string name;          // as it is written there
};

struct World {
  World(const ConsortiumOptions& options, Progress& progress);

  Region region;
  Hospitals hospitals;
  std::vector<Person> people;
  std::vector<Patient> patients;          // by person
  std::vector<std::uint32_t> registered;  // people, in the order of the register
  std::vector<std::uint32_t> pseudonyms;  // patients, in the order of the research table
  std::vector<Member> members;            // in the order of the insurer's table
  std::vector<Page> pages;                // in the order of the web's table
};

// Writes all files but world.json.
[[nodiscard]] std::vector<ConsortiumSummary::File> write_world(const World& world,
                                                               const std::string& folder,
                                                               Progress& progress);

}  // namespace pratique::synthetic
