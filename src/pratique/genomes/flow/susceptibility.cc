#include "pratique/genomes/flow/susceptibility.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "pratique/genomes/susceptibility/systems.h"

namespace pratique::genomes::flow {
namespace {

// Where a measured cell is not what table B.2 prints.
std::string why_it_differs(std::string_view attack, std::string_view system, bool printed) {
  if (attack == "DICTIONARY" && system == "TRUST" && printed)
    return "the key is longer than a requester with some pairs can try; B.3.4 takes it to be found";
  if (attack == "FAMILY" && printed)
    return "no family of this world has a shape of its own; more people or less detail would do "
           "that";
  if (attack == "TRAIL" && printed) return "so many people share each trail that none is certain";
  if (attack == "GENPHEN" && printed)
    return "every diagnosis of the samples is shared by several people who look alike";
  return "this world shows more than the system as printed";
}

}  // namespace

Outcome susceptibility(const SusceptibilityRequest& request, const Run& run) {
  const Seeded seeded = with_seed(run, request.seed);
  const Kindred kindred = make_kindred({.people = request.people,
                                        .hospitals = static_cast<std::uint32_t>(request.hospitals),
                                        .seed = seeded.seed});
  const Susceptibility measured =
      measure_susceptibility(kindred, {.key_bits = static_cast<std::uint32_t>(request.key_bits)},
                             seeded.seed, run.progress);
  Json matrix = Json::array();
  Json cells = Json::object();
  Json printed = Json::array();
  Json differs = Json::array();
  for (std::size_t a = 0; a < kReidentifications.size(); ++a) {
    const std::string attack(kReidentifications[a]);
    matrix.push_back(measured.shares[a]);
    printed.push_back(kPrintedB2[a]);
    for (std::size_t s = 0; s < kSystems.size(); ++s) {
      const std::string system(kSystems[s]);
      const double share = measured.shares[a][s];
      cells[attack][system] = share;
      if ((share > 0) == kPrintedB2[a][s]) continue;
      differs.push_back({{"attack", attack},
                         {"system", system},
                         {"printed", kPrintedB2[a][s]},
                         {"measured", share},
                         {"why", why_it_differs(attack, system, kPrintedB2[a][s])}});
    }
  }
  Json any = Json::object();
  Json compounded = Json::object();
  Json rounds = Json::object();
  for (std::size_t s = 0; s < kSystems.size(); ++s) {
    any[std::string(kSystems[s])] = measured.any[s];
    compounded[std::string(kSystems[s])] = measured.compounded[s];
    rounds[std::string(kSystems[s])] = measured.rounds[s];
  }
  const auto samples = std::count_if(kindred.people.begin(), kindred.people.end(),
                                     [](const Kinsman& own) { return !own.dna_at.empty(); });
  Json result = {
      {"attacks", kReidentifications},
      {"systems", kSystems},
      {"matrix", matrix},
      {"cells", cells},
      {"printed", printed},
      {"differs", differs},
      {"any", any},
      {"compounded", compounded},
      {"rounds", rounds},
      {"keys_tried", measured.keys_tried},
      {"people", kindred.people.size()},
      {"families", kindred.pedigrees.size()},
      {"samples", samples},
      {"seed", seeded.seed},
      {"adversaries",
       {{"FAMILY", "has genealogies with names, sexes and birth order"},
        {"TRAIL", "has the discharge lists of all hospitals"},
        {"GENPHEN", "has the discharge lists with sex, birth, postcode and diagnoses"},
        {"DICTIONARY",
         "TRUST: a requester with a pair from FAMILY who tries all keys; SEMITRUST: the third "
         "party "
         "with a list of people; DENOM, DEID: the same list against random numbers. B.3.4 calls "
         "DENOM susceptible because its family codes tell sex and birth order; that is measured "
         "under FAMILY, where it counts"}}}};
  Json for_a_person = {{"cells", cells},
                       {"any", any},
                       {"compounded", compounded},
                       {"differs", differs},
                       {"people", result["people"]},
                       {"samples", samples},
                       {"seed", seeded.seed}};
  return {result, true, for_a_person};
}

}  // namespace pratique::genomes::flow
