#include "pratique/data/number_form.h"

#include <algorithm>
#include <array>

#include "pratique/core/ascii.h"
#include "pratique/data/missing_word.h"
#include "pratique/data/number.h"

namespace pratique {
namespace {

constexpr std::array<std::pair<NumberForm, std::string_view>, 4> kNumberFormNames = {
    {{NumberForm::decimal_comma, "decimal-comma"},
     {NumberForm::thousands_comma, "thousands-comma"},
     {NumberForm::plain, "plain"},
     {NumberForm::with_unit, "with-unit"}}};

bool is_run_of_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

// Digits, or groups of three of them behind one to three: 1.234.567. Nothing else.
std::optional<std::string> whole_part(std::string_view text, char between) {
  if (is_run_of_digits(text)) return std::string(text);
  std::string digits;
  bool first = true;
  while (true) {
    const auto end = std::min(text.find(between), text.size());
    const auto group = text.substr(0, end);
    const bool fits = first ? group.size() <= 3 : group.size() == 3;
    if (!fits || !is_run_of_digits(group)) return std::nullopt;
    digits += group;
    if (end == text.size()) return digits;
    text.remove_prefix(end + 1);
    first = false;
  }
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// A number and what stands behind it.
struct Measured {
  std::string number;
  std::string_view unit;
};

// 70 kg, 1.5mg/l, 45 Jahre, 98 %; not 0123A, 10 to 20, 5 Elm St 7.
std::optional<Measured> measured(std::string_view text) {
  constexpr std::size_t kLongestUnit = 16;
  const auto sign = text.starts_with('-') || text.starts_with('+') ? std::size_t{1} : 0;
  const auto end = std::min(text.find_first_not_of("0123456789.,", sign), text.size());
  std::string number(text.substr(0, end));
  auto unit = text.substr(end);
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  const auto begins = [](unsigned char c) {
    return is_letter(static_cast<char>(c)) || c == '%' || c >= 0x80;
  };
  if (unit.empty() || unit.size() > kLongestUnit || !begins(static_cast<unsigned char>(unit[0])))
    return std::nullopt;
  for (std::size_t i = 1; i < unit.size(); ++i) {
    if (is_digit(unit[i]) && !is_letter(unit[i - 1])) return std::nullopt;
  }
  if (const auto comma = number.find(','); comma != std::string::npos) {
    const auto behind = number.size() - comma - 1;
    if (behind < 1 || behind > 2) return std::nullopt;
    number[comma] = '.';
  }
  const auto digits = std::string_view(number).substr(sign);
  const bool padded = digits.size() > 1 && digits[0] == '0' && is_digit(digits[1]);
  if (padded || !is_number(number)) return std::nullopt;
  return Measured{std::move(number), unit};
}

bool share_a_unit(const Dictionary& values) {
  std::optional<std::string> shared;
  std::size_t numbers = 0;
  for (const auto value : values.values()) {
    if (value.empty() || is_missing_word(value)) continue;
    const auto one = measured(value);
    if (!one || (shared && *shared != one->unit)) return false;
    shared = std::string(one->unit);
    ++numbers;
  }
  return numbers > 1;
}

}  // namespace

std::string_view to_string(NumberForm form) {
  return kNumberFormNames.at(static_cast<std::size_t>(form)).second;
}

std::optional<NumberForm> number_form_of_name(std::string_view name) {
  for (const auto& [form, word] : kNumberFormNames) {
    if (word == name) return form;
  }
  return std::nullopt;
}

std::optional<std::string> plain_number(std::string_view text, NumberForm form) {
  if (form == NumberForm::plain)
    return is_number(text) ? std::optional(std::string(text)) : std::nullopt;
  if (form == NumberForm::with_unit) {
    auto one = measured(text);
    return one ? std::optional(std::move(one->number)) : std::nullopt;
  }
  if (text.find(',') == std::string_view::npos) {
    // 1.234 beside 5,6 may be a thousand, or a slip: nobody can tell.
    const bool point = text.find('.') != std::string_view::npos;
    const bool plain = is_number(text) && !(point && form == NumberForm::decimal_comma);
    return plain ? std::optional(std::string(text)) : std::nullopt;
  }
  std::string number;
  if (text.starts_with('-') || text.starts_with('+')) {
    number = text.substr(0, 1);
    text.remove_prefix(1);
  }
  const bool decimal = form == NumberForm::decimal_comma;
  const auto mark = text.find(decimal ? ',' : '.');
  const auto whole = whole_part(text.substr(0, mark), decimal ? '.' : ',');
  if (!whole) return std::nullopt;
  number += *whole;
  if (mark == std::string_view::npos) return number;
  const auto fraction = text.substr(mark + 1);
  if (!is_run_of_digits(fraction)) return std::nullopt;
  return number + "." + std::string(fraction);
}

std::vector<NumberForm> number_forms(const Dictionary& values) {
  std::vector<NumberForm> fitting;
  const auto has_comma = [](std::string_view value) {
    return value.find(',') != std::string_view::npos;
  };
  const auto& all = values.values();
  const auto fit = [&](NumberForm form) {
    return std::all_of(all.begin(), all.end(), [&](std::string_view value) {
      return value.empty() || is_missing_word(value) || plain_number(value, form).has_value();
    });
  };
  if (share_a_unit(values)) return {NumberForm::with_unit};
  if (std::none_of(all.begin(), all.end(), has_comma)) {
    const bool any_number = std::any_of(all.begin(), all.end(), is_number);
    if (any_number && has_missing_word(values) && fit(NumberForm::plain))
      fitting.push_back(NumberForm::plain);
    return fitting;
  }
  for (const auto form : {NumberForm::decimal_comma, NumberForm::thousands_comma}) {
    if (fit(form)) fitting.push_back(form);
  }
  return fitting;
}

void write_as_plain_numbers(Column& column, NumberForm form) {
  Dictionary plain;
  std::vector<Code> plain_code;
  for (const auto value : column.dictionary.values()) {
    const auto number = plain_number(value, form);
    plain_code.push_back(plain.intern(number                   ? *number
                                      : is_missing_word(value) ? std::string()
                                                               : std::string(value)));
  }
  for (Code& code : column.codes) code = plain_code[code];
  column.dictionary = std::move(plain);
}

}  // namespace pratique
