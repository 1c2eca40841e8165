#include "pratique/tables/attack/linkage_attack.h"

#include <atomic>
#include <limits>
#include <map>
#include <set>

#include "pratique/core/error.h"
#include "pratique/data/generalised.h"
#include "pratique/data/number.h"
#include "pratique/tables/attack/containment_index.h"
#include "pratique/tables/model/spelling.h"

namespace pratique::tables {
namespace {

constexpr Code kNoneOrMany = std::numeric_limits<Code>::max();

const Hierarchy* hierarchy_of(const Hierarchies& hierarchies, const std::string& column) {
  const auto entry = hierarchies.find(column);
  return entry == hierarchies.end() ? nullptr : entry->second;
}

CellsAre reading_of(const CellReadings& readings, const std::string& column) {
  const auto entry = readings.find(column);
  return entry == readings.end() ? CellsAre::anything : entry->second;
}

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

bool has_column(const Table& table, const std::string& name) {
  return std::any_of(table.columns.begin(), table.columns.end(),
                     [&](const Column& column) { return column.name == name; });
}

// Texts of the release, as they are and without what is a matter of writing.
class Written {
 public:
  Written(const Column& released, const Hierarchy* hierarchy) {
    for (const auto cell : released.dictionary.values()) {
      const auto value = GeneralisedValue::parse_foreign(cell);
      if (value.kind() != GeneralisedValue::Kind::text &&
          value.kind() != GeneralisedValue::Kind::set)
        continue;
      for (const auto& part : value.parts()) add(part);
    }
    if (hierarchy == nullptr) return;
    for (Hierarchy::Node leaf = 0; leaf < hierarchy->leaf_count(); ++leaf)
      add(hierarchy->label(leaf));
  }

  // As the release writes it, where it writes it otherwise. Numbers are left as they are: they may
  // be inside a range or a pattern.
  [[nodiscard]] std::optional<std::string> otherwise(std::string_view text) const {
    if (texts_.contains(std::string(text)) || is_number(text)) return std::nullopt;
    const auto entry = by_spelling_.find(without_spelling(text));
    if (entry == by_spelling_.end() || entry->first.empty()) return std::nullopt;
    return entry->second;
  }

 private:
  void add(std::string_view text) {
    texts_.emplace(text);
    by_spelling_.emplace(without_spelling(text), text);
  }

  std::set<std::string> texts_;
  std::map<std::string, std::string> by_spelling_;
};

// The register's linked columns, with their values as the release writes them.
Table respelt(const Table& register_table, const Table& release, const std::vector<std::string>& on,
              const Hierarchies& hierarchies) {
  Table result;
  for (const auto& name : on) {
    const Written written(release.column(name), hierarchy_of(hierarchies, name));
    const Column& column = register_table.column(name);
    Column& changed = result.columns.emplace_back();
    changed.name = column.name;
    std::vector<Code> code_of;
    for (const auto value : column.dictionary.values()) {
      const auto other = written.otherwise(value);
      code_of.push_back(changed.dictionary.intern(other ? std::string_view(*other) : value));
    }
    changed.codes.reserve(column.codes.size());
    for (const Code code : column.codes) changed.codes.push_back(code_of[code]);
  }
  return result;
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

// Holds the adversary's claims against the original records.
class Judge {
 public:
  Judge(const Table& release, const EquivalenceClasses& classes, const Table& register_table,
        const std::vector<std::string>& on, const std::optional<std::string>& sensitive,
        const Truth& truth, const Hierarchies& hierarchies, const CellReadings& readings)
      : classes_(classes),
        register_key_(register_table.column(truth.key)),
        truth_key_(truth.table->column(truth.key)) {
    const CodedColumn key = CodedColumn::of(truth_key_);
    by_key_ = EquivalenceClasses::of(std::span(&key, 1), truth.table->rows());
    members_ = by_key_.members();
    key_class_.assign(truth_key_.dictionary.size(), kNoneOrMany);
    for (ClassId id = 0; id < by_key_.count(); ++id) {
      key_class_[truth_key_.codes[by_key_.representative(id)]] = id;
    }
    for (const auto& name : on) {
      if (has_column(*truth.table, name)) {
        linked_.emplace_back(release.column(name), truth.table->column(name),
                             hierarchy_of(hierarchies, name), reading_of(readings, name));
      }
    }
    if (sensitive) {
      sensitive_.emplace_back(release.column(*sensitive), truth.table->column(*sensitive),
                              hierarchy_of(hierarchies, *sensitive),
                              reading_of(readings, *sensitive));
    }
  }

  [[nodiscard]] bool link_holds(std::size_t target, ClassId id) const {
    const std::uint32_t row = classes_.representative(id);
    return any_record(target, [&](std::uint32_t record) {
      return std::all_of(linked_.begin(), linked_.end(), [&](const TrueColumn& column) {
        return column.holds(column.cells.codes[row], record);
      });
    });
  }

  [[nodiscard]] bool value_holds(std::size_t target, Code value) const {
    return any_record(
        target, [&](std::uint32_t record) { return sensitive_.front().holds(value, record); });
  }

 private:
  struct TrueColumn {
    TrueColumn(const Column& released, const Column& original, const Hierarchy* hierarchy,
               CellsAre cells_are)
        : cells(released),
          originals(original),
          matches(released.dictionary, original.dictionary, hierarchy, cells_are) {}
    [[nodiscard]] bool holds(Code cell, std::uint32_t record) const {
      const auto containing = matches.cells_containing(originals.codes[record]);
      return std::binary_search(containing.begin(), containing.end(), cell);
    }
    const Column& cells;
    const Column& originals;
    internal::ColumnMatches matches;
  };

  template <class Holds>
  bool any_record(std::size_t target, const Holds& holds) const {
    const auto key = truth_key_.dictionary.find(register_key_.text(target));
    if (!key || key_class_[*key] == kNoneOrMany) return false;
    const auto records = members_.of(key_class_[*key]);
    return std::any_of(records.begin(), records.end(), holds);
  }

  const EquivalenceClasses& classes_;
  const Column& register_key_;
  const Column& truth_key_;
  EquivalenceClasses by_key_;
  EquivalenceClasses::Members members_;
  std::vector<ClassId> key_class_;  // by code of the truth's key
  std::vector<TrueColumn> linked_;
  std::vector<TrueColumn> sensitive_;  // one or none
};

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
  const Table known = respelt(register_table, release, on, hierarchies);
  const auto columns = column_indices(release, on);
  const auto classes = EquivalenceClasses::of(release, columns);
  const auto sizes = records_per_class(classes, counted);
  const auto suppressed = suppressed_class(release, columns, classes);
  const auto targets = EquivalenceClasses::of(known, column_indices(known, on));
  std::vector<ContainmentIndex::LinkedColumn> linked;
  linked.reserve(on.size());
  for (const auto& name : on) {
    linked.push_back({&release.column(name), &known.column(name), hierarchy_of(hierarchies, name),
                      reading_of(readings, name)});
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
    const Judge judge(release, classes, register_table, on, sensitive, *truth, hierarchies,
                      readings);
    std::uint64_t links = 0;
    std::uint64_t values = 0;
    for (std::size_t target = 0; target < targets.rows(); ++target) {
      const Finding& finding = findings[targets.class_of(target)];
      if (finding.only_row != kNoneOrMany && judge.link_holds(target, finding.only_row)) ++links;
      if (finding.value != kNoneOrMany && judge.value_holds(target, finding.value)) ++values;
    }
    result.correctly_linked = links;
    result.correct = sensitive ? values : links;
  }
  return result;
}

}  // namespace pratique::tables
