#include "pratique/release/internal/agreement.h"

#include "pratique/release/internal/kind_agreement.h"
#include "pratique/release/internal/self_agreement.h"
#include "pratique/release/kinds.h"

namespace pratique::release {

std::vector<std::string> contradictions(const Evidence& evidence) {
  std::vector<std::string> disagreements = self_contradictions(evidence.manifest);
  const Kind& kind = kind_of(evidence.file);
  const auto misfits = kind_misfits(kind, evidence.manifest);
  const auto files = unrecorded_files(kind, evidence.manifest);
  disagreements.insert(disagreements.end(), misfits.begin(), misfits.end());
  disagreements.insert(disagreements.end(), files.begin(), files.end());
  // A kind reads what it wrote itself.
  if (kind.contradict != nullptr && misfits.empty()) kind.contradict(evidence, disagreements);
  return disagreements;
}

}  // namespace pratique::release
