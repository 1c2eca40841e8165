#include "pratique/engine/internal/value_counter.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <numeric>

#include "pratique/core/error.h"

namespace pratique {
namespace {

// A file of what was put aside: count, length and bytes of value after value.
struct CountedValue {
  std::uint64_t count;
  std::uint64_t length;
};

std::uint64_t bytes_of(const ValueCounts& column) {
  return column.values.memory_bytes() + column.counts.capacity() * sizeof(std::uint64_t);
}

void count(ValueCounts& column, std::string_view value, std::uint64_t rows) {
  const Code code = column.values.intern(value);
  if (code == column.counts.size()) column.counts.push_back(0);
  column.counts[code] += rows;
}

void add_all(ValueCounts& to, const ValueCounts& from) {
  for (Code code = 0; code < from.counts.size(); ++code) {
    count(to, from.values.value(code), from.counts[code]);
  }
}

ValueCounts empty_like(const ValueCounts& column) { return {column.name, {}, {}}; }

}  // namespace

ValueCounter::ValueCounter(const std::vector<std::string>& columns, std::uint64_t most_bytes,
                           std::string prefix)
    : has_file_(columns.size()), most_bytes_(most_bytes), prefix_(std::move(prefix)) {
  for (const auto& name : columns) columns_.push_back({name, {}, {}});
}

ValueCounter::~ValueCounter() {
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    std::error_code ignored;
    if (has_file_[c]) std::filesystem::remove(file_of(c), ignored);
  }
}

void ValueCounter::add(std::span<const std::vector<std::string_view>> texts, std::size_t rows) {
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    for (std::size_t row = 0; row < rows; ++row) count(columns_[c], texts[c][row], 1);
  }
  if (memory_bytes() <= most_bytes_) return;
  // Down to half, so that the next rows do not put aside a handful of values each.
  do {
    const auto largest = std::max_element(
        columns_.begin(), columns_.end(),
        [](const ValueCounts& a, const ValueCounts& b) { return bytes_of(a) < bytes_of(b); });
    if (largest->counts.empty()) return;
    put_aside(static_cast<std::size_t>(largest - columns_.begin()));
  } while (memory_bytes() > most_bytes_ / 2);
}

ValueCounts ValueCounter::take(std::size_t column) {
  ValueCounts rest = std::move(columns_[column]);
  columns_[column] = empty_like(rest);
  if (!has_file_[column]) return rest;
  ValueCounts all = empty_like(rest);
  std::ifstream file(file_of(column), std::ios::binary);
  std::string value;
  CountedValue counted{};
  while (file.read(reinterpret_cast<char*>(&counted), sizeof(counted))) {
    value.resize(counted.length);
    file.read(value.data(), static_cast<std::streamsize>(value.size()));
    count(all, value, counted.count);
  }
  add_all(all, rest);
  return all;
}

std::uint64_t ValueCounter::memory_bytes() const {
  return std::accumulate(
      columns_.begin(), columns_.end(), std::uint64_t{0},
      [](std::uint64_t sum, const ValueCounts& column) { return sum + bytes_of(column); });
}

std::string ValueCounter::file_of(std::size_t column) const {
  return fmt::format("{}-{}", prefix_, column);
}

void ValueCounter::put_aside(std::size_t column) {
  ValueCounts& values = columns_[column];
  has_file_[column] = true;
  const int descriptor =
      open(file_of(column).c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (descriptor >= 0) close(descriptor);  // for its owner alone, whatever the umask is
  std::ofstream file(file_of(column), std::ios::binary | std::ios::app);
  for (Code code = 0; code < values.counts.size(); ++code) {
    const std::string_view value = values.values.value(code);
    const CountedValue counted{values.counts[code], value.size()};
    file.write(reinterpret_cast<const char*>(&counted), sizeof(counted));
    file.write(value.data(), static_cast<std::streamsize>(value.size()));
  }
  if (!file.flush()) {
    throw Error::machine("the disk for temporary files is full")
        .at(prefix_)
        .hint("Set TMPDIR to a folder with more space.");
  }
  values = empty_like(values);
}

}  // namespace pratique
