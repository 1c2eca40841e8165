// Who is in a pool of frequencies, from files to figures.
#include "pratique/genomes/flow/attack_membership.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "pratique/genomes/flow/testing/genomes_flow_fixture.h"

namespace pratique::genomes::flow::attack_membership_test {
namespace {

class GenomesMembership : public GenomesFlowFixture {
 protected:
  static constexpr int kSites = 600;
  std::vector<Site> at = sites(kSites);
  Calls pool;
  Calls others;
  std::vector<double> shares;
  MembershipRequest request;

  GenomesMembership() {
    SeededRandom random(4);
    std::vector<double> frequencies;
    for (int s = 0; s < kSites; ++s) frequencies.push_back(0.05 + 0.9 * random.uniform());
    const auto people = [&](std::size_t count) { return drawn(count, frequencies, random); };
    pool = people(20);
    others = people(20);
    (void)vcf("pool.vcf", names("p", 20), pool, at);
    (void)vcf("reference.vcf", names("r", 100), people(100), at);
    Calls both = pool;
    both.insert(both.end(), others.begin(), others.end());
    auto who = names("p", 20);
    for (const auto& name : names("o", 20)) who.push_back(name);
    (void)vcf("targets.vcf", who, both, at);
    std::string truth = "sample,member\n";
    for (std::size_t i = 0; i < 20; ++i)
      truth += fmt::format("p{},{}\no{},no\n", i, i % 2 == 0 ? "yes" : "1", i);
    (void)file("truth.csv", truth);
    (void)file("pool.csv", published(pool));
    for (std::size_t s = 0; s < kSites; ++s) shares.push_back(share(pool, s));
    request = {.pool = path("pool.csv"),
               .reference = path("reference.vcf"),
               .targets = path("targets.vcf"),
               .truth = path("truth.csv"),
               .seed = 1};
  }
  // People of independent sites.
  static Calls drawn(std::size_t count, const std::vector<double>& frequencies,
                     SeededRandom& random) {
    Calls calls(count);
    for (auto& person : calls)
      for (const double f : frequencies)
        person.push_back((random.chance(f) ? 1 : 0) + (random.chance(f) ? 1 : 0));
    return calls;
  }
  static double share(const Calls& people, std::size_t site) {
    double sum = 0;
    for (const auto& person : people) sum += person[site];
    return sum / static_cast<double>(2 * people.size());
  }
  [[nodiscard]] std::string published(const Calls& people) const {
    std::string table = "chrom,pos,ref,alt,frequency\n";
    for (std::size_t s = 0; s < kSites; ++s)
      table += fmt::format("1,{},A,G,{}\n", at[s].position, share(people, s));
    return table;
  }
  // A table of frequencies of everybody in a file of genotypes.
  static std::string frequencies_of(const std::string& path) {
    std::string table = "chrom,pos,ref,alt,frequency\n";
    for (const auto& line : lines_of(path)) {
      if (line.starts_with('#')) continue;
      const auto cells = parts_of(line, '\t');
      double copies = 0;
      for (std::size_t p = 9; p < cells.size(); ++p)
        copies += static_cast<double>(std::count(cells[p].begin(), cells[p].end(), '1'));
      table += fmt::format("{},{},{},{},{}\n", cells[0], cells[1], cells[3], cells[4],
                           copies / static_cast<double>(2 * (cells.size() - 9)));
    }
    return table;
  }
  // Copies of the alternative by person, of a file that vcf() wrote.
  static Calls calls_of(const std::string& path) {
    Calls people;
    for (const auto& line : lines_of(path)) {
      if (line.starts_with('#')) continue;
      const auto cells = parts_of(line, '\t');
      people.resize(cells.size() - 9);
      for (std::size_t p = 9; p < cells.size(); ++p)
        people[p - 9].push_back(
            static_cast<int>(std::count(cells[p].begin(), cells[p].end(), '1')));
    }
    return people;
  }
  Json attacked(const MembershipRequest& asked, bool passed = true) {
    const auto outcome = attack_membership(asked, run());
    EXPECT_EQ(outcome.passed, passed);
    return *outcome.result;
  }
};

TEST_F(GenomesMembership, WhoWasCountedIsTold) {
  const Json result = attacked(request);
  EXPECT_EQ(result.at("statistic"), "lr");
  EXPECT_EQ(result.at("sites"), kSites);
  EXPECT_EQ(result.at("pool_sites"), kSites);
  EXPECT_EQ(result.at("reference_sites"), kSites);
  EXPECT_EQ(result.at("targets"), 40);
  EXPECT_EQ(result.at("pool_people"), nullptr);
  EXPECT_EQ(result.at("null_people"), 50);
  EXPECT_EQ(result.at("null_from"), "reference");
  EXPECT_EQ(result.at("power_from"), "truth");
  EXPECT_EQ(result.at("tried"), true);
  EXPECT_EQ(result.at("seed"), 1);
  // Members are sqrt(sites / people), more than 5, deviations from others.
  EXPECT_GT(result.at("power").at("0.05").get<double>(), 0.9);
  EXPECT_GT(result.at("auc").get<double>(), 0.99);
  for (const char* rate : {"0.05", "0.01", "0.001"}) {
    EXPECT_LE(result.at("power_interval").at(rate).at(0), result["power"].at(rate));
    EXPECT_GE(result["power_interval"].at(rate).at(1), result["power"].at(rate));
    EXPECT_GT(result.at("sites_needed").at(rate), 0);
    EXPECT_LT(result["sites_needed"].at(rate), 2 * kSites);
  }
  EXPECT_EQ(result.at("false_positives").at("people"), 20);
  EXPECT_LT(std::abs(result["false_positives"].at("shift").get<double>()), 1);
  // Sites are independent here.
  EXPECT_NEAR(result.at("linkage").at("inflation").get<double>(), 1, 0.6);
  for (const char* own : {"homer", "lr"})
    EXPECT_TRUE(result.at("statistics").at(own).contains("auc"));
  for (const char* other : {"beacon", "wang"})
    EXPECT_FALSE(result.at("statistics").contains(other));
  std::map<std::string, int> verdicts = {{"case", 0}, {"control", 0}, {"neither", 0}};
  int right = 0;
  int wrong = 0;
  for (const auto& of_target : result.at("verdicts")) {
    ++verdicts[of_target.at("verdict").get<std::string>()];
    if (of_target.at("verdict") == "case")
      ++(of_target.at("sample").get<std::string>()[0] == 'p' ? right : wrong);
    EXPECT_EQ(of_target.at("verdict") == "case", of_target.at("p").get<double>() < 0.05)
        << of_target;
  }
  EXPECT_GE(right, 18);
  EXPECT_LE(wrong, 4);
  EXPECT_EQ(verdicts["control"], 0);  // nobody was compared with controls
  for (const auto& [verdict, count] : verdicts) EXPECT_EQ(result.at("counts").at(verdict), count);
  EXPECT_FALSE(attack_membership(request, run()).for_a_person->contains("verdicts"));
  request.fail_above = 0.5;
  (void)attacked(request, false);
  request.fail_above = 1;
  (void)attacked(request);
}

TEST_F(GenomesMembership, TableAndGenotypesSayTheSame) {
  const Json by_table = attacked(request);
  request.pool = path("pool.vcf");
  const Json by_people = attacked(request);
  EXPECT_NEAR(by_table.at("auc").get<double>(), by_people.at("auc").get<double>(), 0.005);
  EXPECT_EQ(by_people.at("pool_people"), 20);
  EXPECT_TRUE(by_people.at("statistics").contains("beacon"));
  request.truth.clear();
  const Json untold = attacked(request);
  EXPECT_EQ(untold.at("power_from"), "pool");
  EXPECT_FALSE(untold.contains("auc"));
  EXPECT_FALSE(untold.contains("false_positives"));
  request.pool = path("pool.csv");
  request.pool_size = 20;
  const Json simulated = attacked(request);
  EXPECT_EQ(simulated.at("power_from"), "simulation");
  EXPECT_EQ(simulated.at("pool_people"), 20);
  EXPECT_GT(simulated.at("power").at("0.05").get<double>(), 0.9);
  // A reference of frequencies alone: the null is simulated, too.
  request.reference = file("reference.csv", frequencies_of(path("reference.vcf")));
  EXPECT_EQ(attacked(request).at("null_from"), "simulation");
}

// Against itself no pool tells its members, whatever they are called there.
TEST_F(GenomesMembership, ThePoolIsNoReference) {
  request.pool_size = 20;
  const auto says = [&](const std::string& reference) {
    request.reference = reference;
    return refusal([&] { return attack_membership(request, run()); });
  };
  const std::string renamed = vcf("renamed.vcf", names("x", 20), pool, at);
  const std::string table = file("same.csv", frequencies_of(path("pool.vcf")));
  for (const char* shown : {"pool.csv", "pool.vcf"}) {
    request.pool = path(shown);
    for (const std::string& truth : std::vector<std::string>{path("truth.csv"), ""}) {
      request.truth = truth;
      EXPECT_NE(says(renamed).find("the pool"), std::string::npos) << shown << truth;
      EXPECT_NE(says(table).find("the pool"), std::string::npos) << shown << truth;
    }
  }
  // Among others they are left out of it, as they are under their own names.
  Calls mixed = pool;
  const auto reference_people = calls_of(path("reference.vcf"));
  mixed.insert(mixed.end(), reference_people.begin(), reference_people.end());
  auto own = names("p", 20);
  auto other = names("x", 20);
  for (const auto& name : names("r", 100)) {
    own.push_back(name);
    other.push_back(name);
  }
  request.reference = vcf("own.vcf", own, mixed, at);
  const Json by_name = attacked(request);
  request.reference = vcf("other.vcf", other, mixed, at);
  const Json by_genotypes = attacked(request);
  EXPECT_EQ(by_genotypes.at("power"), by_name.at("power"));
  EXPECT_EQ(by_genotypes.at("null_people"), 50);
  EXPECT_NE(by_genotypes.at("note").get<std::string>().find("left out of it: 20"),
            std::string::npos);
  EXPECT_FALSE(by_name.contains("note"));
}

TEST_F(GenomesMembership, ATruthWithoutMembersPassesNoGate) {
  std::string truth = "sample,member\n";
  for (std::size_t i = 0; i < 20; ++i) truth += fmt::format("o{},no\n", i);
  request.truth = file("nobody.csv", truth);
  request.fail_above = 0.99;
  const Json result = attacked(request, false);
  EXPECT_EQ(result.at("power").at("0.05"), nullptr);
  EXPECT_NE(result.at("note").get<std::string>().find("no member"), std::string::npos);
}

TEST_F(GenomesMembership, CasesControlsAndNeither) {
  // Homer's T by its definition, for some of both groups.
  request.control = vcf("control.vcf", names("o", 20), others, at);
  request.statistic = "homer";
  const Json result = attacked(request);
  EXPECT_GE(result.at("counts").at("control"), 15);
  EXPECT_GE(result.at("counts").at("case"), 15);
  std::map<std::string, double> values;
  for (const auto& of_target : result.at("verdicts"))
    values[of_target.at("sample")] = of_target.at("value");
  for (const auto& [group, letter] : {std::pair(&pool, 'p'), std::pair(&others, 'o')}) {
    for (std::size_t i = 0; i < 5; ++i) {
      std::vector<double> terms;
      for (std::size_t s = 0; s < kSites; ++s) {
        double control = 0;
        for (const auto& person : others) control += person[s] / 40.0;
        const double own = (*group)[i][s] / 2.0;
        terms.push_back(std::abs(own - control) - std::abs(own - shares[s]));
      }
      double mean = 0;
      for (const double term : terms) mean += term / kSites;
      double squares = 0;
      for (const double term : terms) squares += (term - mean) * (term - mean);
      EXPECT_NEAR(values.at(letter + std::to_string(i)),
                  mean / std::sqrt(squares / (kSites - 1) / kSites), 1e-3);
    }
  }
}

TEST_F(GenomesMembership, DefencesAreMeasured) {
  request.defences = true;
  std::map<std::string, double> power;
  const Json result = attacked(request);
  for (const auto& defence : result.at("defences")) {
    power[defence.at("defence")] = defence.at("power").at("0.05");
    EXPECT_FALSE(defence.contains("sites_needed"));
  }
  EXPECT_EQ(power.size(), 6U);
  EXPECT_GT(power.at("rounded to 0.01"), 0.9);
  EXPECT_LT(power.at("one SNP in 100"), 0.7);
  EXPECT_LT(power.at("Laplace noise of 0.1"), power.at("Laplace noise of 0.01") + 1e-9);
}

TEST_F(GenomesMembership, FrequenciesComeOutOfPValues) {
  // Of 20 cases and 100 controls, as a paper prints it.
  std::vector<double> controls(kSites, 0);
  std::size_t s = 0;
  for (const auto& line : lines_of(request.reference)) {
    if (line.starts_with('#')) continue;
    const auto calls = parts_of(line, '\t');
    for (std::size_t p = 9; p < calls.size(); ++p)
      controls[s] += static_cast<double>(std::count(calls[p].begin(), calls[p].end(), '1')) / 200;
    ++s;
  }
  std::string text = "chrom,pos,ref,alt,p_value,odds_ratio\n";
  for (s = 0; s < kSites; ++s) {
    const double together = (40 * shares[s] + 200 * controls[s]) / 240;
    const double apart = shares[s] - controls[s];
    const double chi_square =
        together > 0 && together < 1
            ? apart * apart / (together * (1 - together) * (1.0 / 40 + 1.0 / 200))
            : 0;
    text += fmt::format("1,{},A,G,{:.4g},{}\n", at[s].position,
                        std::erfc(std::sqrt(chi_square / 2)), apart > 0 ? 1.2 : 0.8);
  }
  const Json by_table = attacked(request);
  request.pool = file("gwas.csv", text);
  EXPECT_NE(refusal([&] { return attack_membership(request, run()); }).find("--pool-size"),
            std::string::npos);
  request.pool_size = 20;
  request.control_size = 100;
  const Json recovered = attacked(request);
  EXPECT_EQ(recovered.at("p_values"), kSites);
  EXPECT_NEAR(recovered.at("auc").get<double>(), by_table.at("auc").get<double>(), 0.02);
  request.pool = file("gwas.csv", "chrom,pos,ref,alt,p_value\n1,1,A,G,0.5\n");
  EXPECT_NE(refusal([&] { return attack_membership(request, run()); }).find("direction"),
            std::string::npos);
  for (const char* row : {"1,1,A,G,1.5,1", "1,x,A,G,0.5,1", "1,1,A,G,-0.1,1"}) {
    request.pool =
        file("gwas.csv",
             std::string("chrom,pos,ref,alt,p_value,odds_ratio\n1,1,A,G,0.5,1\n") + row + "\n");
    EXPECT_NE(refusal([&] { return attack_membership(request, run()); }).find("gwas.csv:3"),
              std::string::npos)
        << row;
  }
}

TEST_F(GenomesMembership, WhatIsWrongIsSaidWithItsPlace) {
  for (const char* row : {"1,1,A,G,1.5", "1,1,A,G,-0.5", "1,1,A,G,x", "1,x,A,G,0.5"}) {
    request.pool =
        file("bad.csv", std::string("chrom,pos,ref,alt,frequency\n1,1,A,G,0\n") + row + "\n");
    EXPECT_NE(refusal([&] { return attack_membership(request, run()); }).find("bad.csv:3"),
              std::string::npos)
        << row;
  }
  request.pool = file("bad.csv", "chrom,pos,ref,frequency\n1,1,A,0.5\n");
  EXPECT_NE(refusal([&] { return attack_membership(request, run()); }).find("alt"),
            std::string::npos);
  request.pool = path("pool.csv");
  request.statistic = "beacon";
  EXPECT_NE(refusal([&] { return attack_membership(request, run()); }).find("--pool-size"),
            std::string::npos);
  request.statistic = "wang";
  EXPECT_NE(refusal([&] { return attack_membership(request, run()); }).find("--r2"),
            std::string::npos);
  for (const char* text :
       {"chrom,pos_a,pos_b,r2\n1,1,101,2\n", "chrom,pos_a,pos_b,r2\n1,1,101,-0.1\n",
        "chrom,pos_a,pos_b,r2\n1,x,101,0.5\n", "chrom,pos_a,r2\n1,1,0.5\n"}) {
    request.r2 = file("r2.csv", text);
    EXPECT_NE(refusal([&] { return attack_membership(request, run()); }).find("r2.csv"),
              std::string::npos)
        << text;
  }
  // All from 0 to 1 are taken.
  request.r2 = file("r2.csv", "chrom,pos_a,pos_b,r2\n1,1,101,0\n1,1,201,0.25\n1,101,201,1\n");
  try {
    (void)attack_membership(request, run());
  } catch (const Error& error) {
    EXPECT_NE(error.place(), request.r2 + ":2") << error.message();
    EXPECT_EQ(error.message().find("r2 is not"), std::string::npos) << error.place();
  }
  request = {.pool = file("far.csv", "chrom,pos,ref,alt,frequency\n7,1,A,G,0.5\n"),
             .reference = path("reference.vcf"),
             .targets = path("targets.vcf"),
             .truth = path("truth.csv"),
             .seed = 1};
  const Json none = attacked(request, false);
  EXPECT_EQ(none.at("tried"), false);
  EXPECT_TRUE(none.contains("note"));
  EXPECT_EQ(none.at("power").at("0.05"), nullptr);
}

// As if pool and reference had no other sites than the targets.
TEST_F(GenomesMembership, NullAndTargetsAreComparedAtTheSameSites) {
  std::vector<Site> few;
  Calls called(40);
  for (std::size_t s = 0; s < kSites; s += 10) {
    few.push_back(at[s]);
    for (std::size_t i = 0; i < 20; ++i) {
      called[i].push_back(pool[i][s]);
      called[20 + i].push_back(others[i][s]);
    }
  }
  auto who = names("p", 20);
  for (const auto& name : names("o", 20)) who.push_back(name);
  request.targets = vcf("chip.vcf", who, called, few);
  const Json chip = attacked(request);
  EXPECT_EQ(chip.at("sites"), kSites / 10);
  EXPECT_EQ(chip.at("pool_sites"), kSites);
  EXPECT_EQ(chip.at("reference_sites"), kSites);
  // The same files without the other sites.
  const auto thinned = [&](const std::string& path, const std::string& name) {
    std::string text;
    std::size_t row = 0;
    for (const auto& line : lines_of(path)) {
      const bool head = line.starts_with('#') || line.starts_with("chrom");
      if (head || row++ % 10 == 0) text += line + "\n";
    }
    return file(name, text);
  };
  MembershipRequest thin = request;
  thin.pool = thinned(path("pool.csv"), "thin.csv");
  thin.reference = thinned(path("reference.vcf"), "thin.vcf");
  const Json expected = attacked(thin);
  for (const char* key : {"power", "auc", "false_positives", "counts", "statistics", "linkage"})
    EXPECT_EQ(chip.at(key), expected.at(key)) << key;
  // sqrt(60 sites / 20 people) deviations apart, 1.7, of which half are above 1.645.
  EXPECT_GT(chip.at("power").at("0.05").get<double>(), 0.2);
  // Of one site there are three values: nobody is above the greatest, and no more than others are
  // above the next.
  for (std::size_t s = 0; s < 5; ++s) {
    Calls of_site;
    for (const auto* const group : {&pool, &others})
      for (const auto& person : *group) of_site.push_back({person[s]});
    MembershipRequest single = request;
    single.targets = vcf("one.vcf", who, of_site, {at[s]});
    EXPECT_LT(attacked(single).at("false_positives").at("share").at("0.05").get<double>(), 0.3);
  }
  // The pool's own people, and those that are simulated, are compared at those sites alone.
  request.truth.clear();
  thin.truth.clear();
  request.pool = path("pool.vcf");
  thin.pool = thinned(path("pool.vcf"), "thin_pool.vcf");
  EXPECT_EQ(attacked(request).at("power"), attacked(thin).at("power"));
  request.pool = path("pool.csv");
  request.reference = file("reference.csv", frequencies_of(path("reference.vcf")));
  const Json simulated = attacked(request);
  EXPECT_EQ(simulated.at("null_from"), "simulation");
  EXPECT_LT(simulated.at("power").at("0.001").get<double>(), 0.3);
  request.truth = path("truth.csv");
  EXPECT_LT(attacked(request).at("false_positives").at("share").at("0.05").get<double>(), 0.3);
}

TEST_F(GenomesMembership, WhatIsMissingTellsNothing) {
  // Those who are none are taken for members no more often because half of their calls are missing.
  SeededRandom random(5);
  std::vector<double> frequencies = shares;
  for (double& frequency : frequencies) frequency = 0.1 + 0.8 * random.uniform();
  const auto people = [&](std::size_t count) { return drawn(count, frequencies, random); };
  const Calls members = people(20);
  request.pool = file("pool.csv", published(members));
  request.reference = vcf("reference.vcf", names("r", 200), people(200), at);
  Calls strangers = people(300);
  Calls inside = members;
  for (auto* const group : {&strangers, &inside}) {
    for (auto& person : *group)
      for (int& call : person)
        if (random.chance(0.5)) call = -1;
  }
  auto who = names("o", 300);
  for (const auto& name : names("p", 20)) who.push_back(name);
  strangers.insert(strangers.end(), inside.begin(), inside.end());
  request.targets = vcf("holes.vcf", who, strangers, at);
  std::string truth = "sample,member\n";
  for (const auto& name : who) truth += fmt::format("{},{}\n", name, name[0] == 'p' ? 1 : 0);
  request.truth = file("truth.csv", truth);
  request.pool_size = 20;
  for (const std::string& reference :
       {path("reference.vcf"), file("reference.csv", frequencies_of(path("reference.vcf")))}) {
    request.reference = reference;
    const Json result = attacked(request);
    for (const char* statistic : {"lr", "homer", "beacon"}) {
      const Json& positives = result.at("statistics").at(statistic).at("false_positives");
      // Half a deviation: what a null of a hundred people, and of simulated ones, is off by.
      EXPECT_LT(std::abs(positives.at("shift").get<double>()), 0.5) << statistic << reference;
      EXPECT_LT(positives.at("share").at("0.05").get<double>(), 0.15) << statistic << reference;
    }
    // sqrt(300 sites / 20 people) is 3.9 deviations, 2.2 above the threshold.
    EXPECT_GT(result.at("power").at("0.05").get<double>(), 0.8) << reference;
  }
}

TEST_F(GenomesMembership, PairsThatTargetsHaveNotAreNotTried) {
  // Chains of ten SNPs that are inherited together.
  SeededRandom random(6);
  const auto linked = [&](std::size_t count) {
    Calls calls(count, std::vector<int>(kSites, 0));
    for (auto& person : calls) {
      for (int copy = 0; copy < 2; ++copy) {
        bool allele = false;
        for (std::size_t s = 0; s < kSites; ++s) {
          if (s % 10 == 0 || random.chance(0.3)) allele = random.chance(0.4);
          person[s] += allele ? 1 : 0;
        }
      }
    }
    return calls;
  };
  const Calls members = linked(20);
  request.pool = vcf("pool.vcf", names("p", 20), members, at);
  request.reference = vcf("reference.vcf", names("r", 200), linked(200), at);
  request.targets = vcf("targets.vcf", names("p", 20), members, at);
  request.truth.clear();
  request.statistic = "wang";
  const Json all = attacked(request);
  EXPECT_GT(all.at("power").at("0.05").get<double>(), 0.5);
  // The targets' SNPs lie elsewhere.
  std::vector<Site> far = at;
  for (auto& site : far) site.position += 50;
  request.targets = vcf("far.vcf", names("p", 20), members, far);
  request.fail_above = 0.05;
  const Json none = attacked(request, false);
  EXPECT_EQ(none.at("tried"), false);
  EXPECT_EQ(none.at("pairs"), 0);
  EXPECT_EQ(none.at("power").at("0.05"), nullptr);
  // Where they have the first half, null and members are compared by the pairs in it.
  std::vector<Site> half(at.begin(), at.begin() + kSites / 2);
  request.targets = vcf("half.vcf", names("p", 20), members, half);
  request.fail_above.reset();
  const Json some = attacked(request);
  EXPECT_LT(some.at("pairs"), all.at("pairs"));
  EXPECT_GT(some.at("pairs"), 0);
  request.reference = file("half_reference.vcf", [&] {
    std::string text;
    std::size_t row = 0;
    for (const auto& line : lines_of(path("reference.vcf")))
      if (line.starts_with('#') || row++ < kSites / 2) text += line + "\n";
    return text;
  }());
  const Json expected = attacked(request);
  EXPECT_EQ(some.at("pairs"), expected.at("pairs"));
  EXPECT_EQ(some.at("power"), expected.at("power"));
}

// Defences of linkage are what they are called: the same as attacking a table that shows so much.
TEST_F(GenomesMembership, DefencesOfLinkageAreRoundedOrFewerPairs) {
  SeededRandom random(9);
  const auto linked = [&](std::size_t count) {
    Calls calls(count, std::vector<int>(kSites, 0));
    for (auto& person : calls) {
      for (int copy = 0; copy < 2; ++copy) {
        bool allele = false;
        for (std::size_t s = 0; s < kSites; ++s) {
          if (s % 6 == 0 || random.chance(0.3)) allele = random.chance(0.4);
          person[s] += allele ? 1 : 0;
        }
      }
    }
    return calls;
  };
  const Calls members = linked(20);
  std::vector<double> r2;
  for (std::size_t s = 0; s + 1 < kSites; ++s) {
    double mean_x = 0;
    double mean_y = 0;
    for (const auto& person : members) {
      mean_x += person[s] / 20.0;
      mean_y += person[s + 1] / 20.0;
    }
    double squares_x = 0;
    double squares_y = 0;
    double products = 0;
    for (const auto& person : members) {
      squares_x += (person[s] - mean_x) * (person[s] - mean_x);
      squares_y += (person[s + 1] - mean_y) * (person[s + 1] - mean_y);
      products += (person[s] - mean_x) * (person[s + 1] - mean_y);
    }
    const double squares = squares_x * squares_y;
    r2.push_back(squares > 0 ? products * products / squares : 0);
  }
  const auto shown = [&](double step, std::size_t one_in, const std::string& name) {
    std::string table = "chrom,pos_a,pos_b,r2\n";
    for (std::size_t s = 0; s < r2.size(); s += one_in)
      table += fmt::format("1,{},{},{}\n", at[s].position, at[s + 1].position,
                           step > 0 ? std::round(r2[s] / step) * step : r2[s]);
    return file(name, table);
  };
  request.pool = file("pool.csv", published(members));
  request.reference = vcf("reference.vcf", names("r", 200), linked(200), at);
  request.targets = vcf("targets.vcf", names("p", 20), members, at);
  std::string truth = "sample,member\n";
  for (const auto& name : names("p", 20)) truth += name + ",yes\n";
  request.truth = file("truth.csv", truth);
  request.statistic = "wang";
  request.r2 = shown(0, 1, "r2.csv");
  request.defences = true;
  const Json result = attacked(request);
  ASSERT_EQ(result.at("defences").size(), 3U);
  request.defences = false;
  const std::vector<std::pair<double, std::size_t>> as = {{0.1, 1}, {0.01, 10}, {0.01, 100}};
  const std::vector<std::string> called = {"r2 rounded to 0.1", "one pair in 10",
                                           "one pair in 100"};
  for (std::size_t d = 0; d < 3; ++d) {
    request.r2 = shown(as[d].first, as[d].second, "shown.csv");
    const Json expected = attacked(request);
    EXPECT_EQ(result["defences"][d].at("defence"), called[d]);
    EXPECT_EQ(result["defences"][d].at("power"), expected.at("power")) << called[d];
    EXPECT_FALSE(result["defences"][d].contains("sites_needed"));
  }
}

TEST_F(GenomesMembership, NoiseIsNotTakenForMembers) {
  // A pool of so many that noise is four times what they scatter by: members who are simulated are
  // found as seldom as true ones.
  SeededRandom random(8);
  std::vector<double> frequencies(kSites);
  for (double& frequency : frequencies) frequency = 0.2 + 0.6 * random.uniform();
  const Calls members = drawn(100, frequencies, random);
  request.pool = file("pool.csv", published(members));
  request.reference = vcf("reference.vcf", names("r", 200), drawn(200, frequencies, random), at);
  request.targets = vcf("targets.vcf", names("p", 100), members, at);
  std::string truth = "sample,member\n";
  for (const auto& name : names("p", 100)) truth += name + ",yes\n";
  request.truth = file("truth.csv", truth);
  request.defences = true;
  const auto under_noise = [&] {
    const Json result = attacked(request);
    for (const auto& defence : result.at("defences"))
      if (defence.at("defence") == "Laplace noise of 0.1")
        return defence.at("power").at("0.05").get<double>();
    return -1.0;
  };
  const double measured = under_noise();
  EXPECT_LT(measured, 0.5);
  request.truth.clear();
  EXPECT_NEAR(under_noise(), measured, 0.2);
}

TEST_F(GenomesMembership, PowerOfSimulatedMembersIsABound) {
  EXPECT_EQ(attacked(request).at("power_is"), "measured");
  request.truth.clear();
  const Json simulated = attacked(request);
  EXPECT_EQ(simulated.at("power_is"), "upper bound");
  EXPECT_TRUE(simulated.contains("note"));
  request.pool = path("pool.vcf");
  const Json by_people = attacked(request);
  EXPECT_EQ(by_people.at("power_is"), "measured");
  EXPECT_FALSE(by_people.contains("note"));
}

TEST_F(GenomesMembership, ATruthSaysYesOrNo) {
  for (const char* word : {"1.0", "ja", "in", "", "2"}) {
    request.truth = file("bad.csv", fmt::format("sample,member\np0,yes\np1,{}\n", word));
    const auto said = refusal([&] { return attack_membership(request, run()); });
    EXPECT_NE(said.find("bad.csv:3"), std::string::npos) << word << ": " << said;
  }
  request.truth = file("bad.csv", "sample,member\np0,yes\np1,no\np0,no\n");
  EXPECT_NE(refusal([&] { return attack_membership(request, run()); }).find("bad.csv:4"),
            std::string::npos);
  request.truth = file("bad.csv", "sample,member\nq0,yes\nq1,no\n");
  EXPECT_NE(refusal([&] { return attack_membership(request, run()); }).find("none of the targets"),
            std::string::npos);
  request.truth = file("good.csv", "sample,member\np0,TRUE\np1,Member\no0,FALSE\no1,Control\n");
  EXPECT_EQ(attacked(request).at("false_positives").at("people"), 2);
}

TEST_F(GenomesMembership, AVariantHasOneFrequency) {
  for (const char* again : {"1,1,A,G,0.2", "chr1,1,A,G,0.1", "1,1,G,A,0.9"}) {
    request.pool = file("twice.csv", std::string("chrom,pos,ref,alt,frequency\n1,1,A,G,0.1\n"
                                                 "1,101,A,G,0.5\n") +
                                         again + "\n");
    EXPECT_NE(refusal([&] { return attack_membership(request, run()); }).find("twice.csv:4"),
              std::string::npos)
        << again;
  }
  request.pool =
      file("twice.csv", "chrom,pos,ref,alt,p_value,odds_ratio\n1,1,A,G,0.1,2\n1,1,A,G,0.5,2\n");
  request.pool_size = 20;
  EXPECT_NE(refusal([&] { return attack_membership(request, run()); }).find("twice.csv:3"),
            std::string::npos);
}

}  // namespace
}  // namespace pratique::genomes::flow::attack_membership_test
