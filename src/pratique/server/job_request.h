// A request for a job as words of a command line.
//
//   {"inputs": ["patients.csv"], "options": {"qi": ["age", "sex"], "k": 5, "relaxed": true}}
//
// becomes `tables assess patients.csv --qi=age,sex --k=5 --relaxed --json`. Every key must be an
// option of the command and its value of the option's kind; every word that can name a file, by the
// kind of its option, is confined to the data folder. A value is always in one word with its option
// and an input never begins with a dash, so nothing in a request can become an option that was not
// asked for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pratique/core/json.h"
#include "pratique/server/catalogue.h"
#include "pratique/server/confined_path.h"

namespace pratique::server {

struct JobRequest {
  std::string noun;
  std::string verb;
  std::vector<std::string> arguments;     // without --json, which every job gets
  std::string command;                    // the same for a person, ready to paste into a shell
  bool quick = false;                     // it answers in seconds
  std::vector<std::string> outputs = {};  // files and folders that it writes
  std::string request = {};               // as it was posted: text of JSON, {"inputs", "options"}
};

// Throws Problem 400 (malformed, or a path that leads out) or 422 (an option that is not known or
// lacks).
[[nodiscard]] JobRequest parse_job_request(const Command& command, std::string_view body,
                                           const DataFolder& folder);

// For a shell: quoted where it must be.
[[nodiscard]] std::string shell_word(std::string_view word);

}  // namespace pratique::server
