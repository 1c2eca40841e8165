#include "pratique/notes/flow/attack.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/kind/release_file.h"
#include "pratique/notes/attack/register_attack.h"

namespace pratique::notes::flow {
namespace {

Json exposure_json(const NotesExposure& exposure) {
  return {{"leaks", exposure.leaks},
          {"notes_with_leaks", exposure.notes_with_leaks},
          {"reidentified", exposure.reidentified},
          {"compared", exposure.compared}};
}

}  // namespace

Outcome attack(const AttackRequest& request, const Run& run) {
  const Register known = Register::read(request.known, run);
  std::string original = request.original;
  bool surrogates = false;
  std::error_code failed;
  if (std::filesystem::exists(Manifest::path_of(request.release), failed)) {
    const auto file = release::ReleaseFile::read(request.release, run.private_folder);
    surrogates = file.manifest().parameters->value("replace", "") == "surrogates";
    if (original.empty() && !file.manifest().inputs.empty()) {
      if (const auto place = file.find_input(file.manifest().inputs.front().path))
        original = *place;
    }
  }
  const OpenedNotes notes = open_notes({.path = request.release}, run);
  const NotesExposure after = attack_notes_with(notes, known, surrogates, run);
  Json before = nullptr;
  std::uint64_t compared = after.compared;
  if (!original.empty()) {
    const OpenedNotes first = open_notes({.path = original}, run);
    const NotesExposure exposure = attack_notes_with(first, known, false, run);
    compared += exposure.compared;
    before = exposure_json(exposure);
  }
  // Names can always be looked for; a register of other things has to have met something.
  const bool named = std::any_of(known.people.begin(), known.people.end(),
                                 [](const auto& person) { return !person.names.empty(); });
  const bool tried = after.notes > 0 && known.comparable && (named || compared > 0);
  Json result = {{"tried", tried},
                 {"notes", after.notes},
                 {"patients", after.patients},
                 {"people", known.people.size()},
                 {"leaks", after.leaks},
                 {"reidentified", after.reidentified}};
  if (surrogates) result["told"] = after.told;
  result["before"] = std::move(before);
  result["after"] = exposure_json(after);
  const bool passed = tried && after.leaks <= request.max_leaks.value_or(after.leaks) &&
                      after.reidentified <= request.max_reidentified.value_or(after.reidentified);
  return {result, passed};
}

}  // namespace pratique::notes::flow
