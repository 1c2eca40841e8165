// Errors of the API as RFC 9457 wants them: application/problem+json with type, title, status and
// detail, and two members of ours: hint (how to mend it) and place {file, line, column}.
#pragma once

#include <exception>
#include <string>

#include "pratique/core/error.h"
#include "pratique/core/json.h"

namespace pratique::net {

class Problem : public std::exception {
 public:
  Problem(int status, std::string detail) : status_(status), detail_(std::move(detail)) {}
  // What the library threw: bad input is 422, a check that did not hold 409, the machine's fault
  // 500.
  explicit Problem(const Error& error);

  Problem&& hint(std::string text) && {
    hint_ = std::move(text);
    return std::move(*this);
  }
  // "patients.csv", "patients.csv:17", "schema.yaml:4:9".
  Problem&& at(std::string place) && {
    place_ = std::move(place);
    return std::move(*this);
  }

  [[nodiscard]] int status() const { return status_; }
  [[nodiscard]] const std::string& detail() const { return detail_; }
  [[nodiscard]] const char* what() const noexcept override { return detail_.c_str(); }

 private:
  friend Json to_json(const Problem& problem);
  int status_;
  std::string detail_;
  std::string hint_;
  std::string place_;
};

[[nodiscard]] Json to_json(const Problem& problem);
// "Not Found" for 404.
[[nodiscard]] std::string status_title(int status);

}  // namespace pratique::net
