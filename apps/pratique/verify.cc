#include <nlohmann/json.hpp>

#include "command.h"
#include "nouns.h"
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
        session.print(verify::to_json(verification));
        return verification.holds() ? 0 : 1;
      });
  verb.file_read("RELEASE", &options->release, "the released file, with its manifest beside it")
      .require();
  session.declare_private_read(verb);
}

}  // namespace pratique::app
