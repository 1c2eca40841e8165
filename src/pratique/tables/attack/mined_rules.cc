#include "pratique/tables/attack/mined_rules.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <span>
#include <unordered_map>

#include "pratique/core/parallel.h"
#include "pratique/tables/attack/exposure.h"
#include "pratique/tables/attack/internal/column_matches.h"
#include "pratique/tables/attack/internal/possible_worlds.h"
#include "pratique/tables/model/spelling.h"

namespace pratique::tables {
namespace {

constexpr std::uint32_t kNoGroup = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kRuleSteps = 10'000'000;
constexpr std::uint64_t kRuleStepsPerRecord = 20;

// What rules are mined from.
struct RuleTable {
  struct Cells {
    std::size_t attribute;
    std::vector<Code> codes;  // by row
    std::size_t distinct = 0;
    // Of a release: the cells, and their codes, the narrowest first.
    std::shared_ptr<const Dictionary> texts = {};
    std::vector<Code> by_width = {};
    std::vector<Code> same = {};  // else: by code of the attribute the code of the same value
  };
  std::vector<Cells> columns;
  std::vector<std::vector<Code>> sensitive;  // beside the input's; kNoCode where it lacks the value
  std::vector<double> counts;                // by row: records, or parts of one
};

RuleTable released_table(const ProtectionInput& input, const Recoding& recoding) {
  RuleTable table;
  table.counts.assign(recoding.counts.begin(), recoding.counts.end());
  for (std::size_t a = 0; a < input.attributes.size(); ++a) {
    const RecodedColumn& recoded = recoding.columns[a];
    auto cells = std::make_shared<Dictionary>();
    std::vector<double> leaves;
    std::vector<Code> cell_of;
    for (std::size_t value = 0; value < recoded.values.size(); ++value) {
      cell_of.push_back(cells->intern(recoded.values[value]));
      if (cell_of.back() == leaves.size()) leaves.push_back(recoded.leaves[value]);
    }
    RuleTable::Cells& column = table.columns.emplace_back();
    column.attribute = a;
    column.distinct = cells->size();
    for (const Code code : recoded.codes) column.codes.push_back(cell_of[code]);
    column.by_width.resize(cells->size());
    std::iota(column.by_width.begin(), column.by_width.end(), 0);
    std::stable_sort(column.by_width.begin(), column.by_width.end(),
                     [&](Code x, Code y) { return leaves[x] < leaves[y]; });
    column.texts = std::move(cells);
  }
  for (const Column* sensitive : input.sensitive) {
    auto& values = table.sensitive.emplace_back();
    for (const auto group : recoding.groups) values.push_back(sensitive->codes[group]);
  }
  return table;
}

// Each record as often as its class has values, with their shares.
void put_values_apart(const ProtectionInput& input, const Recoding& recoding, RuleTable& table) {
  const RuleTable together = std::move(table);
  table = {};
  for (const auto& column : together.columns)
    table.columns.push_back({column.attribute, {}, column.distinct, column.texts, column.by_width});
  table.sensitive.resize(1);
  std::vector<std::map<Code, double>> of_class(recoding.class_count);
  std::vector<double> sizes(recoding.class_count, 0);
  for (std::size_t i = 0; i < recoding.groups.size(); ++i) {
    of_class[recoding.class_of[i]][input.sensitive[0]->codes[recoding.groups[i]]] +=
        together.counts[i];
    sizes[recoding.class_of[i]] += together.counts[i];
  }
  for (std::size_t i = 0; i < recoding.groups.size(); ++i) {
    const ClassId id = recoding.class_of[i];
    for (const auto& [value, count] : of_class[id]) {
      table.sensitive[0].push_back(value);
      table.counts.push_back(together.counts[i] * count / sizes[id]);
      for (std::size_t c = 0; c < table.columns.size(); ++c)
        table.columns[c].codes.push_back(together.columns[c].codes[i]);
    }
  }
}

const Column* find_column(const Table& table, const std::string& name) {
  const auto column = std::find_if(table.columns.begin(), table.columns.end(),
                                   [&](const Column& candidate) { return candidate.name == name; });
  return column == table.columns.end() ? nullptr : &*column;
}

RuleTable known_table(const ProtectionInput& input, const GroupedTable& known) {
  RuleTable table;
  table.counts.assign(known.counts.begin(), known.counts.end());
  for (std::size_t a = 0; a < input.attributes.size(); ++a) {
    const Column* column = find_column(known.groups, input.attributes[a].name);
    if (column == nullptr) continue;
    RuleTable::Cells& cells = table.columns.emplace_back();
    cells.attribute = a;
    cells.codes = column->codes;
    cells.distinct = column->dictionary.size();
    for (const auto value : input.attributes[a].column->dictionary.values()) {
      cells.same.push_back(column->dictionary.find(value).value_or(kNoCode));
    }
  }
  for (const Column* sensitive : input.sensitive) {
    auto& values = table.sensitive.emplace_back();
    const Column* column = find_column(known.groups, sensitive->name);
    std::vector<Code> code_of;
    for (const auto value :
         column == nullptr ? std::vector<std::string_view>() : column->dictionary.values())
      code_of.push_back(sensitive->dictionary.find(without_spelling(value)).value_or(kNoCode));
    for (std::size_t row = 0; row < known.counts.size(); ++row)
      values.push_back(column == nullptr ? kNoCode : code_of[column->codes[row]]);
  }
  return table;
}

// The subgroups of a table with enough support, and what they say of one sensitive attribute.
class Subgroups {
 public:
  Subgroups(const ProtectionInput& input, std::size_t sensitive, const RuleTable& table,
            std::uint64_t support)
      : input_(input),
        table_(table),
        values_(table.sensitive[sensitive]),
        support_(static_cast<double>(support) - kBeliefRounding) {
    shares_.assign(input.sensitive[sensitive]->dictionary.size(), 0);
    double known = 0;
    for (std::size_t row = 0; row < table.counts.size(); ++row) {
      if (values_[row] == kNoCode) continue;
      shares_[values_[row]] += table.counts[row];
      known += table.counts[row];
    }
    known_ = known;
    for (auto& share : shares_) share /= std::max(1.0, known);
    if (known == 0) return;
    const std::size_t columns = table.columns.size();
    cell_of_.resize(columns);
    for (std::size_t a = 0; a < columns; ++a) choose_cells(a);
    for (std::size_t a = 0; a < columns; ++a) {
      for (std::size_t b = a + 1; b < columns; ++b) count(a, b);
    }
  }

