#include "pratique/columns/safe_harbor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "pratique/columns/internal/column_name.h"
#include "pratique/columns/internal/identifier_names.h"
#include "pratique/columns/role_advice.h"

namespace pratique::columns {
namespace {

using Identifier = SafeHarborIdentifier;
using internal::ColumnName;
using internal::NameRule;

struct Description {
  Identifier identifier;
  char paragraph;
  std::string_view text;
};

constexpr std::array<Description, 19> kDescriptions = {{
    {Identifier::names, 'A', "names"},
    {Identifier::geography, 'B', "geographic units smaller than a state"},
    {Identifier::dates, 'C', "dates more precise than the year"},
    {Identifier::ages_over_89, 'C', "ages over 89"},
    {Identifier::telephone_numbers, 'D', "telephone numbers"},
    {Identifier::fax_numbers, 'E', "fax numbers"},
    {Identifier::email_addresses, 'F', "email addresses"},
    {Identifier::social_security_numbers, 'G', "social security numbers"},
    {Identifier::medical_record_numbers, 'H', "medical record numbers"},
    {Identifier::health_plan_numbers, 'I', "health plan beneficiary numbers"},
    {Identifier::account_numbers, 'J', "account numbers"},
    {Identifier::license_numbers, 'K', "certificate and license numbers"},
    {Identifier::vehicle_identifiers, 'L', "vehicle identifiers"},
    {Identifier::device_identifiers, 'M', "device identifiers"},
    {Identifier::web_addresses, 'N', "web addresses"},
    {Identifier::ip_addresses, 'O', "IP addresses"},
    {Identifier::biometric_identifiers, 'P', "biometric identifiers"},
    {Identifier::photographs, 'Q', "full-face photographs"},
    {Identifier::other_unique_identifiers, 'R', "other unique identifying numbers or codes"},
}};

const Description& description(Identifier identifier) {
  return kDescriptions[static_cast<std::size_t>(identifier)];
}

// The content that would make a name harmless.
bool content_speaks_against(const NameRule& rule, const ColumnContent& content) {
  constexpr double kNearlyAll = 0.95;
  constexpr std::uint64_t kShared = 100;  // rows per value from which a code names a group
  switch (rule.identifier) {
    case Identifier::dates:
      return content.share(Shape::year) >= kNearlyAll || content.type == ColumnType::boolean;
    case Identifier::geography:
      return (internal::is_of_postcodes(rule.phrase) &&
              content.share(Shape::zip_prefix) >= kNearlyAll) ||
             content.type == ColumnType::boolean;
    case Identifier::other_unique_identifiers:
    case Identifier::health_plan_numbers:
    case Identifier::account_numbers:
    case Identifier::license_numbers:
    case Identifier::device_identifiers:
      return content.distinct * kShared < content.present() || content.type == ColumnType::boolean;
    case Identifier::ip_addresses:  // an address is written with points: MEDREIMB_IP is money
      return content.type == ColumnType::integer || content.type == ColumnType::decimal ||
             content.type == ColumnType::boolean;
    default:
      return content.type == ColumnType::boolean;
  }
}

struct ContentRule {
  Identifier identifier;
  Shape shape;
  double least;      // share of the rows present from which the shape counts alone
  double with_name;  // the same when the name says so too
  std::string_view what;
};

constexpr std::uint64_t kFewRows = 20;  // where being different or unique means little
constexpr double kFirstRow = 0;         // any row at all
constexpr double kNever = 2;
constexpr std::uint64_t kFewNames = 3;  // rows
constexpr double kSomeNames = 0.009;    // of the rows

constexpr ContentRule kContentRules[] = {
    {Identifier::email_addresses, Shape::email, kFirstRow, kFirstRow, "an email address"},
    {Identifier::social_security_numbers, Shape::social_security, kFirstRow, kFirstRow,
     "three, two and four digits, as a social security number has"},
    {Identifier::web_addresses, Shape::web_address, kFirstRow, kFirstRow, "a web address"},
    {Identifier::device_identifiers, Shape::mac_address, kFirstRow, kFirstRow,
     "the hardware address of a device"},
    {Identifier::telephone_numbers, Shape::phone, 0.05, kFirstRow, "a telephone number"},
    {Identifier::fax_numbers, Shape::phone, kNever, kFirstRow, "a telephone number"},
    {Identifier::ip_addresses, Shape::ip_address, 0.1, kFirstRow, "an IP address"},
    {Identifier::dates, Shape::precise_date, 0.05, kFirstRow, "a date with month or day"},
    {Identifier::vehicle_identifiers, Shape::vehicle_number, 0.5, kFirstRow,
     "17 letters and digits, as a vehicle has"},
    {Identifier::names, Shape::capitalised_words, kNever, 0.1, "two or more capitalised words"},
    {Identifier::geography, Shape::street_address, 0.1, 0.05, "a number and a street"},
    {Identifier::account_numbers, Shape::bank_account, 0.01, kFirstRow,
     "a bank account (IBAN) with the right check digits"},
    {Identifier::license_numbers, Shape::licence_plate, 0.5, 0.05, "the licence plate of a car"},
    {Identifier::medical_record_numbers, Shape::record_number, 0.3, kFirstRow,
     "a word such as MRN and a number"},
};

std::string percent(double share) {
  if (share > 0 && share < 0.001) return "under 0.1 %";
  return fmt::format("{:.{}f} %", 100 * share, share >= 0.9995 ? 0 : 1);
}

class Suspicions {
 public:
  Suspicions(const std::string& column, const ColumnContent& content)
      : column_(column), content_(content), name_(column) {
    rule_ = internal::rule_of_name(name_, content);
    if (rule_ && content_speaks_against(*rule_, content)) rule_.reset();
  }

