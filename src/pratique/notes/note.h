// A clinical note and the identifiers in it. Inside the program a span counts bytes; in files it
// counts code points, end exclusive, as brat and Python do (format/code_points.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pratique::notes {

// All types of spans, in the order of docs/notes.md.
[[nodiscard]] inline const std::vector<std::string>& span_types() {
  static const std::vector<std::string> kTypes = {
      "name",    "age",     "date",   "location", "hospital",   "phone",       "fax",
      "email",   "url",     "ip",     "ssn",      "mrn",        "account",     "plan",
      "licence", "vehicle", "device", "id",       "profession", "organisation"};
  return kTypes;
}

// Of one of these types; other corpora's are kept as they are in gold spans.
struct Span {
  std::size_t start = 0;
  std::size_t end = 0;
  std::string type;
  double certainty = 1;     // that it is an identifier
  std::string detail = {};  // of a name, where it is known: clinician, relative
};

struct Note {
  std::string id;
  std::string text;
  std::string patient = {};
  std::vector<Span> spans = {};
};

}  // namespace pratique::notes
