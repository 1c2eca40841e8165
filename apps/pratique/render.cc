#include "render.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "pratique/core/terminal_text.h"

namespace pratique::app {
namespace {

// Longer lists are for scripts.
constexpr std::size_t kRowsShown = 20;
constexpr std::size_t kGap = 2;
constexpr std::string_view kNothing = "-";
// The least that is left for text beside its label.
constexpr std::size_t kNarrowestText = 30;  // or half of a narrow terminal
// Longer cells stand below their row where a table is too wide.
constexpr std::size_t kLongText = 30;

// Short; but what is not quite 1, a confidence, is not shown as 1.
std::string number(double value) {
  std::string text = fmt::format("{:.4g}", value);
  return text == "1" ? fmt::format("{:.12g}", value) : text;
}

// Nothing is none, or all, unless it is.
std::string percentage(double share) {
  if (share > 0 && share < 0.0005) return "< 0.1 %";
  if (share < 1 && share >= 0.9995) return "> 99.9 %";
  std::string text = fmt::format("{:.1f}", 100 * share);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text + " %";
}

// Sentences, such as warnings: each has lines of its own.
bool is_list_of_sentences(const Json& value) {
  return value.is_array() && value.size() > 1 &&
         std::all_of(value.begin(), value.end(),
                     [](const Json& item) { return item.is_string(); }) &&
         std::any_of(value.begin(), value.end(), [](const Json& item) {
           const auto& text = item.get_ref<const std::string&>();
           return text.size() > kLongText && text.find(' ') != std::string::npos;
         });
}

bool is_list_of_objects(const Json& value) {
  return value.is_array() && !value.empty() && value.front().is_object();
}

// Rows below the names of their columns, as `tables rows` shows them.
bool is_data(const Json& object) {
  const auto columns = object.find("columns");
  const auto rows = object.find("rows");
  return columns != object.end() && rows != object.end() && columns->is_array() &&
         rows->is_array() && !rows->empty() &&
         std::all_of(rows->begin(), rows->end(), [&](const Json& row) {
           return row.is_array() && row.size() == columns->size();
         });
}

std::string pad(const std::string& text, std::size_t to, bool right) {
  const std::string spaces(to - std::min(to, columns_taken(text)), ' ');
  return right ? spaces + text : text + spaces;
}

struct Grid {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
  std::vector<bool> numeric;
};

class Renderer {
 public:
  Renderer(std::span<const Figure> figures, Terminal& terminal)
      : figures_(figures), terminal_(terminal), width_(terminal.width()) {}

  // `within` is the declared figure that the object is of, if any.
  void object(const Json& object, std::size_t indent, const Figure* within) {
    std::size_t widest = 0;
    std::size_t widest_value = 0;
    for (const auto& [key, value] : object.items()) {
      if (is_list_of_objects(value) || (value.is_object() && !value.empty())) continue;
      const FigureWords said = words_of(key, within);
      widest = std::max(widest, columns_taken(said.words));
      if (!said.meaning.empty())
        widest_value = std::max(widest_value, columns_taken(cell(value, said.unit, declared(key))));
    }
    const bool data = is_data(object);
    for (const auto& [key, value] : object.items()) {
      const FigureWords said = words_of(key, within);
      if (data && key == "columns") continue;
      if (data && key == "rows") {
        heading(said.words, indent);
        grid(data_of(object), indent + kGap, value.size());
      } else if (is_list_of_objects(value)) {
        heading(said.words, indent);
        // What is said of columns is said of all of them.
        const bool of_columns = key == "columns" || key == "safe_harbor";
        grid(grid_of(value, of_columns ? value.size() : kRowsShown), indent + kGap, value.size());
        meanings(value, indent + kGap);
      } else if (value.is_object() && !value.empty()) {
        line(std::string(indent, ' '), said.words, Style::heading);
        this->object(value, indent + kGap, declared(key));
      } else {
        std::string label = std::string(indent, ' ') + pad(said.words, widest, false) + "  ";
        if (is_list_of_sentences(value)) {
          for (const auto& sentence : value) {
            line(label, "- " + in_one_line(sentence.get<std::string>()));
            label.assign(label.size(), ' ');
          }
          continue;
        }
        const std::string text = cell(value, said.unit, declared(key));
        if (said.meaning.empty()) {
          line(label, text);
        } else {
          line(label + pad(text, widest_value, false) + "  ", std::string(said.meaning));
        }
      }
    }
  }

