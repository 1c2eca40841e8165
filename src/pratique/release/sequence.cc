#include "pratique/release/sequence.h"

#include "pratique/release/kinds.h"

namespace pratique::release {

SequenceRevealed attack_sequence(Engine& engine, const SequenceRequest& request,
                                 Progress& progress) {
  const std::string kind = request.added.kind();
  SequenceRequest same = request;
  std::erase_if(same.earlier, [&](const ReleaseFile& file) { return file.kind() != kind; });
  SequenceRevealed revealed;
  if (const auto attack = kind_of(request.added).attack_sequence; attack != nullptr) {
    revealed = attack(engine, same, progress);
  } else {
    revealed.why_not = "there is no attack on releases of this kind";
  }
  for (const auto& file : request.earlier) {
    if (file.kind() != kind) leave_out(revealed, file.sha256(), "it is a release of another kind");
  }
  return revealed;
}

}  // namespace pratique::release
