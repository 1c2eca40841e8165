#include "pratique/data/written_range.h"

#include "pratique/data/generalised.h"
#include "pratique/data/number.h"

namespace pratique {

std::optional<WrittenRange> read_written_range(std::string_view text) {
  const auto cell = GeneralisedValue::parse_foreign(text);
  if (cell.kind() != GeneralisedValue::Kind::range) return std::nullopt;
  const std::string& low = cell.parts()[0];
  const std::string& high = cell.parts()[1];
  if (!is_number(low) || !is_number(high)) return std::nullopt;
  return WrittenRange{low, high, !cell.contains(low), !cell.contains(high)};
}
bool is_range_without_end(std::string_view text) {
  const auto cell = GeneralisedValue::parse_foreign(text);
  return cell.kind() == GeneralisedValue::Kind::range &&
         (cell.parts()[0].empty() || cell.parts()[1].empty());
}

}  // namespace pratique
