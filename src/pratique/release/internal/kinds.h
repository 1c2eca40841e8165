// What each kind of data adds to its page of a report: one line in a table, one function.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "pratique/core/progress.h"
#include "pratique/engine/engine.h"
#include "pratique/release/manifest.h"
#include "pratique/release/report.h"

namespace pratique::release {

struct KindContext {
  Engine& engine;
  const ReleaseFile& file;
  const Manifest& manifest;
  ReleaseReport& report;
  // Where they are still what the manifest says.
  const std::optional<Source>& release;
  const std::optional<Source>& original;
  const std::optional<RuMap>& ru_map;
  const std::vector<Source>& adversaries;
  Progress& progress;
};

struct Kind {
  std::string_view noun;  // the first word of the command that made the release
  std::string_view title;
  std::string_view adversary;
  void (*describe)(KindContext& context);
};

// A kind without a page gets the general one: claims, attacks, metrics and files.
[[nodiscard]] const Kind& kind_of(std::string_view noun);

// Numbers of results, in the words of report_words.h, where they are there.
void add_facts(KindContext& context, std::initializer_list<std::string_view> keys);

void describe_table(KindContext& context);
// Columns, classes and distributions of what is a table, whichever noun made it.
void describe_columns(KindContext& context);
void describe_codes(KindContext& context);
void describe_trails(KindContext& context);
void describe_fusion(KindContext& context);

}  // namespace pratique::release
