// The matrix of systems and attacks, and where it is not as printed.
#include "pratique/genomes/flow/susceptibility.h"

#include <nlohmann/json.hpp>
#include <set>

#include "pratique/genomes/flow/testing/genomes_flow_fixture.h"

namespace pratique::genomes::flow::susceptibility_test {
namespace {

class GenomesSusceptibility : public GenomesFlowFixture {};

TEST_F(GenomesSusceptibility, TheMatrixSaysWhereItIsNotAsPrinted) {
  const SusceptibilityRequest request{.people = 200, .hospitals = 6, .key_bits = 8, .seed = 1};
  const auto outcome = susceptibility(request, run());
  const Json result = *outcome.result;
  EXPECT_EQ(result.at("systems"), (Json{"TRUST", "SEMITRUST", "DENOM", "DEID"}));
  EXPECT_EQ(result.at("attacks"), (Json{"FAMILY", "TRAIL", "GENPHEN", "DICTIONARY"}));
  std::set<std::string> differs;
  for (const auto& difference : result.at("differs")) {
    differs.insert(difference.at("attack").get<std::string>() + " " +
                   difference.at("system").get<std::string>());
    EXPECT_FALSE(difference.at("why").get<std::string>().empty());
    EXPECT_EQ(difference.at("measured"),
              result.at("cells").at(difference.at("attack")).at(difference.at("system")));
    const bool more =
        difference.at("why").get<std::string>().find("shows more") != std::string::npos;
    EXPECT_EQ(more, difference.at("printed") == false);
  }
  for (std::size_t a = 0; a < 4; ++a) {
    for (std::size_t s = 0; s < 4; ++s) {
      const std::string attack = result["attacks"][a];
      const std::string system = result["systems"][s];
      const double share = result["matrix"][a][s];
      EXPECT_GE(share, 0);
      EXPECT_LE(share, 1);
      EXPECT_EQ(result["cells"].at(attack).at(system), share);
      EXPECT_EQ(differs.contains(attack + " " + system),
                (share > 0) != result["printed"][a][s].get<bool>());
      EXPECT_LE(result.at("any").at(system), 1);
    }
  }
  EXPECT_GT(result.at("families"), 0);
  EXPECT_LE(result.at("samples"), result.at("people"));
  EXPECT_GT(result.at("samples"), 0);
  EXPECT_EQ(*susceptibility(request, run()).result, result);
  const Json& shown = *outcome.for_a_person;
  for (const char* key : {"cells", "any", "compounded", "differs", "people", "samples", "seed"})
    EXPECT_EQ(shown.at(key), result.at(key)) << key;
  EXPECT_FALSE(shown.contains("matrix"));
}

}  // namespace
}  // namespace pratique::genomes::flow::susceptibility_test
