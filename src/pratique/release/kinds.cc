#include "pratique/release/kinds.h"

#include <fmt/format.h>

#include <vector>

#include "pratique/codes/release/kind.h"
#include "pratique/core/error.h"
#include "pratique/fusion/release/kind.h"
#include "pratique/fusion/release/table_sequence.h"
#include "pratique/tables/release/kind.h"
#include "pratique/trails/release/kind.h"

namespace pratique::release {
namespace {

std::vector<Kind>& all_kinds() {
  static std::vector<Kind> all = {
      tables::kind(attack_tables),
      codes::kind(),
      trails::kind(),
      fusion::kind(),
  };
  return all;
}

// What an attack on data of any kind may find, so that few people are told of nowhere.
std::span<const Figure> all_figures() {
  static const auto all = [] {
    std::vector<Figure> figures;
    for (const auto& kind : kinds())
      figures.insert(figures.end(), kind.figures.begin(), kind.figures.end());
    return figures;
  }();
  return all;
}

}  // namespace

std::span<const Kind> kinds() { return all_kinds(); }

void add_kind(const Kind& kind) {
  for (const auto& known : kinds()) {
    if (known.noun == kind.noun) {
      throw Error::input(fmt::format("there is a kind '{}' already", kind.noun));
    }
  }
  all_kinds().push_back(kind);
}

const Kind& kind_of(std::string_view noun) {
  for (const auto& kind : kinds()) {
    if (kind.noun == noun) return kind;
  }
  static const Kind kOther = {
      .noun = "",
      .title = "a release",
      .adversary = "The same adversary, on the original and on the release.",
      .file_kind = "",
      .figures = all_figures()};
  return kOther;
}

}  // namespace pratique::release