 private:
  [[nodiscard]] const Figure* declared(std::string_view key) const {
    const auto match = std::find_if(figures_.begin(), figures_.end(),
                                    [&](const Figure& figure) { return figure.key == key; });
    return match == figures_.end() ? nullptr : &*match;
  }

  [[nodiscard]] FigureWords words_of(const std::string& key, const Figure* within) const {
    if (within != nullptr && within->by_column) return {within->unit, in_one_line(key)};
    FigureWords said = figure(figures_, key);
    if (within != nullptr && declared(key) == nullptr) said.unit = within->unit;
    said.words = in_one_line(said.words);
    return said;
  }

  [[nodiscard]] std::string cell(const Json& value, Unit unit, const Figure* within) const {
    if (value.is_null()) return std::string(kNothing);
    if (value.is_string()) return in_one_line(value.get<std::string>());
    if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
    if (value.is_number() && unit == Unit::share) return percentage(value.get<double>());
    if (value.is_number_float()) return number(value.get<double>());
    if (!value.is_structured()) return value.dump();
    std::string text;
    for (const auto& [key, item] : value.items()) {
      if (!text.empty()) text += ", ";
      if (value.is_object()) {
        text += short_label(key, within) + " ";
        text += cell(item, words_of(key, within).unit, declared(key));
      } else {
        text += cell(item, unit, within);
      }
    }
    return text;
  }

  // Within a line, and over a column of a table, there is no room for a figure's words.
  [[nodiscard]] static std::string short_label(const std::string& key, const Figure* within) {
    return in_one_line(within != nullptr && within->by_column ? key : figure({}, key).words);
  }

  [[nodiscard]] static std::vector<std::string> keys_of(const Json& rows) {
    std::vector<std::string> keys;
    for (const auto& row : rows) {
      for (const auto& [key, value] : row.items()) {
        if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
      }
    }
    return keys;
  }

  [[nodiscard]] Grid grid_of(const Json& rows, std::size_t most) const {
    Grid grid;
    const auto keys = keys_of(rows);
    grid.rows.resize(std::min(most, rows.size()));
    for (const auto& key : keys) {
      const Unit unit = figure(figures_, key).unit;
      bool numeric = true;
      for (std::size_t r = 0; r < grid.rows.size(); ++r) {
        const Json value = rows[r].value(key, Json());
        grid.rows[r].push_back(cell(value, unit, declared(key)));
        numeric = numeric && (value.is_number() || value.is_null());
      }
      grid.header.push_back(short_label(key, nullptr));
      grid.numeric.push_back(numeric);
    }
    return grid;
  }

  [[nodiscard]] Grid data_of(const Json& object) const {
    Grid grid;
    for (const auto& name : object["columns"])
      grid.header.push_back(cell(name, Unit::number, nullptr));
    grid.numeric.assign(grid.header.size(), false);
    for (const auto& row : object["rows"]) {
      if (grid.rows.size() == kRowsShown) break;
      auto& cells = grid.rows.emplace_back();
      for (const auto& value : row) cells.push_back(cell(value, Unit::number, nullptr));
    }
    return grid;
  }

  // How a grid is laid out: columns beside each other, with their widths, and long texts below each
  // row. No columns beside each other: each row is a list.
  struct Layout {
    std::vector<std::size_t> beside;
    std::vector<std::size_t> below;
    std::vector<std::size_t> widths;  // of all
  };

  [[nodiscard]] Layout layout_of(const Grid& grid, std::size_t indent) const {
    Layout layout;
    std::vector<std::size_t> words;  // the longest of each column
    for (std::size_t k = 0; k < grid.header.size(); ++k) {
      layout.beside.push_back(k);
      layout.widths.push_back(columns_taken(grid.header[k]));
      words.push_back(longest_word(grid.header[k]));
      for (const auto& row : grid.rows) {
        layout.widths[k] = std::max(layout.widths[k], columns_taken(row[k]));
        words[k] = std::max(words[k], longest_word(row[k]));
      }
    }
    const auto fits = [&] {
      std::size_t taken = indent;
      for (const auto k : layout.beside) taken += layout.widths[k] + kGap;
      return taken <= width_ + kGap;
    };
    const auto narrower = [&](std::size_t a, std::size_t b) {
      return layout.widths[a] < layout.widths[b];
    };
    while (!fits()) {
      const auto widest = std::max_element(layout.beside.begin(), layout.beside.end(), narrower);
      if (layout.widths[*widest] <= kLongText || layout.beside.size() == 1) break;
      layout.below.push_back(*widest);
      layout.beside.erase(widest);
    }
    while (!fits()) {
      const auto slack = [&](std::size_t a, std::size_t b) {
        return layout.widths[a] - words[a] < layout.widths[b] - words[b];
      };
      const auto loosest = std::max_element(layout.beside.begin(), layout.beside.end(), slack);
      if (layout.widths[*loosest] == words[*loosest]) {
        layout.beside.clear();
        break;
      }
      --layout.widths[*loosest];
    }
    std::sort(layout.below.begin(), layout.below.end());
    return layout;
  }

