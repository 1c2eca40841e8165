// A document to read: chapters of sections of blocks, written as HTML or as Markdown. What is in it
// comes from manifests that anybody may have written, so all text is cleaned when it is added
// (control characters and bytes that are no UTF-8 become U+FFFD) and escaped when it is written.
//
// The HTML is one file that runs no script and needs no other file: light and dark as the reader
// prefers, black on white in print, headings in order, tables with headers and captions, pictures
// as SVG with a name and their numbers beside them, a link past the contents. Its own policy
// forbids the browser to load anything.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "pratique/core/bar_chart.h"
#include "pratique/core/chart.h"

namespace pratique::release {

struct Paragraph {
  std::string text;
};
// A word of judgement, told apart by its text and not only by colour.
struct Verdict {
  enum class Tone { good, bad, open };
  Tone tone = Tone::open;
  std::string text;
};
struct Listing {
  std::vector<std::string> items;
};
// A command or the like, to be copied as it is.
struct Verbatim {
  std::string text;
};
// The first cell of a row names it. Cells of a column that are all numbers stand to the right. A
// table of names and values needs no head.
struct Grid {
  std::string caption;
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;
};
struct Picture {
  std::variant<Chart, BarChart> chart;
  std::string caption;
};
using Block = std::variant<Paragraph, Verdict, Listing, Verbatim, Grid, Picture>;

struct Section {
  std::string title;
  std::vector<Block> blocks;
};
struct Chapter {
  std::string title;
  std::vector<Section> sections;
};
// For programs, and shown to nobody: JSON under a name (letters and '-').
struct DataBlock {
  std::string name;
  std::string json;
};
struct Document {
  std::string title;
  std::vector<Block> opening;
  std::vector<Chapter> chapters;
  std::optional<DataBlock> data = {};
};

// What stands for a count of 1 to k - 1 people, which is never shown.
[[nodiscard]] std::string hidden_count(std::uint64_t k);

// No control characters, nothing that turns the direction of text, only UTF-8.
[[nodiscard]] std::string cleaned(std::string_view text);

[[nodiscard]] std::string to_html(const Document& document);
[[nodiscard]] std::string to_markdown(const Document& document);
// The JSON of the block of that name in what one of the two wrote; empty where there is none, or
// more than one.
[[nodiscard]] std::string_view find_data_block(std::string_view text, std::string_view name);

}  // namespace pratique::release
