#include <algorithm>
#include <variant>

#include "command.h"
#include "nouns.h"
#include "pratique/codes/flow/assess.h"
#include "pratique/codes/flow/explore.h"
#include "pratique/codes/flow/policy.h"
#include "pratique/codes/flow/protect.h"
#include "pratique/codes/model/model.h"
#include "table_options.h"

namespace pratique::app {
namespace codes_verbs {
namespace {

namespace flow = codes::flow;

void declare_columns(Verb& verb, flow::CodeInput& input) {
  verb.column("patient", &input.columns.patient, "the column that identifies the patient");
  verb.column("code", &input.columns.code, "the column of the codes");
  verb.columns("codes", &input.columns.wide,
               "several columns with a code each, as in claims files; DX* for all that begin so")
      .unless_given("--code or, without such a column, those numbered and named after diagnoses");
  verb.text("separator", &input.columns.separator, "between the codes of a cell, such as ;")
      .unless_given("detected where codes are of a known system");
  verb.choice("format", &input.format, {"long", "sets"},
              "a row per patient and code (CSV or Parquet), or a set per line, codes separated by "
              "blanks")
      .unless_given("sets for .dat, else long");
}

void declare_hierarchy(Verb& verb, flow::CodeInput& input) {
  verb.file_or_word("hierarchy", &input.hierarchy, {"icd9", "icd10", "atc", "flat"},
                    "over the codes; a CSV file has the leaf first, the root last")
      .unless_given("the system of codes that the data is written in, where one is needed");
}

void declare_rows_are_people(Verb& verb, bool& rows_are_people) {
  verb.flag("rows-are-people", &rows_are_people,
            "each value of --patient is a different person, although another identifier repeats");
}

void declare_assess(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::AssessRequest>();
  Verb& verb =
      program.add("codes", "assess", "Measure how many patients their codes single out",
                  session.flow([request](const Run& run) { return flow::assess(*request, run); }));
  verb.quick = true;
  verb.file_read("FILE", &request->file, "patients and their codes; - for standard input")
      .require();
  declare_columns(verb, request->codes);
  verb.column("visit", &request->codes.columns.visit,
              "the column that distinguishes a patient's visits, for the curve of one visit");
  verb.file_read("population", &request->population,
                 "the people the adversary may choose from, in the same form");
  verb.whole_number("k", &request->assess.k, 1, 1'000'000'000,
                    "count sets of codes with fewer patients");
  verb.folder_written("out", &request->out, "for the curves: curves.csv, .json and .svg")
      .replaces_in_it({{"curves.csv", "series,label,support,share of patients,"},
                       {"curves.json", "\"title\": \"Patients by how many others share"},
                       {"curves.svg", "Patients by how many others share"}});
  verb.seed(&request->seed, "of random subsets and samples").unless_given("drawn and printed");
}

void declare_attack(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::AttackRequest>();
  Verb& verb =
      program.add("codes", "attack", "Look for patients in a release by known codes",
                  session.flow([request](const Run& run) { return flow::attack(*request, run); }));
  verb.file_read("RELEASE", &request->release, "the sets of codes to attack").require();
  verb.file_read("known", &request->known,
                 "one-step attack: patients with all their codes, as an insider knows them");
  verb.file_read("discharge", &request->discharge,
                 "two-step attack: discharge summaries, each with the codes of a visit; of "
                 "patients that are identified, or named by --names");
  verb.file_read("names", &request->names,
                 "a voter list or another register that names the people of --discharge");
  verb.columns(
      "on", &request->on,
      "the columns that --names and --discharge share: whoever alone has these values is named");
  declare_date_form(verb, request->forms.dates).only_with("names");
  declare_number_form(verb, request->forms.numbers).only_with("names");
  verb.flag("rows-are-people", &request->rows_are_people,
            "every line of --names is a different person, although a column that names people "
            "repeats")
      .only_with("names");
  declare_columns(verb, request->codes);
  verb.column("visit", &request->codes.columns.visit,
              "the column of --discharge that distinguishes visits")
      .unless_given("one per patient");
  declare_hierarchy(verb, request->codes);
  verb.whole_number("k", &request->k, 1, 1'000'000'000, "count targets with fewer candidates");
  verb.file_read("sensitive", &request->sensitive, "file with the sensitive codes")
      .unless_given("every code not known");
  verb.file_read("truth", &request->truth,
                 "the original data, to count correct re-identifications; patients are matched by "
                 "the patient column, in sets by line");
  verb.share("fail-above", &request->fail_above,
             "exit 1 when a larger share of targets than this is re-identified or named, or "
             "nothing was tried");
}

// The models say what they take.
void declare_settings(Verb& verb, flow::ProtectRequest& request) {
  for (const auto& setting : codes::model_settings()) {
    const std::string key(setting.key);
    const std::string words(setting.words);
    const auto low = static_cast<std::uint64_t>(setting.low);
    const auto high = static_cast<std::uint64_t>(setting.high);
    if (const auto* count = std::get_if<std::uint64_t codes::Parameters::*>(&setting.value)) {
      verb.whole_number(key, &(request.parameters.**count), low, high, words);
    } else if (const auto* number = std::get_if<int codes::Parameters::*>(&setting.value)) {
      verb.whole_number(key, &(request.parameters.**number), low, high, words);
    } else if (const auto* real = std::get_if<double codes::Parameters::*>(&setting.value)) {
      if (setting.low == 0 && setting.high == 1) {
        verb.share(key, &(request.parameters.**real), words);
      } else {
        verb.number(key, &(request.parameters.**real), setting.low, setting.high, words);
      }
    } else if (const auto* columns = std::get_if<codes::Setting::Columns>(&setting.value)) {
      verb.columns(key, &(request.parameters.*columns->names), words);
    } else if (const auto* trees = std::get_if<codes::Setting::Hierarchies>(&setting.value)) {
      verb.column_hierarchy(key, &(request.parameters.*trees->specs), words);
    } else if (!setting.instead.empty()) {
      verb.file_or_word(key, &request.model_files[key], {std::string(setting.instead)}, words);
    } else {
      verb.file_read(key, &request.model_files[key], words);
    }
  }
}

void declare_protect(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::ProtectRequest>();
  Verb& verb =
      program.add("codes", "protect", "Make a release in which known codes single nobody out",
                  session.flow([request](const Run& run) { return flow::protect(*request, run); }));
  verb.makes_release = true;
  session.declare_private_written(verb);
  verb.file_read("FILE", &request->file, "patients and their codes; - for standard input")
      .require();
  declare_columns(verb, request->codes);
  verb.columns("id", &request->codes.columns.identifiers,
               "other columns that are never released; the patient becomes a number");
  verb.columns("insensitive", &request->insensitive,
               "harmless columns beside the codes: they leave as they are");
  verb.choice("roles", &request->roles, {"given", "suggested"},
              "suggested: a column without a role takes the advice of its name and values, and is "
              "left out unless a model holds it or all patients have the same value");
  declare_rows_are_people(verb, request->rows_are_people);
  verb.columns("allow", &request->allowed,
               "columns that may leave as they are although they look like identifiers or undo "
               "what classes hide; everyone "
               "who verifies the release is told");
  declare_hierarchy(verb, request->codes);
  std::vector<std::string> models;
  std::vector<std::string> methods;
  const auto add = [](std::vector<std::string>& names, std::string_view name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
  };
  for (const auto& method : codes::methods()) {
    add(models, method.model);
    add(methods, method.name);
  }
  verb.choice("model", &request->model, models, "what safe means");
  verb.choice("method", &request->method, methods,
              "how the release is made; each model has its own")
      .unless_given("the first of the model");
  declare_settings(verb, *request);
  verb.flag("keep-nothing", &request->keeps_nothing,
            "release the codes even where every one became the most general one");
  verb.file_read("queries", &request->queries,
                 "file with the codes that your studies count, one or two in a line, for are")
      .unless_given("300 drawn from the data");
  verb.file_read("weights", &request->weights,
                 "table with the columns code and weight: how much each code matters for ul");
  verb.file_written("out", &request->out, "the release to write; its manifest goes beside it")
      .require();
  verb.seed(&request->seed, "fixes the order of records").unless_given("drawn and recorded");
}

void declare_explore(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::ExploreRequest>();
  Verb& verb =
      program.add("codes", "explore", "Draw the map of risk against utility over methods, k and m",
                  session.flow([request](const Run& run) { return flow::explore(*request, run); }));
  verb.file_read("FILE", &request->file, "patients and their codes; - for standard input")
      .require();
  declare_columns(verb, request->codes);
  verb.columns("id", &request->codes.columns.identifiers, "other columns that are never released");
  declare_rows_are_people(verb, request->rows_are_people);
  declare_hierarchy(verb, request->codes);
  verb.group("Settings to try");
  verb.choice("methods", &request->methods, flow::explored_methods(), "every method to try")
      .separated_by_commas();
  verb.whole_number("ks", &request->ks, 1, 1'000'000'000, "every k to try").separated_by_commas();
  verb.whole_number("ms", &request->ms, 1, 10, "every m to try, of methods for k^m-anonymity")
      .separated_by_commas();
  verb.share("suppressions", &request->suppressions,
             "every share of codes that local and apriori may remove")
      .separated_by_commas();
  verb.whole_number("seconds", &request->seconds, 1, 1'000'000,
                    "begin no further setting after this many seconds")
      .unless_given("all are tried");
  verb.share("min-utility", &request->min_utility,
             "choose the least risky setting with at least this utility (1 - NCP)");
  verb.share("max-risk", &request->max_risk,
             "choose the most useful setting in which no larger share of patients is named");
  verb.file_read("queries", &request->queries,
                 "file with the codes that your studies count, one or two in a line, for are")
      .unless_given("300 drawn from the data");
  verb.group("Output");
  verb.folder_written("out", &request->out, "for ru-map.csv, .json and .svg")
      .require()
      .replaces_in_it({{"ru-map.csv", "model,method,k,m,"},
                       {"ru-map.json", "\"title\": \"Risk and utility\""},
                       {"ru-map.svg", "Risk and utility"}});
}

void declare_privacy(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::PrivacyPolicyRequest>();
  Verb& verb = program.add(
      "codes", "policy", "Write a privacy policy: the sets of codes an adversary can learn",
      session.flow([request](const Run& run) { return flow::privacy_policy(*request, run); }));
  verb.file_read("from-discharge", &request->discharge,
                 "discharge summaries; each is a set of codes that can be learnt")
      .require();
  declare_columns(verb, request->codes);
  verb.column("visit", &request->codes.columns.visit, "the column that distinguishes visits")
      .unless_given("one per patient");
  verb.file_read(
      "data", &request->data,
      "the data to protect, in the same form; codes that do not occur in it are left out");
  verb.file_written("out", &request->out, "the policy, one constraint per line")
      .require()
      .replaces({"# Written by pratique codes "});
}

void declare_utility(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::UtilityPolicyRequest>();
  Verb& verb = program.add(
      "codes", "utility", "Write a utility policy: the sets of codes that studies count as one",
      session.flow([request](const Run& run) { return flow::utility_policy(*request, run); }));
  verb.file_read("FILE", &request->file, "the data to protect: patients and their codes").require();
  declare_columns(verb, request->codes);
  verb.file_or_word("from-hierarchy", &request->hierarchy, {"icd9", "icd10", "atc"},
                    "the codes under each node of a level");
  verb.whole_number("level", &request->level, 0, 100, "of the hierarchy; 0 are the codes");
  verb.file_or_word("diseases", &request->diseases, {"gwas"},
                    "gwas has 18; a file has one line per disease, such as Asthma: 493");
  verb.file_written("out", &request->out, "the policy, one constraint per line")
      .require()
      .replaces({"# Written by pratique codes "});
}

void declare_gwas(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::GwasRequest>();
  Verb& verb = program.add(
      "codes", "gwas", "Which diseases of association studies a release can still be used for",
      session.flow([request](const Run& run) { return flow::gwas(*request, run); }));
  verb.file_read("RELEASE", &request->release, "the released sets of codes").require();
  declare_columns(verb, request->codes);
  verb.file_read("original", &request->original,
                 "the data it was made from: a disease that lost cases is not usable");
  verb.file_or_word("diseases", &request->diseases, {"gwas"},
                    "gwas has 18; a file has one line per disease, such as Asthma: 493");
}

}  // namespace
}  // namespace codes_verbs

void add_codes(CommandLine& program, Session& session) {
  using namespace codes_verbs;
  program.nouns.push_back({"codes", "Diagnosis codes: a set of codes per patient"});
  declare_assess(program, session);
  declare_attack(program, session);
  declare_protect(program, session);
  declare_explore(program, session);
  declare_privacy(program, session);
  declare_utility(program, session);
  declare_gwas(program, session);
}

}  // namespace pratique::app
