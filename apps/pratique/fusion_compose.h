// What fusion compose takes: the attack on releases at hand, or with --simulate the study of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "command.h"
#include "table_options.h"

namespace pratique::app {

struct ComposeOptions {
  TableOptions columns;
  // The attack.
  std::vector<std::string> releases;
  std::string targets;
  std::string truth;
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

int run_composition(const ComposeOptions& options, Session& session);
int run_composition_study(const ComposeOptions& options, Session& session);
void add_composition_study(Verb& verb, ComposeOptions& options);

}  // namespace pratique::app
