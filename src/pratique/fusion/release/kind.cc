#include "pratique/fusion/release/kind.h"

#include <array>

#include "pratique/fusion/release/agreement.h"
#include "pratique/fusion/release/page.h"
#include "pratique/fusion/release/words.h"

namespace pratique::fusion {
namespace {

constexpr std::array<release::FileOption, 4> kFileOptions = {
    {{"auxiliary"}, {"attack-set"}, {"rules"}, {"learn"}}};

}  // namespace

release::Kind kind() {
  return {
      .noun = "fusion",
      .verb = "fred",
      .title = "a list with names, without a private number",
      .adversary =
          "Somebody who has the list looks its people up on the web and estimates the number that "
          "was left out.",
      .file_kind = "",
      .figures = figures(),
      .models = model_words(),
      .file_options = kFileOptions,
      .describe = release::describe_fusion,
      .contradict = release::contradict_fusion};
}

}  // namespace pratique::fusion
