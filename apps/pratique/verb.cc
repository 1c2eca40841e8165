#include "verb.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "pratique/core/ascii.h"
#include "pratique/core/error.h"

namespace pratique::app {
namespace {

struct TypeWords {
  std::string_view name;
  std::string_view placeholder;
};

const TypeWords& words_of(ValueType type) {
  static constexpr std::array<TypeWords, 20> kWords = {{{"flag", ""},
                                                        {"text", "TEXT"},
                                                        {"choice", "CHOICE"},
                                                        {"column", "COLUMN"},
                                                        {"columns", "A,B"},
                                                        {"column_spec", "COLUMN=SPEC"},
                                                        {"whole_number", "N"},
                                                        {"number", "NUMBER"},
                                                        {"share", "SHARE"},
                                                        {"size", "SIZE"},
                                                        {"seed", "N"},
                                                        {"file_read", "FILE"},
                                                        {"file_written", "FILE"},
                                                        {"folder_read", "FOLDER"},
                                                        {"folder_written", "FOLDER"},
                                                        {"key_file", "FILE"},
                                                        {"file_or_word", "FILE"},
                                                        {"file_or_number", "FILE|NUMBER"},
                                                        {"column_hierarchy", "COLUMN=SPEC"},
                                                        {"release_hierarchy", "N:COLUMN=SPEC"}}};
  return kWords[static_cast<std::size_t>(type)];
}

template <class... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};
template <class... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

// In digits, where it is whole.
std::string plain(double value) {
  constexpr double kDigits = 1e16;
  return value == std::floor(value) && std::abs(value) < kDigits
             ? fmt::format("{}", static_cast<std::int64_t>(value))
             : fmt::format("{}", value);
}

// As a user would type it.
std::string text_of(const Json& value) {
  if (value.is_null() || value.is_boolean()) return {};
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return plain(value.get<double>());
  if (!value.is_array()) return value.dump();
  std::vector<std::string> parts;
  for (const auto& part : value) parts.push_back(text_of(part));
  return fmt::format("{}", fmt::join(parts, ","));
}

template <class Number>
std::optional<Number> whole(const std::string& text) {
  Number value{};
  const char* end = text.data() + text.size();
  const auto [place, failed] = std::from_chars(text.data(), end, value);
  return failed == std::errc() && place == end ? std::optional(value) : std::nullopt;
}

// 2GB is 2,000,000,000 and 2GiB 2,147,483,648; a bare number counts bytes.
std::optional<std::uint64_t> size_of(const std::string& text) {
  const auto digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto count = whole<std::uint64_t>(text.substr(0, digits));
  std::string unit = lower(text.substr(digits));
  unit.erase(0, std::min(unit.find_first_not_of(' '), unit.size()));
  if (!count) return std::nullopt;
  constexpr std::string_view kPrefixes = "kmgtp";
  if (unit.empty() || unit == "b") return count;
  const auto prefix = kPrefixes.find(unit.front());
  if (prefix == std::string_view::npos) return std::nullopt;
  const std::string_view rest = std::string_view(unit).substr(1);
  if (!rest.empty() && rest != "b" && rest != "ib") return std::nullopt;
  const std::uint64_t base = rest == "ib" ? 1024 : 1000;
  std::uint64_t factor = 1;
  for (std::size_t i = 0; i <= prefix; ++i) factor *= base;
  if (*count > std::numeric_limits<std::uint64_t>::max() / factor) return std::nullopt;
  return *count * factor;
}

bool holds_several(const Target& target) {
  return std::holds_alternative<std::vector<std::string>*>(target) ||
         std::holds_alternative<std::vector<std::uint64_t>*>(target) ||
         std::holds_alternative<std::vector<double>*>(target);
}

Error wrong(const Option& option, const std::string& text, const std::string& what) {
  return Error::input(fmt::format("{}: '{}' is not {}", option.shown(), text, what));
}

bool is_whole(ValueType type) { return type == ValueType::whole_number || type == ValueType::seed; }

bool is_number(ValueType type) {
  return is_whole(type) || type == ValueType::number || type == ValueType::share;
}

std::string range_words(const Option& option) {
  std::string kind = option.type == ValueType::share ? "a share"
                     : is_whole(option.type)         ? "a whole number"
                                                     : "a number";
  if (!std::isfinite(option.low)) return kind;
  const bool bounded = std::isfinite(option.high);
  return fmt::format("{} {}{}", kind, option.open ? "" : bounded ? "from " : "of ", option.range());
}

std::uint64_t whole_in_range(const Option& option, const std::string& text) {
  const auto value = whole<std::uint64_t>(text);
  const auto end = [](double bound) { return static_cast<std::uint64_t>(bound); };
  if (!value || (std::isfinite(option.low) && *value < end(option.low)) ||
      (std::isfinite(option.high) && *value > end(option.high))) {
    throw wrong(option, text, range_words(option));
  }
  return *value;
}

std::uint64_t counted(const Option& option, const std::string& text) {
  if (option.type != ValueType::size) return whole_in_range(option, text);
  const auto value = size_of(text);
  if (!value) throw wrong(option, text, "a size such as 500MB or 2GB");
  return *value;
}

std::optional<double> number_of(const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [place, failed] = std::from_chars(text.data(), end, value);
  return failed == std::errc() && place == end ? std::optional(value) : std::nullopt;
}

double number_in_range(const Option& option, const std::string& text) {
  const auto value = number_of(text);
  const bool good = value && std::isfinite(*value) && *value >= option.low &&
                    *value <= option.high &&
                    !(option.open && (*value == option.low || *value == option.high));
  if (!good) throw wrong(option, text, range_words(option));
  return *value;
}

const std::string& checked_text(const Option& option, const std::string& text) {
  const std::string value = option.per_column ? text.substr(0, text.find('@')) : text;
  const auto& choices = option.choices;
  if (!choices.empty() && std::find(choices.begin(), choices.end(), value) == choices.end()) {
    throw wrong(option, value, fmt::format("one of {}", fmt::join(choices, ", ")));
  }
  if (is_whole(option.type)) {
    (void)whole_in_range(option, value);
  } else if (is_number(option.type) ||
             (option.type == ValueType::file_or_number && number_of(value))) {
    (void)number_in_range(option, value);
  }
  return text;
}

}  // namespace

