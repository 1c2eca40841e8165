#include "pratique/codes/flow/assess.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_map>

#include "pratique/codes/attack/assess.h"
#include "pratique/codes/attack/attack.h"
#include "pratique/codes/attack/whole_sets.h"
#include "pratique/codes/flow/internal/exposure_json.h"
#include "pratique/columns/role_advice.h"
#include "pratique/core/ascii.h"
#include "pratique/core/chart.h"
#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/crypto/random.h"
#include "pratique/data/builtin_hierarchies.h"
#include "pratique/data/hierarchy_csv.h"
#include "pratique/kind/among.h"
#include "pratique/manifest/manifest.h"

namespace pratique::codes::flow {
namespace {

void write_chart(const Chart& chart, const std::string& folder) {
  std::filesystem::create_directories(folder);
  // Exact figures about the original are for their owner alone.
  const auto write = [&](const char* name, const std::string& text) {
    AtomicFile file(folder + "/" + name, 0600);
    file.write(text);
    file.commit();
  };
  write("curves.csv", to_csv(chart));
  write("curves.json", to_text(to_json(chart)));
  write("curves.svg", to_svg(chart));
}

// Codes in a file: one per line, or separated by blanks. They may be known, or be what the release
// shows beside.
std::vector<bool> read_sensitive(const std::string& path, const Dictionary& released,
                                 const std::optional<Spelling>& spelling, Dictionary& known) {
  for (const auto code : released.values()) (void)known.intern(code);
  std::vector<bool> sensitive(known.size(), false);
  const CodeSets listed = parse_code_sets(read_file(path), path);
  for (const auto entry : listed.codes.values()) {
    for (const Code code : codes_named(entry, known, spelling, path)) sensitive[code] = true;
  }
  return sensitive;
}

// What the labels of a release stand for; none where no manifest says so.
std::optional<ReleasedLabels> labels_of(const std::string& release, const Dictionary& items,
                                        const Dictionary& known) {
  const auto manifest = Manifest::beside(release);
  if (!manifest) return std::nullopt;
  ReleasedLabels labels;
  for (const auto& claim : *manifest->claims) {
    const Dictionary shown = codes_shown(items, claim);
    labels.merge(labels_in(claim, {&known, &shown}));
  }
  return labels;
}

// A list of names goes with summaries that have none, and with the columns that both have.
void check_names(const AttackRequest& request) {
  const bool given = !request.names.empty();
  if (given == request.on.empty() || (given && request.discharge.empty())) {
    throw Error::input("--names, --on and --discharge go together")
        .hint("--discharge FILE --names register.csv --on date_of_birth,sex,zip");
  }
  if (!given && request.discharge.size() > 1) {
    throw Error::input("several files of summaries need --names")
        .hint("Without a list of names, a person goes by the patient column of one file.");
  }
  if (given && !request.truth.empty()) {
    throw Error::input("--truth has no effect with --names")
        .hint("Leave it out: nobody says which patient a line of the list is.");
  }
}

// Who is in the list twice shares their values with somebody, and would not be named.
void require_a_line_per_person(const Source& list, const std::vector<std::string>& on,
                               const Run& run) {
  std::vector<std::string> numbers;  // others may be called the same
  std::copy_if(list.columns.begin(), list.columns.end(), std::back_inserter(numbers),
               [&](const std::string& name) {
                 return lower(name).find("name") == std::string::npos && !release::among(on, name);
               });
  if (numbers.empty()) return;
  run.engine.count_values(list, numbers, run.progress, [&](const ValueCounts& values) {
    const auto content = columns::read_content(values.values, values.counts);
    if (content.distinct == content.present() || !columns::names_a_person(values.name, content))
      return;
    throw Error::input(
        fmt::format("'{}' repeats in the list of names, whose lines are counted as people",
                    values.name))
        .at(list.name)
        .hint(fmt::format("Keep one line for each person. If every line is a different person all "
                          "the same, leave '{}' out of that file, or add --rows-are-people",
                          values.name));
  });
}

}  // namespace

Outcome assess(const AssessRequest& request, const Run& run) {
  codes::CodeFile file = request.codes.read(run, request.file);
  CodeSets people;
  if (!request.population.empty()) {
    people = codes::translate(request.codes.read(run, request.population, file.spelling).sets,
                              file.sets.codes);
  }
  std::optional<codes::Visits> visits;
  if (!request.codes.columns.visit.empty()) {
    visits = codes::read_visits(run.engine, file.source, request.codes.columns, file.spelling,
                                file.sets.codes, run.progress);
  }
  codes::AssessOptions options = request.assess;
  options.seed = request.seed ? *request.seed : draw_seed();
  const codes::Assessment assessment =
      codes::assess(file.sets, request.population.empty() ? nullptr : &people,
                    visits ? &*visits : nullptr, options, run.progress);
  if (!request.out.empty()) write_chart(assessment.curves, request.out);
  Json result = to_json(assessment);
  if (!file.cells.columns.empty() && !file.cells.one_code_a_row()) {
    result["code_columns"] = file.cells.columns;
    result["separator"] = file.cells.separator;
    result["patients_without_codes"] = file.patients_without_codes;
  }
  if (file.spelling) result["code_system"] = file.spelling->system->name;
  if (file.respelled.spellings > 0) result["respelled"] = to_json(file.respelled);
  result["k"] = options.k;
  result["seed"] = options.seed;
  return {result};
}

Outcome attack(const AttackRequest& request, const Run& run) {
  if (request.known.empty() == request.discharge.empty()) {
    throw Error::input("an attack needs --known or --discharge")
        .hint(
            "--known FILE: all codes of each patient; --discharge FILE: the codes of single "
            "visits.");
  }
  check_names(request);
  const codes::CodeFile release = request.codes.read(run, request.release);
  const auto& spelling = release.spelling;
  const bool insider = !request.known.empty();
  codes::CodeColumns columns = request.codes.columns;
  const Source source =
      request.codes.open(run, insider ? request.known : request.discharge.front());
  if (insider) columns.visit.clear();
  Dictionary known;
  codes::Visits visits;
  std::optional<codes::NamedSummaries> summaries;
  if (request.names.empty()) {
    visits = codes::read_visits(run.engine, source, columns, spelling, known, run.progress);
  } else {
    std::vector<Source> sources;
    for (const auto& path : request.discharge) sources.push_back(run.open(path));
    const Source list = run.open(request.names);
    if (!request.rows_are_people) require_a_line_per_person(list, request.on, run);
    release::OwnForms forms(request.forms, request.on);
    summaries = codes::name_summaries(run.engine, sources, list, request.on, forms, columns,
                                      spelling, known, run.progress);
    forms.refuse_unheard();
    visits = std::move(summaries->visits);
  }
  std::vector<codes::Target> targets;
  for (const auto& sets : visits.of_patient) targets.push_back({sets});

  codes::AttackOptions attack{.k = request.k};
  CodeSets truth;
  if (!request.truth.empty()) {
    const codes::CodeFile original = request.codes.read(run, request.truth, spelling);
    truth = codes::translate(original.sets, known);
    attack.truth = &truth;
    const codes::CodeFile people = codes::read_code_file(run.engine, source, columns, run.progress);
    std::unordered_map<std::string, std::uint32_t> set_of;
    for (std::size_t p = 0; p < original.names.size(); ++p) {
      set_of.emplace(original.names[p], truth.set_of[p]);
    }
    for (std::size_t t = 0; t < targets.size(); ++t) {
      if (!original.long_form()) {
        if (t < truth.patients()) targets[t].truth = truth.set_of[t];
      } else if (const auto entry = set_of.find(people.names[t]); entry != set_of.end()) {
        targets[t].truth = entry->second;
      }
    }
  }
  if (!request.sensitive.empty()) {
    attack.sensitive = read_sensitive(request.sensitive, release.sets.codes, spelling, known);
  }
  std::optional<Hierarchy> hierarchy;
  if (!request.codes.hierarchy.empty()) {
    const auto& spec = request.codes.hierarchy;
    hierarchy.emplace(is_builtin_hierarchy(spec) ? make_builtin_hierarchy(spec, known, {}, "code")
                                                 : read_hierarchy_csv(spec, PathLengths::ragged));
  }
  const auto labels = labels_of(request.release, release.sets.codes, known);
  const codes::SearchableRelease searchable(release.sets, known, hierarchy ? &*hierarchy : nullptr,
                                            labels ? &*labels : nullptr, labels.has_value());
  const codes::AttackResult figures =
      codes::attack(searchable, visits.sets, targets, attack, run.progress);
  Json result = {{"attack", insider ? "one-step" : "two-step"},
                 {"targets", figures.targets},
                 {"k", request.k},
                 {"matched_under_k", figures.matched_under_k},
                 {"reidentified", figures.reidentified},
                 {"sensitive_disclosed", figures.sensitive_disclosed},
                 {"correct", figures.correct ? Json(*figures.correct) : Json(nullptr)}};
  if (summaries) {
    result["summaries"] = summaries->summaries;
    result["summaries_named"] = summaries->named;
  }
  std::uint64_t identified = figures.reidentified;
  if (insider) {
    const auto exposure =
        codes::expose_whole_sets(searchable, visits.sets, request.k, run.progress);
    identified = std::max(identified, exposure.named);
    result["whole_set_known"] = to_json(exposure);
    // Nobody can say whose a record of a file is.
    result["whole_set_known"].erase("named_rightly");
  }
  const double share = figures.targets == 0
                           ? 0
                           : static_cast<double>(identified) / static_cast<double>(figures.targets);
  bool tried = false;
  for (Code code = 0; code < known.size() && !tried; ++code) tried = searchable.shows(code);
  if (!tried) {
    result["note"] =
        "the release shows none of the codes that are known, so nothing was tried; if its codes "
        "are "
        "labels, give their --hierarchy";
  }
  return {result, !request.fail_above || (tried && share <= *request.fail_above)};
}

}  // namespace pratique::codes::flow
