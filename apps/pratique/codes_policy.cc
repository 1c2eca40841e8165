#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "code_options.h"
#include "command.h"
#include "pratique/codes/metric/diseases.h"
#include "pratique/codes/model/policy.h"
#include "pratique/core/file.h"
#include "pratique/data/builtin_hierarchies.h"
#include "pratique/data/code_constraints.h"
#include "pratique/data/hierarchy_csv.h"
#include "pratique/manifest/manifest.h"
#include "pratique/kind/publish.h"

namespace pratique::app {
namespace {

std::vector<codes::Disease> read_diseases(const std::string& spec) {
  return spec == "gwas" ? codes::gwas_diseases() : codes::parse_diseases(read_file(spec), spec);
}

void write_policy(const std::vector<std::vector<Code>>& constraints, const Dictionary& codes,
                  const std::string& out, Session& session) {
  if (constraints.empty()) {
    throw Error::input("no constraint came out of it, so that no policy is written")
        .hint("Does the file have codes of the other one?");
  }
  const std::string text = constraints_text(constraints, codes);
  std::vector<bool> named(codes.size(), false);
  for (const auto& constraint : constraints) {
    for (const Code code : constraint) named[code] = true;
  }
  write_file_atomically(out, text);
  session.print({{"constraints", constraints.size()},
                 {"codes", std::count(named.begin(), named.end(), true)},
                 {"out", out}});
}

// Only what the other file's patients have, each set once.
std::vector<std::vector<Code>> within(const std::vector<std::vector<Code>>& constraints,
                                      const Dictionary& from, const Dictionary& data) {
  std::set<std::vector<Code>> kept;
  for (const auto& constraint : constraints) {
    std::vector<Code> codes;
    std::copy_if(constraint.begin(), constraint.end(), std::back_inserter(codes),
                 [&](Code code) { return data.find(from.value(code)).has_value(); });
    if (!codes.empty()) kept.insert(std::move(codes));
  }
  return {kept.begin(), kept.end()};
}

void add_privacy(CommandLine& program, Session& session) {
  struct Options {
    std::string discharge;
    std::string data;
    std::string out;
    CodeOptions codes;
  };
  auto options = std::make_shared<Options>();
  Verb& verb = program.add(
      "codes", "policy", "Write a privacy policy: the sets of codes an adversary can learn",
      [options, &session] {
        const Source source = options->codes.open(session, options->discharge);
        std::vector<std::string> others;
        if (!options->data.empty()) others.push_back(options->data);
        release::refuse_overwriting_inputs(options->out, {source}, others);
        Dictionary known;
        const codes::Visits visits = codes::read_visits(
            session.engine(), source, options->codes.columns, known, session.progress);
        auto constraints = codes::privacy_from_visits(visits.sets);
        if (!options->data.empty()) {
          constraints =
              within(constraints, known, options->codes.read(session, options->data).sets.codes);
        }
        write_policy(constraints, known, options->out, session);
        return 0;
      });
  verb.file_read("from-discharge", &options->discharge,
                 "discharge summaries; each is a set of codes that can be learnt")
      .require();
  options->codes.add_columns(verb);
  verb.column("visit", &options->codes.columns.visit, "the column that tells visits apart")
      .unless_given("one per patient");
  verb.file_read("data", &options->data,
                 "the data to protect, in the same form; codes that it lacks are left out");
  verb.file_written("out", &options->out, "the policy, a constraint per line").require();
}

void add_utility(CommandLine& program, Session& session) {
  struct Options {
    std::string file;
    std::string hierarchy;
    std::string diseases;
    std::uint64_t level = 1;
    std::string out;
    CodeOptions codes;
  };
  auto options = std::make_shared<Options>();
  Verb& verb = program.add(
      "codes", "utility", "Write a utility policy: the sets of codes that studies count as one",
      [options, &session] {
        if (options->hierarchy.empty() == options->diseases.empty()) {
          throw Error::input("a utility policy comes from --from-hierarchy or from --diseases")
              .hint("--from-hierarchy icd9 --level 2, or --diseases gwas");
        }
        const codes::CodeFile file = options->codes.read(session, options->file);
        std::vector<std::string> others;
        if (!options->hierarchy.empty() && !is_builtin_hierarchy(options->hierarchy)) {
          others.push_back(options->hierarchy);
        }
        if (!options->diseases.empty() && options->diseases != "gwas") {
          others.push_back(options->diseases);
        }
        release::refuse_overwriting_inputs(options->out, {file.source}, others);
        std::vector<std::vector<Code>> constraints;
        if (!options->diseases.empty()) {
          constraints =
              codes::utility_from_diseases(read_diseases(options->diseases), file.sets.codes);
        } else {
          const auto& spec = options->hierarchy;
          const Hierarchy hierarchy = make_hierarchy(spec, file.sets.codes, file.sets.supports(),
                                                     options->codes.columns.code);
          if (options->level >= static_cast<std::uint64_t>(hierarchy.height())) {
            throw Error::input(fmt::format("the hierarchy has no level {}", options->level))
                .at(spec)
                .hint(fmt::format("Levels go from 0, the codes, to {}, the root.",
                                  hierarchy.height() - 1));
          }
          constraints =
              codes::utility_from_hierarchy(hierarchy, static_cast<int>(options->level), file.sets);
        }
        write_policy(constraints, file.sets.codes, options->out, session);
        return 0;
      });
  verb.file_read("FILE", &options->file, "the data to protect: patients and their codes").require();
  options->codes.add_columns(verb);
  verb.file_read("from-hierarchy", &options->hierarchy,
                 "the codes under each node of a level: icd9, or a CSV file");
  verb.whole_number("level", &options->level, 0, 100, "of the hierarchy; 0 are the codes");
  verb.file_read("diseases", &options->diseases,
                 "gwas (18 diseases), or a file with a line per disease, such as Asthma: 493");
  verb.file_written("out", &options->out, "the policy, a constraint per line").require();
}

// What the items of a release stand for: by the labels of its manifest, where there is one.
codes::ShownRecords shown_in_release(const CodeSets& sets, const std::string& path) {
  codes::ShownRecords records = codes::shown_in(sets);
  for (auto& item : records.codes_of) {
    const std::string text = item.front();
    if (text.size() < 2 || text.front() != '(' || text.back() != ')') continue;
    item.clear();
    for (std::size_t at = 1; at < text.size();) {
      const auto stop = std::min(text.find('|', at), text.size() - 1);
      item.push_back(text.substr(at, stop - at));
      at = stop + 1;
    }
  }
  const auto manifest = Manifest::beside(path);
  if (!manifest) return records;
  for (const auto& claim : *manifest->claims) {
    if (!claim.contains("labels") || !claim["labels"].is_object()) continue;
    for (const auto& [label, leaves] : claim["labels"].items()) {
      const auto item = sets.codes.find(label);
      if (!item || !leaves.is_array()) continue;
      records.codes_of[*item].clear();
      for (const auto& leaf : leaves) {
        if (leaf.is_string()) records.codes_of[*item].push_back(leaf.get<std::string>());
      }
    }
  }
  return records;
}

void add_gwas(CommandLine& program, Session& session) {
  struct Options {
    std::string release;
    std::string original;
    std::string diseases = "gwas";
    CodeOptions codes;
  };
  auto options = std::make_shared<Options>();
  Verb& verb = program.add(
      "codes", "gwas", "Which diseases of association studies a release can still be used for",
      [options, &session] {
        const auto diseases = read_diseases(options->diseases);
        const codes::CodeFile release = options->codes.read(session, options->release);
        const auto after = shown_in_release(release.sets, options->release);
        std::optional<codes::CodeFile> original;
        if (!options->original.empty()) {
          original = options->codes.read(session, options->original);
        }
        std::uint64_t supported = 0;
        Json rows = Json::array();
        for (const auto& disease : diseases) {
          const auto now = codes::count_cases(disease, after);
          std::optional<codes::CaseCount> before;
          if (original) before = codes::count_cases(disease, codes::shown_in(original->sets));
          const bool fine = codes::usable(now, before);
          supported += fine ? 1 : 0;
          rows.push_back({{"disease", disease.name},
                          {"usable", fine},
                          {"cases", now.cases},
                          {"cases_before", before ? Json(before->cases) : Json(nullptr)},
                          {"sets_across", now.across}});
        }
        session.print({{"gwas_supported", supported},
                       {"diseases", diseases.size()},
                       {"table", std::move(rows)}});
        return 0;
      });
  verb.file_read("RELEASE", &options->release, "the released sets of codes").require();
  options->codes.add_columns(verb);
  verb.file_read("original", &options->original,
                 "the data it was made from: a disease that lost cases is not usable");
  verb.file_read("diseases", &options->diseases,
                 "others than the 18: a file with a line per disease, such as Asthma: 493");
}

}  // namespace

codes::Policy read_policy(const std::string& privacy, const std::string& utility,
                          const CodeSets& sets, std::vector<std::string>& files) {
  codes::Policy policy;
  policy.codes = &sets.codes;
  const auto read = [&](const std::string& path) {
    files.push_back(path);
    return bind_constraints(parse_code_constraints(read_file(path), path), sets.codes);
  };
  if (!privacy.empty()) policy.privacy = read(privacy);
  if (utility == "gwas") {
    policy.utility = codes::utility_from_diseases(codes::gwas_diseases(), sets.codes);
  } else if (!utility.empty()) {
    policy.utility = read(utility);
  }
  return policy;
}

void add_codes_policy(CommandLine& program, Session& session) {
  add_privacy(program, session);
  add_utility(program, session);
  add_gwas(program, session);
}

}  // namespace pratique::app
