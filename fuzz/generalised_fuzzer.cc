// Any string is a cell: it prints back, contains itself, and judges any other value. A tab parts
// the cell from the value.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "pratique/data/generalised.h"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using pratique::GeneralisedValue;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t tab = input.find('\t');
  const std::string_view cell = input.substr(0, tab);
  const std::string_view value =
      tab == std::string_view::npos ? std::string_view() : input.substr(tab + 1);

  const auto own = GeneralisedValue::parse(cell);
  const auto printed = own.print();
  require(GeneralisedValue::parse(printed) == own);
  require(own.kind() == GeneralisedValue::Kind::set || printed == cell);
  require(own.contains(cell));

  const auto text = GeneralisedValue::text(cell);
  require(GeneralisedValue::parse(text.print()) == text);
  require(text.contains(cell));

  const auto foreign = GeneralisedValue::parse_foreign(cell);
  require(GeneralisedValue::parse_foreign(foreign.print()) == foreign);
  require(foreign.contains(cell));
  require(!std::isnan(foreign.width()) && foreign.width() >= 0);

  // A member is a text of its own: a set contains what its members contain.
  if (own.kind() == GeneralisedValue::Kind::set) {
    bool in_member = own.print() == value || GeneralisedValue::parse(value) == own;
    for (const auto& member : own.parts()) {
      const auto alone = GeneralisedValue::text(member);
      in_member = in_member || (alone.contains(value) && alone.print() == member);
    }
    require(!in_member || own.contains(value));
  }
  (void)foreign.contains(value);
  return 0;
}