  std::vector<SafeHarborFinding> all() && {
    if (content_.present() == 0) return {};
    for (const ContentRule& rule : kContentRules) {
      const double least = named(rule.identifier) ? rule.with_name : rule.least;
      if (content_.with(rule.shape) > 0 && content_.share(rule.shape) >= least) {
        by_content(rule.identifier, content_.with(rule.shape), rule.what);
      }
    }
    zip_codes();
    days_and_months();
    names_of_people();
    ages();
    unique_codes();
    if (rule_ && !reported(rule_->identifier)) {
      add(rule_->identifier, SafeHarborFinding::By::name, of_rows(content_.present()),
          fmt::format("the name of the column says '{}'", rule_->phrase));
    }
    const auto sureness = [](const SafeHarborFinding& finding) {
      return finding.by == SafeHarborFinding::By::both ? 1 : 0;
    };
    std::stable_sort(findings_.begin(), findings_.end(), [&](const auto& a, const auto& b) {
      return std::pair(sureness(a), a.share) > std::pair(sureness(b), b.share);
    });
    return std::move(findings_);
  }

 private:
  [[nodiscard]] bool named(Identifier identifier) const {
    return rule_ && rule_->identifier == identifier;
  }
  [[nodiscard]] bool reported(Identifier identifier) const {
    return std::any_of(findings_.begin(), findings_.end(),
                       [&](const auto& finding) { return finding.identifier == identifier; });
  }
  [[nodiscard]] double of_rows(std::uint64_t rows) const {
    return static_cast<double>(rows) / static_cast<double>(content_.rows);
  }
  void add(Identifier identifier, SafeHarborFinding::By by, double share, std::string why) {
    findings_.push_back({column_, identifier, by, share, std::move(why)});
  }
  void by_content(Identifier identifier, std::uint64_t rows, std::string_view what) {
    const double share = of_rows(rows);
    std::string why = fmt::format("{} of the rows hold {}", percent(share), what);
    if (named(identifier)) {
      why += fmt::format(", and the name of the column says '{}'", rule_->phrase);
    }
    add(identifier,
        named(identifier) ? SafeHarborFinding::By::both : SafeHarborFinding::By::content, share,
        std::move(why));
  }

  // Whole numbers of five digits are common; without a name only those with leading zeros or in the
  // form ZIP+4 are suspect.
  void zip_codes() {
    const bool code = content_.type == ColumnType::code && content_.share(Shape::zip_code) >= 0.95;
    const bool says_so = named(Identifier::geography) && content_.share(Shape::zip_code) >= 0.5;
    // Five digits in every row, shared by many rows, are hardly a quantity.
    const bool shared = content_.type == ColumnType::integer &&
                        content_.share(Shape::zip_code) == 1 && content_.present() >= kFewRows &&
                        3 * content_.distinct <= content_.present();
    // As do four and five that are seldom round: codes of New England lose their zero.
    const double four = content_.share(Shape::zip_without_zero);
    const bool lost_zero =
        content_.type == ColumnType::integer && four > 0 &&
        four + content_.share(Shape::zip_code) == 1 && content_.with(Shape::zip_code) > 0 &&
        content_.share(Shape::round_number) < 0.2 && content_.present() >= kFewRows &&
        3 * content_.distinct <= content_.present();
    if (code || says_so || shared) {
      by_content(Identifier::geography, content_.with(Shape::zip_code),
                 "five digits, as a ZIP code has");
    } else if (lost_zero) {
      by_content(Identifier::geography, content_.present(),
                 "four or five digits, as ZIP codes that were read as numbers have");
    }
  }

  // Whatever their column is called.
  void days_and_months() {
    if (reported(Identifier::dates)) return;
    if (is_of_months_or_weekdays(content_)) {
      by_content(
          Identifier::dates,
          std::max(content_.with(Shape::month_or_weekday), content_.with(Shape::short_weekday)),
          "the name of a month or a weekday");
    } else if (is_of_days_and_months(content_)) {
      by_content(Identifier::dates, content_.with(Shape::day_and_month), "a day and a month");
    }
  }

