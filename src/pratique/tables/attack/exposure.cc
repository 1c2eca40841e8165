#include "pratique/tables/attack/exposure.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "pratique/tables/model/spelling.h"

namespace pratique::tables {
namespace {

constexpr Code kMixed = kNoCode - 1;

struct Entries {
  const std::vector<std::uint32_t>& groups;
  const std::vector<std::uint64_t>& counts;
  const std::vector<ClassId>& class_of;
  std::size_t class_count;
};

bool is_believed(std::uint64_t part, std::uint64_t whole) {
  return static_cast<double>(part) >= (kBelieved - kBeliefRounding) * static_cast<double>(whole);
}

// Entries whose value has so large a share of their class.
void add_believed(const Column& sensitive, const Entries& entries,
                  const std::vector<std::uint64_t>& sizes, std::vector<bool>& believed) {
  std::vector<Code> values;
  values.reserve(entries.groups.size());
  for (const auto group : entries.groups) values.push_back(sensitive.codes[group]);
  const std::vector<CodedColumn> columns = {{entries.class_of, entries.class_count},
                                            {values, sensitive.dictionary.size()}};
  const auto parts = EquivalenceClasses::of(columns, values.size());
  std::vector<std::uint64_t> records(parts.count(), 0);
  for (std::size_t i = 0; i < values.size(); ++i) records[parts.class_of(i)] += entries.counts[i];
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (is_believed(records[parts.class_of(i)], sizes[entries.class_of[i]])) believed[i] = true;
  }
}

Exposure exposure_of(const ProtectionInput& input, const Entries& entries) {
  std::vector<std::uint64_t> sizes(entries.class_count, 0);
  for (std::size_t i = 0; i < entries.groups.size(); ++i) {
    sizes[entries.class_of[i]] += entries.counts[i];
  }
  std::vector<bool> disclosed(entries.class_count, false);
  std::vector<bool> believed(entries.groups.size(), false);  // by entry
  for (const Column* column : input.sensitive) {
    // Who reads them sees through the spelling.
    const auto joined = joined_spellings(*column);
    const Column* sensitive = joined ? &*joined : column;
    std::vector<Code> only(entries.class_count, kNoCode);
    for (std::size_t i = 0; i < entries.groups.size(); ++i) {
      if (entries.counts[i] == 0) continue;
      const Code code = sensitive->codes[entries.groups[i]];
      Code& seen = only[entries.class_of[i]];
      seen = seen == kNoCode || seen == code ? code : kMixed;
    }
    for (std::size_t id = 0; id < only.size(); ++id) {
      if (only[id] != kNoCode && only[id] != kMixed) disclosed[id] = true;
    }
    add_believed(*sensitive, entries, sizes, believed);
  }
  Exposure exposure;
  if (!input.sensitive.empty()) {
    exposure.sensitive_disclosed = 0;
    exposure.believed = 0;
  }
  for (std::size_t i = 0; i < believed.size(); ++i) {
    if (believed[i]) *exposure.believed += entries.counts[i];
  }
  for (std::size_t id = 0; id < sizes.size(); ++id) {
    if (sizes[id] == 0) continue;
    exposure.records += sizes[id];
    exposure.smallest_class =
        exposure.classes == 0 ? sizes[id] : std::min(exposure.smallest_class, sizes[id]);
    ++exposure.classes;
    if (sizes[id] == 1) ++exposure.unique;
    if (disclosed[id]) *exposure.sensitive_disclosed += sizes[id];
  }
  return exposure;
}

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

Exposure exposure_before(const ProtectionInput& input) {
  std::vector<CodedColumn> coded;
  for (const auto& attribute : input.attributes)
    coded.push_back(CodedColumn::of(*attribute.column));
  const auto classes = EquivalenceClasses::of(coded, input.groups());
  std::vector<std::uint32_t> groups(input.groups());
  for (std::uint32_t i = 0; i < groups.size(); ++i) groups[i] = i;
  return exposure_of(input, {groups, *input.counts, classes.class_of(), classes.count()});
}

Exposure exposure_after(const ProtectionInput& input, const Recoding& recoding) {
  return exposure_of(input,
                     {recoding.groups, recoding.counts, recoding.class_of, recoding.class_count});
}

Json to_json(const Exposure& exposure) {
  Json json = {{"records", exposure.records},
               {"classes", exposure.classes},
               {"k", exposure.smallest_class},
               {"linkage_risk_max", exposure.largest_risk()},
               {"linkage_risk_mean", exposure.mean_risk()},
               {"unique", exposure.unique},
               {"unique_share", share(exposure.unique, exposure.records)}};
  if (exposure.sensitive_disclosed) {
    json["sensitive_disclosed"] = *exposure.sensitive_disclosed;
    json["sensitive_disclosed_share"] = share(*exposure.sensitive_disclosed, exposure.records);
    json["believed"] = *exposure.believed;
    json["believed_share"] = share(*exposure.believed, exposure.records);
  }
  return json;
}

}  // namespace pratique::tables