std::string_view name_of(ValueType type) { return words_of(type).name; }

bool holds_path(ValueType type) { return type >= ValueType::file_read; }

Option& Option::require() {
  required = true;
  fallback.clear();
  return *this;
}

Option& Option::only_with(std::string other) {
  needs.push_back(std::move(other));
  return *this;
}

Option& Option::not_with(std::vector<std::string> others) {
  excludes = std::move(others);
  return *this;
}

Option& Option::unless_given(std::string what) {
  otherwise = std::move(what);
  fallback.clear();
  return *this;
}

Option& Option::by_default(std::string value) {
  fallback = std::move(value);
  return *this;
}

Option& Option::separated_by_commas() {
  commas = true;
  return *this;
}

Option& Option::for_each_column() {
  per_column = true;
  return *this;
}

Option& Option::replaces_in_it(std::vector<std::pair<std::string, std::string>> signs_of_files) {
  files = std::move(signs_of_files);
  return *this;
}

Option& Option::replaces(std::vector<std::string> signs_of_earlier) {
  signs = std::move(signs_of_earlier);
  return *this;
}
Option& Option::only_once() {
  once = true;
  return *this;
}
Option& Option::never_replaces() {
  fresh = true;
  return *this;
}

bool Option::is_input() const {
  return !name.empty() && name.front() >= 'A' && name.front() <= 'Z';
}

bool Option::takes_several() const { return !once && holds_several(target); }

std::string Option::shown() const { return is_input() ? name : "--" + name; }

std::string Option::placeholder() const {
  std::string shown(words_of(type).placeholder);
  for (const auto& word : instead) shown += "|" + word;
  return per_column ? shown + "[@COLUMN]" : shown;
}

std::string Option::range() const {
  const bool bounded = std::isfinite(high);
  if (!std::isfinite(low)) return {};
  if (open) {
    return fmt::format("above {}{}", plain(low), bounded ? " and below " + plain(high) : "");
  }
  return bounded ? fmt::format("{} to {}", plain(low), plain(high)) : "at least " + plain(low);
}

std::string Option::description() const {
  std::string said = words;
  std::vector<std::string> more;
  if (!choices.empty()) more.push_back(fmt::format("one of {}", fmt::join(choices, ", ")));
  if (const std::string numbers = range(); !numbers.empty()) more.push_back(numbers);
  if (takes_several()) more.emplace_back(commas ? "comma-separated" : "may be repeated");
  if (!otherwise.empty()) {
    more.push_back("default: " + otherwise);
  } else if (!fallback.empty()) {
    more.push_back("default: " + fallback);
  }
  for (const auto& other : needs) more.push_back("with --" + other);
  if (!excludes.empty()) more.push_back(fmt::format("not with --{}", fmt::join(excludes, ", --")));
  if (required && !is_input()) more.emplace_back("required");
  if (!more.empty()) said += fmt::format(" ({})", fmt::join(more, "; "));
  return said;
}

