#include "pratique/release/row_order.h"

#include <gtest/gtest.h>

#include <set>

#include "pratique/core/random.h"

namespace pratique::release {
namespace {

struct Content {
  std::vector<std::string> values;
  std::vector<Code> codes;
  [[nodiscard]] std::vector<std::string> leaving(std::uint64_t seed) const {
    const Output output{.columns = {{"a", &codes, &values}}, .row_count = codes.size()};
    std::vector<std::string> texts;
    for (const auto row : order_by_content(output, seed)) texts.push_back(values[codes[row]]);
    return texts;
  }
};

Content numbers(std::size_t rows) {
  Content content;
  for (std::size_t i = 0; i < rows; ++i) {
    content.values.push_back(std::to_string(i / 2));
    content.codes.push_back(static_cast<Code>(i));
  }
  return content;
}

TEST(RowOrder, IsTheSameForEveryOrderOfTheInput) {
  Content content = numbers(1000);
  const auto expected = content.leaving(7);
  SeededRandom random(1);
  random.shuffle(content.codes);
  EXPECT_EQ(content.leaving(7), expected);
}

TEST(RowOrder, LosesAndInventsNoRow) {
  const Content content = numbers(1000);
  const auto texts = content.leaving(7);
  EXPECT_EQ(std::multiset<std::string>(texts.begin(), texts.end()),
            std::multiset<std::string>(content.values.begin(), content.values.end()));
}

TEST(RowOrder, IsFarFromTheOrderOfTheInput) {
  // Spearman's rank correlation of a random order of n has deviation 1/sqrt(n - 1).
  const Content content = numbers(10000);
  const auto texts = content.leaving(7);
  double squares = 0;
  const auto n = static_cast<double>(texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const double difference = 2 * std::stod(texts[i]) - static_cast<double>(i);
    squares += difference * difference;
  }
  EXPECT_LT(std::abs(1 - 6 * squares / (n * (n * n - 1))), 0.05);
  EXPECT_NE(content.leaving(8), texts);
}

}  // namespace
}  // namespace pratique::release
