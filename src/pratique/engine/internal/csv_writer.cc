#include "pratique/engine/internal/csv_writer.h"

#include <algorithm>
#include <string>
#include <vector>

#include "pratique/core/parallel.h"
#include "pratique/engine/internal/output_row_reader.h"

namespace pratique {
namespace {

constexpr std::size_t kCellsPerBlock = 1U << 17;
// Blocks put together before any is written: bounds the memory, keeps the cores busy.
constexpr std::size_t kBlocksAtOnce = 16;

std::string csv_text(std::string_view text, char delimiter) {
  const bool plain = text.find_first_of(std::string{delimiter, '"', '\n', '\r'}) == text.npos;
  if (plain) return std::string(text);
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"') result += '"';
    result += c;
  }
  return result + "\"";
}

}  // namespace

void write_csv(const Output& output, Progress& progress,
               const std::function<void(std::string_view)>& sink) {
  const std::size_t width = output.columns.size();
  const auto end_of = [&](std::size_t c) { return c + 1 == width ? '\n' : output.delimiter; };
  const auto cell_text = [&](std::string_view value) {
    std::string text = csv_text(value, output.delimiter);
    // A lone empty field would be a blank line, which readers skip.
    if (width == 1 && text.empty()) text = "\"\"";
    return text;
  };
  std::vector<std::vector<std::string>> texts(width);
  std::string header;
  for (std::size_t c = 0; c < width; ++c) {
    const char end = end_of(c);
    header += csv_text(output.columns[c].name, output.delimiter) + end;
    if (output.columns[c].aside != nullptr) continue;
    for (const auto& value : *output.columns[c].values) {
      if (output.bare) {
        texts[c].push_back(value + end);
        continue;
      }
      texts[c].push_back(cell_text(value) + end);
    }
  }
  if (!output.bare) sink(header);

  progress.begin("writing rows", output.row_count);
  const std::size_t rows_per_block =
      std::max<std::size_t>(64, kCellsPerBlock / std::max<std::size_t>(1, width));
  std::vector<std::string> blocks(kBlocksAtOnce);
  for (std::size_t start = 0; start < output.row_count; start += kBlocksAtOnce * rows_per_block) {
    const std::size_t rows = std::min(kBlocksAtOnce * rows_per_block, output.row_count - start);
    for (auto& block : blocks) block.clear();
    parallel_blocks(rows, rows_per_block, [&](std::size_t begin, std::size_t end) {
      std::string& block = blocks[begin / rows_per_block];
      OutputRowReader aside(output);
      for (std::size_t i = start + begin; i < start + end; ++i) {
        const std::size_t row = output.rows == nullptr ? i : (*output.rows)[i];
        aside.go_to(row);
        for (std::size_t c = 0; c < width; ++c) {
          const OutputColumn& column = output.columns[c];
          if (column.aside == nullptr) {
            block += texts[c][column.code(row)];
          } else {
            block += cell_text(aside.cell(column));
            block += end_of(c);
          }
        }
      }
    });
    for (const auto& block : blocks) sink(block);
    progress.advance(rows);
  }
}

}  // namespace pratique
