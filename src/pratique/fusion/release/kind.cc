#include "pratique/fusion/release/kind.h"

#include "pratique/fusion/release/page.h"
#include "pratique/fusion/release/words.h"
#include "pratique/tables/release/words.h"

namespace pratique::fusion {

release::Kind kind() {
  return {
      .noun = "fusion",
      .title = "a list with names, without a private number",
      .adversary =
          "Somebody who has the list looks its people up on the web and estimates the number that "
          "was left out.",
      .file_kind = "",
      .figures = figures(),
      .models = tables::model_words(),
      .describe = release::describe_fusion};
}

}  // namespace pratique::fusion
