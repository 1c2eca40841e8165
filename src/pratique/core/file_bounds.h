// Bounds for a process that works at somebody else's request: a job of the workbench.
//
// From set_file_bounds on, whatever a command line, a settings file or a manifest names, file.h
// reads and writes only
//   - what lies in `folder`, links followed, with no hidden part in its path but
//     .pratique/private, and
//   - what lies in `scratch`, and the files that this process is itself writing.
// A file that is being written outside `scratch` is noted there first, so that whoever outlives
// this process can remove what it left when it was killed.
#pragma once

#include <set>
#include <string>

namespace pratique {

// Before there is a second thread. `scratch` may be a hidden folder inside `folder`. An empty
// folder lifts the bounds.
void set_file_bounds(const std::string& folder, const std::string& scratch);

// Removes what the notes in `scratch` name inside `folder`: of processes that are gone, or of all.
enum class LeftOver { of_dead_processes, of_all };
void remove_left_over_files(const std::string& folder, const std::string& scratch, LeftOver which);

// For file.cc. Throws Error when the bounds forbid this path; `own` are this process's unfinished
// files.
void require_within_bounds(const std::string& path, const std::set<std::string>& own);
// The path of the note, empty where none is needed.
[[nodiscard]] std::string note_unfinished(const std::string& path);

}  // namespace pratique
