#include "pratique/tables/profile/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <span>

#include "pratique/tables/profile/internal/column_name.h"

namespace pratique::tables {
namespace {

using internal::ColumnContent;
using internal::ColumnName;
using internal::Shape;

// What others commonly know about a person.
constexpr std::string_view kKnownToOthers[] = {
    "age",        "sex",          "gender",        "race",     "ethnicity",   "ethnic",
    "marital",    "married",      "education",     "degree",   "school",      "occupation",
    "profession", "job",          "workclass",     "employer", "nationality", "native country",
    "country",    "citizenship",  "language",      "state",    "region",      "province",
    "district",   "birth",        "year of birth", "yob",      "birth year",  "height",
    "weight",     "children",     "household",     "hospital", "admission",   "discharge",
    "visit",      "relationship", "veteran"};

// What others are not to learn.
constexpr std::string_view kSensitive[] = {
    "diagnosis", "diagnoses", "diag",       "dx",           "icd",       "icd 9",     "icd 10",
    "disease",   "condition", "disorder",   "symptom",      "problem",   "complaint", "procedure",
    "cpt",       "drug",      "medication", "prescription", "treatment", "therapy",   "dose",
    "lab",       "result",    "test",       "hiv",          "aids",      "genotype",  "mutation",
    "salary",    "income",    "wage",       "charge",       "charges",   "cost",      "expenditure",
    "payment",   "religion",  "political",  "orientation",  "outcome",   "death",     "mortality",
    "allergy",   "pregnancy", "abortion",   "addiction",    "smoker",    "alcohol",   "disability",
    "insurance", "note",      "notes"};

const std::string_view* first_in(const ColumnName& name,
                                 std::span<const std::string_view> phrases) {
  const auto match = std::find_if(phrases.begin(), phrases.end(),
                                  [&](std::string_view phrase) { return name.has(phrase); });
  return match == phrases.end() ? nullptr : &*match;
}

constexpr std::string_view kPointOnTheMap[] = {"address", "addr",     "street",
                                               "geocode", "latitude", "longitude"};

// Dates, places and ages describe a person; the other identifiers, and a house, name one.
bool describes(SafeHarborIdentifier identifier, const ColumnName& name) {
  if (identifier == SafeHarborIdentifier::geography)
    return first_in(name, kPointOnTheMap) == nullptr;
  return identifier == SafeHarborIdentifier::dates ||
         identifier == SafeHarborIdentifier::ages_over_89;
}

std::string sentence(std::string text) {
  if (!text.empty())
    text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text + ".";
}

// The search's set that speaks loudest of the column: the smallest, then the most unique.
const QuasiIdentifier* set_with(const std::vector<QuasiIdentifier>& sets,
                                const std::string& column) {
  const auto match = std::find_if(sets.begin(), sets.end(), [&](const QuasiIdentifier& set) {
    return std::find(set.columns.begin(), set.columns.end(), column) != set.columns.end();
  });
  return match == sets.end() ? nullptr : &*match;
}

void suggest_role(ColumnProfile& column, const ColumnContent& content,
                  const std::vector<SafeHarborFinding>& findings,
                  const std::vector<QuasiIdentifier>& sets) {
  const auto suggest = [&](Role role, std::string why) {
    column.suggested_role = role;
    column.why = sentence(std::move(why));
  };
  const ColumnName name(column.name);
  for (const bool describing : {false, true}) {
    for (const auto& finding : findings) {
      if (describes(finding.identifier, name) != describing) continue;
      return suggest(describing ? Role::quasi_identifier : Role::identifier,
                     fmt::format("{} ({})", finding.why, to_string(finding.identifier)));
    }
  }
  if (content.present() == 0) return suggest(Role::insensitive, "the column is empty");
  if (content.share(Shape::long_text) >= 0.5) {
    return suggest(Role::identifier, "free text may name anybody: leave it out");
  }
  if (const auto* phrase = first_in(name, kSensitive)) {
    return suggest(
        Role::sensitive,
        fmt::format("the name of the column says '{}', which others must not learn", *phrase));
  }
  if (content.distinct < 2 && content.missing == 0) {
    return suggest(Role::insensitive, "every row holds the same value");
  }
  if (const auto* phrase = first_in(name, kKnownToOthers)) {
    return suggest(
        Role::quasi_identifier,
        fmt::format("the name of the column says '{}', which others commonly know", *phrase));
  }
  if (const auto* set = set_with(sets, column.name)) {
    const double percent = 100 * set->unique_share;
    return suggest(
        Role::quasi_identifier,
        set->columns.size() == 1
            ? fmt::format("{:.1f} % of the rows are unique by this column alone", percent)
            : fmt::format("{:.1f} % of the rows are unique by this column and {} more", percent,
                          set->columns.size() - 1));
  }
  suggest(Role::insensitive, "nothing in its name or values points to a person");
}

}  // namespace

std::string_view to_string(ColumnType type) {
  switch (type) {
    case ColumnType::empty:
      return "empty";
    case ColumnType::boolean:
      return "boolean";
    case ColumnType::integer:
      return "integer";
    case ColumnType::decimal:
      return "decimal";
    case ColumnType::date:
      return "date";
    case ColumnType::code:
      return "code";
    case ColumnType::text:
      break;
  }
  return "text";
}

Profile profile(const Table& table, const QuasiIdentifierSearch& search, Progress& progress) {
  Profile result;
  result.rows = table.rows();
  progress.begin("reading columns", table.columns.size());
  std::vector<ColumnContent> contents;
  std::vector<std::vector<SafeHarborFinding>> findings;
  for (const Column& column : table.columns) {
    contents.push_back(internal::read_content(column));
    findings.push_back(safe_harbor_findings(column.name, contents.back()));
    progress.advance(1);
  }
  auto identifying = find_quasi_identifiers(table, search, progress);
  result.quasi_identifiers = std::move(identifying.sets);
  result.searched_columns = identifying.searched_columns;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    ColumnProfile column;
    column.name = table.columns[c].name;
    column.type = contents[c].type;
    column.distinct = contents[c].distinct;
    column.missing = contents[c].missing;
    suggest_role(column, contents[c], findings[c], result.quasi_identifiers);
    result.columns.push_back(std::move(column));
    result.safe_harbor.insert(result.safe_harbor.end(), findings[c].begin(), findings[c].end());
  }
  return result;
}

}  // namespace pratique::tables
