#include "pratique/codes/release/shown_codes.h"

#include <nlohmann/json.hpp>
#include <set>

#include "pratique/codes/attack/composition.h"
#include "pratique/engine/code_sets_reader.h"
#include "pratique/kind/artefact.h"

namespace pratique::release {
namespace {

constexpr const char* kDisassociation = "km-disassociation";

std::vector<std::string> items_of(const Dictionary& codes) {
  return {codes.values().begin(), codes.values().end()};
}

// Of lines of sets, which are no table.
std::vector<std::string> items_in_sets(Engine& engine, const ReleaseFile& file, bool taken_apart,
                                       Progress& progress) {
  const auto source = file.open(engine, progress);
  if (!source) return {};
  return taken_apart ? items_of(read_disassociated(engine, *source, progress).codes)
                     : items_of(read_code_sets(engine, *source, "", "", progress).codes);
}

// What the items stand for, as far as the release says it.
std::vector<std::string> meanings_of(const std::vector<std::string>& items,
                                     const codes::ReleasedLabels& labels) {
  const codes::ComposedRelease release{.records = {}, .labels = labels};
  std::set<std::string> meanings;
  for (const auto& item : items) {
    for (auto& code : codes::meaning_of(item, release)) meanings.insert(std::move(code));
  }
  meanings.erase("*");
  return {meanings.begin(), meanings.end()};
}

}  // namespace

std::vector<ColumnValues> shown_codes(Engine& engine, const ReleaseFile& file, Progress& progress) {
  std::string column = "code";
  bool taken_apart = false;
  codes::ReleasedLabels labels;
  for (const auto& claim : *file.manifest().claims) {
    column = claim.value("code", column);
    taken_apart = taken_apart || claim.at("model") == kDisassociation;
    for (auto& [label, codes] : codes::labels_in(claim, {})) labels.emplace(label, codes);
  }
  auto all = column_values(engine, file, progress);
  if (is_sets(file.manifest().output()))
    all.push_back({column, true, items_in_sets(engine, file, taken_apart, progress)});
  for (auto& shown : all) {
    if (shown.column != column) continue;
    shown.sensitive = true;
    shown.values = meanings_of(shown.values, labels);
  }
  return all;
}

}  // namespace pratique::release
