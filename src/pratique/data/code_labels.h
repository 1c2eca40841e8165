// What a released label of codes stands for, where the label says so by itself: labels of the
// hierarchies of codes that need no file. No list of codes of the data is needed, so none is told.
//
//   icd9, icd10, atc   401 for itself and all codes that begin so, 401-405 for all of its
//                      categories; 401* where a code is called like the label
//   flat               nothing but *
//
// * stands for every code.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pratique {

// Whether labels of this hierarchy say what they stand for.
[[nodiscard]] bool labels_speak(std::string_view hierarchy);
// All labels that stand for the code, written in any way; one may be there twice.
[[nodiscard]] std::vector<std::string> labels_over(std::string_view hierarchy,
                                                   std::string_view code);
// One of the codes that it stands for; empty for *.
[[nodiscard]] std::string code_under(std::string_view label);

}  // namespace pratique
