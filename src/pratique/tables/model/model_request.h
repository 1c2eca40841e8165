// The models that a user asks for, in the words of flags and of YAML (`models:` in data/schema.h):
//
//   k          K                  k-anonymity
//   k-map      K                  k-map; needs a population
//   population FILE               a table of people, for k-map and delta
//   l          L[@COLUMN]         l-diversity
//   diversity  distinct | entropy | recursive:C, [@COLUMN]     which l-diversity; distinct unless
//                                 said otherwise
//   alpha      A[@COLUMN]         (alpha,k)-anonymity's alpha
//   t          T[@COLUMN]         t-closeness
//   distance   equal | ordered | hierarchical, [@COLUMN]       equal unless said otherwise
//   em         E:M[@COLUMN]       (e,m)-anonymity
//   range      E[@COLUMN]         range diversity
//   guard      GUARD:P[@COLUMN]   personalised privacy; GUARD is the column of guarding nodes
//   delta      MIN,MAX            delta-presence; needs a population
//   rho        RHO1:RHO2[@COLUMN] rho1-to-rho2 privacy: the column leaves randomised
//   growth     DELTA[@COLUMN]     the same, no belief grows by more than DELTA
//
// A model without a column is asked of every sensitive attribute, and so are diversity and distance
// of every l and t; with a column, of that one, which wins. A guard without a column needs the
// table to have one sensitive attribute. A column may be asked one thing once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pratique/data/schema.h"
#include "pratique/tables/attack/assess.h"
#include "pratique/tables/attribute.h"
#include "pratique/tables/model/model.h"
#include "pratique/tables/model/population_models.h"
#include "pratique/tables/model/t_closeness.h"

namespace pratique::tables {

struct ModelRequest {
  enum class Diversity { distinct, entropy, recursive };

  struct LDiversity {
    std::string column;
    double l = 0;
    Diversity diversity = Diversity::distinct;
    double c = 0;  // of recursive
  };
  struct Alpha {
    std::string column;
    double alpha = 0;
  };
  struct Closeness {
    std::string column;
    double t = 0;
    GroundDistance distance = GroundDistance::equal;
  };
  struct Proximity {
    std::string column;
    double e = 0;
    std::uint64_t m = 0;
  };
  struct Range {
    std::string column;
    double e = 0;
  };
  struct Guard {
    std::string column;
    std::string guard;
    double p = 0;
  };
  struct Delta {
    double minimum = 0;
    double maximum = 0;
  };

  // A bound on what anybody may come to believe of a record's value (randomised_release.h).
  struct Belief {
    std::string column;
    double rho1 = 0;
    double rho2 = 0;
    std::optional<double> growth = {};  // instead of rho1 and rho2
  };

  std::optional<std::uint64_t> k;
  std::optional<std::uint64_t> k_map;
  std::optional<std::string> population;  // the file's path
  std::vector<LDiversity> l;
  std::vector<Alpha> alpha;
  std::vector<Closeness> t;
  std::vector<Proximity> em;
  std::vector<Range> range;
  std::vector<Guard> guard;
  std::optional<Delta> delta;
  std::vector<Belief> beliefs;  // no predicate on classes: see randomisation.h

  [[nodiscard]] bool needs_population() const { return k_map || delta; }
  // The columns that models look at, each once: sensitive attributes, then guarding columns.
  [[nodiscard]] std::vector<std::string> sensitive_columns() const;
  [[nodiscard]] std::vector<std::string> guard_columns() const;
};

// Of schema.models and the roles in the schema. Throws Error, placed where the word stands in its
// file, that says what is wrong and how to mend it; also when no model is asked for.
[[nodiscard]] ModelRequest read_model_request(const Schema& schema);

// What models need beside the protection's input. All of it must outlive the models.
struct ModelContext {
  const Table& table;       // grouped; has every column of the request
  Hierarchies hierarchies;  // over sensitive attributes
  std::optional<PopulationFile> population = {};
};

// `input` has its attributes, counts and population; its sensitive columns are set here to what the
// models look at.
[[nodiscard]] Models make_models(const ModelRequest& request, const ModelContext& context,
                                 ProtectionInput& input);

// Every model's claim about a release of this recoding: a list for release::publish.
[[nodiscard]] Json claims_of(const Models& models, const ProtectionInput& input,
                             const Recoding& recoding);

}  // namespace pratique::tables
