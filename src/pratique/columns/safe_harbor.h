// The columns that look like one of the 18 identifiers of HIPAA's Safe Harbor method (45 CFR
// 164.514(b)(2)(i), A to R), by their name, by their content, or both.
//
// Names are taken apart into words and compared with word lists; content is what share of the rows
// has the shape of an identifier (an address of e-mail, a date more precise than a year, ...). A
// name alone is enough unless the content speaks against it: a birth date that holds years only,
// a postcode of three digits, an id that hundreds of rows share. Shapes that only an identifier has
// (e-mail, web, 3-2-4 digits of a social security number) count from the first row; others from a
// share on. It finds suspects; a person decides. No value of the data appears in a finding.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pratique/columns/column_content.h"
#include "pratique/data/table.h"

namespace pratique::columns {

enum class SafeHarborIdentifier {
  names,                    // A
  geography,                // B: smaller than a state, but for three digits of a ZIP code
  dates,                    // C: all elements but the year
  ages_over_89,             // C too
  telephone_numbers,        // D
  fax_numbers,              // E
  email_addresses,          // F
  social_security_numbers,  // G
  medical_record_numbers,   // H
  health_plan_numbers,      // I
  account_numbers,          // J
  license_numbers,          // K: certificates too
  vehicle_identifiers,      // L
  device_identifiers,       // M
  web_addresses,            // N
  ip_addresses,             // O
  biometric_identifiers,    // P
  photographs,              // Q
  other_unique_identifiers  // R
};

// "telephone numbers"
[[nodiscard]] std::string_view to_string(SafeHarborIdentifier identifier);
// The letter of the paragraph.
[[nodiscard]] char paragraph(SafeHarborIdentifier identifier);

struct SafeHarborFinding {
  enum class By { name, content, both };
  std::string column;
  SafeHarborIdentifier identifier = SafeHarborIdentifier::names;
  By by = By::name;
  double share = 0;  // of all rows: with this shape; by name alone, with any value
  std::string why;
};

[[nodiscard]] std::string_view to_string(SafeHarborFinding::By by);

// Whether cells name months or weekdays, or a day of a year that is not named.
[[nodiscard]] bool is_of_months_or_weekdays(const ColumnContent& content);
[[nodiscard]] bool is_of_days_and_months(const ColumnContent& content);

// What one column looks like, the surest first. `content` is that of the column.
[[nodiscard]] std::vector<SafeHarborFinding> safe_harbor_findings(const std::string& column,
                                                                  const ColumnContent& content);

}  // namespace pratique::columns
