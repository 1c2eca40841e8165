// Which method a request asks for, and what it makes of a prepared table.
#pragma once

#include <string>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/tables/flow/prepared_table.h"
#include "pratique/tables/flow/protect_request.h"
#include "pratique/tables/method/protection.h"

namespace pratique::tables::flow {

// Throws Error where an option that was given changes nothing under any of the methods.
void refuse_unused(const ProtectRequest& options, const std::vector<std::string>& methods);

// What the method makes of the table under these models. What satisfies a larger k satisfies a
// smaller one: beside other models, where a larger k may lead local recoding to smaller losses,
// those of 2, 3, 5, 7, 11, 20 and 50 are tried too, and what loses least is taken. Throws as
// tables::protect does.
[[nodiscard]] tables::Protected protect_prepared(PreparedTable& prepared,
                                                 const tables::Models& models,
                                                 const tables::Method& method, Progress& progress);

// The method asked for. It points at the prepared table.
[[nodiscard]] tables::Method method_of(const ProtectRequest& options,
                                       const PreparedTable& prepared);

}  // namespace pratique::tables::flow
