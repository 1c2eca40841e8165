#include "pratique/server/job.h"

#include <fmt/chrono.h>

#include <array>
#include <chrono>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"

namespace pratique::server {
namespace {

constexpr std::array kStates{JobState::queued, JobState::running,   JobState::done,
                             JobState::failed, JobState::cancelled, JobState::interrupted};

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }
Json parsed_or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json::parse(text);
}

std::string text_at(const Json& json, const char* key) {
  return json.contains(key) && json.at(key).is_string() ? json.at(key).get<std::string>() : "";
}
std::string dumped_at(const Json& json, const char* key) {
  return json.contains(key) && !json.at(key).is_null() ? json.at(key).dump() : "";
}

}  // namespace

const char* name_of(JobState state) {
  switch (state) {
    case JobState::queued:
      return "queued";
    case JobState::running:
      return "running";
    case JobState::done:
      return "done";
    case JobState::failed:
      return "failed";
    case JobState::cancelled:
      return "cancelled";
    case JobState::interrupted:
      break;
  }
  return "interrupted";
}

Json to_json(const Job& job) {
  Json points = Json::array();
  for (const auto& point : job.points) points.push_back(Json::parse(point));
  return {{"id", job.id},
          {"number", job.number},
          {"noun", job.noun},
          {"verb", job.verb},
          {"command", job.command},
          {"arguments", job.arguments},
          {"request", parsed_or_null(job.request)},
          {"state", name_of(job.state)},
          {"exit", job.exit ? Json(*job.exit) : Json(nullptr)},
          {"version", job.version},
          {"created", job.created},
          {"started", text_or_null(job.started)},
          {"ended", text_or_null(job.ended)},
          {"progress", parsed_or_null(job.progress)},
          {"points", std::move(points)},
          {"problem", parsed_or_null(job.problem)}};
}

Job job_from_json(const Json& json) {
  try {
    Job job;
    job.id = json.at("id").get<std::string>();
    job.number = json.at("number").get<std::uint64_t>();
    job.noun = json.at("noun").get<std::string>();
    job.verb = json.at("verb").get<std::string>();
    job.command = json.at("command").get<std::string>();
    job.arguments = json.at("arguments").get<std::vector<std::string>>();
    job.request = dumped_at(json, "request");
    const auto state = json.at("state").get<std::string>();
    job.state = JobState::interrupted;
    for (const auto known : kStates) {
      if (state == name_of(known)) job.state = known;
    }
    if (json.at("exit").is_number_integer()) job.exit = json.at("exit").get<int>();
    job.version = json.value("version", "");
    job.created = text_at(json, "created");
    job.started = text_at(json, "started");
    job.ended = text_at(json, "ended");
    job.progress = dumped_at(json, "progress");
    for (const auto& point : json.at("points")) job.points.push_back(point.dump());
    job.problem = dumped_at(json, "problem");
    return job;
  } catch (const Json::exception&) {
    throw Error::input("this is not the record of a job");
  }
}

std::string utc_now() {
  const auto now = std::chrono::system_clock::now();
  const auto milliseconds =
      std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count() % 1000;
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(now)), milliseconds);
}

}  // namespace pratique::server
