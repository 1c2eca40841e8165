// How disassociated sets leave: as lines where sets came as lines, else as a table
// (data/disassociated.h). Clusters and parts stand in the order of what they say.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "pratique/data/disassociated.h"
#include "pratique/kind/artefact.h"

namespace pratique::release {

// The rows to publish and all they point at.
class DisassociatedRelease {
 public:
  DisassociatedRelease(const DisassociatedSets& sets, bool long_form, char delimiter);
  [[nodiscard]] const Artefact& artefact() const { return *artefact_; }

 private:
  void add_line(const std::string& line);
  void add_row(const std::vector<std::string>& cells);

  struct OwnedColumn {
    std::vector<Code> codes;
    std::vector<std::string> values;
    Dictionary numbers = {};
  };
  std::vector<std::unique_ptr<OwnedColumn>> columns_;
  Output output_;
  std::unique_ptr<Artefact> artefact_;
};

}  // namespace pratique::release
