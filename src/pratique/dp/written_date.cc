#include "pratique/dp/written_date.h"

namespace pratique::dp {

std::optional<PartialDate> written_date(std::string_view text, DateOrder order) {
  if (auto date = parse_iso_date(text)) return date;
  const auto foreign = parse_foreign_date(text);
  if (!foreign) return std::nullopt;
  if (foreign->year_first || order == DateOrder::month_first) return foreign->month_first();
  const bool dotted = text.find('.') != std::string_view::npos;
  if (dotted || order == DateOrder::day_first) return foreign->day_first();
  return std::nullopt;
}

}  // namespace pratique::dp