  // The smallest that a group is in; kNoGroup where it is in none.
  [[nodiscard]] std::uint32_t of_group(std::uint32_t group) const {
    std::uint32_t best = kNoGroup;
    const auto consider = [&](std::uint32_t subgroup) {
      if (best == kNoGroup || subgroups_[subgroup].records < subgroups_[best].records)
        best = subgroup;
    };
    std::vector<Code> cells;
    for (std::size_t a = 0; a < cell_of_.size(); ++a) {
      const Column& column = *input_.attributes[table_.columns[a].attribute].column;
      cells.push_back(cell_of_[a][column.codes[group]]);
      if (cells[a] == kNoCode) continue;
      const auto place = singles_.find(pair_of(static_cast<Code>(a), cells[a]));
      if (place != singles_.end()) consider(place->second);
    }
    for (const auto& [columns, index] : pairs_) {
      if (cells[columns.first] == kNoCode || cells[columns.second] == kNoCode) continue;
      const auto place = index.find(pair_of(cells[columns.first], cells[columns.second]));
      if (place != index.end()) consider(place->second);
    }
    return best;
  }

  [[nodiscard]] bool rules_out(std::uint32_t subgroup, Code value) const {
    const Subgroup& said = subgroups_[subgroup];
    return said.of_value.count(value) == 0 && said.records * shares_[value] >= kNotable;
  }

  // How much more frequent the value is in the subgroup than in the whole table.
  [[nodiscard]] double lift(std::uint32_t subgroup, Code value, bool with_negative) const {
    if (with_negative && rules_out(subgroup, value)) return 0;
    const Subgroup& said = subgroups_[subgroup];
    const auto place = said.of_value.find(value);
    const double there = place == said.of_value.end() ? 0 : place->second;
    // A value that the table lacks altogether is as likely here as anywhere.
    const double share = shares_[value] > 0 ? shares_[value] : 1 / (known_ + 1);
    return (there + share) / (said.records + 1) / share;
  }

