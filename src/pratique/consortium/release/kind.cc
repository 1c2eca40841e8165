#include "pratique/consortium/release/kind.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/core/json.h"
#include "pratique/kind/document.h"

namespace pratique::consortium {
namespace {

constexpr std::array<Figure, 8> kConsortiumFigures = {{
    {"sites", "sites"},
    {"k", "people that each sample may belong to, at least"},
    {"disclosed", "samples that may be disclosed"},
    {"submitted", "samples that the site has"},
    {"operations", "multiplications of points"},
    {"least_operations", "multiplications that the protocol needs"},
    {"bytes", "bytes sent and received"},
    {"seed", "what decided ties"},
}};

constexpr std::array<release::ModelWords, 1> kConsortiumModels = {{
    {"consortium-unlinkability", "k-unlinkability over all sites",
     "Whoever links what all sites disclose to their lists of people, a site that knows its own "
     "samples and the authority among them, finds at least k people for every sample that is not "
     "its own.",
     "It is attested by the authority that saw all lists encrypted: one site's list cannot show "
     "it, and whose key signed it only the authority's certificate says (verify --authority). That "
     "sites told the truth about their own lists, and that one name stands for one person "
     "everywhere, nobody can prove.",
     "one who runs the method again on what she knows of all lists and sees what it chooses"},
}};

constexpr std::array<release::FileOption, 2> kConsortiumFileOptions = {
    {{"identified"}, {"deidentified"}}};

// What the authority signed, as the claim has it; nothing where that is not to be read. Whether it
// did sign it the claim's check finds.
Json statement_of(const Manifest& manifest) {
  for (const auto& claim : *manifest.claims) {
    const Json text = claim.value("statement", Json());
    if (!text.is_string()) continue;
    try {
      Json statement = parse_json(text.get<std::string>(), "the authority's statement");
      if (statement.is_object()) return statement;
    } catch (const Error&) {
      return Json::object();
    }
  }
  return Json::object();
}

void describe_consortium(release::PageContext& context) {
  release::add_facts(context, {"disclosed", "sites", "k"});
  const Json session = statement_of(context.manifest).value("session", Json());
  if (session.is_string())
    context.report.facts.push_back({"session (lists belong together only where it is the same)",
                                    release::cleaned(session.get<std::string>()).substr(0, 16)});
  const Json earlier = context.manifest.parameters->value("earlier_session", Json());
  if (earlier.is_string())
    context.report.facts.push_back(
        {"earlier session (its lists and these promise nothing together)",
         release::cleaned(earlier.get<std::string>()).substr(0, 16)});
}

// Of what the manifest says of the session only the statement is signed.
void contradict_consortium(const release::Evidence& evidence,
                           std::vector<std::string>& contradictions) {
  const Json statement = statement_of(evidence.manifest);
  const auto compare = [&](const Json& said, const char* name, const Json& with) {
    if (said.contains(name) && said[name] != with)
      contradictions.push_back(fmt::format("the authority's statement has another {}", name));
  };
  const Json& parameters = *evidence.manifest.parameters;
  for (const char* name : {"session", "site", "sites", "protocol", "k", "method", "coalition"})
    compare(parameters, name, statement.value(name, Json()));
  for (const auto& claim : *evidence.manifest.claims)
    compare(claim, "coalition", statement.value("coalition", Json()));
  const Json& results = *evidence.manifest.results;
  for (const char* name : {"disclosed", "k"}) compare(results, name, statement.value(name, Json()));
  compare(results, "sites", statement.value("sites", Json()).size());
}

}  // namespace

release::Kind kind() {
  return {.noun = "consortium",
          .verb = "site",
          .other_verb = "run",
          .title = "samples that a site of a consortium discloses",
          .adversary =
              "Somebody who has the lists with names of all sites links samples to people by where "
              "both were seen.",
          .file_kind = "",
          .figures = kConsortiumFigures,
          .models = kConsortiumModels,
          .file_options = kConsortiumFileOptions,
          .describe = describe_consortium,
          .contradict = contradict_consortium};
}

}  // namespace pratique::consortium
