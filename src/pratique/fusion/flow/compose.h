// Independent releases of the same people, intersected: the attack on releases at hand, and the
// study of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pratique/kind/own_forms.h"
#include "pratique/kind/run.h"
#include "pratique/tables/flow/column_roles.h"

namespace pratique::fusion::flow {

struct ComposeRequest {
  tables::flow::ColumnRoles columns;
  // The attack.
  std::vector<std::string> releases;
  std::string targets;
  std::string truth;
  std::string person = {};       // of the targets: whose each row is; empty: as the manifests say
  bool rows_are_people = false;  // each is somebody else's, though an identifier repeats
  release::SaidForms forms = {};
  std::vector<std::string> locate;       // [N:]auto|contain|nearest
  std::vector<std::string> presence;     // [N:]P
  std::vector<std::string> hierarchies;  // N:COLUMN=SPEC
  std::optional<double> strength;
  std::optional<double> max_breach;
  std::string out;
  // The study.
  bool simulate = false;
  std::string data;
  std::size_t overlap = 5000;
  std::vector<std::uint64_t> ks = {5, 10, 15, 20};
  std::vector<std::string> methods = {"mondrian", "microaggregate", "mixed"};
  std::vector<double> ls;
  std::vector<double> ts;
  std::uint64_t diversity_k = 10;
  std::vector<std::size_t> release_counts = {2};
  std::string recoding = "labels";
  std::size_t runs = 10;
  std::optional<std::uint64_t> seed;
};

// Passes where no larger share than `max_breach` is left with one value, and somebody is left with
// any.
[[nodiscard]] Outcome compose_releases(const ComposeRequest& request, const Run& run);
// Overlapping subsets of one table, each anonymised by itself, attacked together.
[[nodiscard]] Outcome study_composition(const ComposeRequest& request, const Run& run);

}  // namespace pratique::fusion::flow
