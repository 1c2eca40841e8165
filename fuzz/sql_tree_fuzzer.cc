// Question::read on any tree refuses it or gives a question whose expressions have a value for any
// row: nothing else is thrown, and nothing fails on what stands in a row.
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>

#include "pratique/core/error.h"
#include "pratique/dp/query/question.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const auto question = pratique::dp::Question::read(pratique::parse_json(text, "tree"),
                                                       {"id", "region", "age"}, "id");
    for (const std::string_view cell : {"", "7", "-1e9", "text", "999999999999999999999999"}) {
      const auto row = [cell](std::size_t) { return cell; };
      if (question.where) (void)question.where->holds(row);
      for (const auto& key : question.keys) (void)key.value(row);
      for (const auto& aggregate : question.aggregates) {
        if (aggregate.of) (void)aggregate.of->value(row);
      }
    }
  } catch (const pratique::Error&) {
  }
  return 0;
}
