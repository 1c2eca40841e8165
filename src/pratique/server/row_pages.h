// Pages of the tables in the data folder. What was found out about a file is kept while the file
// stays as it is; a thread scans on in the background, so that the number of rows becomes known.
#pragma once

#include <condition_variable>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "pratique/core/json.h"
#include "pratique/server/confined_path.h"
#include "pratique/server/csv_rows.h"

namespace pratique::server {

class RowPages {
 public:
  // `ask_engine` gives the text of a page of what is no CSV: Parquet, a table of a database.
  using AskEngine =
      std::function<std::string(const std::string& path, std::uint64_t offset, std::size_t limit)>;
  RowPages(const DataFolder& folder, AskEngine ask_engine);
  ~RowPages();
  RowPages(const RowPages&) = delete;
  RowPages& operator=(const RowPages&) = delete;

  // {columns, rows, offset, total} as text. Throws Problem or Error.
  [[nodiscard]] std::string page(const std::string& path, std::uint64_t offset, std::size_t limit);

 private:
  void scan_in_background();

  const DataFolder& folder_;
  AskEngine ask_engine_;
  std::mutex mutex_;
  std::condition_variable wake_;
  // By path and state of the file; the last used first.
  std::list<std::pair<std::string, std::shared_ptr<CsvRows>>> known_;
  std::list<std::shared_ptr<CsvRows>> unscanned_;
  bool stopping_ = false;
  std::thread scanner_;
};

}  // namespace pratique::server