  [[nodiscard]] static std::size_t longest_word(std::string_view text) {
    std::size_t longest = 0;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find(' '), text.size());
      longest = std::max(longest, columns_taken(text.substr(0, end)));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    return longest;
  }

  void grid(const Grid& grid, std::size_t indent, std::size_t all_rows) {
    const auto layout = layout_of(grid, indent);
    if (layout.beside.empty()) {
      one_below_the_other(grid, indent);
    } else {
      row(grid.header, grid, layout, indent, Style::heading);
      for (const auto& cells : grid.rows) {
        row(cells, grid, layout, indent, Style::plain);
        for (const auto k : layout.below) {
          if (cells[k] != kNothing)
            line(std::string(indent + kGap, ' ') + grid.header[k] + ": ", cells[k]);
        }
      }
    }
    if (grid.rows.size() < all_rows) {
      line(std::string(indent, ' '),
           fmt::format("... and {} more (--json has all)", all_rows - grid.rows.size()));
    }
  }

  void row(const std::vector<std::string>& cells, const Grid& grid, const Layout& layout,
           std::size_t indent, Style style) {
    std::vector<std::vector<std::string>> lines(cells.size());
    std::size_t height = 1;
    for (const auto k : layout.beside) {
      lines[k] = wrapped(cells[k], layout.widths[k]);
      height = std::max(height, lines[k].size());
    }
    for (std::size_t l = 0; l < height; ++l) {
      std::string text;
      for (const auto k : layout.beside) {
        const std::string part = l < lines[k].size() ? lines[k][l] : std::string();
        text += pad(part, layout.widths[k], grid.numeric[k]) + std::string(kGap, ' ');
      }
      text.erase(text.find_last_not_of(' ') + 1);
      terminal_.add(std::string(indent, ' ')).add(text, style).add("\n");
    }
  }

  void one_below_the_other(const Grid& grid, std::size_t indent) {
    std::size_t widest = 0;
    for (const auto& name : grid.header) widest = std::max(widest, columns_taken(name));
    for (std::size_t r = 0; r < grid.rows.size(); ++r) {
      if (r > 0) terminal_.add("\n");
      for (std::size_t k = 0; k < grid.header.size(); ++k) {
        line(std::string(indent, ' ') + pad(grid.header[k], widest, false) + "  ", grid.rows[r][k]);
      }
    }
  }

  // Of the figures that stand over a table's columns.
  void meanings(const Json& rows, std::size_t indent) {
    for (const auto& key : keys_of(rows)) {
      const FigureWords said = words_of(key, nullptr);
      if (said.meaning.empty()) continue;
      line(std::string(indent, ' '),
           fmt::format("{}: {}", short_label(key, nullptr), said.meaning));
    }
  }

  void heading(const std::string& words, std::size_t indent) {
    terminal_.add("\n");
    line(std::string(indent, ' '), words, Style::heading);
  }

  // Text behind its label, in as many lines as it takes; below it where there is no room beside it.
  void line(std::string label, const std::string& text, Style style = Style::plain) {
    // An address or a digest is copied whole.
    const bool is_word = text.find(' ') == std::string::npos;
    const std::size_t least = is_word ? columns_taken(text) : std::min(kNarrowestText, width_ / 2);
    std::size_t begin = columns_taken(label);
    if (begin + std::min(least, columns_taken(text)) > width_ && begin > kGap) {
      label.erase(label.find_last_not_of(' ') + 1);
      if (!label.empty())
        for (const auto& part : wrapped(label, width_)) terminal_.add(part).add("\n");
      label = std::string(2 * kGap, ' ');
      begin = label.size();
    }
    const std::size_t room = is_word || begin >= width_ ? Terminal::kEndless : width_ - begin;
    for (const auto& part : wrapped(text, room)) {
      terminal_.add(label).add(part, style).add("\n");
      label.assign(begin, ' ');
    }
  }

  std::span<const Figure> figures_;
  Terminal& terminal_;
  std::size_t width_;
};

}  // namespace

void render(const Json& result, std::span<const Figure> figures, Terminal& terminal) {
  Renderer(figures, terminal).object(result, 0, nullptr);
}

}  // namespace pratique::app
