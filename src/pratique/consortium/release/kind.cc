#include "pratique/consortium/release/kind.h"

#include <array>
#include <nlohmann/json.hpp>

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
     "sites told the truth about their own lists nobody can prove.",
     "one who runs the method again on what she knows of all lists and sees what it chooses"},
}};

constexpr std::array<release::FileOption, 2> kConsortiumFileOptions = {
    {{"identified"}, {"deidentified"}}};

void describe_consortium(release::PageContext& context) {
  release::add_facts(context, {"disclosed", "sites", "k"});
  const Json session = context.manifest.parameters->value("session", Json());
  if (session.is_string())
    context.report.facts.push_back({"session (lists belong together only where it is the same)",
                                    release::cleaned(session.get<std::string>()).substr(0, 16)});
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
          .describe = describe_consortium};
}

}  // namespace pratique::consortium
