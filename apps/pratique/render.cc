#include "render.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

namespace pratique::app {
namespace {

std::string label(const std::string& key) {
  std::string text = key;
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

// As a terminal counts it: UTF-8 continuation bytes take no room.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;
  }));
}

// Short; but what is not quite 1, a confidence, is not shown as 1.
std::string number(double value) {
  std::string text = fmt::format("{:.4g}", value);
  return text == "1" ? fmt::format("{:.12g}", value) : text;
}

std::string cell(const Json& value) {
  if (value.is_null()) return "-";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_number_float()) return number(value.get<double>());
  if (value.is_array() || value.is_object()) {
    std::string text;
    for (const auto& [key, item] : value.items()) {
      if (!text.empty()) text += ", ";
      if (value.is_object()) text += label(key) + " ";
      text += cell(item);
    }
    return text;
  }
  return value.dump();
}

bool is_list_of_objects(const Json& value) {
  return value.is_array() && !value.empty() && value.front().is_object();
}

std::string pad(const std::string& text, std::size_t to, bool right) {
  const std::string spaces(to - std::min(to, width(text)), ' ');
  return right ? spaces + text : text + spaces;
}

// Longer lists are for scripts.
constexpr std::size_t kRowsShown = 20;

void render_table(const Json& all_rows, const std::string& indent, std::string& out) {
  const auto shown = std::min(kRowsShown, all_rows.size());
  Json rows = Json::array();
  for (std::size_t i = 0; i < shown; ++i) rows.push_back(all_rows[i]);
  std::vector<std::string> keys;
  for (const auto& row : rows) {
    for (const auto& [key, value] : row.items()) {
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
    }
  }
  std::vector<std::vector<std::string>> lines(rows.size() + 1);
  std::vector<std::size_t> widths(keys.size(), 0);
  std::vector<bool> numeric(keys.size(), true);
  for (std::size_t k = 0; k < keys.size(); ++k) {
    lines[0].push_back(label(keys[k]));
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const Json value = rows[r].value(keys[k], Json());
      lines[r + 1].push_back(cell(value));
      numeric[k] = numeric[k] && (value.is_number() || value.is_null());
    }
    for (const auto& line : lines) widths[k] = std::max(widths[k], width(line[k]));
  }
  for (const auto& line : lines) {
    std::string text = indent;
    for (std::size_t k = 0; k < keys.size(); ++k) {
      const bool last = k + 1 == keys.size();
      text += last && !numeric[k] ? line[k] : pad(line[k], widths[k], numeric[k]) + "  ";
    }
    text.erase(text.find_last_not_of(' ') + 1);
    out += text + "\n";
  }
  if (shown < all_rows.size()) {
    out += fmt::format("{}... and {} more (--json has all)\n", indent, all_rows.size() - shown);
  }
}

void render_object(const Json& object, const std::string& indent, std::string& out) {
  std::size_t widest = 0;
  for (const auto& [key, value] : object.items()) widest = std::max(widest, width(key));
  for (const auto& [key, value] : object.items()) {
    if (is_list_of_objects(value)) {
      out += "\n" + indent + label(key) + "\n";
      render_table(value, indent + "  ", out);
    } else if (value.is_object() && !value.empty()) {
      out += indent + label(key) + "\n";
      render_object(value, indent + "  ", out);
    } else {
      out += indent + pad(label(key), widest, false) + "  " + cell(value) + "\n";
    }
  }
}

}  // namespace

std::string render(const Json& result) {
  std::string text;
  render_object(result, "", text);
  return text;
}

}  // namespace pratique::app
