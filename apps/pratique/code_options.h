// The options by which a user says where the codes are.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "command.h"
#include "pratique/codes/code_tree.h"
#include "pratique/codes/format/code_file.h"
#include "pratique/codes/method/protection.h"
#include "pratique/codes/model/policy.h"

namespace pratique::app {

struct CodeOptions {
  codes::CodeColumns columns{"patient", "code"};
  std::string format;     // empty: by the name of the file
  std::string hierarchy;  // empty: none

  void add_columns(Verb& verb);
  void add_hierarchy(Verb& verb);

  [[nodiscard]] Source open(Session& session, const std::string& path) const;
  [[nodiscard]] codes::CodeFile read(Session& session, const std::string& path) const;
  // The files that were named beside the data.
  [[nodiscard]] std::vector<std::string> other_files() const;
};

// The method of protect whose release is no set of codes for each patient.
int protect_by_disassociation(const codes::CodeFile& file, const codes::Method& method,
                              const codes::Parameters& wanted, const std::string& out,
                              std::optional<std::uint64_t> given_seed,
                              const std::vector<std::string>& files, Session& session);

// The policies of these files over the codes of the data, where they are given; the utility policy
// may be gwas. Files that were read are added to `files`.
[[nodiscard]] codes::Policy read_policy(const std::string& privacy, const std::string& utility,
                                        const CodeSets& sets, std::vector<std::string>& files);

void add_codes_policy(CommandLine& program, Session& session);
void add_codes_protect(CommandLine& program, Session& session);

}  // namespace pratique::app
