#include "pratique/synthetic/census.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/core/parallel.h"
#include "pratique/crypto/random.h"
#include "pratique/synthetic/internal/census_model.h"

namespace pratique {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kBlockRows = 16384;  // about 1.2 MB of text
// Blocks made at once. Twice as many are in memory: these, and the ones being written.
constexpr std::size_t kBlocksInFlight = 16;

std::string header() { return fmt::format("{}\n", fmt::join(synthetic::kCensusColumns, ",")); }

// Makes one round of blocks while the round before is written, in order, by one of the threads.
class Rounds {
 public:
  Rounds(const CensusOptions& options, AtomicFile& file, Progress& progress)
      : options_(options), file_(file), progress_(progress) {}

  std::uint64_t run() {
    const std::uint64_t blocks = (options_.rows + kBlockRows - 1) / kBlockRows;
    std::vector<std::string> writing;
    for (std::uint64_t first = 0; first < blocks; first += kBlocksInFlight) {
      making_.resize(std::min<std::uint64_t>(kBlocksInFlight, blocks - first));
      parallel_blocks(making_.size() + 1, 1, [&](std::size_t task, std::size_t) {
        if (task == 0) {
          write(writing);
        } else {
          make(first + task - 1, making_[task - 1]);
        }
      });
      writing.swap(making_);
    }
    write(writing);
    return bytes_;
  }

 private:
  void make(std::uint64_t block, std::string& text) {
    SeededRandom random(options_.seed, block);
    const std::uint64_t rows = std::min(kBlockRows, options_.rows - block * kBlockRows);
    text.clear();
    for (std::uint64_t row = 0; row < rows; ++row) model_.append_row(random, text);
    progress_.advance(rows);
  }
  void write(const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
      file_.write(text);
      bytes_ += text.size();
    }
  }

  const CensusOptions& options_;
  AtomicFile& file_;
  Progress& progress_;
  synthetic::CensusModel model_;
  std::vector<std::string> making_;
  std::uint64_t bytes_ = 0;
};

std::vector<CensusSummary::HierarchyChoice> write_hierarchies(const std::string& folder) {
  std::error_code failure;
  const bool created = fs::create_directory(folder, failure);
  if (failure || !fs::is_directory(folder)) {
    throw Error::machine("cannot make the folder for the hierarchies")
        .at(folder)
        .hint("Remove what is in its place, or choose another place with --out.");
  }
  std::vector<CensusSummary::HierarchyChoice> choices;
  try {
    for (const std::string_view column : synthetic::kCensusColumns) {
      const std::string path = fmt::format("{}/{}.csv", folder, column);
      write_file_atomically(
          path, fmt::format("{}\n", fmt::join(synthetic::census_hierarchy(column), "\n")));
      choices.push_back({std::string(column), column == "age" ? "interval:5,10,20" : path});
    }
  } catch (...) {
    if (created) fs::remove_all(folder, failure);
    throw;
  }
  return choices;
}

}  // namespace

CensusSummary generate_census(const CensusOptions& options, Progress& progress) {
  if (options.rows == 0) {
    throw Error::input("a census needs at least one row").hint("Give --rows a number above 0.");
  }
  AtomicFile file(options.path);
  progress.begin("making census rows", options.rows);
  const std::string first_line = header();
  file.write(first_line);
  const std::uint64_t bytes = Rounds(options, file, progress).run();
  progress.check();

  CensusSummary summary;
  summary.rows = options.rows;
  summary.bytes = first_line.size() + bytes;
  summary.hierarchy_folder = (fs::path(options.path).replace_extension().string() + "_hierarchies");
  summary.hierarchies = write_hierarchies(summary.hierarchy_folder);
  file.commit();
  return summary;
}

}  // namespace pratique
