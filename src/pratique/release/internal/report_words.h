// What models, attacks and metrics are called, and what they mean, in plain words.
#pragma once

#include <string>
#include <string_view>

namespace pratique::release {

struct ModelWords {
  std::string_view name;
  std::string_view promise;  // for whom the release was made safe
  std::string_view limit;    // what is taken for granted, and what is not promised
};

// Of a claim's "model"; a model without words says so.
[[nodiscard]] const ModelWords& words_of_model(std::string_view model);

// Of a key in a manifest's results; the key itself, with blanks, when it has no words.
[[nodiscard]] std::string words_of_figure(std::string_view key);
// What a metric means; empty when there is nothing to add.
[[nodiscard]] std::string_view meaning_of_metric(std::string_view kind, std::string_view key);

}  // namespace pratique::release
