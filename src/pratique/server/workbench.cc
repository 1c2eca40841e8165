#include "pratique/server/workbench.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/core/version.h"
#include "pratique/release/kinds.h"
#include "pratique/server/candidates.h"
#include "pratique/server/child_process.h"

namespace pratique::server {
namespace {

constexpr std::string_view kHierarchies = "hierarchies/";  // of tables, by their path
constexpr std::string_view kApi = "/api/v1/";
constexpr std::uint64_t kLargestJobRequest = 1U << 20U;
constexpr std::uint64_t kLargestLogin = 4096;
constexpr std::uint64_t kMostRows = 1000;
constexpr std::uint64_t kFurthestRow = 1ULL << 53U;
constexpr std::chrono::milliseconds kGlance{500};
constexpr int kHeartbeat = 20;  // glances
constexpr std::chrono::seconds kAskPatience{60};

// The lines of `data` each have their own field; the client puts them together again.
std::string sse(std::string_view event, std::string_view data) {
  std::string text = fmt::format("event: {}\n", event);
  while (!data.empty()) {
    const auto end = std::min(data.find('\n'), data.size());
    text += fmt::format("data: {}\n", data.substr(0, end));
    data.remove_prefix(std::min(end + 1, data.size()));
  }
  return text + "\n";
}

void add_safety_headers(net::Response& response, bool api) {
  const auto set = [&](const char* name, const char* value) {
    const auto there = std::any_of(response.headers.begin(), response.headers.end(),
                                   [&](const auto& header) { return header.first == name; });
    if (!there) response.headers.emplace_back(name, value);
  };
  // Charts write styles into attributes; no style element but our own files is taken.
  set("Content-Security-Policy",
      "default-src 'self'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; "
      "img-src 'self' data: blob:; connect-src 'self'; frame-src 'self'; object-src 'none'; "
      "base-uri 'none'; form-action 'self'; frame-ancestors 'none'");
  set("X-Frame-Options", "DENY");
  set("X-Content-Type-Options", "nosniff");
  set("Referrer-Policy", "no-referrer");
  set("Cross-Origin-Opener-Policy", "same-origin");
  set("Cross-Origin-Resource-Policy", "same-origin");
  set("Permissions-Policy", "camera=(), microphone=(), geolocation=()");
  if (api) set("Cache-Control", "no-store");
}

// What stands in the place of the braces at the pattern's end, or in its middle; null when the path
// does not fit. A {path} may hold slashes.
std::optional<std::string> match(std::string_view pattern, std::string_view path) {
  const auto open = pattern.find('{');
  if (open == std::string_view::npos) {
    return pattern == path ? std::optional<std::string>("") : std::nullopt;
  }
  const auto close = pattern.find('}');
  const std::string_view before = pattern.substr(0, open);
  const std::string_view after = pattern.substr(close + 1);
  const bool slashes = pattern.substr(open, close + 1 - open) == "{path}";
  if (path.size() <= before.size() + after.size() || !path.starts_with(before) ||
      !path.ends_with(after)) {
    return std::nullopt;
  }
  const std::string_view part =
      path.substr(before.size(), path.size() - before.size() - after.size());
  if (!slashes && part.find('/') != std::string_view::npos) return std::nullopt;
  return std::string(part);
}

// The noun of the commands that show any file with columns.
std::string row_viewer() {
  for (const auto& kind : release::kinds()) {
    if (kind.shows_rows) return std::string(kind.noun);
  }
  return {};
}

}  // namespace

Workbench::Workbench(const WorkbenchOptions& options, Catalogue catalogue)
    : options_(options),
      catalogue_(std::move(catalogue)),
      folder_(options.data),
      gate_(options.token, options.hosts, options.secure, options.ended),
      jobs_(options.program, folder_.path(), options.jobs,
            [this](const Job& job) { check_job(job); }),
      files_(folder_, options.upload_bytes),
      rows_(folder_, [this](const std::string& path, std::uint64_t offset, std::size_t limit) {
        return ask({row_viewer(), "rows", path, fmt::format("--offset={}", offset),
                    fmt::format("--limit={}", limit)});
      }) {
  tidy_candidates(folder_);
  add_routes();
  add_job_routes();
  add_file_routes();
}

void Workbench::add(RouteDescription description, Handler handler) {
  descriptions_.push_back(std::move(description));
  handlers_.push_back(std::move(handler));
}

void Workbench::add_routes() {
  add({"GET", "/api/v1/openapi.json", "this document"},
      [this](const net::Request&, const std::string&) {
        return net::json_response(openapi_document(descriptions_, catalogue_));
      });
  add({.method = "GET",
       .pattern = "/api/v1/status",
       .summary = "version and limits",
       .answer = "Status"},
      [this](const net::Request&, const std::string&) { return net::json_response(status()); });
  add({.method = "GET",
       .pattern = "/api/v1/commands",
       .summary = "every command with its inputs and options",
       .answer = "Command",
       .list = true},
      [this](const net::Request&, const std::string&) {
        return net::json_response(to_json(catalogue_));
      });
  add({.method = "POST",
       .pattern = "/api/v1/session",
       .summary = "log in with {\"token\": ...}; sets a cookie",
       .body = "json",
       .status = 204},
      [this](const net::Request& request, const std::string&) { return log_in(request); });
  add({.method = "DELETE", .pattern = "/api/v1/session", .summary = "log out", .status = 204},
      [this](const net::Request& request, const std::string&) {
        gate_.end_session(request);
        net::Response response;
        response.status = 204;
        response.headers.emplace_back("Set-Cookie", gate_.logout_cookie());
        return response;
      });
}

void Workbench::add_job_routes() {
  const std::vector<RouteParameter> id = {{"id", true, false, "of the job"}};
  add({.method = "GET",
       .pattern = "/api/v1/jobs",
       .summary = "all jobs without their results, newest first",
       .answer = "Job",
       .list = true},
      [this](const net::Request&, const std::string&) {
        Json list = Json::array();
        for (const auto& job : jobs_.list()) list.push_back(to_json(job));
        return net::json_response(list);
      });
  add({.method = "GET",
       .pattern = "/api/v1/jobs/{id}",
       .summary = "one job with its result",
       .parameters = id,
       .answer = "Job"},
      [this](const net::Request&, const std::string& part) {
        net::Response response;
        response.body = jobs_.describe(part);
        return response;
      });
  add({.method = "DELETE",
       .pattern = "/api/v1/jobs/{id}",
       .summary = "cancel a job that has not ended, forget one that has",
       .parameters = id,
       .status = 204},
      [this](const net::Request&, const std::string& part) {
        jobs_.cancel_or_forget(part);
        net::Response response;
        response.status = 204;
        return response;
      });
  add({.method = "GET",
       .pattern = "/api/v1/jobs/{id}/events",
       .summary = "server-sent events: progress, point and end; past events come first",
       .parameters = id,
       .type = "text/event-stream"},
      [this](const net::Request&, const std::string& part) { return events(part); });
}

void Workbench::add_file_routes() {
  const RouteParameter path = {"path", true, false, "inside the data folder"};
  add({.method = "GET",
       .pattern = "/api/v1/files",
       .summary = "the files of the data folder",
       .answer = "File",
       .list = true},
      [this](const net::Request&, const std::string&) {
        Json list = Json::array();
        for (const auto& file : files_.list()) list.push_back(to_json(file));
        return net::json_response(list);
      });
  add({.method = "PUT",
       .pattern = "/api/v1/files/{path}",
       .summary =
           "upload a file, whole or not at all; with If-Match, only over the file of that ETag",
       .parameters = {path, {"replace", false, false, "1: a file of that name may be replaced"}},
       .body = "bytes",
       .status = 201,
       .answer = "File"},
      [this](const net::Request& request, const std::string& part) {
        const FileEntry taken = files_.take(part, request, request.parameter("replace") == "1");
        net::Response response = net::json_response(to_json(taken), 201);
        response.headers.emplace_back("ETag", taken.tag);
        return response;
      });
  add({.method = "GET",
       .pattern = "/api/v1/files/{path}",
       .summary = "download a file",
       .parameters = {path, {"inline", false, false, "1: to look at in a sandbox"}},
       .type = "application/octet-stream"},
      [this](const net::Request& request, const std::string& part) {
        return files_.give(part, request.parameter("inline") == "1");
      });
  add({.method = "DELETE",
       .pattern = "/api/v1/files/{path}",
       .summary = "delete a file",
       .parameters = {path},
       .status = 204},
      [this](const net::Request&, const std::string& part) {
        files_.remove(part);
        net::Response response;
        response.status = 204;
        return response;
      });
  const RouteParameter id = {"id", true, false, "of a file that was set aside"};
  add({.method = "POST",
       .pattern = "/api/v1/set-aside/{path}",
       .summary = "delete a file, to be undone for an hour at most",
       .parameters = {path},
       .answer = "Undo"},
      [this](const net::Request&, const std::string& part) {
        return net::json_response({{"undo", files_.set_aside(part)}});
      });
  add({.method = "POST",
       .pattern = "/api/v1/put-back/{id}",
       .summary = "undo it: the file has its name again",
       .parameters = {id},
       .answer = "File"},
      [this](const net::Request&, const std::string& part) {
        return net::json_response(to_json(files_.put_back(part)));
      });
  add({.method = "DELETE",
       .pattern = "/api/v1/put-back/{id}",
       .summary = "delete it for good",
       .parameters = {id},
       .status = 204},
      [this](const net::Request&, const std::string& part) {
        files_.forget(part);
        net::Response response;
        response.status = 204;
        return response;
      });
  add({.method = "GET",
       .pattern = "/api/v1/rows/{path}",
       .summary = "a page of a table",
       .parameters = {path,
                      {"offset", false, true, "the first row, from 0"},
                      {"limit", false, true, "how many rows, at most 1000 (default 100)"}},
       .answer = "Rows"},
      [this](const net::Request& request, const std::string& part) {
        net::Response response;
        response.body = rows_.page(part, net::number_parameter(request, "offset", 0, kFurthestRow),
                                   net::number_parameter(request, "limit", 100, kMostRows));
        return response;
      });
  add({.method = "GET",
       .pattern = "/api/v1/distributions/{path}",
       .summary = "how the values of columns are distributed",
       .parameters = {path,
                      {"columns", false, false, "comma-separated (default: all)"},
                      {"top", false, true, "bins of each column (default 20)"}},
       .answer = "Distributions"},
      [this](const net::Request& request, const std::string& part) {
        return distributions(request, part);
      });
}

net::Response Workbench::handle(const net::Request& request) {
  net::Response response;
  try {
    response = answer(request);
  } catch (const net::Problem& problem) {
    response = net::problem_response(problem);
  } catch (const Error& error) {
    response = net::problem_response(net::Problem(error));
  } catch (const std::bad_alloc&) {
    response = net::problem_response(net::Problem(503, "the machine has no memory left"));
  } catch (const std::exception&) {
    response = net::problem_response(net::Problem(500, "an unexpected fault inside pratique"));
  }
  add_safety_headers(response, request.path.starts_with("/api/") || response.status >= 400);
  return response;
}

net::Response Workbench::answer(const net::Request& request) {
  gate_.check_host(request);
  const bool reads = request.method == "GET" || request.method == "HEAD";
  if (request.path == "/login" && reads && request.query.contains("token")) {
    if (!gate_.is_token(request.parameter("token"))) {
      throw net::Problem(401, "this is not the token")
          .hint("It is printed when the server starts.");
    }
    net::Response response;
    response.status = 303;
    response.headers.emplace_back("Location", "/");
    response.headers.emplace_back("Set-Cookie", gate_.login_cookie());
    response.headers.emplace_back("Cache-Control", "no-store");
    return response;
  }
  if (request.path.starts_with("/api/")) {
    const bool logging_in = request.path == "/api/v1/session" && request.method == "POST";
    if (logging_in) {
      gate_.check_same_origin(request);
    } else {
      gate_.check_api(request);
    }
    return route(request);
  }
  if (!reads) throw net::Problem(405, "this is read-only");
  return give_asset(options_.assets, request);
}

net::Response Workbench::route(const net::Request& request) {
  const std::string method = request.method == "HEAD" ? "GET" : request.method;
  bool other_method = false;
  for (std::size_t i = 0; i < descriptions_.size(); ++i) {
    const auto part = match(descriptions_[i].pattern, request.path);
    if (!part) continue;
    if (descriptions_[i].method == method) return handlers_[i](request, *part);
    other_method = true;
  }
  if (request.path.starts_with(kApi)) {
    const Command* command = catalogue_.find(std::string_view(request.path).substr(kApi.size()));
    if (command != nullptr) {
      if (method == "POST") return start_job(*command, request);
      other_method = true;
    }
  }
  if (other_method) throw net::Problem(405, "this method is not allowed here");
  throw net::Problem(404, "there is nothing here")
      .hint("GET /api/v1/openapi.json says what there is.");
}

net::Response Workbench::log_in(const net::Request& request) {
  const Json body = Json::parse(net::read_whole_body(request, kLargestLogin), nullptr, false);
  if (!body.is_object() || !body.contains("token") || !body.at("token").is_string()) {
    throw net::Problem(400, "log in with {\"token\": \"...\"}");
  }
  if (!gate_.is_token(body.at("token").get<std::string>())) {
    throw net::Problem(401, "this is not the token").hint("It is printed when the server starts.");
  }
  net::Response response;
  response.status = 204;
  response.headers.emplace_back("Set-Cookie", gate_.login_cookie());
  return response;
}

net::Response Workbench::start_job(const Command& command, const net::Request& request) {
  const std::string body = net::read_whole_body(request, kLargestJobRequest);
  const JobRequest parsed = parse_job_request(command, body, folder_);
  for (const auto& output : parsed.outputs) {
    const bool candidate = output.starts_with(kCandidates);
    if (!candidate && !output.starts_with(kHierarchies)) continue;
    if (candidate) tidy_candidates(folder_);
    std::error_code ignored;  // the job says what is wrong
    std::filesystem::create_directories(
        std::filesystem::path(folder_.confine(output)).parent_path(), ignored);
  }
  const Job job = jobs_.submit(parsed);
  net::Response response = net::json_response(to_json(job), 202);
  response.headers.emplace_back("Location", "/api/v1/jobs/" + job.id);
  return response;
}

void Workbench::check_job(const Job& job) const {
  const Command* command = catalogue_.find(path_of(job.noun, job.verb));
  if (command != nullptr) (void)parse_job_request(*command, job.request, folder_);
}

net::Response Workbench::events(const std::string& id) {
  Jobs::Cursor cursor;
  (void)jobs_.watch(id, cursor, std::chrono::milliseconds(0));  // 404 before the stream begins
  net::Response response;
  response.type = "text/event-stream";
  response.headers.emplace_back("X-Accel-Buffering", "no");
  response.stream = [this, id, seen = Jobs::Cursor{}, quiet = 0](const auto& send) mutable {
    try {
      const auto news = jobs_.watch(id, seen, kGlance);
      std::string text;
      for (const auto& point : news.points) text += sse("point", point);
      if (!news.progress.empty()) text += sse("progress", news.progress);
      if (news.ended) text += sse("end", jobs_.describe(id));
      quiet = text.empty() ? quiet + 1 : 0;
      if (quiet % kHeartbeat == 1) text = ": still there\n\n";
      return (text.empty() || send(text)) && !news.ended && !news.broken_off;
    } catch (const std::exception&) {
      return false;  // it was forgotten meanwhile
    }
  };
  return response;
}

net::Response Workbench::distributions(const net::Request& request, const std::string& path) {
  const int file = folder_.open_file(path);
  std::string key = file_state(file);
  close(file);
  const std::string columns = request.parameter("columns");
  std::vector<std::string> arguments = {
      row_viewer(), "distributions", path,
      fmt::format("--top={}", net::number_parameter(request, "top", 20, 1000))};
  if (columns.find('\0') != std::string::npos)
    throw net::Problem(400, "columns contains a NUL byte");
  if (!columns.empty()) arguments.push_back("--columns=" + columns);
  if (path.starts_with('-')) throw net::Problem(400, "a path may not begin with a dash");
  for (const auto& word : arguments) key += word + '\0';
  net::Response response;
  response.body = distributions_.get(key, [&] { return ask(arguments); });
  return response;
}

std::string Workbench::ask(const std::vector<std::string>& arguments) {
  if (!askers_.try_acquire_for(kAskPatience)) throw net::Problem(503, "too many requests at once");
  try {
    std::string text = jobs_.ask(arguments, kAskPatience);
    askers_.release();
    return text;
  } catch (...) {
    askers_.release();
    throw;
  }
}

Json Workbench::status() const {
  return {{"version", kVersion},
          {"data", folder_.path()},
          {"limits",
           {{"upload", options_.upload_bytes},
            {"jobs", options_.jobs.running},
            {"queue", options_.jobs.queued},
            {"memory", options_.jobs.memory_bytes}}},
          {"loopback", options_.loopback},
          {"confined", children_are_confined()}};
}

}  // namespace pratique::server