  [[nodiscard]] std::size_t size() const { return subgroups_.size(); }

  // `used`: by subgroup, whether it counts for somebody.
  void count_rules(const std::vector<char>& used, RuleAttack& attack) const {
    for (std::uint32_t subgroup = 0; subgroup < used.size(); ++subgroup) {
      if (used[subgroup] == 0) continue;
      const Subgroup& said = subgroups_[subgroup];
      for (const auto& [value, records] : said.of_value) {
        if (records >= (kBelieved - kBeliefRounding) * said.records) ++attack.positive_rules;
      }
      for (Code value = 0; value < shares_.size(); ++value) {
        if (rules_out(subgroup, value)) ++attack.negative_rules;
      }
    }
  }

 private:
  struct Subgroup {
    double records = 0;
    std::unordered_map<Code, double> of_value;
  };
  using Index = std::unordered_map<std::uint64_t, std::uint32_t>;

  static std::uint64_t pair_of(Code a, Code b) {
    return (static_cast<std::uint64_t>(a) << 32U) | b;
  }

  [[nodiscard]] std::vector<double> records_of_cells(const RuleTable::Cells& column) const {
    std::vector<double> records(column.distinct, 0);
    for (std::size_t row = 0; row < values_.size(); ++row) {
      if (values_[row] != kNoCode) records[column.codes[row]] += table_.counts[row];
    }
    return records;
  }

  // By value: the narrowest cell with enough records that contains it.
  void choose_cells(std::size_t a) {
    const RuleTable::Cells& column = table_.columns[a];
    const auto records = records_of_cells(column);
    const auto has_enough = [&](Code cell) { return records[cell] >= support_; };
    if (column.texts != nullptr) {
      std::vector<Code> enough;
      std::copy_if(column.by_width.begin(), column.by_width.end(), std::back_inserter(enough),
                   has_enough);
      const Attribute& attribute = input_.attributes[column.attribute];
      cell_of_[a] = internal::first_containing(*column.texts, enough, attribute.column->dictionary,
                                               attribute.hierarchy, CellsAre::ours);
    } else {
      cell_of_[a] = column.same;
      for (Code& cell : cell_of_[a]) {
        if (cell != kNoCode && !has_enough(cell)) cell = kNoCode;
      }
    }
    const std::size_t first = subgroups_.size();
    std::vector<std::uint32_t> subgroup_of(column.distinct, kNoGroup);
    for (const Code cell : cell_of_[a]) {
      if (cell == kNoCode || subgroup_of[cell] != kNoGroup) continue;
      subgroup_of[cell] = static_cast<std::uint32_t>(subgroups_.size());
      singles_[pair_of(static_cast<Code>(a), cell)] = subgroup_of[cell];
      subgroups_.push_back({.records = records[cell], .of_value = {}});
    }
    count_values(first, [&](std::size_t row) { return subgroup_of[column.codes[row]]; });
  }

  // Pairs of the cells that were chosen, with enough records.
  void count(std::size_t a, std::size_t b) {
    const auto chosen = [&](std::size_t column) {
      std::vector<bool> is_chosen(table_.columns[column].distinct, false);
      for (const Code cell : cell_of_[column]) {
        if (cell != kNoCode) is_chosen[cell] = true;
      }
      return is_chosen;
    };
    const auto& first = table_.columns[a];
    const auto& second = table_.columns[b];
    const auto chosen_first = chosen(a);
    const auto chosen_second = chosen(b);
    const std::vector<CodedColumn> columns = {{first.codes, first.distinct},
                                              {second.codes, second.distinct}};
    const auto pairs = EquivalenceClasses::of(columns, values_.size());
    std::vector<double> records(pairs.count(), 0);
    for (std::size_t row = 0; row < values_.size(); ++row) {
      if (values_[row] != kNoCode) records[pairs.class_of(row)] += table_.counts[row];
    }
    auto& index = pairs_[{a, b}];
    const std::size_t before = subgroups_.size();
    std::vector<std::uint32_t> subgroup_of(pairs.count(), kNoGroup);
    for (ClassId pair = 0; pair < pairs.count(); ++pair) {
      const auto row = pairs.representative(pair);
      if (records[pair] < support_ || !chosen_first[first.codes[row]] ||
          !chosen_second[second.codes[row]])
        continue;
      subgroup_of[pair] = static_cast<std::uint32_t>(subgroups_.size());
      index[pair_of(first.codes[row], second.codes[row])] = subgroup_of[pair];
      subgroups_.push_back({.records = records[pair], .of_value = {}});
    }
    count_values(before, [&](std::size_t row) { return subgroup_of[pairs.class_of(row)]; });
  }

