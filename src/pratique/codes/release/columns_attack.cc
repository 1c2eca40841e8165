#include "pratique/codes/release/columns_attack.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "pratique/engine/code_sets_reader.h"
#include "pratique/kind/among.h"
#include "pratique/kind/singled_out.h"

namespace pratique::release {

std::optional<std::size_t> promised_knowledge(const Json& claim) {
  const std::string model = claim.at("model").get<std::string>();
  if (model == "complete-anonymity") return ~std::size_t{0};
  const char* key = model == "hkp-coherence" ? "p" : "m";
  const bool numbered =
      model == "hkp-coherence" || model == "km-anonymity" || model == "k-km-anonymity";
  if (!numbered || !claim.contains(key)) return std::nullopt;
  return claim[key].get<std::size_t>();
}

std::optional<ColumnsAttack> attack_columns(Engine& engine, const Source& released,
                                            const Json& claim, std::uint64_t k, std::size_t known,
                                            Progress& progress) {
  const std::string patient = claim.value("patient", "");
  if (patient.empty()) return std::nullopt;
  const auto held = claim.value("quasi_identifiers", std::vector<std::string>());
  std::vector<std::string> names = {patient, claim.value("code", "")};
  bool any_free = false;
  for (const auto& name : released.columns) {
    if (among(names, name)) continue;
    names.push_back(name);
    any_free = any_free || !among(held, name);
  }
  if (!any_free) return std::nullopt;
  Table table = engine.load(released, names, progress);
  const Column whose = std::move(table.columns[0]);
  ColumnsAttack attack;
  attack.patients = whose.dictionary.size();
  if (attack.patients == 0) return attack;
  // One value for each patient; where a file has several, the last.
  std::vector<std::vector<Code>> cells(names.size() - 2, std::vector<Code>(attack.patients));
  for (std::size_t c = 0; c < cells.size(); ++c) {
    for (std::size_t row = 0; row < whose.codes.size(); ++row)
      cells[c][whose.codes[row]] = table.columns[c + 2].codes[row];
  }
  std::vector<const std::vector<Code>*> all;
  std::vector<const std::vector<Code>*> unheld;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    all.push_back(&cells[c]);
    if (!among(held, names[c + 2])) unheld.push_back(&cells[c]);
  }
  const CodeSets sets = collect_code_sets(whose, std::move(table.columns[1]), released.name);
  std::vector<codes::RecordItems> records;
  for (const auto set : sets.set_of) {
    records.push_back(sets.set(set));
    attack.longest_record = std::max(attack.longest_record, records.back().size());
  }
  const std::vector<std::uint64_t> each(attack.patients, 1);
  attack.singled_out = singled_out(unheld, each);
  attack.with_codes =
      codes::expose_with_columns(records, number_cells(all, attack.patients), k, known, progress);
  return attack;
}

}  // namespace pratique::release
