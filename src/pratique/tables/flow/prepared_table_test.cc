#include "pratique/tables/flow/prepared_table.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "pratique/tables/flow/method_choice.h"
#include "pratique/tables/testing/people_for_flow_test.h"

namespace pratique::tables::flow::prepared_table_test {
namespace {

using Names = std::vector<std::string>;

class PreparedTableFlow : public PeopleFlow {
 protected:
  [[nodiscard]] std::string refusal(const ProtectRequest& request) {
    return message_of([&] {
      const PreparedTable prepared(request, run);
      return method_of(request, prepared);
    });
  }
  [[nodiscard]] Method method(const ProtectRequest& request) {
    prepared_.emplace(request, run);
    return method_of(request, *prepared_);
  }
  std::optional<PreparedTable> prepared_;
};

TEST_F(PreparedTableFlow, WhatLeavesIsReadAndIdentifiersAreNot) {
  const PreparedTable prepared(asked(), run);
  EXPECT_EQ(prepared.leaving, (Names{"age", "sex", "ward", "diagnosis"}));
  EXPECT_EQ(prepared.table.rows(), 6U);
  EXPECT_THROW((void)prepared.table.groups.column("name"), Error);
  ASSERT_EQ(prepared.sources.size(), 1U);
  EXPECT_EQ(prepared.sources[0].name, people);
  ProtectRequest kept = asked();
  kept.identifiers = "pseudonym";
  EXPECT_EQ(PreparedTable(kept, run).leaving, (Names{"name", "age", "sex", "ward", "diagnosis"}));
}

TEST_F(PreparedTableFlow, AColumnWithoutAHierarchyHasAFlatOne) {
  const PreparedTable prepared(asked(), run);
  EXPECT_EQ(prepared.schema.hierarchies,
            (std::map<std::string, std::string>{{"age", "interval:10"}, {"sex", "flat"}}));
  EXPECT_EQ(prepared.hierarchies.at("age").height(), 3);
  EXPECT_EQ(prepared.hierarchies.at("sex").height(), 2);
  ASSERT_EQ(prepared.input.attributes.size(), 2U);
  EXPECT_EQ(prepared.input.attributes[1].column->name, "sex");
  EXPECT_EQ(prepared.input.population, nullptr);
}

TEST_F(PreparedTableFlow, EverySensitiveAttributeIsMeasured) {
  ProtectRequest request = asked();
  request.columns.said.sensitive = {"ward", "diagnosis"};
  request.columns.said.insensitive.clear();
  request.models["l"] = {"2@diagnosis"};
  const PreparedTable prepared(request, run);
  ASSERT_EQ(prepared.input.sensitive.size(), 1U);
  EXPECT_EQ(prepared.input.sensitive[0]->name, "diagnosis");
  ASSERT_EQ(prepared.measured.sensitive.size(), 2U);
  EXPECT_EQ(prepared.measured.sensitive[0]->name, "ward");
  EXPECT_EQ(prepared.measured.sensitive[1]->name, "diagnosis");
}

TEST_F(PreparedTableFlow, TheTableAsItWasReadIsExposed) {
  ProtectRequest request = asked();
  request.columns.said.quasi_identifiers = {"sex"};
  request.columns.hierarchies.clear();
  request.releases = false;
  // Four women and two men, of both diagnoses.
  const PreparedTable prepared(request, run);
  EXPECT_EQ(prepared.before.records, 6U);
  EXPECT_EQ(prepared.before.classes, 2U);
  EXPECT_EQ(prepared.before.smallest_class, 2U);
  EXPECT_EQ(prepared.before.sensitive_disclosed, 0U);
  request.columns.said.sensitive.clear();
  EXPECT_FALSE(PreparedTable(request, run).before.sensitive_disclosed);
}

TEST_F(PreparedTableFlow, WordsAboutModelsOverrideTheSettingsFile) {
  ProtectRequest request = asked();
  request.columns.config = file("models.yaml", "models: {k: 2, l: 2}\n");
  const PreparedTable prepared(request, run);
  ASSERT_EQ(prepared.models.size(), 2U);
  EXPECT_EQ(prepared.models[0]->required(), 3);
  EXPECT_EQ(prepared.models[1]->required(), 2);
}

TEST_F(PreparedTableFlow, TheSameModelsWithAnotherK) {
  ProtectRequest request = asked();
  request.models["l"] = {"2"};
  PreparedTable prepared(request, run);
  const Models models = prepared.models_with(5);
  ASSERT_EQ(models.size(), 2U);
  EXPECT_EQ(models[0]->required(), 5);
  EXPECT_EQ(models[1]->required(), 2);
  EXPECT_EQ(prepared.models[0]->required(), 3);
}

TEST_F(PreparedTableFlow, RolesAndModelsAreNeeded) {
  ProtectRequest request = asked();
  request.columns.said.quasi_identifiers.clear();
  request.columns.said.insensitive = {"age", "sex", "ward"};
  request.columns.hierarchies.clear();
  EXPECT_EQ(refusal(request), "no quasi-identifiers were given");
  request = asked();
  request.models.clear();
  EXPECT_THROW(PreparedTable(request, run), Error);
}

TEST_F(PreparedTableFlow, ATargetIsANumberByGroup) {
  ProtectRequest request = asked();
  request.method = "mondrian";
  request.levels.clear();
  request.file = file("target.csv", "age,sex,pay\n21,F,100\n23,M,2.5\n27,M,\n");
  request.columns.said = {};
  request.columns.said.quasi_identifiers = {"age", "sex"};
  request.target = "pay";
  request.releases = false;
  request.models["k"] = {"1"};
  const Method chosen = method(request);
  ASSERT_EQ(chosen.target, &prepared_->target);
  ASSERT_EQ(chosen.target->size(), 3U);
  for (std::size_t group = 0; group < 3; ++group) {
    const auto age = prepared_->table.groups.column("age").text(group);
    const double target = (*chosen.target)[group];
    if (age == "21") {
      EXPECT_EQ(target, 100);
    } else if (age == "23") {
      EXPECT_EQ(target, 2.5);
    } else {
      EXPECT_TRUE(std::isnan(target));
    }
  }
  request.file = file("words.csv", "age,sex,pay\n21,F,100\n23,M,much\n27,M,\n");
  EXPECT_EQ(refusal(request), "--target pay: the column has values that are not numbers");
  request = asked();
  EXPECT_EQ(method(request).target, nullptr);
  EXPECT_TRUE(prepared_->target.empty());
}

TEST_F(PreparedTableFlow, LabelsAndTargetsLeave) {
  ProtectRequest request = asked();
  request.label = "ward";
  ASSERT_NE(method(request).label, nullptr);
  EXPECT_EQ(method(request).label->name, "ward");
  request.label = "name";
  EXPECT_EQ(refusal(request), "'name' is an identifier, so no release can be made for it");
  request.label = "wards";
  EXPECT_NE(refusal(request).find("wards"), std::string::npos);
  request.label.clear();
  request.target = "name";
  EXPECT_EQ(refusal(request), "'name' is an identifier, so no release can be made for it");
  request.identifiers = "pseudonym";
  EXPECT_EQ(refusal(request), "'name' is an identifier, so no release can be made for it");
}

TEST_F(PreparedTableFlow, QueriesAreReadFromTheirFile) {
  ProtectRequest request = asked();
  EXPECT_EQ(method(request).workload, nullptr);
  request.queries = file("queries.txt", "age=20..29\nsex=F,diagnosis=flu\n");
  const Method chosen = method(request);
  ASSERT_NE(chosen.workload, nullptr);
  ASSERT_EQ(chosen.workload->size(), 2U);
  EXPECT_FALSE((*chosen.workload)[0].sensitive);
  EXPECT_TRUE((*chosen.workload)[1].sensitive);
}

TEST_F(PreparedTableFlow, PeopleOfAPopulationAreGroupsOfNoRecords) {
  ProtectRequest request = asked();
  request.models["k-map"] = {"2"};
  request.models["population"] = {file("all.csv", "age,sex\n21,F\n21,F\n50,M\n")};
  const PreparedTable prepared(request, run);
  ASSERT_EQ(prepared.sources.size(), 2U);
  EXPECT_EQ(prepared.sources[1].name, path("all.csv"));
  EXPECT_EQ(prepared.table.rows(), 6U);
  ASSERT_NE(prepared.input.population, nullptr);
  std::uint64_t all = 0;
  for (const auto count : *prepared.input.population) all += count;
  EXPECT_EQ(all, 3U);
  // Values that only the population has are in the hierarchy, too.
  EXPECT_TRUE(prepared.hierarchies.at("age").find("50..59"));
  EXPECT_EQ(prepared.before.records, 6U);
}

TEST_F(PreparedTableFlow, ChanceChangesRecordsButNoIdentifier) {
  ProtectRequest request = asked();
  request.perturb = {"age=round:20"};
  const PreparedTable prepared(request, run);
  ASSERT_EQ(prepared.randomised.size(), 1U);
  EXPECT_EQ(prepared.randomised[0].column, "age");
  // 21, 23, 27 are 20; 34, 36, 38 are 40. The hierarchy is over what leaves.
  const auto& age = prepared.table.groups.column("age");
  for (std::size_t group = 0; group < age.codes.size(); ++group) {
    EXPECT_TRUE(age.text(group) == "20" || age.text(group) == "40");
  }
  EXPECT_TRUE(prepared.hierarchies.at("age").find("40..49"));
  // Exposure is of the table as it was read.
  EXPECT_EQ(prepared.before.classes, 6U);
  request.perturb = {"name=pram:0.5"};
  EXPECT_EQ(refusal(request), "'name' is an identifier: randomising would not hide it");
  request.perturb = {"agee=round:20"};
  EXPECT_NE(refusal(request).find("agee"), std::string::npos);
  request.perturb = {"age=round:20"};
  request.models["k-map"] = {"2"};
  request.models["population"] = {people};
  EXPECT_EQ(refusal(request), "the population is the table itself");
  request.models["population"] = {file("everybody.csv", read_file(people))};
  EXPECT_EQ(refusal(request), "a randomised table cannot be compared with a population");
}

TEST_F(PreparedTableFlow, ChanceStaysUnderANodeOfTheHierarchy) {
  ProtectRequest request = asked();
  request.columns.said.quasi_identifiers = {"sex"};
  request.levels.clear();
  // Values may change only under their own decade: a level needs the hierarchy.
  request.perturb = {"age=pram:0.5:1"};
  const PreparedTable prepared(request, run);
  std::map<std::string, std::set<std::string>> shown;
  for (std::size_t group = 0; group < prepared.table.counts.size(); ++group) {
    const std::string age(prepared.table.groups.column("age").text(group));
    EXPECT_TRUE(age[0] == '2' || age[0] == '3');
  }
  request.columns.hierarchies.clear();
  EXPECT_THROW(PreparedTable(request, run), Error);
}

TEST_F(PreparedTableFlow, BeliefsAreBoundedOverTheWholeDomain) {
  ProtectRequest request = asked();
  request.models["rho"] = {"0.1:0.5"};
  const PreparedTable own(request, run);
  ASSERT_EQ(own.randomised.size(), 1U);
  EXPECT_EQ(own.randomised[0].values.size(), 2U);
  // With a hierarchy its leaves are the domain.
  request.columns.hierarchies.push_back("diagnosis=" + file("tree.csv", "flu;*\ncold;*\ngout;*\n"));
  EXPECT_EQ(PreparedTable(request, run).randomised.at(0).values.size(), 3U);
}

TEST_F(PreparedTableFlow, LevelsAreThoseOfTheHierarchies) {
  ProtectRequest request = asked();
  request.levels = {"sex=1"};
  EXPECT_EQ(method(request).levels, (std::vector<int>{0, 1}));
  request.levels = {"age=2"};
  EXPECT_EQ(method(request).levels, (std::vector<int>{2, 0}));
  request.levels = {"age=0", "sex=0"};
  EXPECT_EQ(method(request).levels, (std::vector<int>{0, 0}));
  for (const std::string wrong : {"3", "-1", "x", "1x", "99999999999999999999"}) {
    request.levels = {"age=" + wrong};
    const Error error = error_of([&] { return method(request); });
    EXPECT_EQ(error.message(), "'" + wrong + "' is not a level of the hierarchy of 'age'");
    EXPECT_EQ(error.hint(), "Its levels are 0 (as it is) to 2 (nothing left).");
  }
  request.levels = {"ward=0"};
  EXPECT_EQ(refusal(request), "--levels: 'ward' is not a quasi-identifier but insensitive");
  request.levels = {"agee=0"};
  EXPECT_NE(refusal(request).find("agee"), std::string::npos);
}

TEST_F(PreparedTableFlow, TheMethodIsWhatWasAskedFor) {
  ProtectRequest request = asked();
  request.method = "microaggregate";
  request.suppression = 0.25;
  const Method plain = method(request);
  EXPECT_EQ(plain.name, "microaggregate");
  EXPECT_EQ(plain.suppression, 0.25);
  EXPECT_EQ(plain.metric, "lm");
  EXPECT_EQ(plain.measured, &prepared_->measured);
  EXPECT_EQ(plain.centre, MicroaggregationOptions::Centre::mean);
  EXPECT_FALSE(plain.style);
  EXPECT_FALSE(plain.time_limit);
  EXPECT_FALSE(plain.relaxed);
  EXPECT_FALSE(plain.univariate);
  EXPECT_EQ(plain.label, nullptr);
  EXPECT_TRUE(plain.levels.empty());  // of another method
  request.centre = "median";
  request.recoding = "labels";
  request.univariate = true;
  const Method other = method(request);
  EXPECT_EQ(other.centre, MicroaggregationOptions::Centre::median);
  EXPECT_EQ(other.style, CellStyle::labels);
  EXPECT_TRUE(other.univariate);
  request.centre = "range";
  request.recoding = "free";
  request.metric = "ncp";
  request.relaxed = true;
  request.time_limit = 2;
  const Method third = method(request);
  EXPECT_EQ(third.centre, MicroaggregationOptions::Centre::range);
  EXPECT_EQ(third.style, CellStyle::free);
  EXPECT_EQ(third.metric, "ncp");
  EXPECT_TRUE(third.relaxed);
  EXPECT_EQ(third.time_limit, 2);
}

// Which methods take which option, after the help of each.
TEST_F(PreparedTableFlow, AnOptionGoesWithTheMethodsThatUseIt) {
  struct Option {
    std::string words;
    std::function<void(ProtectRequest&)> give;
    std::set<std::string> methods;
  };
  const std::vector<Option> options = {
      {"--levels", [](auto& request) { request.levels = {"age=1"}; }, {"levels", "local"}},
      {"--against", [](auto& request) { request.against = {"first.csv"}; }, {"again"}},
      {"--metric ncp",
       [](auto& request) { request.metric = "ncp"; },
       {"optimal", "mondrian", "cluster-up", "cluster-down", "best"}},
      {"--metric", [](auto& request) { request.metric = "dm"; }, {"optimal", "best"}},
      {"--recoding",
       [](auto& request) { request.recoding = "labels"; },
       {"local", "mondrian", "cluster-up", "cluster-down", "microaggregate", "best"}},
      {"--time-limit",
       [](auto& request) { request.time_limit = 1; },
       {"optimal", "local", "best", "mondrian", "cluster-up", "cluster-down"}},
      {"--start", [](auto& request) { request.start = "mondrian"; }, {"local"}},
      {"--relaxed", [](auto& request) { request.relaxed = true; }, {"mondrian"}},
      {"--target", [](auto& request) { request.target = "age"; }, {"mondrian"}},
      {"--centre", [](auto& request) { request.centre = "mean"; }, {"microaggregate"}},
      {"--univariate", [](auto& request) { request.univariate = true; }, {"microaggregate"}},
      {"", [](auto&) {}, {method_names().begin(), method_names().end()}}};
  for (const auto& option : options) {
    ProtectRequest request;
    option.give(request);
    for (const auto& name : method_names()) {
      SCOPED_TRACE(option.words + " " + name);
      if (option.methods.count(name) > 0) {
        EXPECT_NO_THROW(refuse_unused(request, {name}));
        // One of several methods is enough.
        EXPECT_NO_THROW(refuse_unused(request, {"suppress-cells", name}));
        EXPECT_NO_THROW(refuse_unused(request, {name, "suppress-cells"}));
      } else {
        EXPECT_EQ(message_of([&] {
                    refuse_unused(request, {name});
                    return 0;
                  }),
                  option.words + " has no effect with --method " + name);
      }
    }
  }
  ProtectRequest keyed;
  keyed.key = "secret.key";
  EXPECT_THROW(refuse_unused(keyed, {"optimal"}), Error);
  keyed.identifiers = "pseudonym";
  EXPECT_NO_THROW(refuse_unused(keyed, {"optimal"}));
}

}  // namespace
}  // namespace pratique::tables::flow::prepared_table_test
