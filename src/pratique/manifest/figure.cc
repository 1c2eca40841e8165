#include "pratique/manifest/figure.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>

namespace pratique {
namespace {

constexpr std::array<std::pair<Unit, std::string_view>, 3> kUnits = {
    {{Unit::number, "number"}, {Unit::share, "share"}, {Unit::people, "people"}}};
constexpr std::string_view kShare = "_share";

const Figure* find_figure(std::span<const Figure> declared, std::string_view key) {
  const auto match = std::find_if(declared.begin(), declared.end(),
                                  [&](const Figure& candidate) { return candidate.key == key; });
  return match == declared.end() ? nullptr : &*match;
}

class FigureCollector {
 public:
  explicit FigureCollector(std::span<const Figure> declared) : declared_(declared) {}

  // `within` is the declared object around it, the words of which `words` begin with.
  void collect(const Json& object, const std::string& key, const Figure* within,
               const std::string& words) {
    for (const auto& [name, value] : object.items()) {
      const std::string inner = key.empty() ? name : key + "." + name;
      if (!value.is_array()) collect_member(name, value, inner, within, words);
      for (const auto& element : value.is_array() ? value : Json::array())
        collect_member(name, element, inner, within, words);
    }
  }

  std::vector<ResultFigure> figures;

 private:
  void collect_member(const std::string& name, const Json& value, const std::string& key,
                      const Figure* within, const std::string& words) {
    const bool column = within != nullptr && within->by_column;
    const Figure* own = column ? nullptr : find_figure(declared_, name);
    const bool share =
        !column && name.ends_with(kShare) && find_figure(declared_, share_of(name)) != nullptr;
    const FigureWords said = column ? FigureWords{within->unit, name} : figure(declared_, name);
    const std::string said_within = words.empty() ? said.words : words + ": " + said.words;
    if (value.is_object()) {
      collect(value, key, own != nullptr ? own : within, own != nullptr ? said_within : words);
    } else if (value.is_number() && (own != nullptr || share || within != nullptr)) {
      if (!keys_.insert(key).second) return;  // of another element of the list
      figures.push_back({key, own != nullptr || share ? said.unit : within->unit, said_within});
    }
  }
  static std::string_view share_of(std::string_view name) {
    return name.substr(0, name.size() - kShare.size());
  }

  std::span<const Figure> declared_;
  std::set<std::string> keys_;
};

}  // namespace

std::string_view to_text(Unit unit) { return kUnits.at(static_cast<std::size_t>(unit)).second; }

std::optional<Unit> unit_from_text(std::string_view text) {
  for (const auto& [unit, word] : kUnits) {
    if (word == text) return unit;
  }
  return std::nullopt;
}

std::vector<ResultFigure> figures_in(const Json& results, std::span<const Figure> declared) {
  FigureCollector collector(declared);
  collector.collect(results, "", nullptr, "");
  return std::move(collector.figures);
}

FigureWords figure(std::span<const Figure> declared, std::string_view key) {
  if (const Figure* match = find_figure(declared, key))
    return {match->unit, std::string(match->words), match->meaning};
  std::string words(key);
  std::replace(words.begin(), words.end(), '_', ' ');
  return {key.ends_with(kShare) ? Unit::share : Unit::number, std::move(words), {}};
}

}  // namespace pratique
