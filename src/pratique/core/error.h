// The one error type. Library code throws it; only the edge (command line, HTTP) turns it into an
// exit code or a status. A message never carries a value from private data.
#pragma once

#include <stdexcept>
#include <string>

namespace pratique {

enum class ErrorCode {
  check_failed = 1,  // a check did not hold: verification failed, an attack passed its threshold
  bad_input = 2,     // bad usage or input; the user can mend it
  machine = 3,       // disk, network, memory
  cancelled = 130,   // the user asked to stop
};

class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}

  static Error input(const std::string& message) { return {ErrorCode::bad_input, message}; }
  static Error machine(const std::string& message) { return {ErrorCode::machine, message}; }
  static Error check(const std::string& message) { return {ErrorCode::check_failed, message}; }
  static Error cancelled() { return {ErrorCode::cancelled, "stopped on request"}; }

  // Where: "patients.csv", "patients.csv:17", "schema.yaml:4:9".
  Error& at(std::string place) & {
    place_ = std::move(place);
    return *this;
  }
  Error&& at(std::string place) && { return std::move(at(std::move(place))); }

  // How to mend it, as a sentence.
  Error& hint(std::string hint) & {
    hint_ = std::move(hint);
    return *this;
  }
  Error&& hint(std::string text) && { return std::move(hint(std::move(text))); }

  [[nodiscard]] ErrorCode code() const { return code_; }
  [[nodiscard]] std::string message() const { return what(); }
  [[nodiscard]] const std::string& place() const { return place_; }
  [[nodiscard]] const std::string& hint() const { return hint_; }

 private:
  ErrorCode code_;
  std::string place_;
  std::string hint_;
};

}  // namespace pratique