void Option::set(const std::vector<std::string>& texts) const {
  if (texts.empty()) return;
  const std::string& last = texts.back();
  const auto several = [&](auto* field, const auto& read) {
    field->clear();
    for (const auto& text : texts) field->push_back(read(*this, text));
  };
  std::visit(
      Overloaded{[&](bool* field) {
                   if (last != "true" && last != "false") throw wrong(*this, last, "true or false");
                   *field = last == "true";
                 },
                 [&](int* field) { *field = static_cast<int>(whole_in_range(*this, last)); },
                 [&](std::uint64_t* field) { *field = counted(*this, last); },
                 [&](std::optional<std::uint64_t>* field) { *field = counted(*this, last); },
                 [&](double* field) { *field = number_in_range(*this, last); },
                 [&](std::optional<double>* field) { *field = number_in_range(*this, last); },
                 [&](std::string* field) { *field = checked_text(*this, last); },
                 [&](std::optional<std::string>* field) { *field = checked_text(*this, last); },
                 [&](std::vector<std::uint64_t>* field) { several(field, counted); },
                 [&](std::vector<double>* field) { several(field, number_in_range); },
                 [&](std::vector<std::string>* field) { several(field, checked_text); }},
      target);
}

Json Option::value() const {
  return std::visit(Overloaded{[](const auto* field) -> Json {
                      using Field = std::remove_cvref_t<decltype(*field)>;
                      if constexpr (std::is_same_v<Field, std::string>) {
                        return field->empty() ? Json(nullptr) : Json(*field);
                      } else if constexpr (requires { field->has_value(); }) {
                        return *field ? Json(**field) : Json(nullptr);
                      } else {
                        return Json(*field);
                      }
                    }},
                    target);
}

void Option::restore(const Json& recorded) const {
  // A default may be what nobody can ask for, such as 0 for no limit.
  if (recorded == value()) return;
  if (recorded.is_null()) {
    std::visit(Overloaded{[](std::string* field) { field->clear(); },
                          [](std::optional<std::uint64_t>* field) { field->reset(); },
                          [](std::optional<double>* field) { field->reset(); },
                          [](std::optional<std::string>* field) { field->reset(); }, [](auto*) {}},
               target);
    return;
  }
  std::vector<std::string> texts;
  const auto add = [&](const Json& part) {
    if (part.is_boolean()) {
      texts.emplace_back(part.get<bool>() ? "true" : "false");
    } else if (part.is_string() || part.is_number()) {
      texts.push_back(text_of(part));
    } else {
      throw Error::input(fmt::format("the recorded value of {} is of another type", shown()));
    }
  };
  if (recorded.is_array()) {
    for (const auto& part : recorded) add(part);
    if (!holds_several(target) || (once && recorded.size() > 1)) {
      throw Error::input(fmt::format("several values are recorded for {}", shown()));
    }
    std::visit(Overloaded{[](std::vector<std::string>* field) { field->clear(); },
                          [](std::vector<std::uint64_t>* field) { field->clear(); },
                          [](std::vector<double>* field) { field->clear(); }, [](auto*) {}},
               target);
  } else {
    add(recorded);
  }
  set(texts);
}

Verb::Verb(std::string of_noun, std::string called, std::string meaning,
           std::function<int()> function)
    : noun(std::move(of_noun)),
      name(std::move(called)),
      words(std::move(meaning)),
      run(std::move(function)) {}

Option& Verb::add(Option option) {
  option.group = group_;
  option.fallback = text_of(option.value());
  return options.emplace_back(std::move(option));
}

