#include "pratique/trails/release/kind.h"

#include <array>

#include "pratique/trails/release/page.h"
#include "pratique/trails/release/sequence.h"
#include "pratique/trails/release/words.h"

namespace pratique::trails {

namespace {

constexpr std::array<release::FileOption, 2> kFileOptions = {{{"identified"}, {"deidentified"}}};

}  // namespace

release::Kind kind() {
  return {
      .noun = "trails",
      .title = "samples and where they were taken",
      .adversary =
          "Somebody who has the lists with names links samples to people by where both were seen.",
      .file_kind = "",
      .figures = figures(),
      .models = model_words(),
      .file_options = kFileOptions,
      .verify_needs = "the lists of people",
      .describe = release::describe_trails,
      .attack_sequence = release::attack_trails,
      .contradict = release::contradict_trails};
}

}  // namespace pratique::trails
