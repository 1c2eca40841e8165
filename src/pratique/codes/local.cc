#include "pratique/codes/internal/cut.h"
#include "pratique/codes/km_methods.h"

namespace pratique::codes {

Recoding anonymise_locally(const Task& task, Progress& progress) {
  return anonymise_by_apriori(task, progress);
}

}  // namespace pratique::codes
