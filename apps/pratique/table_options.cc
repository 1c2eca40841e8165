#include "table_options.h"

#include "pratique/tables/method/protection.h"

namespace pratique::app {
namespace {

// What each key of Schema::kModelKeys takes. The models read and check the text themselves.
void add_models(Verb& verb, std::map<std::string, std::vector<std::string>>& models) {
  const auto values = [&](const char* key) { return &models[key]; };
  verb.group("Models");
  verb.whole_number("k", values("k"), 1, kLargestSeed,
                    "k-anonymity: every class holds at least N records");
  verb.whole_number("k-map", values("k-map"), 1, kLargestSeed,
                    "every class matches at least N people of --population");
  verb.file_read("population", values("population"),
                 "a table of all people the adversary may choose from");
  verb.number("l", values("l"), 1, kNoLimit, "l-diversity of the sensitive values in a class")
      .for_each_column();
  verb.text("diversity", values("diversity"), "distinct, entropy or recursive:C: which l-diversity")
      .unless_given("distinct")
      .for_each_column();
  verb.share("alpha", values("alpha"), "no sensitive value has a larger share of a class")
      .for_each_column();
  verb.share("t", values("t"), "t-closeness of a class's sensitive values to the table's")
      .for_each_column();
  verb.text("distance", values("distance"), "equal, ordered or hierarchical: the distance of t")
      .unless_given("equal")
      .for_each_column();
  verb.text("em", values("em"),
            "E:M, of numbers: at most 1/M of a class lies within E of any record")
      .for_each_column();
  verb.number("range", values("range"), 0, kNoLimit, "the numbers in a class span at least this")
      .for_each_column();
  verb.text("guard", values("guard"),
            "COLUMN:P, personalised privacy: guarding nodes in COLUMN, breach at most P");
  verb.text("delta", values("delta"),
            "MIN,MAX, delta-presence: the share of --population that is in the table");
  verb.text(
          "rho", values("rho"),
          "RHO1:RHO2: the column leaves randomised so that no belief of at most RHO1 grows beyond "
          "RHO2")
      .for_each_column();
  verb.number("growth", values("growth"), 0, kNoLimit,
              "the same, and no belief grows by more than this")
      .for_each_column();
}

}  // namespace

void declare_config(Verb& verb, ColumnRoles& roles) {
  verb.group("Columns");
  verb.file_read("config", &roles.config,
                 "YAML file with roles, hierarchies, models and options; flags win over it");
  verb.reads_schema = true;
}
void declare_identifiers(Verb& verb, ColumnRoles& roles) {
  verb.group("Columns");
  verb.columns("id", &roles.said.identifiers, "identifiers: they never leave");
}
void declare_quasi_identifiers(Verb& verb, ColumnRoles& roles) {
  verb.group("Columns");
  verb.columns("qi", &roles.said.quasi_identifiers,
               "quasi-identifiers: what an adversary may know");
}
void declare_sensitive(Verb& verb, ColumnRoles& roles) {
  verb.group("Columns");
  verb.columns("sensitive", &roles.said.sensitive,
               "sensitive attributes: what an adversary wants to know");
}
void declare_hierarchies(Verb& verb, ColumnRoles& roles) {
  verb.group("Columns");
  verb.column_spec("hierarchy", &roles.hierarchies,
                   "SPEC is a CSV file (leaf first, root last), interval:5,10,20, prefix, date, "
                   "icd9 or flat");
}

void declare_shared(Verb& verb, tables::flow::ProtectRequest& request) {
  verb.file_read("FILE", &request.file, "the table to protect").require();
  declare_identifiers(verb, request.columns);
  declare_quasi_identifiers(verb, request.columns);
  declare_sensitive(verb, request.columns);
  declare_hierarchies(verb, request.columns);
  declare_config(verb, request.columns);
  add_models(verb, request.models);
  verb.group("Method");
  verb.share("suppression", &request.suppression, "share of records that may be left out");
  verb.choice("metric", &request.metric, tables::metric_names(),
              "what optimal minimises; um, cm and are are measured at every node; mondrian and "
              "clustering take lm or ncp");
  verb.choice("recoding", &request.recoding, {"labels", "free"},
              "cells of what recodes locally: labels of the hierarchies, or free ranges and sets")
      .unless_given("labels for local, free for the others");
  verb.positive_number("time-limit", &request.time_limit,
                       "seconds for optimal; it then gives the best so far and a bound");
  verb.flag("relaxed", &request.relaxed, "mondrian may divide the records of one value");
  verb.choice("centre", &request.centre, {"mean", "median", "range"},
              "what microaggregate shows of a class's numbers")
      .unless_given("mean");
  verb.flag("univariate", &request.univariate,
            "microaggregate one number or date with the least squared error there is");
  verb.column("target", &request.target, "the number the release is for: mondrian cuts for it");
  verb.column("label", &request.label,
              "the class label the release is for: mondrian cuts for it, accuracy is measured on "
              "it");
  verb.file_read("queries", &request.queries,
                 "COUNT queries for the relative error, one a line: COLUMN=CELL, comma-separated");
}

void declare_protect(Verb& verb, tables::flow::ProtectRequest& request) {
  declare_shared(verb, request);
  verb.choice("method", &request.method, tables::method_names(),
              "how the release is made; levels goes with --levels");
  verb.column_spec("levels", &request.levels, "COLUMN=LEVEL; 0 keeps the values")
      .separated_by_commas();
  verb.column_spec("perturb", &request.perturb,
                   "COLUMN=OPERATOR: noise:R, noise:abs:S, round:B, round:B:random, swap:P, pram:K "
                   "or pram:K:LEVEL");
  verb.group("Output");
  verb.file_written("out", &request.out, "the release to write; its manifest goes beside it")
      .require();
  verb.choice("identifiers", &request.identifiers, {"drop", "pseudonym", "surrogate"},
              "what becomes of identifiers");
  verb.key_file("key", &request.key,
                "the secret key of pseudonyms, a file apart from the release; made when it is not "
                "there");
  verb.seed(&request.seed, "fixes all randomness").unless_given("drawn and recorded");
}

}  // namespace pratique::app
