#include "pratique/codes/flow/policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "pratique/codes/metric/diseases.h"
#include "pratique/codes/model/policy.h"
#include "pratique/codes/released_labels.h"
#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/data/builtin_hierarchies.h"
#include "pratique/data/code_constraints.h"
#include "pratique/data/code_labels.h"
#include "pratique/data/hierarchy_csv.h"
#include "pratique/kind/publish.h"
#include "pratique/manifest/manifest.h"

namespace pratique::codes::flow {
namespace {

std::vector<codes::Disease> read_diseases(const std::string& spec) {
  return spec == codes::kGwasName ? codes::gwas_diseases()
                                  : codes::parse_diseases(read_file(spec), spec);
}

Outcome write_policy(const std::vector<std::vector<Code>>& constraints, const Dictionary& codes,
                     std::string_view verb, const std::string& out) {
  if (constraints.empty()) {
    throw Error::input("this gives no constraint, so no policy was written")
        .hint("Do the two files share any codes?");
  }
  std::vector<bool> named(codes.size(), false);
  for (const auto& constraint : constraints) {
    for (const Code code : constraint) named[code] = true;
  }
  // It may list all codes of somebody.
  AtomicFile file(out, 0600);
  file.write(fmt::format("# Written by pratique codes {}: one constraint per line.\n", verb));
  file.write(constraints_text(constraints, codes));
  file.commit();
  return {Json{{"constraints", constraints.size()},
               {"codes", std::count(named.begin(), named.end(), true)},
               {"out", out}}};
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

// The categories of ICD-9-CM and the codes that diseases name: enough to see whether all that a
// label stands for is a disease, or some of it.
Dictionary codes_to_tell_apart(const std::vector<codes::Disease>& diseases,
                               const Dictionary& items) {
  Dictionary codes;
  for (const auto item : items.values()) (void)codes.intern(code_under(item));
  for (int number = 0; number < 1000; ++number) {
    (void)codes.intern(fmt::format("{:03}", number));
    (void)codes.intern(fmt::format("E{:03}", number));
    if (number < 100) (void)codes.intern(fmt::format("V{:02}", number));
  }
  for (const auto& disease : diseases) {
    for (std::string code : disease.patterns) {
      std::replace(code.begin(), code.end(), '?', '0');
      (void)codes.intern(code);
    }
  }
  return codes;
}

// What the items of a release stand for: by the labels of its manifest, where there is one.
codes::ShownRecords shown_in_release(const CodeSets& sets, const std::string& path,
                                     const std::vector<const Dictionary*>& known) {
  codes::ShownRecords records = codes::shown_in(sets);
  for (auto& item : records.codes_of) {
    const std::string text = item.front();
    if (!text.starts_with('(') || !text.ends_with(')')) continue;
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
    for (const auto& [label, codes] : labels_in(claim, known)) {
      if (const auto item = sets.codes.find(label)) records.codes_of[*item] = codes;
    }
  }
  return records;
}

}  // namespace

Outcome privacy_policy(const PrivacyPolicyRequest& request, const Run& run) {
  const Source source = request.codes.open(run, request.discharge);
  std::vector<std::string> others;
  if (!request.data.empty()) others.push_back(request.data);
  release::refuse_overwriting_inputs(request.out, {source}, others);
  std::optional<codes::CodeFile> data;
  if (!request.data.empty()) data = request.codes.read(run, request.data);
  Dictionary known;
  const codes::Visits visits =
      codes::read_visits(run.engine, source, request.codes.columns,
                         data ? data->spelling : std::nullopt, known, run.progress);
  auto constraints = codes::privacy_from_visits(visits.sets);
  if (data) constraints = within(constraints, known, data->sets.codes);
  return write_policy(constraints, known, "policy", request.out);
}

Outcome utility_policy(const UtilityPolicyRequest& request, const Run& run) {
  if (request.hierarchy.empty() == request.diseases.empty()) {
    throw Error::input("a utility policy needs --from-hierarchy or --diseases")
        .hint("--from-hierarchy icd9 --level 2, or --diseases gwas");
  }
  const codes::CodeFile file = request.codes.read(run, request.file);
  std::vector<std::string> others;
  if (!request.hierarchy.empty() && !is_builtin_hierarchy(request.hierarchy)) {
    others.push_back(request.hierarchy);
  }
  if (!request.diseases.empty() && request.diseases != codes::kGwasName) {
    others.push_back(request.diseases);
  }
  release::refuse_overwriting_inputs(request.out, {file.source}, others);
  std::vector<std::vector<Code>> constraints;
  if (!request.diseases.empty()) {
    constraints = codes::utility_from_diseases(read_diseases(request.diseases), file.sets.codes);
  } else {
    const auto& spec = request.hierarchy;
    const Hierarchy hierarchy =
        make_hierarchy(spec, file.sets.codes, file.sets.supports(), request.codes.columns.code);
    if (request.level >= static_cast<std::uint64_t>(hierarchy.height())) {
      throw Error::input(fmt::format("the hierarchy has no level {}", request.level))
          .at(spec)
          .hint(
              fmt::format("Levels go from 0, the codes, to {}, the root.", hierarchy.height() - 1));
    }
    constraints =
        codes::utility_from_hierarchy(hierarchy, static_cast<int>(request.level), file.sets);
  }
  return write_policy(constraints, file.sets.codes, "utility", request.out);
}

Outcome gwas(const GwasRequest& request, const Run& run) {
  const auto diseases = read_diseases(request.diseases);
  const codes::CodeFile release = request.codes.read(run, request.release);
  std::optional<codes::CodeFile> original;
  if (!request.original.empty()) {
    original = request.codes.read(run, request.original);
  }
  const codes::CodeFile& written = original ? *original : release;
  if (!may_be_icd9(written.spelling)) {
    throw Error::input(fmt::format("diseases are recognised by ICD-9 codes, and these are {}",
                                   written.spelling->system->title))
        .at(written.source.name)
        .hint("There is nothing to count. codes protect says what a release lost.");
  }
  const Dictionary named = codes_to_tell_apart(diseases, release.sets.codes);
  std::vector<const Dictionary*> known = {&named};
  if (original) known.push_back(&original->sets.codes);
  const auto after = shown_in_release(release.sets, request.release, known);
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
  return {Json{
      {"gwas_supported", supported}, {"diseases", diseases.size()}, {"table", std::move(rows)}}};
}

}  // namespace pratique::codes::flow
