#include "pratique/tables/release/kind.h"

#include <array>

#include "pratique/data/builtin_hierarchies.h"
#include "pratique/tables/release/agreement.h"
#include "pratique/tables/release/page.h"
#include "pratique/tables/release/words.h"

namespace pratique::tables {
namespace {

// What has rows and columns may be a table; another kind may know it better.
release::Likeness recognise(std::string_view name, std::string_view beginning) {
  for (const std::string_view ending : {".csv", ".tsv", ".txt", ".parquet"}) {
    if (name.ends_with(ending)) return release::Likeness::could_be;
  }
  return beginning.starts_with("PAR1") ? release::Likeness::could_be : release::Likeness::none;
}

constexpr std::array<release::FileOption, 6> kFileOptions = {{{"hierarchy", is_builtin_hierarchy},
                                                              {"population"},
                                                              {"queries"},
                                                              {"against"},
                                                              {"rules-from"},
                                                              {"ledger"}}};

}  // namespace

release::Kind kind(decltype(release::Kind::attack_sequence) attack_sequence) {
  return {.noun = "tables",
          .title = "a table of records",
          .adversary =
              "Somebody who knows the quasi-identifiers of people who are in the table looks for "
              "them, in the original and in the release.",
          .file_kind = "table",
          .recognise = recognise,
          .figures = figures(),
          .models = model_words(),
          .file_options = kFileOptions,
          .takes_map = true,
          .takes_lists = true,
          .shows_rows = true,
          .describe = release::describe_table,
          .qualify = release::count_alone_under_safe_harbor,
          .attack_sequence = attack_sequence,
          .contradict = release::contradict_table};
}

}  // namespace pratique::tables
