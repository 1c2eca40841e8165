// How sets of codes leave: in the form they came in. Records stand in an order that tells nothing
// (row_order.h), and the patients of a long file become numbers in that order: their names stay
// behind. Patients with no code left do not leave.
#pragma once

#include <cstdint>
#include <memory>

#include "pratique/codes/format/code_file.h"
#include "pratique/codes/recoding.h"
#include "pratique/engine/engine.h"
#include "pratique/kind/artefact.h"

namespace pratique::release {

// In a file of sets, blanks part codes: those in labels become underscores.
void make_writable(codes::Recoding& recoding, bool long_form);

// The rows to publish and all they point at.
class CodeRelease {
 public:
  CodeRelease(const codes::CodeFile& file, const codes::Recoding& recoding, std::uint64_t seed);
  [[nodiscard]] const Artefact& artefact() const { return *artefact_; }
  [[nodiscard]] std::uint64_t patients() const { return patients_; }

 private:
  void sets_form(const codes::CodeFile& file, const codes::Recoding& recoding, std::uint64_t seed);
  void long_form(const codes::CodeFile& file, const codes::Recoding& recoding, std::uint64_t seed);

  struct OwnedColumn {
    std::vector<Code> codes;
    std::vector<std::string> values;
  };
  std::vector<std::unique_ptr<OwnedColumn>> columns_;
  std::vector<std::uint32_t> rows_;
  std::uint64_t patients_ = 0;
  Output output_;
  std::unique_ptr<Artefact> artefact_;
};

}  // namespace pratique::release
