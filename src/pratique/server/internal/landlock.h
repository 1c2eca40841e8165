// Landlock (Linux 5.13): a process gives up, for itself and its children, all rights to files but
// those listed. See landlock(7).
#pragma once

#include <string>
#include <vector>

namespace pratique::server {

// A descriptor of rules by which the given folders may be changed, and the system's be read and
// run; -1 where the kernel has no Landlock. What is open or mapped already stays so.
[[nodiscard]] int make_landlock_rules(const std::vector<std::string>& writable);
// For this thread and what it starts. False when it could not.
[[nodiscard]] bool apply_landlock_rules(int rules) noexcept;

}  // namespace pratique::server
