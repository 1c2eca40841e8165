#include "pratique/codes/release/kind.h"

#include <array>

#include "pratique/codes/release/agreement.h"
#include "pratique/codes/release/page.h"
#include "pratique/codes/release/sequence.h"
#include "pratique/codes/release/shown_codes.h"
#include "pratique/codes/release/words.h"
#include "pratique/data/builtin_hierarchies.h"

namespace pratique::codes {
namespace {

release::Likeness recognise(std::string_view name, std::string_view /*beginning*/) {
  const auto has = [&](std::string_view word) { return name.find(word) != std::string_view::npos; };
  const bool text = name.ends_with(".csv") || name.ends_with(".tsv") || name.ends_with(".txt");
  return text && (has("codes") || has("baskets")) ? release::Likeness::is : release::Likeness::none;
}

bool is_gwas(const std::string& diseases) { return diseases == "gwas"; }

constexpr std::array<release::FileOption, 8> kFileOptions = {
    {{"hierarchy", is_builtin_hierarchy},
     {"qi-hierarchy", is_builtin_hierarchy},
     {"privacy"},
     {"utility", is_gwas},
     {"sensitive"},
     {"rules"},
     {"weights"},
     {"queries"}}};

}  // namespace

release::Kind kind() {
  return {.noun = "codes",
          .title = "sets of codes",
          .adversary =
              "Somebody who knows codes of patients who are in the data looks for them, in the "
              "original and in the release.",
          .file_kind = "codes",
          .recognise = recognise,
          .figures = figures(),
          .models = model_words(),
          .file_options = kFileOptions,
          .takes_map = true,
          .describe = release::describe_codes,
          .attack_sequence = release::attack_codes,
          .column_values = release::shown_codes,
          .contradict = release::contradict_codes};
}

}  // namespace pratique::codes
