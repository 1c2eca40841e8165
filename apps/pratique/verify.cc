#include <nlohmann/json.hpp>

#include "command.h"
#include "nouns.h"
#include "pratique/release/kinds.h"
#include "pratique/release/manifest_agreement.h"
#include "pratique/verify/release_verifier.h"

namespace pratique::app {

void add_verify(CommandLine& program, Session& session) {
  struct Options {
    std::string release;
  };
  auto options = std::make_shared<Options>();
  Verb& verb = program.add(
      "", "verify", "Re-derive a release's claims from the released file alone",
      [options, &session] {
        const auto verification = verify::verify_release(session.engine(), options->release,
                                                         session.progress, session.private_folder);
        const auto contradictions = release::manifest_contradictions(
            session.engine(), options->release, session.private_folder, session.progress);
        Json result = verify::to_json(verification);
        if (!contradictions.empty()) {
          result["holds"] = false;
          result["contradictions"] = contradictions;
        }
        const auto file = release::ReleaseFile::read(options->release, session.private_folder);
        const auto against = release::not_held_against(release::kind_of(file), file.manifest());
        if (!against.empty()) result["note"] = against;
        session.print(result);
        return verification.holds() && contradictions.empty() ? 0 : 1;
      });
  verb.quick = true;
  verb.file_read("RELEASE", &options->release, "the released file, with its manifest beside it")
      .require();
  session.declare_private_read(verb);
}

}  // namespace pratique::app
