#include "pratique/genomes/sequence/alignment.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "pratique/core/error.h"
#include "pratique/core/parallel.h"

namespace pratique::genomes {
namespace {

constexpr std::int64_t kUnreached = std::numeric_limits<std::int64_t>::min() / 2;

// How far down the reference each diagonal (sequence minus reference) was followed, for one number
// of edits e: diagonals -e to e.
struct Wave {
  std::vector<std::int32_t> reached;

  [[nodiscard]] std::int64_t at(std::int64_t diagonal) const {
    const auto width = static_cast<std::int64_t>(reached.size());
    const std::int64_t i = diagonal + width / 2;
    return i < 0 || i >= width || reached[static_cast<std::size_t>(i)] < 0
               ? kUnreached
               : reached[static_cast<std::size_t>(i)];
  }
};

std::int64_t matches_from(const Sequence& reference, const Sequence& sequence, std::int64_t row,
                          std::int64_t diagonal) {
  const auto rows = static_cast<std::int64_t>(reference.size());
  const auto columns = static_cast<std::int64_t>(sequence.size());
  while (row < rows && row + diagonal < columns &&
         reference[static_cast<std::size_t>(row)] ==
             sequence[static_cast<std::size_t>(row + diagonal)])
    ++row;
  return row;
}

// Where a diagonal is reached by one edit from the wave before; the largest of the three.
std::int64_t after_edit(const Wave& before, std::int64_t diagonal) {
  const std::int64_t replaced = before.at(diagonal) + 1;
  const std::int64_t left_out = before.at(diagonal + 1) + 1;  // a base of the reference
  const std::int64_t put_in = before.at(diagonal - 1);        // a base of the sequence
  return std::max({replaced, left_out, put_in});
}

std::vector<Wave> waves_to_the_end(const Sequence& reference, const Sequence& sequence) {
  const auto rows = static_cast<std::int64_t>(reference.size());
  const auto columns = static_cast<std::int64_t>(sequence.size());
  std::vector<Wave> waves;
  for (std::int64_t e = 0; e <= kMostEdits; ++e) {
    Wave wave;
    wave.reached.assign(static_cast<std::size_t>(2 * e + 1), -1);
    for (std::int64_t diagonal = -e; diagonal <= e; ++diagonal) {
      std::int64_t row = e == 0 ? 0 : after_edit(waves.back(), diagonal);
      if (row < 0) continue;
      // The last edit may have left the rectangle.
      row = std::min({row, rows, columns - diagonal});
      if (row < 0 || row + diagonal < 0) continue;
      row = matches_from(reference, sequence, row, diagonal);
      wave.reached[static_cast<std::size_t>(diagonal + e)] = static_cast<std::int32_t>(row);
    }
    waves.push_back(std::move(wave));
    if (waves.back().at(columns - rows) == rows) return waves;
  }
  throw Error::input("sequences are too different to be aligned")
      .hint("Align them with a tool such as MAFFT first, or leave out what is of another species.");
}

}  // namespace

Edits fewest_edits(const Sequence& reference, const Sequence& sequence) {
  const auto waves = waves_to_the_end(reference, sequence);
  const auto rows = static_cast<std::int64_t>(reference.size());
  const auto columns = static_cast<std::int64_t>(sequence.size());
  Edits edits;
  edits.count = static_cast<std::int64_t>(waves.size()) - 1;
  edits.on_reference.assign(reference.size(), kGap);
  std::int64_t row = rows;
  std::int64_t diagonal = columns - rows;
  const auto match_down_to = [&](std::int64_t from) {
    for (; row > from; --row)
      edits.on_reference[static_cast<std::size_t>(row - 1)] =
          sequence[static_cast<std::size_t>(row - 1 + diagonal)];
  };
  for (std::int64_t e = edits.count; e > 0; --e) {
    const Wave& before = waves[static_cast<std::size_t>(e - 1)];
    const std::int64_t replaced = before.at(diagonal) + 1;
    const std::int64_t left_out = before.at(diagonal + 1) + 1;
    const std::int64_t put_in = before.at(diagonal - 1);
    // The same edit that after_edit chose; where two reach as far, a replacement first.
    const std::int64_t start =
        std::min({std::max({replaced, left_out, put_in}), rows, columns - diagonal, row});
    match_down_to(start);
    if (replaced >= left_out && replaced >= put_in) {
      edits.on_reference[static_cast<std::size_t>(row - 1)] =
          sequence[static_cast<std::size_t>(row - 1 + diagonal)];
      --row;
    } else if (left_out >= put_in) {
      --row;
      ++diagonal;
    } else {
      const Letter letter = sequence[static_cast<std::size_t>(row + diagonal - 1)];
      if (edits.insertions.empty() || edits.insertions.back().before != row)
        edits.insertions.push_back({static_cast<std::uint32_t>(row), {}});
      edits.insertions.back().letters.push_back(letter);
      --diagonal;
    }
  }
  match_down_to(0);
  // Found from the end.
  std::reverse(edits.insertions.begin(), edits.insertions.end());
  for (auto& insertion : edits.insertions)
    std::reverse(insertion.letters.begin(), insertion.letters.end());
  return edits;
}

std::vector<Sequence> align(const std::vector<Sequence>& sequences, const Sequence& reference,
                            Progress& progress) {
  progress.begin("aligning sequences", sequences.size());
  const Sequence bases = without_gaps(reference);
  std::vector<Edits> edits(sequences.size());
  parallel_blocks(sequences.size(), 8, [&](std::size_t begin, std::size_t end) {
    for (std::size_t s = begin; s < end; ++s) {
      try {
        edits[s] = fewest_edits(bases, without_gaps(sequences[s]));
      } catch (Error& error) {
        throw error.at(fmt::format("sequence {}", s + 1));
      }
      progress.advance(1);
    }
  });
  std::vector<std::size_t> inserted(bases.size() + 1, 0);
  for (const auto& of_one : edits) {
    for (const auto& insertion : of_one.insertions)
      inserted[insertion.before] = std::max(inserted[insertion.before], insertion.letters.size());
  }
  std::vector<Sequence> aligned(sequences.size());
  for (std::size_t s = 0; s < sequences.size(); ++s) {
    auto insertion = edits[s].insertions.begin();
    for (std::size_t p = 0; p <= bases.size(); ++p) {
      std::size_t padding = inserted[p];
      if (insertion != edits[s].insertions.end() && insertion->before == p) {
        aligned[s].insert(aligned[s].end(), insertion->letters.begin(), insertion->letters.end());
        padding -= insertion->letters.size();
        ++insertion;
      }
      aligned[s].insert(aligned[s].end(), padding, kGap);
      if (p < bases.size()) aligned[s].push_back(edits[s].on_reference[p]);
    }
  }
  return aligned;
}

const Sequence& usual_reference(const std::vector<Sequence>& sequences) {
  return *std::min_element(sequences.begin(), sequences.end(),
                           [](const Sequence& a, const Sequence& b) {
                             return a.size() != b.size() ? a.size() > b.size() : a < b;
                           });
}

}  // namespace pratique::genomes
