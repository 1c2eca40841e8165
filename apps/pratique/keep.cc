#include "pratique/release/keep.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "command.h"
#include "nouns.h"
#include "pratique/release/manifest_agreement.h"
#include "pratique/verify/release_verifier.h"

namespace pratique::app {
namespace {

struct KeepOptions {
  std::string candidate;
  std::string out;
};

// What does not hold gets no name.
int keep(const KeepOptions& options, Session& session) {
  const auto verification = verify::verify_release(session.engine(), options.candidate,
                                                   session.progress, session.private_folder);
  const auto contradictions = release::manifest_contradictions(
      session.engine(), options.candidate, session.private_folder, session.progress);
  if (!verification.holds() || !contradictions.empty()) {
    throw Error::check("the candidate does not hold what it claims, so it is not released")
        .at(options.candidate)
        .hint(fmt::format("pratique verify {} says what fails. Make the candidate again.",
                          options.candidate));
  }
  const auto kept = release::keep(options.candidate, options.out);
  session.print({{"release", options.out},
                 {"candidate", options.candidate},
                 {"sha256", kept.sha256},
                 {"files", kept.files}});
  return 0;
}

}  // namespace

void add_keep(CommandLine& program, Session& session) {
  auto options = std::make_shared<KeepOptions>();
  Verb& verb = program.add(
      "", "keep", "Make a candidate a release: verify it, and copy it to a name of its own",
      [options, &session] { return keep(*options, session); });
  verb.quick = true;
  verb.file_read("CANDIDATE", &options->candidate,
                 "a file that protect wrote, with its manifest beside it")
      .require();
  verb.file_written("out", &options->out, "the release; no file is ever replaced")
      .require()
      .never_replaces();
  session.declare_private_read(verb);
}

}  // namespace pratique::app
