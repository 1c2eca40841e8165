#include "pratique/release/kinds.h"

#include <fmt/format.h>

#include <vector>

#include "pratique/codes/release/kind.h"
#include "pratique/consortium/release/kind.h"
#include "pratique/core/error.h"
#include "pratique/dp/release/kind.h"
#include "pratique/fusion/release/kind.h"
#include "pratique/fusion/release/table_sequence.h"
#include "pratique/genomes/release/kind.h"
#include "pratique/notes/release/kind.h"
#include "pratique/tables/release/kind.h"
#include "pratique/trails/release/kind.h"

namespace pratique::release {
namespace {

std::vector<Kind>& all_kinds() {
  static std::vector<Kind> all = {
      tables::kind(attack_tables),
      codes::kind(),
      trails::kind(),
      genomes::kind(),
      fusion::kind(),
      dp::kind(),
      notes::kind(),
      consortium::kind(),
  };
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
  std::vector<std::string_view> nouns;
  for (const auto& kind : kinds()) nouns.push_back(kind.noun);
  throw Error::input("this version knows no such kind of release")
      .hint(fmt::format("It knows {}.", fmt::join(nouns, ", ")));
}

const Kind& kind_of(const ReleaseFile& file) {
  try {
    return kind_of(file.kind());
  } catch (Error& error) {
    throw error.at(Manifest::path_of(file.path));
  }
}

}  // namespace pratique::release
