#include "pratique/server/row_pages.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "pratique/engine/source_name.h"

namespace pratique::server {
namespace {

constexpr std::size_t kMostKnown = 16;

bool is_parquet(int file) {
  std::array<char, 4> magic{};
  return pread(file, magic.data(), magic.size(), 0) == 4 &&
         std::string_view(magic.data(), magic.size()) == "PAR1";
}

}  // namespace

RowPages::RowPages(const DataFolder& folder, AskEngine ask_engine)
    : folder_(folder), ask_engine_(std::move(ask_engine)) {
  scanner_ = std::thread([this] { scan_in_background(); });
}

RowPages::~RowPages() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  scanner_.join();
}

void RowPages::scan_in_background() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return stopping_ || !unscanned_.empty(); });
    if (stopping_) return;
    const auto rows = unscanned_.front();
    unscanned_.pop_front();
    lock.unlock();
    bool more = false;
    try {
      // Nobody else has it: the file changed, or others pushed it out.
      more = rows.use_count() > 1 && rows->scan_on();
    } catch (const std::bad_alloc&) {
      more = false;  // whoever asks for a page scans as far as it needs
    }
    lock.lock();
    if (more) unscanned_.push_back(rows);
  }
}

std::string RowPages::page(const std::string& path, std::uint64_t offset, std::size_t limit) {
  const SourceName source = parse_source_name(folder_.path() + "/" + path);
  const bool in_database = !source.table.empty();
  const int file =
      folder_.open_file(in_database ? path.substr(0, path.size() - source.table.size() - 1) : path);
  if (in_database || is_parquet(file)) {
    close(file);
    return ask_engine_(path, offset, limit);
  }
  const std::string state = file_state(file) + path;
  std::shared_ptr<CsvRows> rows;
  {
    const std::lock_guard lock(mutex_);
    const auto pages = std::find_if(known_.begin(), known_.end(),
                                    [&](const auto& entry) { return entry.first == state; });
    if (pages != known_.end()) {
      rows = pages->second;
      known_.splice(known_.begin(), known_, pages);
    }
  }
  if (rows) {
    close(file);
  } else {
    rows = std::make_shared<CsvRows>(file, path);
    const std::lock_guard lock(mutex_);
    known_.emplace_front(state, rows);
    if (known_.size() > kMostKnown) known_.pop_back();
    unscanned_.push_back(rows);
  }
  wake_.notify_all();
  const auto page = rows->page(offset, limit);
  const Json json = {{"columns", rows->columns()},
                     {"rows", page.rows},
                     {"offset", offset},
                     {"total", page.total ? Json(*page.total) : Json(nullptr)}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace pratique::server
