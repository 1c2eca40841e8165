// The OpenAPI 3.1 document, generated from the routes that are served and the catalogue of
// commands: it cannot name what is not there.
#pragma once

#include <string>
#include <vector>

#include "pratique/core/json.h"
#include "pratique/server/catalogue.h"

namespace pratique::server {

struct RouteParameter {
  std::string name;
  bool in_path = false;
  bool number = false;
  std::string description;
};

// What is to be said of a route.
struct RouteDescription {
  std::string method;   // GET
  std::string pattern;  // /api/v1/jobs/{id}
  std::string summary;
  std::vector<RouteParameter> parameters = {};
  std::string body = {};    // the kind of body: "", "json", "bytes"
  int status = 200;         // of success
  std::string answer = {};  // the schema's name; empty: no content of a known schema
  std::string type = "application/json";
  bool list = false;  // the answer is a list of it
};

[[nodiscard]] Json openapi_document(const std::vector<RouteDescription>& routes,
                                    const Catalogue& catalogue);

}  // namespace pratique::server
