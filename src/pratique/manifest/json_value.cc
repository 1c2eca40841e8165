#include "pratique/manifest/json_value.h"

#include <nlohmann/json.hpp>

namespace pratique {

JsonValue::JsonValue() : value_(std::make_shared<const Json>(Json::object())) {}
JsonValue::JsonValue(const Json& value) : value_(std::make_shared<const Json>(value)) {}

}  // namespace pratique
