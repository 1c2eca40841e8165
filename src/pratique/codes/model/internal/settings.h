// Settings that several models share.
#pragma once

#include "pratique/codes/model/model.h"

namespace pratique::codes {

inline constexpr Setting kSettingK = {"k", "patients that known codes must match", &Parameters::k,
                                      2, 1e9};
inline constexpr Setting kSettingM = {"m", "codes of a patient that an adversary may know",
                                      &Parameters::m, 1, 10};

void read_sensitive(const std::string& path, const CodeSets& sets, Parameters& parameters);
inline constexpr Setting kSettingSensitive = {
    "sensitive", "coherence, uncertainty: file with the sensitive codes", &read_sensitive};

// Throws where there are fewer patients than k.
void check_k(const Parameters& parameters, const CodeSets& sets);
// Throws where no patient has a sensitive code, in the name of the model.
// For a claim: as it was listed, where it was read from a list.
[[nodiscard]] const std::vector<std::string>& listed_sensitive(const Parameters& parameters);
void check_sensitive(std::string_view model, const Parameters& parameters, const CodeSets& sets);

}  // namespace pratique::codes
