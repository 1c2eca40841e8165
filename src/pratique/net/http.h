// A request and its answer, free of any HTTP library: handlers are tested without a socket, and the
// library is included in one place.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pratique/core/json.h"
#include "pratique/net/problem.h"

namespace pratique::net {

struct Request {
  std::string method;
  std::string path;  // decoded
  std::map<std::string, std::string> query;
  std::map<std::string, std::string> headers;  // names in lower case; the last of several
  bool secure = false;                         // came by TLS
  std::string peer;                         // the client's name, where it had to show a certificate
  std::optional<std::uint64_t> body_bytes;  // as the client said
  // Gives the body in blocks until the taker returns false; false when the client went away.
  std::function<bool(const std::function<bool(std::string_view)>& take)> read_body;

  [[nodiscard]] std::string header(const std::string& name) const {
    const auto field = headers.find(name);
    return field == headers.end() ? "" : field->second;
  }
  [[nodiscard]] std::string parameter(const std::string& name) const {
    const auto value = query.find(name);
    return value == query.end() ? "" : value->second;
  }
};

struct Response {
  int status = 200;
  std::string type = "application/json";
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
  std::string_view fixed;  // instead of body: bytes that live as long as the program
  // Instead of body: a file's bytes, from a descriptor that is closed afterwards.
  int file = -1;
  std::uint64_t file_bytes = 0;
  // Instead of body: called until it returns false, each time with a way to send a block (which is
  // false when the client went away). It returns within a second, so that a stream can be ended.
  std::function<bool(const std::function<bool(std::string_view)>& send)> stream;
};

[[nodiscard]] Response json_response(const Json& json, int status = 200);
[[nodiscard]] Response problem_response(const Problem& problem);

// The whole body; throws Problem 413 above `limit` and 400 when the client went away.
[[nodiscard]] std::string read_whole_body(const Request& request, std::uint64_t limit);
// A whole number of a query; throws Problem 400.
[[nodiscard]] std::uint64_t number_parameter(const Request& request, const std::string& name,
                                             std::uint64_t fallback, std::uint64_t most);

}  // namespace pratique::net
