// What the command line, the map of risk and utility and the workbench call to protect a table by
// one of the methods.
#pragma once

#include "pratique/core/progress.h"
#include "pratique/tables/method/method.h"

namespace pratique::tables {

// The models, where those that compare with all records compare with those that leave: the others
// are in no file that a reader has.
[[nodiscard]] Models models_of_release(const Models& models, const ProtectionInput& input,
                                       const Recoding& recoding);

// Throws Error::check when the models cannot be satisfied within the suppression allowed.
//
// Models that compare with all records (t-closeness) hold of the records that leave. Which these
// are is known only after the search, so where records are suppressed it is repeated: by what left
// the last time, a few times, until the classes are close to what leaves; then closer and closer to
// all records. (Where all classes are within t / 2 of these, so is what leaves, a mixture of the
// classes, and each class is within t of that.)
[[nodiscard]] Protected protect(const ProtectionInput& input, const Models& models,
                                const Method& method, Progress& progress = Progress::silent());

// What nothing that satisfies the models can lose less than, by LM or NCP, for methods whose search
// does not say so itself; nothing where there is no such bound. In `time_limit` seconds.
[[nodiscard]] std::optional<double> bound_of_loss(const ProtectionInput& input,
                                                  const Models& models, const Method& method,
                                                  std::optional<double> time_limit = {},
                                                  Progress& progress = Progress::silent());

}  // namespace pratique::tables
