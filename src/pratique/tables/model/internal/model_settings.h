// Reads the words of model settings. Errors say which flag is meant, are placed where the word
// stands in its file, and show how it is written.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "pratique/core/error.h"
#include "pratique/data/schema.h"

namespace pratique::tables {

// Of classes, people and values.
inline constexpr double kLargestCount = 4294967296.0;
inline constexpr double kNoUpperBound = std::numeric_limits<double>::infinity();

class ModelSettings {
 public:
  explicit ModelSettings(const Schema& schema) : schema_(schema) {}

  // VALUE[@COLUMN]
  struct Word {
    std::string value;
    std::string column;  // empty: none was named
  };

  // What settings such as `distance` say about others such as `t`.
  template <typename Choice>
  struct Choices {
    std::map<std::string, Choice> by_column;  // empty: all columns
    [[nodiscard]] Choice of(const std::string& column, const Choice& otherwise) const {
      auto chosen = by_column.find(column);
      if (chosen == by_column.end()) chosen = by_column.find("");
      return chosen == by_column.end() ? otherwise : chosen->second;
    }
  };

  [[nodiscard]] const Schema& schema() const { return schema_; }
  // In the order given.
  [[nodiscard]] std::vector<ModelSetting> of(std::string_view key) const;

  static Error error(const ModelSetting& setting, const std::string& problem,
                     const std::string& hint);
  static Word word_of(const ModelSetting& setting);
  // Numbers from `low` to `high`; `form` shows how the setting is written.
  static double number(const ModelSetting& setting, const std::string& text, double low,
                       double high, const std::string& form);
  static std::uint64_t whole(const ModelSetting& setting, const std::string& text,
                             std::uint64_t low, const std::string& form,
                             double high = kLargestCount);
  static std::pair<std::string, std::string> split(const ModelSetting& setting,
                                                   const std::string& text, char sign,
                                                   const std::string& form);

  // Of a setting about the whole table: throws Error when it is given twice.
  void take(const ModelSetting& setting) { take(setting, ""); }
  void take(const ModelSetting& setting, const std::string& column);
  // The sensitive attributes that a word is about.
  [[nodiscard]] std::vector<std::string> columns_of(const ModelSetting& setting,
                                                    const std::string& column) const;
  // Calls add(column) for each of them that has no other word of its own.
  template <typename Add>
  void for_columns(const ModelSetting& setting, const Word& word, const Add& add) {
    for (const auto& column : columns_of(setting, word.column)) {
      if (word.column.empty() && has_word_of_its_own(setting.key, column)) continue;
      take(setting, column);
      add(column);
    }
  }

  // `parse` makes a Choice of a setting and its word, or throws.
  template <typename Choice, typename Parse>
  [[nodiscard]] Choices<Choice> choices(std::string_view key, const Parse& parse) const {
    Choices<Choice> choices;
    for (const auto& setting : of(key)) {
      const Word word = word_of(setting);
      if (!choices.by_column.emplace(word.column, parse(setting, word.value)).second) {
        throw error(setting, "this is given twice", "Keep one of the two.");
      }
    }
    return choices;
  }
  // A word that nobody listens to may be the one that was meant to protect: throws when a setting
  // `key` is about a column, or all, of which `about` was not asked. After `about` was read.
  void check_heard(const std::string& key, const std::string& about) const;

 private:
  [[nodiscard]] bool has_word_of_its_own(const std::string& key, const std::string& column) const;

  const Schema& schema_;
  std::set<std::pair<std::string, std::string>> taken_;  // key, column
};

}  // namespace pratique::tables
