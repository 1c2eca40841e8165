// Where the block for programs stands. In HTML it is a script element of a type that no browser
// runs (the HTML standard's data block), in Markdown a comment. JSON may write any character of a
// text by its number, so nothing inside can look like the end of either.
#include <fmt/format.h>

#include <array>
#include <optional>

#include "pratique/kind/internal/data_block.h"

namespace pratique::release {
namespace {

struct Marks {
  std::string before;
  std::string_view after;
};

std::array<Marks, 2> marks_of(std::string_view name) {
  return {{{fmt::format("<script type=\"application/json\" id=\"{}\">", name), "</script>"},
           {fmt::format("<!-- {} ", name), " -->"}}};
}

std::string marked(const DataBlock& block, std::size_t form) {
  const auto marks = marks_of(block.name);
  std::string json;
  for (const char c : block.json) {
    if (c == '<' || c == '>' || c == '&') {
      json += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      json += c;
    }
  }
  return fmt::format("{}{}{}\n", marks[form].before, json, marks[form].after);
}

}  // namespace

std::string data_as_html(const DataBlock& block) { return marked(block, 0); }
std::string data_as_markdown(const DataBlock& block) { return marked(block, 1); }

std::string_view find_data_block(std::string_view text, std::string_view name) {
  std::optional<std::string_view> block;
  for (const auto& [before, after] : marks_of(name)) {
    for (std::size_t at = 0; (at = text.find(before, at)) != std::string_view::npos;) {
      at += before.size();
      if (block) return {};
      block = text.substr(at, text.find(after, at) - at);
    }
  }
  return block.value_or(std::string_view());
}

}  // namespace pratique::release
