#include "pratique/tables/model/model_request.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "pratique/core/error.h"
#include "pratique/data/number.h"

namespace pratique::tables {
namespace {

using Names = std::vector<std::string>;

void add_once(Names& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

class RequestReader {
 public:
  explicit RequestReader(const Schema& schema) : schema_(schema) {}

  ModelRequest read() {
    for (const auto& setting : schema_.models) {
      if (setting.key == "diversity") read_diversity(setting);
      if (setting.key == "distance") read_distance(setting);
    }
    for (const auto& setting : schema_.models) read_setting(setting);
    check_options("diversity", diversities_, "l");
    check_options("distance", distances_, "t");
    if (std::all_of(seen_.begin(), seen_.end(),
                    [](const std::string& key) { return key == "population@"; })) {
      throw Error::input("no privacy model was asked for")
          .hint("Ask for at least one, for example --k 5.");
    }
    return std::move(request_);
  }

 private:
  struct Option {
    std::string word;
    double c = 0;
    std::string place;
  };
  using Options = std::map<std::string, Option>;  // by column; empty: all columns
  struct Word {
    std::string value;
    std::string column;  // empty: none was named
  };

  static Error error(const ModelSetting& setting, const std::string& problem,
                     const std::string& hint) {
    Error error = Error::input(fmt::format("--{} {}: {}", setting.key, setting.value, problem));
    if (!setting.place.empty()) error.at(setting.place);
    return error.hint(hint);
  }

  static Word word_of(const ModelSetting& setting) {
    const auto at = setting.value.find('@');
    if (at == std::string::npos) return {setting.value, {}};
    if (at + 1 == setting.value.size()) {
      throw error(setting, "no column stands after @", "Write for example 3@diagnosis.");
    }
    return {setting.value.substr(0, at), setting.value.substr(at + 1)};
  }

  static double number(const ModelSetting& setting, const std::string& text, double low,
                       double high, const std::string& form) {
    const bool is_one = is_number(text);
    const double value = is_one ? to_double(text) : 0;
    if (!is_one || !(value >= low && value <= high) || !std::isfinite(value)) {
      const std::string range = std::isinf(high) ? fmt::format("{:g} or more", low)
                                                 : fmt::format("{:g} to {:g}", low, high);
      throw error(setting, fmt::format("'{}' is not a number of {}", text, range),
                  fmt::format("Write --{} {}.", setting.key, form));
    }
    return value;
  }

  static std::uint64_t whole(const ModelSetting& setting, const std::string& text,
                             std::uint64_t low, const std::string& form) {
    const double value = number(setting, text, static_cast<double>(low), 4294967296.0, form);
    if (value != std::floor(value)) {
      throw error(setting, fmt::format("'{}' is not a whole number", text),
                  fmt::format("Write --{} {}.", setting.key, form));
    }
    return static_cast<std::uint64_t>(value);
  }

  // The sensitive attributes that the word is about.
  Names columns_of(const ModelSetting& setting, const std::string& column) {
    if (!column.empty()) {
      const Role role = schema_.role_of(column);
      if (role == Role::identifier || role == Role::quasi_identifier) {
        throw error(setting,
                    fmt::format("'{}' is {} {}", column, role == Role::identifier ? "an" : "a",
                                to_string(role)),
                    "Name a sensitive attribute.");
      }
      return {column};
    }
    if (schema_.sensitive.empty()) {
      throw error(setting, "there is no sensitive attribute to ask this of",
                  fmt::format("Name it with --sensitive COLUMN, or here: --{} {}@COLUMN.",
                              setting.key, setting.value));
    }
    return schema_.sensitive;
  }

  // Whether this word is the one that counts for the column.
  bool take(const ModelSetting& setting, const Word& word, const std::string& column) {
    if (word.column.empty() && !column.empty() && has_word_of_its_own(setting.key, column)) {
      return false;
    }
    if (!seen_.insert(setting.key + "@" + column).second) {
      throw error(setting,
                  column.empty() ? "this is asked twice"
                                 : fmt::format("this is asked twice of '{}'", column),
                  "Keep one of the two.");
    }
    return true;
  }

  [[nodiscard]] bool has_word_of_its_own(const std::string& key, const std::string& column) const {
    return std::any_of(schema_.models.begin(), schema_.models.end(), [&](const auto& other) {
      const auto at = other.value.find('@');
      return other.key == key && at != std::string::npos && other.value.substr(at + 1) == column;
    });
  }

  template <typename Add>
  void for_columns(const ModelSetting& setting, const Word& word, const Add& add) {
    for (const auto& column : columns_of(setting, word.column)) {
      if (take(setting, word, column)) add(column);
    }
  }

  void read_option(const ModelSetting& setting, Options& options, const Names& words) {
    const Word word = word_of(setting);
    Option option{word.value, 0, setting.place};
    const auto colon = word.value.find(':');
    const std::string form = fmt::format("{}", fmt::join(words, ", "));
    if (word.value.starts_with("recursive:") && setting.key == "diversity") {
      option.word = "recursive";
      option.c =
          number(setting, word.value.substr(colon + 1), 0, 1e9, "recursive:C, as in recursive:2");
      if (option.c == 0) throw error(setting, "no class satisfies a C of 0", "Write a larger C.");
    } else if (std::find(words.begin(), words.end(), word.value) == words.end() ||
               word.value == "recursive:C") {
      throw error(setting, fmt::format("there is no such {}", setting.key),
                  fmt::format("Choose one of {}.", form));
    }
    if (!options.emplace(word.column, option).second) {
      throw error(setting, "this is said twice", "Keep one of the two.");
    }
  }
  void read_diversity(const ModelSetting& setting) {
    read_option(setting, diversities_, {"distinct", "entropy", "recursive:C"});
  }
  void read_distance(const ModelSetting& setting) {
    read_option(setting, distances_, {"equal", "ordered", "hierarchical"});
  }

  // A word that nobody listens to may be the one that was meant to protect.
  void check_options(const std::string& key, const Options& options, const std::string& of) const {
    for (const auto& entry : options) {
      const std::string& column = entry.first;
      const bool used = std::any_of(seen_.begin(), seen_.end(), [&](const std::string& model) {
        return column.empty() ? model.starts_with(of + "@") : model == of + "@" + column;
      });
      if (used) continue;
      Error error = Error::input(
          column.empty() ? fmt::format("--{} is given, but no --{}", key, of)
                         : fmt::format("--{} is given for '{}', but no --{}", key, column, of));
      if (!entry.second.place.empty()) error.at(entry.second.place);
      throw error.hint(fmt::format("Ask for --{} too, or leave --{} out.", of, key));
    }
  }

  static Option option_for(const Options& options, const std::string& column,
                           const std::string& otherwise) {
    auto found = options.find(column);
    if (found == options.end()) found = options.find("");
    return found == options.end() ? Option{otherwise, 0, {}} : found->second;
  }

  void read_setting(const ModelSetting& setting) {
    constexpr double kNoEnd = std::numeric_limits<double>::infinity();
    const std::string& key = setting.key;
    if (key == "k" || key == "k-map") {
      (void)take(setting, {}, "");
      (key == "k" ? request_.k : request_.k_map) = whole(setting, setting.value, 1, "K, as in 5");
    } else if (key == "population") {
      (void)take(setting, {}, "");
      request_.population = setting.value;
    } else if (key == "l") {
      const Word word = word_of(setting);
      for_columns(setting, word, [&](const std::string& column) {
        const Option option = option_for(diversities_, column, "distinct");
        const std::string form = "L, as in 3 or 3@diagnosis";
        ModelRequest::LDiversity asked{column};
        if (option.word == "entropy") {
          asked.diversity = ModelRequest::Diversity::entropy;
          asked.l = number(setting, word.value, 1, 1e9, form);
        } else {
          if (option.word == "recursive") asked.diversity = ModelRequest::Diversity::recursive;
          asked.c = option.c;
          asked.l = static_cast<double>(whole(setting, word.value, 1, form));
        }
        request_.l.push_back(asked);
      });
    } else if (key == "alpha") {
      const Word word = word_of(setting);
      for_columns(setting, word, [&](const std::string& column) {
        request_.alpha.push_back({column, number(setting, word.value, 0, 1, "A, as in 0.5")});
      });
    } else if (key == "t") {
      const Word word = word_of(setting);
      for_columns(setting, word, [&](const std::string& column) {
        const Option option = option_for(distances_, column, "equal");
        request_.t.push_back({column, number(setting, word.value, 0, 1, "T, as in 0.2"),
                              option.word == "equal"     ? GroundDistance::equal
                              : option.word == "ordered" ? GroundDistance::ordered
                                                         : GroundDistance::hierarchical});
      });
    } else if (key == "em") {
      const std::string form = "E:M, as in 1000:4";
      const Word word = word_of(setting);
      const auto [e, m] = split(setting, word.value, ':', form);
      for_columns(setting, word, [&, e = e, m = m](const std::string& column) {
        request_.em.push_back(
            {column, number(setting, e, 0, kNoEnd, form), whole(setting, m, 1, form)});
      });
    } else if (key == "range") {
      const Word word = word_of(setting);
      for_columns(setting, word, [&](const std::string& column) {
        request_.range.push_back({column, number(setting, word.value, 0, kNoEnd, "E, as in 1000")});
      });
    } else if (key == "guard") {
      read_guard(setting);
    } else if (key == "delta") {
      (void)take(setting, {}, "");
      const std::string form = "MIN,MAX, as in 0.05,0.5";
      const auto [low, high] = split(setting, setting.value, ',', form);
      const double minimum = number(setting, low, 0, 1, form);
      request_.delta = {minimum, number(setting, high, minimum, 1, form)};
    } else if (key == "rho") {
      const std::string form = "RHO1:RHO2, as in 0.1:0.5";
      const Word word = word_of(setting);
      const auto [low, high] = split(setting, word.value, ':', form);
      const double rho1 = number(setting, low, 0, 1, form);
      const double rho2 = number(setting, high, rho1, 1, form);
      if (rho1 <= 0 || rho2 <= rho1 || rho2 >= 1) {
        throw error(setting, "it must be 0 < RHO1 < RHO2 < 1",
                    fmt::format("Write --rho {}.", form));
      }
      for_columns(setting, word, [&](const std::string& column) {
        request_.beliefs.push_back({column, rho1, rho2});
      });
    } else if (key == "growth") {
      const Word word = word_of(setting);
      const double growth = number(setting, word.value, 0, 1, "DELTA, as in 0.3");
      if (growth <= 0 || growth >= 1) {
        throw error(setting, "it must be above 0 and under 1", "Write --growth DELTA, as in 0.3.");
      }
      for_columns(setting, word, [&](const std::string& column) {
        request_.beliefs.push_back({column, 0, 0, growth});
      });
    } else if (key != "diversity" && key != "distance") {
      throw error(setting, "there is no such model",
                  fmt::format("Choose one of {}.", fmt::join(Schema::kModelKeys, ", ")));
    }
  }

  static std::pair<std::string, std::string> split(const ModelSetting& setting,
                                                   const std::string& text, char sign,
                                                   const std::string& form) {
    const auto place = text.find(sign);
    if (place == std::string::npos) {
      throw error(setting, fmt::format("there is no '{}' in it", sign),
                  fmt::format("Write --{} {}.", setting.key, form));
    }
    return {text.substr(0, place), text.substr(place + 1)};
  }

  void read_guard(const ModelSetting& setting) {
    const std::string form = "COLUMN:P, as in guard:0.5 or guard:0.5@diagnosis";
    // The names of columns may have any sign: the probability is the last number between a colon
    // and an @ or the end.
    const std::string& text = setting.value;
    std::string guard;
    std::string probability;
    std::string guarded;
    for (auto colon = text.find(':', 1); colon != std::string::npos;
         colon = text.find(':', colon + 1)) {
      const auto at = std::min(text.find('@', colon), text.size());
      if (!is_number(text.substr(colon + 1, at - colon - 1))) continue;
      guard = text.substr(0, colon);
      probability = text.substr(colon + 1, at - colon - 1);
      guarded = at == text.size() ? std::string() : text.substr(at + 1);
    }
    if (guard.empty()) {
      throw error(setting, "it does not name a column and a probability",
                  fmt::format("Write --guard {}.", form));
    }
    const Names columns = columns_of(setting, guarded);
    if (columns.size() > 1) {
      throw error(setting,
                  "it does not say which of the sensitive attributes "
                  "is guarded",
                  fmt::format("Write --guard {}@{}.", setting.value, columns.front()));
    }
    if (guard == columns.front() || schema_.role_of(guard) == Role::quasi_identifier) {
      throw error(setting, fmt::format("'{}' cannot hold guarding nodes", guard),
                  "Name a column of its own, neither a "
                  "quasi-identifier nor the guarded attribute.");
    }
    (void)take(setting, {text, columns.front()}, columns.front());
    request_.guard.push_back({columns.front(), guard, number(setting, probability, 0, 1, form)});
  }

  const Schema& schema_;
  ModelRequest request_;
  Options diversities_;
  Options distances_;
  std::set<std::string> seen_;  // model@column
};

}  // namespace

std::vector<std::string> ModelRequest::sensitive_columns() const {
  Names names;
  for (const auto& model : l) add_once(names, model.column);
  for (const auto& model : alpha) add_once(names, model.column);
  for (const auto& model : t) add_once(names, model.column);
  for (const auto& model : em) add_once(names, model.column);
  for (const auto& model : range) add_once(names, model.column);
  for (const auto& model : guard) add_once(names, model.column);
  return names;
}

std::vector<std::string> ModelRequest::guard_columns() const {
  Names names;
  for (const auto& model : guard) add_once(names, model.guard);
  return names;
}

ModelRequest read_model_request(const Schema& schema) { return RequestReader(schema).read(); }

}  // namespace pratique::tables
