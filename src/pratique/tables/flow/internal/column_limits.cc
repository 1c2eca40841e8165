#include "pratique/tables/flow/internal/column_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "pratique/core/error.h"
#include "pratique/data/number.h"
#include "pratique/data/settings.h"

namespace pratique::tables::flow {
namespace {

tables::Attribute& attribute_named(PreparedTable& prepared, const std::string& column,
                                   const std::string& option) {
  (void)column_index(prepared.source.columns, column, prepared.source.name);
  const auto attribute =
      std::find_if(prepared.input.attributes.begin(), prepared.input.attributes.end(),
                   [&](const auto& candidate) { return candidate.name == column; });
  if (attribute == prepared.input.attributes.end()) {
    throw Error::input(fmt::format("{}: '{}' is not a quasi-identifier but {}", option, column,
                                   to_string(prepared.schema.role_of(column))))
        .hint("Only quasi-identifiers lose anything: name it with --qi, or leave it out.");
  }
  return *attribute;
}

void limit_levels(const ProtectRequest& options, PreparedTable& prepared) {
  for (const auto& [column, text] :
       column_values(options.max_level, "--max-level", prepared.source.columns)) {
    auto& attribute = attribute_named(prepared, column, "--max-level");
    prepared.max_level[column] = level_of(column, text, *attribute.hierarchy);
    limit_level(attribute, prepared.max_level[column]);
  }
}

void weigh_columns(const ProtectRequest& options, PreparedTable& prepared) {
  constexpr double kLargest = 1e6;
  for (const auto& [column, text] :
       column_values(options.weights, "--weight", prepared.source.columns)) {
    auto& attribute = attribute_named(prepared, column, "--weight");
    const double weight = is_number(text) ? to_double(text) : -1;
    if (!(weight >= 0 && weight <= kLargest)) {
      throw Error::input(
          fmt::format("--weight {}: '{}' is not a number from 0 to {:.0f}", column, text, kLargest))
          .hint("Write for example --weight age=3: its cells count three times as much as others.");
    }
    prepared.weights[column] = attribute.weight = weight;
  }
  if (prepared.weights.empty()) return;
  if (scale_weights(prepared.input.attributes) <= 0) {
    throw Error::input("--weight: no column counts anything")
        .hint("At least one quasi-identifier needs a weight above 0; those not named have 1.");
  }
}

void limit_losses(const ProtectRequest& options, PreparedTable& prepared) {
  for (const auto& [column, text] :
       column_values(options.max_loss, "--max-loss", prepared.source.columns)) {
    auto& attribute = attribute_named(prepared, column, "--max-loss");
    const double share = is_number(text) ? to_double(text) : -1;
    if (!(share >= 0 && share <= 1)) {
      throw Error::input(
          fmt::format("--max-loss {}: '{}' is not a number from 0 to 1", column, text))
          .hint("Write for example --max-loss age=0.2: no cell stands for more than a fifth.");
    }
    prepared.max_loss[column] = share;
    constexpr double kLeafRounding = 1e-9;
    attribute.most_leaves =
        1 + share * (static_cast<double>(attribute.hierarchy->leaf_count()) - 1) + kLeafRounding;
  }
}

}  // namespace

int level_of(const std::string& column, const std::string& text, const Hierarchy& hierarchy) {
  int level = -1;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, level);
  if (parsed.ec != std::errc() || parsed.ptr != end || level < 0 || level >= hierarchy.height()) {
    throw Error::input(fmt::format("'{}' is not a level of the hierarchy of '{}'", text, column))
        .hint(fmt::format("Its levels are 0 (as it is) to {} (nothing left).",
                          hierarchy.height() - 1));
  }
  return level;
}

void limit_columns(const ProtectRequest& options, PreparedTable& prepared) {
  limit_losses(options, prepared);
  limit_levels(options, prepared);
  weigh_columns(options, prepared);
}

}  // namespace pratique::tables::flow
