#include "pratique/genomes/attack/internal/value_spellings.h"

#include <fmt/format.h>

#include <chrono>
#include <iterator>

namespace pratique::genomes {
namespace {

constexpr unsigned kAreas = 899;
constexpr unsigned kNoArea = 666;
constexpr unsigned kGroups = 99;
constexpr unsigned kSerials = 9999;
constexpr int kFirstYear = 1900;

constexpr std::array<const char*, 3> kSsnWords = {"123-45-6789", "123456789", "123 45 6789"};

// As fmt takes them: year, month, day, and the last two digits of the year.
struct DateForm {
  const char* words;
  const char* format;
};
constexpr std::array<DateForm, 14> kDateForms = {{
    {"1950-02-03", "{0:04}-{1:02}-{2:02}"},
    {"19500203", "{0:04}{1:02}{2:02}"},
    {"02/03/1950 (month first)", "{1:02}/{2:02}/{0:04}"},
    {"2/3/1950 (month first)", "{1}/{2}/{0:04}"},
    {"03/02/1950 (day first)", "{2:02}/{1:02}/{0:04}"},
    {"3/2/1950 (day first)", "{2}/{1}/{0:04}"},
    {"03.02.1950", "{2:02}.{1:02}.{0:04}"},
    {"3.2.1950", "{2}.{1}.{0:04}"},
    {"02-03-1950 (month first)", "{1:02}-{2:02}-{0:04}"},
    {"03-02-1950 (day first)", "{2:02}-{1:02}-{0:04}"},
    {"02031950 (month first)", "{1:02}{2:02}{0:04}"},
    {"03021950 (day first)", "{2:02}{1:02}{0:04}"},
    {"1950/02/03", "{0:04}/{1:02}/{2:02}"},
    {"500203", "{3:02}{1:02}{2:02}"},
}};

}  // namespace

std::size_t date_spellings() { return kDateForms.size(); }
std::string date_words(std::size_t spelling) { return kDateForms[spelling].words; }
std::string date_spelt(int year, unsigned month, unsigned day, std::size_t spelling) {
  return fmt::format(fmt::runtime(kDateForms[spelling].format), year, month, day, year % 100);
}

ValueSpellings::ValueSpellings(Enumerated what, std::vector<unsigned> areas)
    : what_(what), areas_(std::move(areas)) {
  const auto today = std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
  last_year_ = static_cast<int>(std::chrono::year_month_day(today).year());
  if (areas_.empty()) {
    for (unsigned area = 1; area <= kAreas; ++area) areas_.push_back(area);
  }
  std::erase(areas_, kNoArea);
}

std::size_t ValueSpellings::spellings() const {
  return what_ == Enumerated::ssn ? kSsnWords.size() : kDateForms.size();
}

std::string ValueSpellings::in_words(std::size_t spelling) const {
  return what_ == Enumerated::ssn ? fmt::format("ssn as {}", kSsnWords[spelling])
                                  : fmt::format("date as {}", date_words(spelling));
}

std::size_t ValueSpellings::blocks() const {
  return what_ == Enumerated::ssn ? areas_.size() * kGroups
                                  : static_cast<std::size_t>(last_year_ - kFirstYear + 1);
}

void ValueSpellings::each(std::size_t block,
                          const std::function<void(const SpeltValue&)>& take) const {
  if (what_ == Enumerated::ssn) {
    each_ssn(areas_[block / kGroups], static_cast<unsigned>(block % kGroups) + 1, take);
  } else {
    each_day(kFirstYear + static_cast<int>(block), take);
  }
}

void ValueSpellings::each_ssn(unsigned area, unsigned group,
                              const std::function<void(const SpeltValue&)>& take) const {
  SpeltValue value;
  value.texts_ = {fmt::format("{:03}-{:02}-0000", area, group),
                  fmt::format("{:03}{:02}0000", area, group),
                  fmt::format("{:03} {:02} 0000", area, group)};
  for (unsigned serial = 1; serial <= kSerials; ++serial) {
    for (auto& text : value.texts_) {
      // The last four digits count up.
      for (std::size_t at = text.size() - 1; ++text[at] > '9'; --at) text[at] = '0';
    }
    take(value);
  }
}

void ValueSpellings::each_day(int year, const std::function<void(const SpeltValue&)>& take) const {
  namespace chrono = std::chrono;
  SpeltValue value;
  for (auto day = chrono::sys_days(chrono::year(year) / 1 / 1);
       day < chrono::sys_days(chrono::year(year + 1) / 1 / 1); day += chrono::days(1)) {
    const chrono::year_month_day date(day);
    const auto month = static_cast<unsigned>(date.month());
    const auto of_month = static_cast<unsigned>(date.day());
    value.texts_.clear();
    for (std::size_t spelling = 0; spelling < kDateForms.size(); ++spelling)
      value.texts_.push_back(date_spelt(year, month, of_month, spelling));
    take(value);
  }
}

}  // namespace pratique::genomes
