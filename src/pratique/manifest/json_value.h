// A JSON value as a member of a type: immutable and cheap to copy. Headers do not include the JSON
// library (core/json.h), so they cannot hold a Json by value.
#pragma once

#include <memory>

#include "pratique/core/json.h"

namespace pratique {

class JsonValue {
 public:
  JsonValue();                   // an empty object
  JsonValue(const Json& value);  // NOLINT(google-explicit-constructor): it is that value

  [[nodiscard]] const Json& operator*() const { return *value_; }
  [[nodiscard]] const Json* operator->() const { return value_.get(); }

 private:
  std::shared_ptr<const Json> value_;
};

}  // namespace pratique