  // What the subgroups from `first` on say of the values.
  template <class SubgroupOfRow>
  void count_values(std::size_t first, const SubgroupOfRow& subgroup_of_row) {
    const std::size_t values = shares_.size();
    constexpr std::size_t kMostCounters = std::size_t{1} << 22U;
    const bool dense = (subgroups_.size() - first) * values <= kMostCounters;
    std::vector<double> counters(dense ? (subgroups_.size() - first) * values : 0, 0);
    for (std::size_t row = 0; row < values_.size(); ++row) {
      const std::uint32_t subgroup = subgroup_of_row(row);
      if (values_[row] == kNoCode || subgroup == kNoGroup) continue;
      if (dense) {
        counters[(subgroup - first) * values + values_[row]] += table_.counts[row];
      } else {
        subgroups_[subgroup].of_value[values_[row]] += table_.counts[row];
      }
    }
    for (std::size_t i = 0; i < counters.size(); ++i) {
      if (counters[i] > 0)
        subgroups_[first + i / values].of_value[static_cast<Code>(i % values)] = counters[i];
    }
  }

  const ProtectionInput& input_;
  const RuleTable& table_;
  const std::vector<Code>& values_;  // by row
  double support_;
  std::vector<double> shares_;              // by value, of the whole table
  double known_ = 0;                        // records with a value that the input has
  std::vector<std::vector<Code>> cell_of_;  // by column and value
  std::vector<Subgroup> subgroups_;
  Index singles_;                                               // by column and cell
  std::map<std::pair<std::size_t, std::size_t>, Index> pairs_;  // by columns, and by cells
};

// One sensitive attribute.
class RuleAdversary {
 public:
  RuleAdversary(const ProtectionInput& input, const Recoding& recoding, std::size_t sensitive,
                const RuleTable& released, const RuleTable* known, const RuleOptions& options,
                std::uint64_t& steps)
      : recoding_(recoding),
        own_(*input.sensitive[sensitive]),
        from_release_(input, sensitive, released, options.support),
        options_(options),
        steps_(steps),
        subgroup_of_(input.groups()) {
    if (known != nullptr) from_known_.emplace(input, sensitive, *known, options.support);
  }

  struct Found {
    // By entry; not bits, as threads write to neighbours.
    std::vector<char> believed;
    std::vector<char> mistaken;
  };

  void attack(Found& found, RuleAttack& sum) {
    const auto entries = entries_by_class();
    ask_subgroups();
    std::vector<char> used_known(from_known_ ? from_known_->size() : 0, 0);
    std::vector<char> used_release(from_release_.size(), 0);
    for (const auto group : recoding_.groups) {
      const auto& [known, subgroup] = subgroup_of_[group];
      if (subgroup != kNoGroup) (known ? used_known : used_release)[subgroup] = 1;
    }
    // What is left for exact counting is told once for many classes, so that what is counted does
    // not depend on the number of threads.
    constexpr std::size_t kAtOnce = 4096;
    constexpr std::size_t kGrain = 64;
    for (std::size_t start = 0; start < recoding_.class_count; start += kAtOnce) {
      const std::size_t classes = std::min(kAtOnce, recoding_.class_count - start);
      const std::uint64_t left = steps_;
      std::atomic<std::uint64_t> taken = 0;
      parallel_blocks(classes, kGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t id = start + begin; id < start + end; ++id) {
          std::uint64_t steps = left;
          attack_class(entries.of(id), steps, found);
          taken += left - steps;
        }
      });
      steps_ -= std::min(steps_, taken.load());
    }
    from_release_.count_rules(used_release, sum);
    if (from_known_) from_known_->count_rules(used_known, sum);
  }

