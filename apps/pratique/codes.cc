#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_map>

#include "code_options.h"
#include "command.h"
#include "nouns.h"
#include "pratique/codes/attack/assess.h"
#include "pratique/codes/attack/attack.h"
#include "pratique/core/chart.h"
#include "pratique/core/file.h"
#include "pratique/crypto/random.h"
#include "pratique/data/builtin_hierarchies.h"
#include "pratique/data/hierarchy_csv.h"

namespace pratique::app {
namespace {

void write_chart(const Chart& chart, const std::string& folder) {
  std::filesystem::create_directories(folder);
  write_file_atomically(folder + "/curves.csv", to_csv(chart));
  write_file_atomically(folder + "/curves.json", to_text(to_json(chart)));
  write_file_atomically(folder + "/curves.svg", to_svg(chart));
}

void add_assess(CommandLine& program, Session& session) {
  struct Options {
    std::string file;
    std::string population;
    std::string out;
    codes::AssessOptions assess;
    std::optional<std::uint64_t> seed;
    CodeOptions codes;
  };
  auto options = std::make_shared<Options>();
  Verb& verb = program.add(
      "codes", "assess", "Measure how far codes single patients out", [options, &session] {
        codes::CodeFile file = options->codes.read(session, options->file);
        CodeSets people;
        if (!options->population.empty()) {
          people = codes::translate(options->codes.read(session, options->population).sets,
                                    file.sets.codes);
        }
        std::optional<codes::Visits> visits;
        if (!options->codes.columns.visit.empty()) {
          visits = codes::read_visits(session.engine(), file.source, options->codes.columns,
                                      file.sets.codes, session.progress);
        }
        options->assess.seed = options->seed ? *options->seed : draw_seed();
        const codes::Assessment found =
            codes::assess(file.sets, options->population.empty() ? nullptr : &people,
                          visits ? &*visits : nullptr, options->assess, session.progress);
        if (!options->out.empty()) write_chart(found.curves, options->out);
        Json result = to_json(found);
        result["k"] = options->assess.k;
        result["seed"] = options->assess.seed;
        session.print(result);
        return 0;
      });
  verb.file_read("FILE", &options->file, "patients and their codes, - for standard input")
      .require();
  options->codes.add_columns(verb);
  verb.column("visit", &options->codes.columns.visit,
              "the column that tells a patient's visits apart, for the curve of one visit");
  verb.file_read("population", &options->population,
                 "the people the adversary may choose from, in the same form");
  verb.whole_number("k", &options->assess.k, 1, 1'000'000'000,
                    "count sets of codes with fewer patients");
  verb.folder_written("out", &options->out, "for the curves: curves.csv, .json and .svg");
  verb.seed(&options->seed, "of random subsets and samples").unless_given("drawn and printed");
}

// Codes in a file: one per line, or separated by blanks.
std::vector<bool> read_sensitive(const std::string& path, Dictionary& known) {
  const CodeSets listed = parse_code_sets(read_file(path), path);
  for (const auto code : listed.codes.values()) (void)known.intern(code);
  std::vector<bool> sensitive(known.size(), false);
  for (const auto code : listed.codes.values()) sensitive[*known.find(code)] = true;
  return sensitive;
}

void add_attack(CommandLine& program, Session& session) {
  struct Options {
    std::string release;
    std::string known;
    std::string discharge;
    std::string truth;
    std::string sensitive;
    std::uint64_t k = 5;
    std::optional<double> fail_above;
    CodeOptions codes;
  };
  auto options = std::make_shared<Options>();
  Verb& verb = program.add(
      "codes", "attack", "Look for patients in a release by codes that are known of them",
      [options, &session] {
        if (options->known.empty() == options->discharge.empty()) {
          throw Error::input("an attack starts from --known or from --discharge")
              .hint(
                  "--known FILE: all codes of patients; --discharge FILE: those of their visits.");
        }
        const codes::CodeFile release = options->codes.read(session, options->release);
        const bool insider = !options->known.empty();
        const std::string& path = insider ? options->known : options->discharge;
        codes::CodeColumns columns = options->codes.columns;
        const Source source = options->codes.open(session, path);
        if (insider) columns.visit.clear();
        Dictionary known;
        const codes::Visits visits =
            codes::read_visits(session.engine(), source, columns, known, session.progress);
        std::vector<codes::Target> targets;
        for (const auto& sets : visits.of_patient) targets.push_back({sets});

        codes::AttackOptions attack{.k = options->k};
        CodeSets truth;
        if (!options->truth.empty()) {
          const codes::CodeFile original = options->codes.read(session, options->truth);
          truth = codes::translate(original.sets, known);
          attack.truth = &truth;
          const codes::CodeFile people =
              codes::read_code_file(session.engine(), source, columns, session.progress);
          std::unordered_map<std::string, std::uint32_t> set_of;
          for (std::size_t p = 0; p < original.names.size(); ++p) {
            set_of.emplace(original.names[p], truth.set_of[p]);
          }
          for (std::size_t t = 0; t < targets.size(); ++t) {
            if (!original.long_form()) {
              if (t < truth.patients()) targets[t].truth = truth.set_of[t];
            } else if (const auto found = set_of.find(people.names[t]); found != set_of.end()) {
              targets[t].truth = found->second;
            }
          }
        }
        if (!options->sensitive.empty()) {
          attack.sensitive = read_sensitive(options->sensitive, known);
        }
        std::optional<Hierarchy> hierarchy;
        if (!options->codes.hierarchy.empty()) {
          const auto& spec = options->codes.hierarchy;
          hierarchy.emplace(is_builtin_hierarchy(spec)
                                ? make_builtin_hierarchy(spec, known, {}, "code")
                                : read_hierarchy_csv(spec));
        }
        const codes::SearchableRelease searchable(release.sets, known,
                                                  hierarchy ? &*hierarchy : nullptr);
        const codes::AttackResult found =
            codes::attack(searchable, visits.sets, targets, attack, session.progress);
        Json result = {{"attack", insider ? "one-step" : "two-step"},
                       {"targets", found.targets},
                       {"k", options->k},
                       {"matched_under_k", found.matched_under_k},
                       {"reidentified", found.reidentified},
                       {"sensitive_disclosed", found.sensitive_disclosed},
                       {"correct", found.correct ? Json(*found.correct) : Json(nullptr)}};
        session.print(result);
        const double share = static_cast<double>(found.reidentified) /
                             static_cast<double>(std::max<std::uint64_t>(1, found.targets));
        return options->fail_above && share > *options->fail_above ? 1 : 0;
      });
  verb.file_read("RELEASE", &options->release, "the sets of codes to attack").require();
  verb.file_read("known", &options->known,
                 "one-step attack: patients with all their codes, as an insider knows them");
  verb.file_read("discharge", &options->discharge,
                 "two-step attack: identified discharge summaries, each with the codes of a visit");
  options->codes.add_columns(verb);
  verb.column("visit", &options->codes.columns.visit,
              "the column of --discharge that tells visits apart")
      .unless_given("one per patient");
  options->codes.add_hierarchy(verb);
  verb.whole_number("k", &options->k, 1, 1'000'000'000, "count targets with fewer candidates");
  verb.file_read("sensitive", &options->sensitive, "file with the sensitive codes")
      .unless_given("every code not known");
  verb.file_read("truth", &options->truth,
                 "the original data, to count correct re-identifications; patients go by the "
                 "patient column, in sets by line");
  verb.share("fail-above", &options->fail_above,
             "exit 1 when a larger share of targets than this is re-identified");
}

}  // namespace

void add_codes(CommandLine& program, Session& session) {
  program.nouns.push_back({"codes", "Diagnosis codes: a set of codes per patient"});
  add_assess(program, session);
  add_attack(program, session);
  add_codes_protect(program, session);
  add_codes_policy(program, session);
}

}  // namespace pratique::app
