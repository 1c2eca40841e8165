#include <gtest/gtest.h>

#include <set>

#include "pratique/codes/method/protection.h"
#include "pratique/codes/model/model.h"
#include "pratique/core/error.h"

namespace pratique::codes::models_test {
namespace {

TEST(Models, EachHasWordsAndAMethod) {
  std::set<std::string_view> keys;
  for (const Model* model : models()) {
    EXPECT_TRUE(keys.insert(model->key).second) << model->key;
    EXPECT_FALSE(model->words.empty()) << model->key;
    EXPECT_NE(model->claim, nullptr) << model->key;
    EXPECT_EQ(&find_model(model->key), model);
    EXPECT_EQ(find_method(std::string(model->key), "").model, model->key);
  }
  for (const Method& method : methods()) EXPECT_TRUE(keys.contains(method.model)) << method.name;
  EXPECT_THROW((void)find_model("kn"), Error);
}

TEST(Models, EachSettingHasOneMeaning) {
  std::set<std::string_view> keys;
  for (const Setting& setting : model_settings()) {
    EXPECT_TRUE(keys.insert(setting.key).second) << setting.key;
    EXPECT_FALSE(setting.words.empty()) << setting.key;
  }
  EXPECT_EQ(keys, (std::set<std::string_view>{"k", "m", "sensitive", "h", "p", "rules", "c", "rho",
                                              "privacy", "utility", "qi", "qi-hierarchy",
                                              "suppression"}));
  // A setting that two models share has the same words and the same place in both.
  for (const Model* model : models()) {
    for (const Setting& setting : model->settings) {
      for (const Model* other : models()) {
        for (const Setting& same : other->settings) {
          if (same.key != setting.key) continue;
          EXPECT_EQ(same.words, setting.words);
          EXPECT_EQ(same.value, setting.value);
        }
      }
    }
  }
}

}  // namespace
}  // namespace pratique::codes::models_test
