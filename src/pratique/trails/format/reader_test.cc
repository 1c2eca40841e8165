#include "pratique/trails/format/reader.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/trails/format/near_elements.h"

namespace pratique::trails::reader_test {
namespace {

class TrailReader : public ::testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& text) {
    const std::filesystem::path path = std::filesystem::path(folder_.path()) / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
    return path.string();
  }
  std::string path(const std::string& name) { return folder_.path() + "/" + name; }

  SideSource side(const std::string& path, std::vector<std::string> element) {
    SideSource source;
    source.location_column = "location";
    source.element_columns = std::move(element);
    for (const auto& trail_file : trail_files(path)) {
      source.sources.push_back(engine_->open(trail_file.path, {}, Progress::silent()));
      source.locations.push_back(trail_file.location);
    }
    return source;
  }

  PrivateFolder folder_;
  std::unique_ptr<Engine> engine_ = Engine::duckdb();
};

TEST_F(TrailReader, BothSidesShareLocations) {
  const auto people = side(file("p.csv", "location,element\nB,ann\nA,bob\nA,ann\n"), {"element"});
  const auto samples = side(file("s.csv", "location,element\nC,x\nA,x\n"), {"element"});
  const NamedWorld read = read_world(*engine_, people, samples, Progress::silent());
  EXPECT_EQ(read.world.locations, 3U);
  const auto ann = read.identified.find("ann");
  ASSERT_TRUE(ann);
  EXPECT_EQ(read.world.identified.trail(*ann).size(), 2U);
  const auto x = read.world.deidentified.trail(*read.deidentified.find("x"));
  EXPECT_EQ(read.locations.value(x[0]), "A");
  EXPECT_EQ(read.locations.value(x[1]), "C");
}

TEST_F(TrailReader, FoldersAndPatterns) {
  file("side/H2.csv", "element\na\n");
  file("side/H1.csv", "element\na\n");
  file("side/notes.md", "not a table");
  file("side/.hidden.csv", "element\n");
  const auto files = trail_files(path("side"));
  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(files[0].location, "H1");
  EXPECT_EQ(files[1].location, "H2");
  file("all/x-07/dna.csv", "element\na\n");
  file("all/x-12/dna.csv", "element\na\n");
  file("all/x-13/other.csv", "element\na\n");
  const auto matched = trail_files(path("all/x-*/dna.csv"));
  ASSERT_EQ(matched.size(), 2U);
  EXPECT_EQ(matched[0].location, "07");
  EXPECT_EQ(matched[1].path, path("all/x-12/dna.csv"));
  EXPECT_THROW((void)trail_files(path("all/y-*/dna.csv")), Error);
  EXPECT_THROW((void)trail_files(path("nowhere/*.csv")), Error);
  file("side/H1.tsv", "element\na\n");
  EXPECT_THROW((void)trail_files(path("side")), Error);
}

TEST_F(TrailReader, NamesOfSeveralColumnsStayApart) {
  const auto people =
      side(file("p.csv", "location,a,b\nA,x|y,z\nB,x,y|z\nC,x\\,y|z\n"), {"a", "b"});
  const NamedWorld read = read_world(*engine_, people, people, Progress::silent());
  EXPECT_EQ(read.world.identified.elements(), 3U);
  EXPECT_TRUE(read.identified.find("x\\|y|z"));
  EXPECT_EQ(place_of(*engine_, people, "x|y\\|z", Progress::silent()), path("p.csv") + ", row 2");
}

TEST_F(TrailReader, RowsThatDoNotSayWhoOrWhereAreRefused) {
  const auto good = side(file("g.csv", "location,element\nA,x\n"), {"element"});
  for (const std::string nothing :
       {"", "NA", "unknown", "N/A", "-", "  ", " null ", "\xc2\xa0", "'_'"}) {
    for (const auto& row : {"A," + nothing, nothing + ",x"}) {
      const auto bad = side(file("b.csv", "location,element\nA,y\n" + row + "\n"), {"element"});
      for (const bool is_person : {true, false}) {
        try {
          (void)read_world(*engine_, is_person ? bad : good, is_person ? good : bad,
                           Progress::silent());
          ADD_FAILURE() << row;
        } catch (const Error& error) {
          EXPECT_EQ(error.place(), path("b.csv"));
          EXPECT_TRUE(error.message().starts_with("row 2 has no value in column '")) << row;
        }
      }
    }
  }
}

