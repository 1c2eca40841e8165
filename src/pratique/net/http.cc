#include "pratique/net/http.h"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>

namespace pratique::net {

Response json_response(const Json& json, int status) {
  Response response;
  response.status = status;
  response.body = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  return response;
}

Response problem_response(const Problem& problem) {
  Response response = json_response(to_json(problem), problem.status());
  response.type = "application/problem+json";
  if (problem.status() == 401) response.headers.emplace_back("WWW-Authenticate", "Bearer");
  return response;
}

std::string read_whole_body(const Request& request, std::uint64_t limit) {
  std::string body;
  bool too_large = request.body_bytes && *request.body_bytes > limit;
  const bool complete =
      too_large || !request.read_body || request.read_body([&](std::string_view block) {
        too_large = body.size() + block.size() > limit;
        if (!too_large) body += block;
        return !too_large;
      });
  if (too_large) {
    throw Problem(413, fmt::format("the body is larger than the limit of {} bytes", limit));
  }
  if (!complete) throw Problem(400, "the body ended early");
  return body;
}

std::uint64_t number_parameter(const Request& request, const std::string& name,
                               std::uint64_t fallback, std::uint64_t most) {
  const std::string text = request.parameter(name);
  if (text.empty()) return fallback;
  std::uint64_t value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size() || value > most) {
    throw Problem(400, fmt::format("{} must be a whole number up to {}", name, most));
  }
  return value;
}

}  // namespace pratique::net
