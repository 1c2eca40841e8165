#include <algorithm>
#include <nlohmann/json.hpp>

#include "command.h"
#include "nouns.h"
#include "pratique/consortium/identity.h"
#include "pratique/release/kinds.h"
#include "pratique/release/manifest_agreement.h"
#include "pratique/verify/release_verifier.h"

namespace pratique::app {
namespace {

// Of those who attest its claims, in hexadecimal digits.
std::vector<std::string> signing_keys(const Manifest& manifest) {
  std::vector<std::string> keys;
  for (const auto& claim : *manifest.claims) {
    if (claim.value("model", Json()) != "consortium-unlinkability") continue;
    const Json key = claim.value("authority_key", Json());
    keys.push_back(key.is_string() ? key.get<std::string>() : "");
  }
  return keys;
}

// A manifest brings the key along with which it is to be checked: whoever forges one makes a key.
std::string contradicting_signer(const Manifest& manifest, const std::string& certificate) {
  if (certificate.empty()) return "";
  const auto keys = signing_keys(manifest);
  if (keys.empty())
    throw Error::input("no authority of a consortium signed this release")
        .at(certificate)
        .hint("Leave --authority out.");
  const std::string key = to_hex(consortium::key_of_certificate(certificate));
  if (std::ranges::count(keys, key) == std::ssize(keys)) return "";
  return "it was not signed by the authority whose certificate this is";
}

// Whom no model covers, where the private manifest alone tells: which sensitive columns of people
// with several rows are measured depends on those who did not leave, too.
Json told_to_the_steward(const release::ReleaseFile& file) {
  const Json& all = *file.manifest().results;
  const auto released = release::ReleaseFile::read_as_released(file.path);
  const Json after = all.value("after", Json::object());
  const Json told = released.manifest().results->value("after", Json::object());
  Json figures = Json::object();
  for (const char* figure : {"sensitive_disclosed", "believed"}) {
    if (after.contains(figure) && !told.contains(figure)) figures[figure] = after[figure];
  }
  if (all.contains("not_measured")) figures["not_measured"] = all["not_measured"];
  return figures;
}

}  // namespace

void add_verify(CommandLine& program, Session& session) {
  struct Options {
    std::string release;
    std::string authority;
  };
  auto options = std::make_shared<Options>();
  Verb& verb = program.add(
      "", "verify", "Re-derive a release's claims from the released file alone",
      [options, &session] {
        const auto verification = verify::verify_release(session.engine(), options->release,
                                                         session.progress, session.private_folder);
        auto contradictions = release::manifest_contradictions(
            session.engine(), options->release, session.private_folder, session.progress);
        const auto file = release::ReleaseFile::read(options->release, session.private_folder);
        const std::string signer = contradicting_signer(file.manifest(), options->authority);
        if (!signer.empty()) contradictions.push_back(signer);
        Json result = verify::to_json(verification);
        if (!contradictions.empty()) {
          result["holds"] = false;
          result["contradictions"] = contradictions;
        }
        if (const Json figures = told_to_the_steward(file); !figures.empty())
          result["steward_only"] = figures;
        std::string note = release::not_held_against(release::kind_of(file), file.manifest());
        if (options->authority.empty() && !signing_keys(file.manifest()).empty())
          note +=
              " Whose key signed it nothing here shows: name the authority's certificate with "
              "--authority.";
        if (!note.empty()) result["note"] = note;
        session.print(result);
        return verification.holds() && contradictions.empty() ? 0 : 1;
      });
  verb.quick = true;
  verb.file_read("RELEASE", &options->release, "the released file, with its manifest beside it")
      .require();
  verb.file_read("authority", &options->authority,
                 "the certificate of a consortium's authority, which must have signed the claims");
  session.declare_private_read(verb);
}

}  // namespace pratique::app