Option& Verb::flag(std::string option, Target target, std::string meaning) {
  return add({std::move(option), ValueType::flag, target, std::move(meaning)});
}
Option& Verb::text(std::string option, Target target, std::string meaning) {
  return add({std::move(option), ValueType::text, target, std::move(meaning)});
}
Option& Verb::choice(std::string option, Target target, std::vector<std::string> choices,
                     std::string meaning) {
  Option& added = add({std::move(option), ValueType::choice, target, std::move(meaning)});
  added.choices = std::move(choices);
  return added;
}
Option& Verb::column(std::string option, Target target, std::string meaning) {
  return add({std::move(option), ValueType::column, target, std::move(meaning)});
}
Option& Verb::columns(std::string option, Target target, std::string meaning) {
  return add({std::move(option), ValueType::columns, target, std::move(meaning)})
      .separated_by_commas();
}
Option& Verb::column_spec(std::string option, Target target, std::string meaning) {
  return add({std::move(option), ValueType::column_spec, target, std::move(meaning)});
}
Option& Verb::whole_number(std::string option, Target target, std::uint64_t low, std::uint64_t high,
                           std::string meaning) {
  Option& added = add({std::move(option), ValueType::whole_number, target, std::move(meaning)});
  added.low = static_cast<double>(low);
  added.high = static_cast<double>(high);
  return added;
}
Option& Verb::number(std::string option, Target target, double low, double high,
                     std::string meaning) {
  Option& added = add({std::move(option), ValueType::number, target, std::move(meaning)});
  added.low = low;
  added.high = high;
  return added;
}
Option& Verb::positive_number(std::string option, Target target, std::string meaning) {
  Option& added = number(std::move(option), target, 0, kNoLimit, std::move(meaning));
  added.open = true;
  return added;
}
Option& Verb::share(std::string option, Target target, std::string meaning) {
  Option& added = add({std::move(option), ValueType::share, target, std::move(meaning)});
  added.low = 0;
  added.high = 1;
  return added;
}
Option& Verb::size(std::string option, Target target, std::string meaning) {
  return add({std::move(option), ValueType::size, target, std::move(meaning)});
}
Option& Verb::seed(Target target, std::string meaning) {
  Option& added = add({"seed", ValueType::seed, target, std::move(meaning)});
  added.low = 0;
  added.high = static_cast<double>(kLargestSeed);
  return added;
}
Option& Verb::file_read(std::string option, Target target, std::string meaning) {
  return add({std::move(option), ValueType::file_read, target, std::move(meaning)});
}
Option& Verb::file_written(std::string option, Target target, std::string meaning) {
  return add({std::move(option), ValueType::file_written, target, std::move(meaning)});
}
Option& Verb::folder_read(std::string option, Target target, std::string meaning) {
  return add({std::move(option), ValueType::folder_read, target, std::move(meaning)});
}
Option& Verb::folder_written(std::string option, Target target, std::string meaning) {
  return add({std::move(option), ValueType::folder_written, target, std::move(meaning)});
}
Option& Verb::key_file(std::string option, Target target, std::string meaning) {
  return add({std::move(option), ValueType::key_file, target, std::move(meaning)});
}
Option& Verb::file_or_word(std::string option, Target target, std::vector<std::string> instead,
                           std::string meaning) {
  Option& added = add({std::move(option), ValueType::file_or_word, target, std::move(meaning)});
  added.instead = std::move(instead);
  return added;
}
Option& Verb::file_or_number(std::string option, Target target, double low, double high,
                             std::string meaning) {
  Option& added = add({std::move(option), ValueType::file_or_number, target, std::move(meaning)});
  added.low = low;
  added.high = high;
  return added;
}
Option& Verb::column_hierarchy(std::string option, Target target, std::string meaning) {
  return add({std::move(option), ValueType::column_hierarchy, target, std::move(meaning)});
}
Option& Verb::release_hierarchy(std::string option, Target target, std::string meaning) {
  return add({std::move(option), ValueType::release_hierarchy, target, std::move(meaning)});
}

const Option* Verb::find(std::string_view option) const {
  const auto place = std::find_if(options.begin(), options.end(),
                                  [&](const Option& known) { return known.name == option; });
  return place == options.end() ? nullptr : &*place;
}

void Verb::remove(std::string_view option) {
  std::erase_if(options, [&](const Option& known) { return known.name == option; });
}

std::string Verb::path() const { return noun.empty() ? name : noun + " " + name; }

Json Verb::parameters() const {
  Json all = Json::object();
  for (const auto& option : options) all[option.name] = option.value();
  return all;
}

void Verb::restore(const Json& parameters) const {
  for (const auto& [key, value] : parameters.items()) {
    const Option* option = find(key);
    if (option == nullptr) {
      throw Error::input(fmt::format("pratique {} has no option --{} in this version", path(), key))
          .hint("It was recorded by another version of pratique.");
    }
    option->restore(value);
  }
}

Verb& CommandLine::add(std::string noun, std::string name, std::string words,
                       std::function<int()> run) {
  return verbs.emplace_back(std::move(noun), std::move(name), std::move(words), std::move(run));
}

const Verb* CommandLine::find(std::string_view noun, std::string_view name) const {
  const auto place = std::find_if(verbs.begin(), verbs.end(), [&](const Verb& verb) {
    return verb.noun == noun && verb.name == name;
  });
  return place == verbs.end() ? nullptr : &*place;
}

}  // namespace pratique::app
