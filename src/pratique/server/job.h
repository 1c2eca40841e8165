// A job: one run of a command, as the API shows it and as it is kept on disk.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pratique/core/json.h"

namespace pratique::server {

// interrupted: the server ended before the job did.
enum class JobState { queued, running, done, failed, cancelled, interrupted };
[[nodiscard]] const char* name_of(JobState state);
[[nodiscard]] inline bool has_ended(JobState state) {
  return state != JobState::queued && state != JobState::running;
}

struct Job {
  std::string id;
  std::uint64_t number = 0;  // in the order they were asked for
  std::string noun;
  std::string verb;
  std::string command;
  std::vector<std::string> arguments;
  // What was asked for, inputs and options; empty in records of before. Text of JSON, as below.
  std::string request = {};
  JobState state = JobState::queued;
  std::optional<int> exit;
  std::string version = {};  // of the program that ran it; empty in records of before
  std::string created;       // ISO 8601, UTC
  std::string started;
  std::string ended;
  // Texts of JSON: they are passed on, never looked into.
  std::string progress;
  std::vector<std::string> points;
  std::string problem;
};

// Without its result, which may be large and stays on disk.
[[nodiscard]] Json to_json(const Job& job);
// Throws Error when the text is no job.
[[nodiscard]] Job job_from_json(const Json& json);
// Now, as 2025-01-31T12:34:56.789Z.
[[nodiscard]] std::string utc_now();

}  // namespace pratique::server