  // Capitalised words, and too many different ones for a list of categories; or words that only
  // names have or that combine as those of names do.
  void names_of_people() {
    const bool shaped = content_.share(Shape::capitalised_words) >= 0.8;
    const bool various =
        content_.present() >= kFewRows && 4 * content_.distinct >= content_.present();
    if (named(Identifier::names) || reported(Identifier::names)) return;
    if (shaped && various) {
      by_content(Identifier::names, content_.with(Shape::capitalised_words),
                 "two or more capitalised words, most of them different");
    } else if (most_texts_are(Shape::titled_name) && content_.distinct >= 3) {
      by_content(Identifier::names, content_.with(Shape::titled_name), "a title and a name");
    } else if (most_texts_are(Shape::person_name) && content_.names_recombine &&
               !says_what_it_holds(column_) && !internal::is_of_things(name_)) {
      by_content(Identifier::names, content_.with(Shape::person_name),
                 "two or three capitalised words that come together in many ways, as names do");
    } else if (!rule_ && are_single_names() && !says_what_it_holds(column_) &&
               !internal::is_of_things(name_)) {
      by_content(Identifier::names, content_.with(Shape::one_name), "a given or a family name");
    } else if (!rule_ && content_.with(Shape::known_name) >= kFewNames &&
               content_.share(Shape::known_name) >= kSomeNames && !says_what_it_holds(column_) &&
               !internal::is_of_things(name_)) {
      // A name here and there is enough, where the column does not say what else it holds.
      by_content(Identifier::names, content_.with(Shape::known_name),
                 "a given name and a family name");
    }
  }

  // Many of the words are nothing but names: colours and towns are names, too.
  [[nodiscard]] bool are_single_names() const {
    constexpr std::uint64_t kKinds = 10;  // fewer values may be kinds of anything
    return content_.type == ColumnType::text && content_.distinct >= kKinds &&
           most_texts_are(Shape::one_name) &&
           10 * content_.with(Shape::one_name_only) >= 3 * content_.with(Shape::letters);
  }

  [[nodiscard]] bool most_texts_are(Shape shape) const {
    return content_.with(shape) > 0 &&
           10 * content_.with(shape) >= 6 * content_.with(Shape::letters);
  }

  void ages() {
    if (name_.says_age() && content_.with(Shape::over_89) > 0) {
      const double share = of_rows(content_.with(Shape::over_89));
      add(Identifier::ages_over_89, SafeHarborFinding::By::both, share,
          fmt::format("{} of the rows hold a number over 89, and the name of the column says that "
                      "they are ages",
                      percent(share)));
    }
  }

  void unique_codes() {
    const bool fitting = content_.type == ColumnType::integer ||
                         content_.type == ColumnType::code || content_.type == ColumnType::text;
    const bool unique =
        content_.present() >= kFewRows && 100 * content_.unique >= 99 * content_.present();
    const bool prose = content_.share(Shape::long_text) >= 0.5;
    const bool otherwise_known =
        !findings_.empty() || (rule_ && !named(Identifier::other_unique_identifiers));
    if (fitting && unique && !prose && !otherwise_known) {
      by_content(Identifier::other_unique_identifiers, content_.unique,
                 "a value that no other row holds");
    }
  }

  const std::string& column_;
  const ColumnContent& content_;
  ColumnName name_;
  std::optional<NameRule> rule_;
  std::vector<SafeHarborFinding> findings_;
};

}  // namespace

std::string_view to_string(SafeHarborIdentifier identifier) { return description(identifier).text; }

char paragraph(SafeHarborIdentifier identifier) { return description(identifier).paragraph; }

std::string_view to_string(SafeHarborFinding::By by) {
  switch (by) {
    case SafeHarborFinding::By::name:
      return "name";
    case SafeHarborFinding::By::content:
      return "content";
    case SafeHarborFinding::By::both:
      break;
  }
  return "both";
}

bool is_of_months_or_weekdays(const ColumnContent& content) {
  // Five working days, or all seven.
  const bool in_short =
      content.distinct >= 5 && content.distinct <= 7 && content.share(Shape::short_weekday) >= 0.95;
  return in_short || (content.distinct >= 3 && content.share(Shape::month_or_weekday) >= 0.05);
}

// Parts of ten (a pain of 3/10) are fewer.
bool is_of_days_and_months(const ColumnContent& content) {
  return content.distinct > 12 && content.share(Shape::day_and_month) >= 0.5;
}

std::vector<SafeHarborFinding> safe_harbor_findings(const std::string& column,
                                                    const ColumnContent& content) {
  return Suspicions(column, content).all();
}

}  // namespace pratique::columns