// A part that is not known is one of the others' name; a row without any names nobody.
TEST_F(TrailReader, AnElementOfSeveralColumnsIsRefusedWhereAllSayNothing) {
  const auto people = [&](const std::string& row) {
    return side(file("p.csv", "location,name,born\nA,NA,1970\n" + row), {"name", "born"});
  };
  const auto part = people("A,Ann,NA\nA,NA,1971\n");
  EXPECT_EQ(read_world(*engine_, part, part, Progress::silent()).world.identified.elements(), 3U);
  for (const auto* row : {"A,NA,unknown\n", "A,-,-\n", "A,Ann,\n", "A,  ,1970\n"}) {
    const auto bad = people(row);
    EXPECT_THROW((void)read_world(*engine_, bad, bad, Progress::silent()), Error) << row;
  }
}

TEST_F(TrailReader, AFileWhoseLocationIsNotKnownIsRefused) {
  file("sites/H1.csv", "element\na\n");
  const auto good = side(path("sites"), {"element"});
  EXPECT_EQ(read_world(*engine_, good, good, Progress::silent()).locations.size(), 1U);
  file("sites/unknown.csv", "element\na\n");
  const auto bad = side(path("sites"), {"element"});
  EXPECT_THROW((void)read_world(*engine_, bad, bad, Progress::silent()), Error);
}

// Two for José Pérez, one for Ann.
TEST_F(TrailReader, OtherSpellingsOfPeopleAreCounted) {
  const auto people = side(file("p.csv",
                                "location,element\nA,Jos\xc3\xa9 P\xc3\xa9rez\nB,Jose Perez\n"
                                "C,JOSE PEREZ\nA,Ann\nB,ann\nC,ann\nC,Bob\n"),
                           {"element"});
  EXPECT_EQ(read_world(*engine_, people, people, Progress::silent()).other_spellings, 3U);
  EXPECT_EQ(count_other_spellings(*engine_, people, Progress::silent()), 3U);
  const auto one = side(file("one.csv", "location,element\nA,Ann\nB,Ann\nB,Bob\n"), {"element"});
  EXPECT_EQ(read_world(*engine_, one, people, Progress::silent()).other_spellings, 0U);
}

// Whoever has the lists reads acgt and ACGT as one sample, which was seen at both locations.
TEST_F(TrailReader, SpellingsOfASampleAreOne) {
  const auto people = side(file("p.csv", "location,element\nA,Ann\nB,Ann\nB,Bob\n"), {"element"});
  const auto samples =
      side(file("s.csv", "location,element\nA,acgt\nB,ACGT\nB,tttt\nA,Acgt \n"), {"element"});
  NamedWorld read = read_world(*engine_, people, samples, Progress::silent());
  EXPECT_EQ(read.world.deidentified.elements(), 2U);
  EXPECT_EQ(read.deidentified.value(0), "acgt");
  EXPECT_EQ(read.world.deidentified.trail(0).size(), 2U);
  EXPECT_EQ(read.variants, (OtherNames{{"ACGT", 0}, {"Acgt ", 0}}));
  // A has it by its name first, B has not.
  const auto at_b = *read.locations.find("B");
  EXPECT_EQ(read.own_spellings, (OwnSpellings{{{at_b, 0}, "ACGT"}}));
  EXPECT_EQ(read.find_deidentified("ACGT"), read.find_deidentified("acgt"));
  // Names of what is joined as near stay names of it.
  const auto near = side(file("n.csv", "location,element\nA,acgg\nB,acgt\nB,ACGT\n"), {"element"});
  read = read_world(*engine_, people, near, Progress::silent());
  (void)join_near_samples(read, 1, Progress::silent());
  EXPECT_EQ(read.world.deidentified.elements(), 1U);
  EXPECT_EQ(read.find_deidentified("ACGT"), read.find_deidentified("acgg"));
}

}  // namespace
}  // namespace pratique::trails::reader_test
