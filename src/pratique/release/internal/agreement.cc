#include "pratique/release/internal/agreement.h"

#include "pratique/release/internal/self_agreement.h"
#include "pratique/release/kinds.h"

namespace pratique::release {

std::vector<std::string> contradictions(const Evidence& evidence) {
  std::vector<std::string> disagreements = self_contradictions(evidence.manifest);
  if (const auto contradict = kind_of(evidence.file.kind()).contradict; contradict != nullptr)
    contradict(evidence, disagreements);
  return disagreements;
}

}  // namespace pratique::release
