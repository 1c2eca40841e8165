#include "pratique/release/sequence.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>
#include <set>

#include "pratique/core/file.h"
#include "pratique/crypto/hash.h"

namespace pratique::release::sequence_test {
namespace {

class SequenceTest : public testing::Test {
 protected:
  PrivateFolder folder;
  std::unique_ptr<Engine> engine = Engine::duckdb({.threads = 1});
  std::mt19937 chance{20261116};

  // From 0 to n - 1.
  std::size_t draw(std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(chance);
  }

  std::string write(const std::string& name, const std::string& text) {
    std::string path = folder.path() + "/" + name;
    std::ofstream(path) << text;
    return path;
  }
  ReleaseFile release(const std::string& name, const std::string& noun, const std::string& text,
                      const Json& parameters, const Json& claims) {
    const std::string path = write(name, text);
    const Json manifest = {{"command", {noun, "protect"}},
                           {"inputs", Json::array()},
                           {"output", {{"path", name}, {"sha256", sha256_file(path)}}},
                           {"parameters", parameters},
                           {"claims", claims},
                           {"results", Json::object()}};
    write(name + ".manifest.json", pratique::to_text(manifest));
    return ReleaseFile::read(path);
  }
  SequenceRevealed attack(const SequenceRequest& request) {
    return attack_sequence(*engine, request, Progress::silent());
  }
};

struct Person {
  int x = 0;
  int y = 0;
  int s = 0;
};
struct Row {
  int x_low = 0;
  int x_high = 0;
  int y_low = 0;
  int y_high = 0;
  int s = 0;
  [[nodiscard]] bool contains(const Person& person) const {
    return x_low <= person.x && person.x <= x_high && y_low <= person.y && person.y <= y_high;
  }
};
using Rows = std::vector<Row>;

// What the definitions say, by looking at every row for every person.
// The share of rows whose secret, which no model holds, nobody else has.
double alone_by_secret(const Rows& rows) {
  const auto alone = std::count_if(rows.begin(), rows.end(), [&](const Row& row) {
    return std::count_if(rows.begin(), rows.end(),
                         [&](const Row& other) { return other.s == row.s; }) == 1;
  });
  return static_cast<double>(alone) / static_cast<double>(rows.size());
}

struct Expected {
  std::size_t left_out = 0;
  double located = 0;
  double disclosed_alone = 0;
  double disclosed = 0;
  std::size_t k_alone = 0;
  std::size_t k_across = 0;
  double under_k = 0;
};

Expected by_definition(const std::vector<Person>& people, const std::vector<Rows>& all,
                       std::size_t promised_k) {
  const auto candidates = [](const Rows& rows, const Person& person) {
    std::vector<std::size_t> matches;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      if (rows[r].contains(person)) matches.push_back(r);
    }
    return matches;
  };
  Expected expected;
  std::vector<const Rows*> releases;
  for (const auto& rows : all) {
    if (std::any_of(people.begin(), people.end(),
                    [&](const Person& person) { return !candidates(rows, person).empty(); })) {
      releases.push_back(&rows);
    } else {
      ++expected.left_out;
    }
  }
  const bool added = !releases.empty() && releases.front() == &all.front();
  std::map<std::vector<std::vector<std::size_t>>, std::size_t> across;
  std::map<std::vector<std::size_t>, std::size_t> alone;
  std::size_t located = 0;
  std::size_t disclosed_alone = 0;
  std::size_t disclosed = 0;
  for (const auto& person : people) {
    std::vector<std::vector<std::size_t>> matched;
    std::optional<std::set<int>> left;
    bool everywhere = true;
    bool by_added = false;
    for (const auto* rows : releases) {
      matched.push_back(candidates(*rows, person));
      if (matched.back().empty()) {
        everywhere = false;
        continue;
      }
      std::set<int> values;
      for (const auto r : matched.back()) values.insert((*rows)[r].s);
      if (rows == &all.front()) by_added = values.size() == 1;
      if (left) {
        std::erase_if(*left, [&](int value) { return !values.contains(value); });
      } else {
        left = values;
      }
    }
    located += everywhere ? 1 : 0;
    disclosed_alone += by_added ? 1 : 0;
    disclosed += by_added || (left && left->size() == 1) ? 1 : 0;
    ++across[matched];
    if (added) ++alone[matched.front()];
  }
  const auto share = [&](std::size_t count) {
    return static_cast<double>(count) / static_cast<double>(people.size());
  };
  expected.located = share(located);
  expected.disclosed_alone = share(disclosed_alone);
  expected.disclosed = share(disclosed);
  expected.k_across = people.size();
  std::size_t under = 0;
  for (const auto& [matched, size] : across) {
    expected.k_across = std::min(expected.k_across, size);
    under += size < promised_k ? size : 0;
  }
  expected.under_k = share(under);
  expected.k_alone = added ? people.size() : 0;
  for (const auto& [matched, size] : alone) expected.k_alone = std::min(expected.k_alone, size);
  return expected;
}

TEST_F(SequenceTest, TablesAreAttackedAsTheDefinitionsSay) {
  // Cuts of 0 to 5 into intervals of two or more.
  const std::vector<std::vector<std::pair<int, int>>> cuts = {
      {{0, 5}}, {{0, 1}, {2, 5}}, {{0, 2}, {3, 5}}, {{0, 3}, {4, 5}}, {{0, 1}, {2, 3}, {4, 5}}};
  const auto interval = [](const std::vector<std::pair<int, int>>& cut, int value) {
    return *std::find_if(cut.begin(), cut.end(),
                         [&](const auto& part) { return value <= part.second; });
  };
  std::size_t disclosing = 0;
  for (int world = 0; world < 60; ++world) {
    SCOPED_TRACE(world);
    std::vector<Person> everybody(2 + draw(7));
    for (auto& person : everybody) {
      person = {static_cast<int>(draw(6)), static_cast<int>(draw(6)), static_cast<int>(draw(3))};
    }
    // The people asked about are some of all, so that others are in releases without them.
    const std::vector<Person> people(everybody.begin(),
                                     everybody.end() - static_cast<std::ptrdiff_t>(draw(2)));
    std::string text = "x,y\n";
    for (const auto& person : people)
      text += std::to_string(person.x) + "," + std::to_string(person.y) + "\n";
    SequenceRequest request;
    request.people = write("people.csv", text);
    std::vector<Rows> all;
    const std::size_t releases = 1 + draw(3);
    std::size_t promised = 100;
    for (std::size_t j = 0; j < releases; ++j) {
      const auto& x_cut = cuts[draw(cuts.size())];
      const auto& y_cut = cuts[draw(cuts.size())];
      Rows rows;
      for (const auto& person : everybody) {
        if (j > 0 && draw(4) == 0) continue;  // not in this extract
        const auto x = interval(x_cut, person.x);
        const auto y = interval(y_cut, person.y);
        rows.push_back({x.first, x.second, y.first, y.second, person.s});
      }
      if (rows.empty()) rows.push_back({0, 5, 0, 5, 1});
      std::string csv = "x,y,s\n";
      for (const auto& row : rows) {
        csv += std::to_string(row.x_low) + ".." + std::to_string(row.x_high) + "," +
               std::to_string(row.y_low) + ".." + std::to_string(row.y_high) + ",v" +
               std::to_string(row.s) + "\n";
      }
      const std::size_t k = 1 + draw(4);
      promised = std::min(promised, k);
      const auto file = release("r" + std::to_string(j) + ".csv", "tables", csv,
                                {{"quasi_identifiers", {"x", "y"}}, {"sensitive", {"s"}}},
                                Json::array({{{"model", "k-anonymity"}, {"k", k}}}));
      if (j == 0) {
        request.added = file;
      } else {
        request.earlier.push_back(file);
      }
      all.push_back(std::move(rows));
    }
    const Expected expected = by_definition(people, all, promised);
    const auto revealed = attack(request);
    ASSERT_TRUE(revealed.attacked);
    EXPECT_EQ(revealed.people, people.size());
    EXPECT_EQ(revealed.not_attacked.size(), expected.left_out);
    EXPECT_EQ(revealed.located, expected.located);
    EXPECT_EQ(revealed.k_alone, expected.k_alone);
    EXPECT_EQ(revealed.k_across, expected.k_across);
    EXPECT_EQ(revealed.promised_k, promised);
    EXPECT_EQ(revealed.under_k, expected.under_k);
    ASSERT_EQ(revealed.attributes.size(), 1U);
    EXPECT_EQ(revealed.attributes[0].disclosed_alone, expected.disclosed_alone);
    EXPECT_EQ(revealed.attributes[0].disclosed, expected.disclosed);
    EXPECT_EQ(revealed.singled_out, alone_by_secret(all.front()));
    EXPECT_EQ(revealed.breach(),
              std::max({expected.disclosed, revealed.differenced(), revealed.singled_out}));
    disclosing += expected.disclosed > expected.disclosed_alone ? 1 : 0;
  }
  EXPECT_GT(disclosing, 5U);  // the worlds are worth the while
}

// A column that one release calls sensitive is not known to the adversary of another.
TEST_F(SequenceTest, WhatIsSensitiveInOneReleaseIsSoInAll) {
  SequenceRequest request;
  request.people = write("people.csv", "x,s\n1,a\n2,b\n3,a\n4,b\n");
  const Json claims = Json::array({{{"model", "k-anonymity"}, {"k", 2}}});
  request.earlier = {release("one.csv", "tables", "x,s\n1..2,a\n1..2,b\n3..4,a\n3..4,b\n",
                             {{"quasi_identifiers", {"x"}}, {"sensitive", {"s"}}}, claims)};
  // 1 and 3 have a, 2 and 4 have b, by this release alone; it does not call s sensitive.
  const std::string text = "x,s\n1..1,a\n2..2,b\n3..3,a\n4..4,b\n";
  for (const Json& names : {Json::array({"x", "s"}), Json::array({"x"})}) {
    request.added = release("two.csv", "tables", text, {{"quasi_identifiers", names}}, claims);
    const auto revealed = attack(request);
    ASSERT_EQ(revealed.attributes.size(), 1U);
    EXPECT_EQ(revealed.attributes[0].sensitive, "s");
    EXPECT_EQ(revealed.breach(), 1);
  }
}

TEST_F(SequenceTest, WhatCannotBeAttackedIsNamed) {
  SequenceRequest request;
  request.people = write("people.csv", "x\n1\n2\n");
  const Json claims = Json::array({{{"model", "k-anonymity"}, {"k", 2}}});
  const Json parameters = {{"quasi_identifiers", {"x"}}, {"sensitive", {"s"}}};
  request.added = release("one.csv", "tables", "x,s\n1..2,a\n1..2,b\n", parameters, claims);
  EXPECT_TRUE(attack(request).complete());
  const auto other_kind = release("codes.dat", "codes", "1 2\n", Json::object(), claims);
  const auto other_names = release("names.csv", "tables", "y,s\n1..2,a\n", parameters, claims);
  const auto other_people = release("people9.csv", "tables", "x,s\n8..9,a\n", parameters, claims);
  request.earlier = {other_kind, other_names, other_people};
  request.known = {write("known.csv", "x,s\n7..8,a\n")};
  const auto revealed = attack(request);
  EXPECT_TRUE(revealed.attacked);
  EXPECT_FALSE(revealed.complete());
  EXPECT_EQ(revealed.not_attacked.size(), 4U);  // each once
  std::set<std::string> named;
  for (const auto& left_out : revealed.not_attacked) named.insert(left_out.sha256);
  EXPECT_EQ(named, (std::set<std::string>{other_kind.sha256(), other_names.sha256(),
                                          other_people.sha256(), sha256_file(request.known[0])}));
  request.added = release("list.csv", "fusion", "x\n1\n", Json::object(), Json::array());
  EXPECT_FALSE(attack(request).attacked);
  EXPECT_FALSE(attack(request).complete());
}

// Every way to give each sample to another person, by trying all.
std::vector<std::set<std::size_t>> partners_by_definition(const std::vector<std::set<int>>& people,
                                                          const std::vector<std::set<int>>& samples,
                                                          const std::set<int>& complete) {
  std::vector<std::set<std::size_t>> partners(samples.size());
  std::vector<std::size_t> order(people.size());
  std::iota(order.begin(), order.end(), 0);
  do {
    bool possible = true;
    for (std::size_t s = 0; s < samples.size() && possible; ++s) {
      const auto& person = people[order[s]];
      possible =
          std::includes(person.begin(), person.end(), samples[s].begin(), samples[s].end()) &&
          std::all_of(complete.begin(), complete.end(), [&](int location) {
            return person.contains(location) == samples[s].contains(location);
          });
    }
    for (std::size_t s = 0; s < samples.size() && possible; ++s) partners[s].insert(order[s]);
  } while (std::next_permutation(order.begin(), order.end()));
  return partners;
}

TEST_F(SequenceTest, TrailsAreAttackedAsTheDefinitionsSay) {
  for (int world = 0; world < 40; ++world) {
    SCOPED_TRACE(world);
    std::vector<std::set<int>> people(2 + draw(4));
    std::string lists = "location,element\n";
    for (std::size_t p = 0; p < people.size(); ++p) {
      people[p].insert(static_cast<int>(draw(3)));
      for (int location = 0; location < 3; ++location) {
        if (draw(2) == 0) people[p].insert(location);
      }
      for (const int location : people[p])
        lists += "L" + std::to_string(location) + ",P" + std::to_string(p) + "\n";
    }
    const std::string path = write("identified.csv", lists);
    SequenceRequest request;
    std::vector<std::set<int>> seen(people.size());
    std::vector<std::set<int>> seen_alone(people.size());
    const std::size_t k = 2 + draw(2);
    const std::size_t releases = 1 + draw(3);
    for (std::size_t j = 0; j < releases; ++j) {
      std::string text = "location,element\n";
      for (std::size_t p = 0; p < people.size(); ++p) {
        for (const int location : people[p]) {
          if (draw(3) != 0 && !(j == 0 && p == 0)) continue;
          seen[p].insert(location);
          if (j == 0) seen_alone[p].insert(location);
          text += "L" + std::to_string(location) + ",S" + std::to_string(p) + "\n";
        }
      }
      const Json claims = Json::array(
          {{{"model", "k-unlinkability"},
            {"k", k},
            {"view", "external"},
            {"location", "location"},
            {"element", {"element"}},
            {"identified",
             {{"path", path},
              {"location", "location"},
              {"element", {"element"}},
              {"files", Json::array({{{"path", path}, {"sha256", sha256_file(path)}}})}}}}});
      const auto file =
          release("t" + std::to_string(j) + ".csv", "trails", text, Json::object(), claims);
      if (j == 0) {
        request.added = file;
      } else if (text != "location,element\n") {
        request.earlier.push_back(file);
      }
    }
    const auto expected = [&](const std::vector<std::set<int>>& trails, double& certain) {
      std::vector<std::set<int>> samples;
      std::copy_if(trails.begin(), trails.end(), std::back_inserter(samples),
                   [](const auto& trail) { return !trail.empty(); });
      std::set<int> complete;
      for (int location = 0; location < 3; ++location) {
        const auto here = [&](const auto& trail) { return trail.contains(location); };
        if (std::count_if(people.begin(), people.end(), here) ==
            std::count_if(samples.begin(), samples.end(), here))
          complete.insert(location);
      }
      std::vector<std::size_t> counts;
      for (const auto& partners : partners_by_definition(people, samples, complete))
        counts.push_back(partners.size());
      certain = static_cast<double>(std::count(counts.begin(), counts.end(), 1U)) /
                static_cast<double>(counts.size());
      return counts;
    };
    double alone = 0;
    double all = 0;
    const auto counts_alone = expected(seen_alone, alone);
    const auto counts = expected(seen, all);
    const auto revealed = attack(request);
    ASSERT_TRUE(revealed.attacked) << revealed.why_not;
    EXPECT_TRUE(revealed.complete());
    EXPECT_EQ(revealed.people, people.size());
    EXPECT_EQ(revealed.k_alone, *std::min_element(counts_alone.begin(), counts_alone.end()));
    EXPECT_EQ(revealed.k_across, *std::min_element(counts.begin(), counts.end()));
    ASSERT_EQ(revealed.attributes.size(), 1U);
    EXPECT_EQ(revealed.attributes[0].disclosed_alone, alone);
    EXPECT_EQ(revealed.attributes[0].disclosed, all);
    const auto under = std::count_if(counts.begin(), counts.end(), [&](auto c) { return c < k; });
    EXPECT_EQ(revealed.under_k, static_cast<double>(under) / static_cast<double>(counts.size()));
    EXPECT_EQ(revealed.breach(), revealed.under_k);
  }
}

TEST_F(SequenceTest, CodesAreReadByTheirManifests) {
  // The case of codes/attack/composition_test.cc: four candidates in either release, two in both.
  const auto claim = [](const char* label, const Json& codes) {
    return Json::array(
        {{{"model", "km-anonymity"}, {"k", 4}, {"m", 1}, {"labels", {{label, codes}}}}});
  };
  const auto sets = [&](const std::string& name, const std::string& text, const Json& claims) {
    const ReleaseFile written = release(name, "codes", text, Json::object(), claims);
    Json manifest = read_json_file(written.path + ".manifest.json");
    manifest["output"]["format"] = "sets";
    write(name + ".manifest.json", pratique::to_text(manifest));
    return ReleaseFile::read(written.path);
  };
  SequenceRequest request;
  request.people = write("people.dat", "a c\na c\nb d\nb d\nc e\nc e\n");
  request.added = sets("one.dat", "Q c\nQ c\nQ d\nQ d\nc e\nc e\n", claim("Q", {"a", "b"}));
  EXPECT_EQ(attack(request).breach(), 1.0 / 3);  // who knows e finds two
  request.earlier = {sets("two.dat", "R c\nR c\nb d\nb d\nR c\nR c\n", claim("R", {"a", "e"}))};
  const auto revealed = attack(request);
  ASSERT_TRUE(revealed.complete());
  EXPECT_EQ(revealed.people, 6U);
  EXPECT_EQ(revealed.k_across, 2U);
  EXPECT_EQ(revealed.breach(), 1);
}

}  // namespace
}  // namespace pratique::release::sequence_test
