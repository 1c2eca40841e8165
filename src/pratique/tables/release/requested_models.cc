#include "pratique/tables/release/requested_models.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "pratique/kind/document.h"
#include "pratique/kind/recorded_figures.h"

namespace pratique::release {
namespace {

// A claim as it must stand there: the model and its own keys.
struct NeededClaim {
  std::string model;
  std::vector<std::pair<std::string, Json>> numbers;
};

// VALUE[@COLUMN]
struct ModelWord {
  std::string value;
  std::string column;  // empty: every sensitive column
};

ModelWord word_of(const std::string& text) {
  const auto at = text.find('@');
  if (at == std::string::npos) return {text, {}};
  return {text.substr(0, at), text.substr(at + 1)};
}

// Null where it is none: then no claim has it.
Json number_of(const std::string& text) {
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = read.ec == std::errc() && read.ptr == text.data() + text.size();
  return whole ? Json(value) : Json();
}

// Both sides of the first sign; the second is empty without one.
std::pair<std::string, std::string> halves_of(const std::string& text, char sign) {
  const auto at = text.find(sign);
  if (at == std::string::npos) return {text, {}};
  return {text.substr(0, at), text.substr(at + 1)};
}

bool is_the_same(const Json& claimed, const Json& needed) {
  if (needed.is_number())
    return claimed.is_number() && claimed.get<double>() == needed.get<double>();
  return !needed.is_null() && claimed == needed;
}

class RequestedModels {
 public:
  RequestedModels(const Manifest& manifest, std::vector<std::string>& contradictions)
      : claims_(*manifest.claims),
        parameters_(*manifest.parameters),
        models_(parameters_.value("models", Json::object())),
        anatomy_(parameters_.value("method", Json()) == "anatomy"),
        contradictions_(contradictions) {}

  void compare() {
    for (const auto& word : words("k")) {
      need("k", word, {"k-anonymity", {{"k", number_of(word.value)}}});
    }
    for (const auto& word : words("k-map"))
      need("k-map", word, {"k-map", {{"k", number_of(word.value)}}});
    for (const auto& word : words("delta")) {
      const auto [low, high] = halves_of(word.value, ',');
      need("delta", word,
           {"delta-presence", {{"delta_min", number_of(low)}, {"delta_max", number_of(high)}}});
    }
    by_column("l", [&](const ModelWord& word) { return diversity_of(word); });
    by_column("alpha", [](const ModelWord& word) {
      return NeededClaim{"alpha", {{"alpha", number_of(word.value)}}};
    });
    by_column("t", [&](const ModelWord& word) {
      return NeededClaim{
          "t-closeness",
          {{"t", number_of(word.value)}, {"distance", kind_of("distance", word.column, "equal")}}};
    });
    by_column("em", [](const ModelWord& word) {
      const auto [e, m] = halves_of(word.value, ':');
      return NeededClaim{"em-anonymity", {{"e", number_of(e)}, {"m", number_of(m)}}};
    });
    by_column("range", [](const ModelWord& word) {
      return NeededClaim{"range-diversity", {{"e", number_of(word.value)}}};
    });
    by_column("rho", [](const ModelWord& word) {
      const auto [rho1, rho2] = halves_of(word.value, ':');
      return NeededClaim{"rho1-to-rho2", {{"rho1", number_of(rho1)}, {"rho2", number_of(rho2)}}};
    });
    by_column("growth", [](const ModelWord& word) {
      return NeededClaim{"delta-growth", {{"delta", number_of(word.value)}}};
    });
    by_column("value-risk", [](const ModelWord& word) {
      const auto [share, value] = halves_of(word.value, ':');
      return NeededClaim{"value-risk", {{"share", number_of(share)}, {"value", value}}};
    });
    guards();
  }

 private:
  [[nodiscard]] std::vector<ModelWord> words(const char* key) const {
    std::vector<ModelWord> words;
    for (const auto& text : names_in(models_, key)) words.push_back(word_of(text));
    return words;
  }

  // What `key` says of the column, as "entropy" of --diversity; a word about the column itself
  // wins.
  [[nodiscard]] std::string kind_of(const char* key, const std::string& column,
                                    std::string otherwise) const {
    for (const bool own : {false, true}) {
      for (const auto& word : words(key)) {
        if (own ? word.column == column : word.column.empty()) otherwise = word.value;
      }
    }
    return otherwise;
  }

  [[nodiscard]] NeededClaim diversity_of(const ModelWord& word) const {
    const auto [kind, c] = halves_of(kind_of("diversity", word.column, "distinct"), ':');
    NeededClaim needed{anatomy_ ? "anatomy" : kind + "-l-diversity",
                       {{"l", number_of(word.value)}}};
    if (!anatomy_ && !c.empty()) needed.numbers.emplace_back("c", number_of(c));
    return needed;
  }

  // Every column that a word is about: one without a column is about all that have none of their
  // own.
  template <typename Needed>
  void by_column(const char* key, const Needed& needed) {
    const auto all = words(key);
    const auto has_its_own = [&](const std::string& column) {
      return std::any_of(all.begin(), all.end(),
                         [&](const ModelWord& word) { return word.column == column; });
    };
    for (const auto& word : all) {
      if (!word.column.empty()) {
        need(key, word, needed(word));
        continue;
      }
      for (const auto& column : names_in(parameters_, "sensitive")) {
        const ModelWord of_column{word.value, column};
        if (!has_its_own(column)) need(key, of_column, needed(of_column));
      }
    }
  }

  // COLUMN:P[@GUARDED]; both columns may have any sign in their names.
  void guards() {
    for (const auto& text : names_in(models_, "guard")) {
      const bool claimed = std::any_of(claims_.begin(), claims_.end(), [&](const Json& claim) {
        if (claim.value("model", Json()) != "personalised-privacy") return false;
        const auto guard = claim.value("guard", std::string()) + ":";
        if (!text.starts_with(guard)) return false;
        const std::string after = text.substr(guard.size());
        const auto [p, guarded] = halves_of(after, '@');
        return is_the_same(claim.value("p", Json()), number_of(p)) &&
               (guarded.empty() || claim.value("sensitive", Json()) == guarded);
      });
      if (!claimed) not_claimed("guard", text);
    }
  }

  void need(const char* key, const ModelWord& word, const NeededClaim& needed) {
    const bool claimed = std::any_of(claims_.begin(), claims_.end(), [&](const Json& claim) {
      return claim.value("model", Json()) == needed.model &&
             (word.column.empty() || claim.value("sensitive", Json()) == word.column) &&
             std::all_of(needed.numbers.begin(), needed.numbers.end(), [&](const auto& number) {
               return claim.contains(number.first) &&
                      is_the_same(claim[number.first], number.second);
             });
    });
    if (!claimed) not_claimed(key, word.value);
  }

  void not_claimed(const char* key, const std::string& value) {
    // A word that is no number may be a value of the data.
    const std::string asked =
        number_of(value).is_null() ? fmt::format("--{}", key) : fmt::format("{} = {}", key, value);
    auto what = asked + " was requested, but no claim covers it";
    if (std::find(contradictions_.begin(), contradictions_.end(), what) == contradictions_.end())
      contradictions_.push_back(std::move(what));
  }

  const Json& claims_;
  const Json& parameters_;
  const Json models_;
  bool anatomy_;
  std::vector<std::string>& contradictions_;
};

}  // namespace

void compare_requested_models(const Manifest& manifest, std::vector<std::string>& contradictions) {
  RequestedModels(manifest, contradictions).compare();
}

}  // namespace pratique::release
