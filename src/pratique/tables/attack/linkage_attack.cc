#include "pratique/tables/attack/linkage_attack.h"

#include <atomic>
#include <limits>

#include "pratique/core/error.h"
#include "pratique/data/generalised.h"
#include "pratique/tables/attack/containment_index.h"
#include "pratique/tables/attack/internal/judge.h"
#include "pratique/tables/attack/internal/respelt.h"
#include "pratique/tables/model/spelling.h"

namespace pratique::tables {
namespace {

constexpr Code kNoneOrMany = std::numeric_limits<Code>::max();

// Rows of which a cell is a text that no target has.
std::uint64_t unread_rows(const ContainmentIndex& index, const CountedTable& release,
                          const Column& column) {
  const auto counts = release.counts_of(column);
  std::uint64_t rows = 0;
  for (const Code cell : index.cells_of_nobody(column)) {
    const auto text = column.dictionary.value(cell);
    if (!text.empty() &&
        GeneralisedValue::parse_foreign(text).kind() == GeneralisedValue::Kind::text)
      rows += counts[cell];
  }
  return rows;
}

// What the adversary makes of the targets that share their values in the linked columns.
struct Finding {
  bool linked = false;
  ClassId only_row = kNoneOrMany;  // the class of the one candidate
  Code value = kNoneOrMany;        // the sensitive value that all candidates share
};

// The one sensitive value of each class; kNoneOrMany where there are more, or where it is '*'.
// Spellings of one value are one: the first of them.
std::vector<Code> sole_values(const EquivalenceClasses& classes, const Column& sensitive) {
  const auto joined = joined_spellings(sensitive);
  const auto parts = classes.refined_by(CodedColumn::of(joined ? *joined : sensitive));
  const auto any = sensitive.dictionary.find("*");
  std::vector<Code> first_spelling(joined ? joined->dictionary.size() : 0, kNoCode);
  const auto code_at = [&](std::uint32_t row) {
    return joined ? first_spelling[joined->codes[row]] : sensitive.codes[row];
  };
  for (std::size_t row = 0; joined && row < sensitive.codes.size(); ++row) {
    Code& first = first_spelling[joined->codes[row]];
    first = std::min(first, sensitive.codes[row]);
  }
  std::vector<Code> sole(classes.count(), kNoneOrMany);
  std::vector<bool> seen(classes.count(), false);
  for (ClassId part = 0; part < parts.count(); ++part) {
    const std::uint32_t row = parts.representative(part);
    const ClassId id = classes.class_of(row);
    const bool first = !seen[id];
    seen[id] = true;
    sole[id] = first && code_at(row) != any ? code_at(row) : kNoneOrMany;
  }
  return sole;
}

std::vector<Finding> find_targets(const ContainmentIndex& index,
                                  const std::vector<std::uint64_t>& sizes,
                                  const std::optional<ClassId>& suppressed,
                                  const std::vector<Code>& sole, std::size_t originals,
                                  std::vector<std::atomic<bool>>& matched, Progress& progress) {
  std::vector<Finding> findings(originals);
  index.for_each_original(
      [&](std::size_t original, std::span<const ClassId> containing) {
        Finding& finding = findings[original];
        std::uint64_t rows = 0;
        bool agree = true;
        for (const ClassId id : containing) {
          matched[id].store(true, std::memory_order_relaxed);
          // Suppressed rows contain everybody. The adversary turns to them when nothing else is
          // left.
          if (id == suppressed && containing.size() > 1) continue;
          rows += sizes[id];
          finding.only_row = id;
          if (sole.empty()) continue;
          agree =
              agree && sole[id] != kNoneOrMany && (!finding.linked || sole[id] == finding.value);
          finding.value = sole[id];
          finding.linked = true;
        }
        finding.linked = rows > 0;
        if (rows != 1) finding.only_row = kNoneOrMany;
        if (!agree) finding.value = kNoneOrMany;
      },
      progress);
  return findings;
}

}  // namespace

LinkageAttack attack_by_linkage(const CountedTable& counted, const Table& register_table,
                                const std::vector<std::string>& on,
                                const std::optional<std::string>& sensitive,
                                const std::optional<Truth>& truth, const Hierarchies& hierarchies,
                                Progress& progress, const CellReadings& readings) {
  if (on.empty()) {
    throw Error::input("an attack needs at least one column to link on")
        .hint("Name the columns that the register and the release share.");
  }
  const Table& release = counted.table;
  // She sees through spelling: M in her list is the m of the release.
  const Table known = internal::respelt(register_table, release, on, hierarchies);
  const auto columns = column_indices(release, on);
  const auto classes = EquivalenceClasses::of(release, columns);
  const auto sizes = records_per_class(classes, counted);
  const auto suppressed = suppressed_class(release, columns, classes);
  const auto targets = EquivalenceClasses::of(known, column_indices(known, on));
  std::vector<ContainmentIndex::LinkedColumn> linked;
  linked.reserve(on.size());
  for (const auto& name : on) {
    linked.push_back({&release.column(name), &known.column(name),
                      internal::hierarchy_of(hierarchies, name),
                      internal::reading_of(readings, name)});
  }
  const ContainmentIndex index(std::move(linked), classes.representatives(),
                               targets.representatives(), progress);
  const auto sole =
      sensitive ? sole_values(classes, release.column(*sensitive)) : std::vector<Code>();
  std::vector<std::atomic<bool>> matched(classes.count());
  const auto findings =
      find_targets(index, sizes, suppressed, sole, targets.count(), matched, progress);

  LinkageAttack result;
  result.targets = register_table.rows();
  result.suppressed = suppressed ? sizes[*suppressed] : 0;
  for (ClassId id = 0; id < classes.count(); ++id) {
    result.release_rows += sizes[id];
    if (matched[id]) result.release_rows_matched += sizes[id];
  }
  for (const auto& name : on) {
    if (const auto rows = unread_rows(index, counted, release.column(name)); rows > 0)
      result.unread[name] = rows;
  }
  if (sensitive) result.sensitive_disclosed = 0;
  for (ClassId id = 0; id < targets.count(); ++id) {
    const std::uint64_t alike = targets.size(id);
    if (findings[id].linked) result.linked += alike;
    if (findings[id].only_row != kNoneOrMany) result.linked_uniquely += alike;
    if (findings[id].value != kNoneOrMany) *result.sensitive_disclosed += alike;
  }
  if (truth) {
    const internal::Judge judge(release, register_table, on, sensitive, *truth, hierarchies,
                                readings);
    std::uint64_t links = 0;
    std::uint64_t values = 0;
    for (std::size_t target = 0; target < targets.rows(); ++target) {
      const Finding& finding = findings[targets.class_of(target)];
      if (finding.only_row != kNoneOrMany &&
          judge.link_holds(target, classes.representative(finding.only_row)))
        ++links;
      if (finding.value != kNoneOrMany && judge.value_holds(target, finding.value)) ++values;
    }
    result.correctly_linked = links;
    result.correct = sensitive ? values : links;
  }
  return result;
}

}  // namespace pratique::tables
