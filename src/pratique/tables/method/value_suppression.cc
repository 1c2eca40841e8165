#include "pratique/tables/method/value_suppression.h"

#include <fmt/format.h>

#include <limits>
#include <optional>

#include "pratique/core/error.h"
#include "pratique/data/generalised.h"
#include "pratique/tables/method/internal/suppression_search.h"

namespace pratique::tables {
namespace {

// The cells of one attribute as they are written; each text gets its code when it is first asked.
class Cells {
 public:
  Cells(const Attribute& attribute, RecodedColumn& column)
      : attribute_(attribute), column_(column), written_(attribute.distinct(), kNoCode) {}

  Code exact(Code code) {
    if (written_[code] == kNoCode) {
      written_[code] =
          add(GeneralisedValue::text(attribute_.column->dictionary.value(code)).print(), 1);
    }
    return written_[code];
  }
  Code any() {
    if (any_ == kNoCode) {
      any_ = add(GeneralisedValue::any().print(),
                 static_cast<double>(attribute_.hierarchy->leaf_count()));
    }
    return any_;
  }

 private:
  Code add(std::string text, double leaves) {
    column_.values.push_back(std::move(text));
    column_.leaves.push_back(leaves);
    return static_cast<Code>(column_.values.size() - 1);
  }

  const Attribute& attribute_;
  RecodedColumn& column_;
  std::vector<Code> written_;
  Code any_ = kNoCode;
};

ValueSuppression nothing_leaves(const ProtectionInput& input) {
  ValueSuppression result;
  result.recoding.columns.resize(input.attributes.size());
  result.recoding.suppressed = records_of(input);
  return result;
}

ValueSuppression write(const ProtectionInput& input, const SuppressionClasses& state) {
  ValueSuppression result;
  Recoding& recoding = result.recoding;
  std::vector<std::uint64_t> masks;  // by class of the recoding
  for (const auto& eq_class : state.classes()) {
    if (!eq_class.alive || eq_class.records == 0) continue;
    auto portions = eq_class.portions;
    SuppressionClasses::merge(portions);
    for (const auto& portion : portions) {
      if (portion.records == 0) continue;
      recoding.groups.push_back(portion.group);
      recoding.counts.push_back(portion.records);
      recoding.class_of.push_back(static_cast<ClassId>(recoding.class_count));
    }
    result.cells += eq_class.records * input.attributes.size();
    masks.push_back(eq_class.mask);
    ++recoding.class_count;
  }
  result.suppressed_cells = state.suppressed_cells();
  recoding.columns.resize(input.attributes.size());
  for (std::size_t a = 0; a < input.attributes.size(); ++a) {
    const Attribute& attribute = input.attributes[a];
    Cells cells(attribute, recoding.columns[a]);
    auto& codes = recoding.columns[a].codes;
    codes.reserve(recoding.groups.size());
    for (std::size_t i = 0; i < recoding.groups.size(); ++i) {
      const bool hidden = (masks[recoding.class_of[i]] >> a & 1U) != 0;
      codes.push_back(hidden ? cells.any()
                             : cells.exact(attribute.column->codes[recoding.groups[i]]));
    }
  }
  return result;
}

// All points in the classes of one mask, and how many records are in classes that are not good.
// `best`: the number from which on nobody wants to know.
std::uint64_t bad_records(const ProtectionInput& input, const Models& models, std::uint64_t mask,
                          std::uint64_t best) {
  std::vector<CodedColumn> shown;
  for (std::size_t a = 0; a < input.attributes.size(); ++a) {
    if ((mask >> a & 1U) == 0) shown.push_back(CodedColumn::of(*input.attributes[a].column));
  }
  const auto classes = EquivalenceClasses::of(shown, input.groups());
  const auto members = classes.members();
  ClassCounter counter(input);
  std::uint64_t bad = 0;
  for (ClassId id = 0; id < classes.count() && bad < best; ++id) {
    counter.clear();
    for (const auto group : members.of(id)) counter.add(group);
    const ClassView view = counter.view();
    if (view.records > 0 && !all_hold(models, view)) bad += view.records;
  }
  return bad;
}

// The columns that suppression of whole columns hides; none where hiding all is not enough or more
// than `most` would have to go.
std::optional<std::uint64_t> columns_to_hide(const ProtectionInput& input, const Models& models,
                                             std::size_t most) {
  constexpr std::uint64_t kAll = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t mask = 0;
  std::uint64_t bad = bad_records(input, models, mask, kAll);
  for (std::size_t hidden = 0; bad > 0; ++hidden) {
    if (hidden == input.attributes.size() || hidden >= most) return std::nullopt;
    std::uint64_t best = kAll;
    std::uint64_t next = mask;
    for (std::size_t a = 0; a < input.attributes.size(); ++a) {
      const std::uint64_t with = mask | std::uint64_t{1} << a;
      if (with == mask) continue;
      const std::uint64_t left = bad_records(input, models, with, best);
      if (left < best) {
        best = left;
        next = with;
      }
    }
    mask = next;
    bad = best;
  }
  return mask;
}

ValueSuppression hide_columns(const ProtectionInput& input, std::uint64_t mask) {
  // No models: what the classes are is known already.
  const Models none;
  SuppressionClasses state(input, none);
  for (SuppressionClasses::Id id = 0,
                              points = static_cast<SuppressionClasses::Id>(state.classes().size());
       id < points && mask != 0; ++id) {
    state.dissolve(id, state.open(mask, state.classes()[id].representative));
  }
  auto result = write(input, state);
  result.whole_columns = true;
  return result;
}

void check_attributes(const ProtectionInput& input) {
  if (input.attributes.size() <= 64) return;
  throw Error::input(fmt::format("value suppression takes up to 64 quasi-identifiers, not {}",
                                 input.attributes.size()))
      .hint("leave out columns that no attacker knows");
}

}  // namespace

ShownOrHidden::ShownOrHidden(const ProtectionInput& input) : input_(input) {
  hierarchies_.reserve(input.attributes.size());
  for (Attribute& attribute : input_.attributes) {
    Hierarchy::Builder builder("shown or hidden");
    const Hierarchy& leaves = *attribute.hierarchy;
    for (Hierarchy::Node leaf = 0; leaf < leaves.leaf_count(); ++leaf)
      builder.add(std::vector<std::string_view>{leaves.label(leaf), "*"});
    hierarchies_.push_back(builder.build());
    Attribute flat =
        make_attribute(*attribute.column, hierarchies_.back(), attribute.column->counts());
    flat.weight = attribute.weight;
    attribute = std::move(flat);
  }
}

ValueSuppression suppress_columns(const ProtectionInput& input, const Models& models) {
  check_attributes(input);
  const auto mask = columns_to_hide(input, models, input.attributes.size());
  return mask ? hide_columns(input, *mask) : nothing_leaves(input);
}

ValueSuppression suppress_values(const ProtectionInput& input, const Models& models) {
  check_attributes(input);
  SuppressionClasses state(input, models);
  const bool feasible = find_classes(state);
  const std::uint64_t records = records_of(input);
  const std::uint64_t cells =
      feasible ? state.suppressed_cells() : records * (input.attributes.size() + 1);
  // Hiding n columns costs n cells per record: only fewer than the search lost are of interest.
  const std::size_t most = records == 0 || cells == 0 ? 0 : (cells - 1) / records;
  if (most > 0) {
    const auto mask = columns_to_hide(input, models, most);
    if (mask) return hide_columns(input, *mask);
  }
  return feasible ? write(input, state) : nothing_leaves(input);
}

}  // namespace pratique::tables
