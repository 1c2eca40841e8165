#include "pratique/kind/document.h"

#include <fmt/format.h>

#include <algorithm>

#include "pratique/data/utf8.h"
#include "pratique/kind/internal/data_block.h"

namespace pratique::release {
namespace {

// U+200E, U+200F, U+202A to U+202E and U+2066 to U+2069 make text look like other text.
bool turns_text(std::string_view character) {
  if (character.size() != 3 || character[0] != '\xe2') return false;
  const auto second = static_cast<unsigned char>(character[1]);
  const auto third = static_cast<unsigned char>(character[2]);
  if (second == 0x80) return third == 0x8e || third == 0x8f || (third >= 0xaa && third <= 0xae);
  return second == 0x81 && third >= 0xa6 && third <= 0xa9;
}

// In Markdown most punctuation may mean something; a backslash in front of it never does.
std::string marked_down(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("\\`*_{}[]<>#|!&~").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

class MarkdownWriter {
 public:
  explicit MarkdownWriter(std::string& out) : out_(out) {}

  void operator()(const Paragraph& block) const { out_ += marked_down(block.text) + "\n\n"; }
  void operator()(const Verdict& block) const {
    out_ += fmt::format("> **{}**\n\n", marked_down(block.text));
  }
  void operator()(const Listing& block) const {
    for (const auto& item : block.items) out_ += fmt::format("- {}\n", marked_down(item));
    out_ += "\n";
  }
  void operator()(const Verbatim& block) const { out_ += fmt::format("    {}\n\n", block.text); }
  void operator()(const Grid& block) const {
    if (!block.caption.empty()) out_ += marked_down(block.caption) + "\n\n";
    const std::size_t columns = block.rows.empty() ? block.head.size() : block.rows.front().size();
    row(block.head.empty() ? std::vector<std::string>(columns) : block.head);
    out_ += "|";
    for (std::size_t c = 0; c < columns; ++c) out_ += "---|";
    out_ += "\n";
    for (const auto& cells : block.rows) row(cells);
    out_ += "\n";
  }
  void operator()(const Picture& block) const {
    if (const auto* bars = std::get_if<BarChart>(&block.chart)) {
      Grid grid{block.caption.empty() ? bars->title : bars->title + ": " + block.caption,
                {bars->category_name},
                {}};
      grid.head.insert(grid.head.end(), bars->series.begin(), bars->series.end());
      for (const auto& row : bars->rows) {
        grid.rows.push_back({row.label});
        for (const double value : row.values) grid.rows.back().push_back(grouped_digits(value));
      }
      return (*this)(grid);
    }
    const auto& chart = std::get<Chart>(block.chart);
    Grid grid{block.caption.empty() ? chart.title : chart.title + ": " + block.caption,
              {"setting", chart.x_name, chart.y_name},
              {}};
    for (const auto& series : chart.series) {
      for (const auto& point : series.points) {
        grid.rows.push_back(
            {point.label, fmt::format("{:.4g}", point.x), fmt::format("{:.4g}", point.y)});
      }
    }
    (*this)(grid);
  }

 private:
  void row(const std::vector<std::string>& cells) const {
    out_ += "|";
    for (const auto& cell : cells) out_ += fmt::format(" {} |", marked_down(cell));
    out_ += "\n";
  }
  std::string& out_;
};

}  // namespace

std::string hidden_count(std::uint64_t k) { return k <= 2 ? "1" : fmt::format("1 to {}", k - 1); }

std::string cleaned(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = first_character(text);
    const std::string_view character = text.substr(0, length);
    text.remove_prefix(length);
    const auto byte = static_cast<unsigned char>(character[0]);
    const bool control = length == 1 && (byte < 0x20 || byte >= 0x7f);
    const bool second_control =
        length == 2 && byte == 0xc2 && static_cast<unsigned char>(character[1]) < 0xa0;
    if (control || second_control || turns_text(character)) {
      out += "\xef\xbf\xbd";
    } else {
      out += character;
    }
  }
  return out;
}

std::string to_markdown(const Document& document) {
  std::string out = fmt::format("# {}\n\n", marked_down(document.title));
  if (document.data) out += data_as_markdown(*document.data) + "\n";
  const MarkdownWriter writer(out);
  for (const auto& block : document.opening) std::visit(writer, block);
  for (const auto& chapter : document.chapters) {
    out += fmt::format("## {}\n\n", marked_down(chapter.title));
    for (const auto& section : chapter.sections) {
      out += fmt::format("### {}\n\n", marked_down(section.title));
      for (const auto& block : section.blocks) std::visit(writer, block);
    }
  }
  return out;
}

}  // namespace pratique::release