 private:
  using Belief = std::vector<double>;  // by value of the class
  struct Class {
    std::vector<Code> values;
    internal::Deal deal;
    std::vector<std::pair<bool, std::uint32_t>> subgroups;  // of each part: of the known table?
    std::vector<std::uint32_t> part_of;                     // beside its entries
  };

  // The entries of one class after those of another.
  struct Entries {
    std::vector<std::uint32_t> entries;
    std::vector<std::size_t> begin;  // by class, and the end

    [[nodiscard]] std::span<const std::uint32_t> of(std::size_t id) const {
      return std::span(entries).subspan(begin[id], begin[id + 1] - begin[id]);
    }
  };

  [[nodiscard]] Entries entries_by_class() const {
    Entries all{std::vector<std::uint32_t>(recoding_.class_of.size()),
                std::vector<std::size_t>(recoding_.class_count + 1, 0)};
    for (const ClassId id : recoding_.class_of) ++all.begin[id + 1];
    std::partial_sum(all.begin.begin(), all.begin.end(), all.begin.begin());
    auto next = all.begin;
    for (std::uint32_t i = 0; i < recoding_.class_of.size(); ++i)
      all.entries[next[recoding_.class_of[i]]++] = i;
    return all;
  }

  // Of all groups that leave.
  void ask_subgroups() {
    std::vector<char> leaves(subgroup_of_.size(), 0);
    for (const auto group : recoding_.groups) leaves[group] = 1;
    constexpr std::size_t kGrain = 4096;
    parallel_blocks(leaves.size(), kGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t g = begin; g < end; ++g) {
        if (leaves[g] == 0) continue;
        const auto group = static_cast<std::uint32_t>(g);
        const std::uint32_t known = from_known_ ? from_known_->of_group(group) : kNoGroup;
        subgroup_of_[g] = {known != kNoGroup,
                           known != kNoGroup ? known : from_release_.of_group(group)};
      }
    });
  }

  void attack_class(std::span<const std::uint32_t> entries, std::uint64_t& steps,
                    Found& found) const {
    const Class seen = look_at(entries);
    if (nobody_is_sure(seen)) return;
    const auto beliefs = beliefs_in(seen, steps);
    for (std::size_t e = 0; e < entries.size(); ++e) {
      const auto& belief = beliefs[seen.part_of[e]];
      for (std::size_t v = 0; v < belief.size(); ++v) {
        if (belief[v] < kBelieved - kBeliefRounding) continue;
        const bool right = seen.values[v] == own_.codes[recoding_.groups[entries[e]]];
        (right ? found.believed : found.mistaken)[entries[e]] = 1;
      }
    }
  }

  // Whether no belief in the class reaches kBelieved, by a bound on all ways to deal its n values.
  //
  // Let m of them be v, and a deal give v to somebody of part p, w(p, v) among what it weighs. To
  // change it with any of the n - m others, of part q and with v', divides that by at most
  //   r = max over q, v' of (w(p, v) * w(q, v')) / (w(p, v') * w(q, v)).
  // Each deal in which the person has v is changed so into n - m others, each of which comes from m
  // deals. So deals with v weigh at most r * m / (n - m) times what those without weigh.
  [[nodiscard]] bool nobody_is_sure(const Class& seen) const {
    const std::size_t parts = seen.deal.parts.size();
    const std::size_t values = seen.values.size();
    constexpr std::size_t kMost = 1'000'000;
    if (parts == 1 || values == 1 || parts * parts * values > kMost) return false;
    const auto weights = weights_in(seen, true);
    const auto records = static_cast<double>(recoding_records(seen));
    std::vector<double> most(values, 0);  // by value: r
    for (std::size_t p = 0; p < parts; ++p) {
      for (std::size_t q = 0; q < parts; ++q) {
        double other = 0;
        for (std::size_t v = 0; v < values; ++v) {
          if (weights[p][v] <= 0) return false;  // that is, for some q and v
          other = std::max(other, weights[q][v] / weights[p][v]);
        }
        for (std::size_t v = 0; v < values; ++v)
          most[v] = std::max(most[v], other * weights[p][v] / weights[q][v]);
      }
    }
    constexpr double kCertainlyLess = 0.999;  // whatever is rounded
    for (std::size_t v = 0; v < values; ++v) {
      const auto having = static_cast<double>(seen.deal.values[v]);
      const double with = most[v] * having;
      if (with >= kCertainlyLess * kBelieved * (with + records - having)) return false;
    }
    return true;
  }

  // Numbers in the order in which they are first asked for. A few are looked for one by one.
  template <class Key, class Hash>
  class Numbering {
   public:
    // And whether it is new.
    std::pair<std::uint32_t, bool> of(const Key& key) {
      constexpr std::size_t kFew = 16;
      const auto next = static_cast<std::uint32_t>(keys_.size());
      if (keys_.size() <= kFew) {
        const auto place = std::find(keys_.begin(), keys_.end(), key);
        if (place != keys_.end()) return {static_cast<std::uint32_t>(place - keys_.begin()), false};
        keys_.push_back(key);
        if (keys_.size() > kFew) {
          for (std::uint32_t i = 0; i < keys_.size(); ++i) number_.emplace(keys_[i], i);
        }
        return {next, true};
      }
      const auto [place, fresh] = number_.try_emplace(key, next);
      if (fresh) keys_.push_back(key);
      return {place->second, fresh};
    }

   private:
    std::vector<Key> keys_;
    std::unordered_map<Key, std::uint32_t, Hash> number_;
  };

  [[nodiscard]] Class look_at(std::span<const std::uint32_t> entries) const {
    Class seen;
    Numbering<std::uint64_t, std::hash<std::uint64_t>> parts;
    Numbering<Code, std::hash<Code>> values;
    seen.part_of.reserve(entries.size());
    for (const auto entry : entries) {
      const auto group = recoding_.groups[entry];
      const auto& subgroup = subgroup_of_[group];
      const auto [part, fresh] = parts.of(std::uint64_t{subgroup.first} << 32U | subgroup.second);
      if (fresh) {
        seen.subgroups.push_back(subgroup);
        seen.deal.parts.push_back(0);
      }
      const auto [value, first] = values.of(own_.codes[group]);
      if (first) {
        seen.values.push_back(own_.codes[group]);
        seen.deal.values.push_back(0);
      }
      seen.part_of.push_back(part);
      seen.deal.parts[part] += recoding_.counts[entry];
      seen.deal.values[value] += recoding_.counts[entry];
    }
    return seen;
  }

  [[nodiscard]] std::vector<Belief> weights_in(const Class& seen, bool with_negative) const {
    std::vector<Belief> weights;
    for (const auto& [known, subgroup] : seen.subgroups) {
      Belief& row = weights.emplace_back();
      for (const Code value : seen.values) {
        row.push_back(
            subgroup == kNoGroup
                ? 1
                : (known ? *from_known_ : from_release_).lift(subgroup, value, with_negative));
      }
      const double most = *std::max_element(row.begin(), row.end());
      for (double& weight : row) weight /= most > 0 ? most : 1;
    }
    return weights;
  }

  // Takes from `left` what it counts.
  std::vector<Belief> beliefs_in(const Class& seen, std::uint64_t& left) const {
    // Nobody can be told apart, or there is one value: the shares of the class.
    if (seen.deal.parts.size() == 1 || seen.values.size() == 1) {
      Belief shares;
      const auto records = static_cast<double>(recoding_records(seen));
      for (const auto count : seen.deal.values)
        shares.push_back(static_cast<double>(count) / records);
      return {seen.deal.parts.size(), shares};
    }
    // Rules may contradict a class: then what they rule out is only unlikely.
    for (const bool with_negative : {true, false}) {
      const auto weights = weights_in(seen, with_negative);
      std::uint64_t steps = std::min(left, options_.steps_of_class);
      const std::uint64_t had = steps;
      const auto worlds = internal::count_worlds(
          seen.deal,
          {.condition = internal::WorldsKnown::Condition::every,
           .breaks = [](std::size_t, std::span<const std::uint64_t>) { return true; },
           .weights = weights},
          steps);
      left -= had - steps;
      if (!worlds) {
        if (auto estimate = estimated(seen, weights)) return *estimate;
        continue;
      }
      if (worlds->chance <= 0) continue;
      std::vector<Belief> beliefs(seen.deal.parts.size());
      for (std::size_t p = 0; p < beliefs.size(); ++p) {
        for (std::size_t v = 0; v < seen.values.size(); ++v)
          beliefs[p].push_back(worlds->belief(p, v));
      }
      return beliefs;
    }
    return std::vector<Belief>(seen.deal.parts.size(), Belief(seen.values.size(), 0));
  }

  // Nothing where the rules leave a value to nobody, or a part without values.
  static std::optional<std::vector<Belief>> estimated(const Class& seen,
                                                      const std::vector<Belief>& weights) {
    std::vector<Belief> beliefs = weights;
    for (std::size_t v = 0; v < seen.values.size(); ++v) {
      double all = 0;
      for (std::size_t p = 0; p < beliefs.size(); ++p)
        all += weights[p][v] * static_cast<double>(seen.deal.parts[p]);
      if (all <= 0) return std::nullopt;
      for (auto& belief : beliefs) belief[v] *= static_cast<double>(seen.deal.values[v]) / all;
    }
    for (auto& belief : beliefs) {
      double all = 0;
      for (const double share : belief) all += share;
      if (all <= 0) return std::nullopt;
      for (double& share : belief) share /= all;
    }
    return beliefs;
  }

  static std::uint64_t recoding_records(const Class& seen) {
    std::uint64_t records = 0;
    for (const auto count : seen.deal.values) records += count;
    return records;
  }

  const Recoding& recoding_;
  const Column& own_;
  Subgroups from_release_;
  std::optional<Subgroups> from_known_;
  const RuleOptions& options_;
  std::uint64_t& steps_;
  // By group that leaves: of the known table?
  std::vector<std::pair<bool, std::uint32_t>> subgroup_of_;
};

}  // namespace

