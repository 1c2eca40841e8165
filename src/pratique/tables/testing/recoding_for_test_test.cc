#include "pratique/tables/testing/recoding_for_test.h"

#include <gtest/gtest-spi.h>

#include <nlohmann/json.hpp>

namespace pratique::tables::recoding_for_test_test {
namespace {

class DiverseForTest final : public Model {
 public:
  DiverseForTest(std::size_t l, double share) : l_(l), share_(share) {}
  [[nodiscard]] std::string name() const override { return "diverse"; }
  [[nodiscard]] bool monotone() const override { return true; }
  [[nodiscard]] bool holds(const ClassView& view) const override {
    const auto& counts = view.sensitive[0].counts;
    const auto most = counts.empty() ? 0 : *std::max_element(counts.begin(), counts.end());
    return counts.size() >= l_ &&
           static_cast<double>(most) <= share_ * static_cast<double>(view.records);
  }
  [[nodiscard]] double measure(const ClassView& view) const override {
    return static_cast<double>(view.sensitive[0].counts.size());
  }
  [[nodiscard]] double required() const override { return static_cast<double>(l_); }
  [[nodiscard]] bool larger_is_safer() const override { return true; }
  [[nodiscard]] Json claim(const std::vector<std::string>&) const override { return {}; }

 private:
  std::size_t l_;
  double share_;
};

}  // namespace
}  // namespace pratique::tables::recoding_for_test_test

namespace pratique::tables {

std::unique_ptr<Model> diverse_for_test(std::size_t l, double share) {
  return std::make_unique<recoding_for_test_test::DiverseForTest>(l, share);
}

}  // namespace pratique::tables

namespace pratique::tables::recoding_for_test_test {
namespace {

// The checker of all methods, on recodings with one fault each.
class ExpectSound : public testing::Test {
 protected:
  ExpectSound() {
    world() = std::make_unique<ProtectionWorld>(
        Rows{{"1", "x"}, {"2", "y"}, {"3", "x"}, {"4", "x"}}, std::vector<std::string>{"flat"});
    recoding() = {};
    recoding().groups = {0, 1, 2, 3};
    recoding().counts = {1, 1, 1, 1};
    recoding().class_of = {0, 0, 1, 1};
    recoding().class_count = 2;
    write_cells(world()->input, CellStyle::free, recoding());
  }
  // What a death or failure test may name has to be static.
  static std::unique_ptr<ProtectionWorld>& world() {
    static std::unique_ptr<ProtectionWorld> kept;
    return kept;
  }
  static Recoding& recoding() {
    static Recoding kept;
    return kept;
  }
  static void check(std::uint64_t k, std::size_t l) {
    auto models = k_only(k);
    models.push_back(diverse_for_test(l, 1));
    expect_sound(world()->input, models, recoding());
  }
};

TEST_F(ExpectSound, PassesWhatIsSound) { check(2, 1); }

TEST_F(ExpectSound, SeesALostRecord) {
  recoding().counts[0] = 0;
  testing::TestPartResultArray failures;
  {
    const testing::ScopedFakeTestPartResultReporter reporter(&failures);
    check(1, 1);
  }
  EXPECT_GT(failures.size(), 0);
}

TEST_F(ExpectSound, SeesAClassThatBreaksAModel) {
  EXPECT_NONFATAL_FAILURE(check(2, 2), "all_hold");
}

TEST_F(ExpectSound, SeesACellWithoutItsValue) {
  recoding().columns[0].values[recoding().columns[0].codes[0]] = "2..9";
  EXPECT_NONFATAL_FAILURE(check(2, 1), "2..9 for 1");
}

}  // namespace
}  // namespace pratique::tables::recoding_for_test_test
