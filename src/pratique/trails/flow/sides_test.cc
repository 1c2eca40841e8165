#include "pratique/trails/flow/sides.h"

#include <nlohmann/json.hpp>

#include "pratique/kind/testing/flow_fixture.h"

namespace pratique::trails::flow::sides_test {
namespace {

class TrailSidesFlow : public FlowFixture {};

TEST_F(TrailSidesFlow, EachSideHasItsOwnColumnsOrThoseOfBoth) {
  Sides sides{.identified = file("people.csv", "site,name,who\nA,Ann,1\nB,Bob,2\n"),
              .deidentified = file("samples.csv", "site,name,dna\nA,x,8\nB,y,9\n"),
              .location = "site",
              .element = {"name"}};
  auto world = sides.read(run());
  EXPECT_EQ(world.locations.size(), 2U);
  EXPECT_TRUE(world.identified.find("Ann").has_value());
  EXPECT_TRUE(world.deidentified.find("x").has_value());
  sides.identified_element = {"who"};
  world = sides.read(run());
  EXPECT_TRUE(world.identified.find("1").has_value());
  EXPECT_TRUE(world.deidentified.find("x").has_value());
  sides.deidentified_element = {"dna"};
  world = sides.read(run());
  EXPECT_TRUE(world.deidentified.find("8").has_value());
  sides.location = "place";
  EXPECT_NE(refusal([&] { return sides.read(run()); }).find("place"), std::string::npos);
}

TEST_F(TrailSidesFlow, AFolderHasAFilePerLocation) {
  (void)file("people/A.csv", "element\nAnn\nBob\n");
  (void)file("people/B.csv", "element\nAnn\n");
  const Sides sides{.identified = path("people"),
                    .deidentified = file("samples.csv", "location,element\nB,x\n")};
  const auto side = sides.identified_side(run());
  EXPECT_EQ(side.locations, (std::vector<std::string>{"A", "B"}));
  EXPECT_EQ(side.sources.size(), 2U);
  EXPECT_EQ(side.location_column, "location");
  EXPECT_EQ(sides.read(run()).world.identified.sightings(), 3U);
}

TEST_F(TrailSidesFlow, WhatIsReservedIsSaidOrFoundOut) {
  Sides sides;
  EXPECT_FALSE(sides.said().has_value());
  sides.reserved = "none";
  EXPECT_EQ(sides.said(), Reserved::none);
  sides.reserved = "identified";
  EXPECT_EQ(sides.said(), Reserved::identified);
}

TEST_F(TrailSidesFlow, TruePairsAreThoseOfBothSides) {
  const Sides sides{.identified = file("people.csv", "location,element\nA,Ann\nA,Bob\n"),
                    .deidentified = file("samples.csv", "location,element\nA,x\nA,y\n")};
  const auto world = sides.read(run());
  const auto pair = [&](const char* sample, const char* person) {
    return std::pair(*world.deidentified.find(sample), *world.identified.find(person));
  };
  const auto truth =
      file("truth.csv", "identified,deidentified\nAnn,y\nBob,z\nEve,x\nBob,x\nBob,x\n");
  EXPECT_EQ(true_pairs(run(), truth, world),
            (std::set<std::pair<Code, Code>>{pair("y", "Ann"), pair("x", "Bob")}));
  const auto wrong = file("wrong.csv", "identified,deidentified\nBob,z\nEve,x\n");
  const auto text = refusal([&] { return true_pairs(run(), wrong, world); });
  EXPECT_NE(text.find("wrong.csv"), std::string::npos);
  EXPECT_EQ(text.find("Eve"), std::string::npos);
}

}  // namespace
}  // namespace pratique::trails::flow::sides_test
