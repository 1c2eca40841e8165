#include "pratique/net/problem.h"

#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

namespace pratique::net {
namespace {

int status_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::check_failed:
      return 409;
    case ErrorCode::bad_input:
      return 422;
    case ErrorCode::cancelled:
      return 503;
    case ErrorCode::machine:
      break;
  }
  return 500;
}

// Takes ":17" off the end of the place.
std::optional<unsigned> take_number(std::string_view& place) {
  const auto colon = place.rfind(':');
  if (colon == std::string_view::npos || colon + 1 == place.size()) return std::nullopt;
  const std::string_view digits = place.substr(colon + 1);
  unsigned number = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (parsed.ec != std::errc() || parsed.ptr != digits.data() + digits.size()) return std::nullopt;
  place = place.substr(0, colon);
  return number;
}

Json place_json(std::string_view place) {
  const auto last = take_number(place);
  const auto first = last ? take_number(place) : std::nullopt;
  Json json = {{"file", std::string(place)}};
  if (first) {
    json["line"] = *first;
    json["column"] = *last;
  } else if (last) {
    json["line"] = *last;
  }
  return json;
}

}  // namespace

Problem::Problem(const Error& error)
    : status_(status_of(error.code())),
      detail_(error.message()),
      hint_(error.hint()),
      place_(error.place()) {}

Json to_json(const Problem& problem) {
  Json json = {{"type", "about:blank"},
               {"title", status_title(problem.status_)},
               {"status", problem.status_},
               {"detail", problem.detail_}};
  if (!problem.hint_.empty()) json["hint"] = problem.hint_;
  if (!problem.place_.empty()) json["place"] = place_json(problem.place_);
  return json;
}

std::string status_title(int status) {
  struct Title {
    int status;
    const char* text;
  };
  static constexpr std::array titles{
      Title{200, "OK"},
      Title{201, "Created"},
      Title{202, "Accepted"},
      Title{204, "No Content"},
      Title{303, "See Other"},
      Title{304, "Not Modified"},
      Title{400, "Bad Request"},
      Title{401, "Unauthorized"},
      Title{403, "Forbidden"},
      Title{404, "Not Found"},
      Title{405, "Method Not Allowed"},
      Title{408, "Request Timeout"},
      Title{409, "Conflict"},
      Title{411, "Length Required"},
      Title{413, "Content Too Large"},
      Title{414, "URI Too Long"},
      Title{415, "Unsupported Media Type"},
      Title{421, "Misdirected Request"},
      Title{422, "Unprocessable Content"},
      Title{429, "Too Many Requests"},
      Title{431, "Request Header Fields Too Large"},
      Title{500, "Internal Server Error"},
      Title{503, "Service Unavailable"},
      Title{507, "Insufficient Storage"},
  };
  for (const auto& title : titles) {
    if (title.status == status) return title.text;
  }
  return status < 500 ? "Bad Request" : "Internal Server Error";
}

}  // namespace pratique::net
