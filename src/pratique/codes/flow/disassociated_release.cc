#include "pratique/codes/flow/disassociated_release.h"

#include <fmt/format.h>

#include <functional>

namespace pratique::release {
namespace {

// One part, or an item chunk, with where it stands.
struct Piece {
  std::string joint;
  std::string cluster = "-";
  std::string records = "-";
  std::string chunk = "items";
  std::string part = "-";
  const std::vector<Code>* codes = nullptr;
};

void visit(const DisassociatedSets& sets, const std::function<void(const Piece&)>& see) {
  const auto see_chunks = [&](Piece piece, const std::vector<CodeChunk>& chunks) {
    for (std::size_t c = 0; c < chunks.size(); ++c) {
      piece.chunk = std::to_string(c + 1);
      for (std::size_t p = 0; p < chunks[c].parts.size(); ++p) {
        piece.part = std::to_string(p + 1);
        piece.codes = &chunks[c].parts[p];
        see(piece);
      }
    }
  };
  std::size_t number = 0;
  for (std::size_t j = 0; j < sets.joints.size(); ++j) {
    Piece piece{.joint = std::to_string(j + 1)};
    for (const auto& cluster : sets.joints[j].clusters) {
      Piece own = piece;
      own.cluster = std::to_string(++number);
      own.records = std::to_string(cluster.records);
      if (!cluster.items.empty()) {
        own.codes = &cluster.items;
        see(own);
      }
      see_chunks(own, cluster.chunks);
    }
    see_chunks(piece, sets.joints[j].shared);
  }
}

}  // namespace

DisassociatedRelease::DisassociatedRelease(const DisassociatedSets& sets, bool long_form,
                                           char delimiter) {
  output_.delimiter = delimiter;
  if (!long_form) {
    output_.columns = {{"codes", nullptr, nullptr}};
    columns_.push_back(std::make_unique<OwnedColumn>());
    add_line(std::string(kDisassociatedHeader));
  } else {
    for (const auto* name : {"joint", "cluster", "records", "chunk", "part", "code"}) {
      output_.columns.push_back({name, nullptr, nullptr});
      columns_.push_back(std::make_unique<OwnedColumn>());
    }
  }
  visit(sets, [&](const Piece& piece) {
    if (long_form) {
      for (const Code code : *piece.codes) {
        add_row({piece.joint, piece.cluster, piece.records, piece.chunk, piece.part,
                 std::string(sets.codes.value(code))});
      }
      return;
    }
    std::string line =
        fmt::format("{} {} {} {}", piece.joint, piece.cluster, piece.records, piece.chunk);
    for (const Code code : *piece.codes) {
      line += ' ';
      line += sets.codes.value(code);
    }
    add_line(line);
  });
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    for (const auto value : columns_[c]->numbers.values()) columns_[c]->values.emplace_back(value);
    output_.columns[c].codes = &columns_[c]->codes;
    output_.columns[c].values = &columns_[c]->values;
  }
  output_.row_count = columns_.front()->codes.size();
  if (long_form) {
    artefact_ = std::make_unique<TableArtefact>(output_);
  } else {
    artefact_ = std::make_unique<SetsArtefact>(output_);
  }
}

void DisassociatedRelease::add_line(const std::string& line) { add_row({line}); }

void DisassociatedRelease::add_row(const std::vector<std::string>& cells) {
  for (std::size_t c = 0; c < cells.size(); ++c) {
    columns_[c]->codes.push_back(columns_[c]->numbers.intern(cells[c]));
  }
}

}  // namespace pratique::release