RuleAttack attack_by_rules(const ProtectionInput& input, const Recoding& recoding,
                           const RuleOptions& options) {
  // Who reads values sees through the spelling.
  ProtectionInput plain = input;
  std::vector<Column> values;
  values.reserve(plain.sensitive.size());
  for (const Column*& column : plain.sensitive) {
    values.push_back(without_spellings(*column));
    column = &values.back();
  }
  RuleAttack attack;
  for (const auto count : recoding.counts) attack.records += count;
  RuleTable released = released_table(plain, recoding);
  if (options.values_apart) put_values_apart(plain, recoding, released);
  std::optional<RuleTable> known;
  if (options.known != nullptr) known = known_table(plain, *options.known);
  RuleAdversary::Found found{std::vector<char>(recoding.groups.size(), 0),
                             std::vector<char>(recoding.groups.size(), 0)};
  std::uint64_t steps = kRuleSteps + kRuleStepsPerRecord * attack.records;
  for (std::size_t s = 0; s < plain.sensitive.size(); ++s) {
    RuleAdversary(plain, recoding, s, released, known ? &*known : nullptr, options, steps)
        .attack(found, attack);
  }
  for (std::size_t i = 0; i < recoding.groups.size(); ++i) {
    if (found.believed[i] != 0) attack.believed += recoding.counts[i];
    if (found.mistaken[i] != 0) attack.mistaken += recoding.counts[i];
  }
  return attack;
}

Json to_json(const RuleAttack& attack) {
  const auto share = [&](std::uint64_t part) {
    return attack.records == 0 ? 0
                               : static_cast<double>(part) / static_cast<double>(attack.records);
  };
  return {{"believed", attack.believed},
          {"believed_share", share(attack.believed)},
          {"mistaken", attack.mistaken},
          {"mistaken_share", share(attack.mistaken)},
          {"positive_rules", attack.positive_rules},
          {"negative_rules", attack.negative_rules}};
}

}  // namespace pratique::tables
