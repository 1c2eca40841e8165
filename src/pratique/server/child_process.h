// One run of the program as a child process: what a job is made of.
//
// The child is a group of its own, so that a signal to it reaches whatever it starts. It works in
// the data folder and gets no descriptor of the server's. Before it does anything else (join_job,
// in main), it takes on its limits:
//   - it is told to stop (SIGTERM) when the thread that made it ends, so a server that dies leaves
//     no orphan, and the child still cleans up after itself;
//   - it gives up memory beyond its share, core dumps, and priority;
//   - it opens no file outside the data folder and no hidden one, whatever a file it reads may name
//     (core/file_bounds.h);
//   - where the kernel has Landlock (5.13) it gives up all rights to files outside the data folder,
//     but for reading the system's own, in case the rule before has a hole.
// Nothing of ours runs between fork and exec, where a process of many threads may do next to
// nothing.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace pratique::server {

struct ChildOptions {
  std::string program;                    // /proc/self/exe
  std::vector<std::string> arguments;     // without the program's name
  std::string folder;                     // works here, and may change only what is in it
  std::string scratch;                    // for temporary files; inside `folder`
  int output = -1;                        // a descriptor for its standard output
  std::uint64_t memory_bytes = 0;         // of data; 0: no limit
  std::chrono::milliseconds grace{6000};  // from the first signal to the last
};

struct ChildEnd {
  int exit = -1;         // its code, or 128 and the signal that ended it
  bool stopped = false;  // because it was asked to
  bool killed = false;   // ended by a signal
};

// Runs it to its end. Lines of its standard error go to `line`; when `should_stop` says so, it is
// interrupted, and killed when that does not help. Call it from a thread that lives as long.
[[nodiscard]] ChildEnd run_child(const ChildOptions& options,
                                 const std::function<void(std::string_view)>& line,
                                 const std::function<bool()>& should_stop);

// For main, before there is a second thread: takes on the limits when run_child started this
// process. Throws Error when it cannot.
void join_job();
// Whether this process took on such limits.
[[nodiscard]] bool in_job();

// Whether this kernel confines children.
[[nodiscard]] bool children_are_confined();

}  // namespace pratique::server
