#include "pratique/columns/zip_areas.h"

namespace pratique::columns {
namespace {

// ZIP code tabulation areas of the 2020 census of the United States (Bureau of the Census, 2020
// Decennial Census, total population by ZCTA), added up by their first three digits. The Department
// of Health and Human Services lists such areas by the census of 2000 and says to use newer data.
constexpr std::string_view kSmall =
    "036 059 102 202 203 204 205 369 556 692 753 772 821 823 878 879 884 893";

// Beginnings that no area of the census has: not in use, of the military, or of single addressees.
constexpr std::string_view kNobody =
    "000 001 002 003 004 005 008 055 090 091 092 093 094 095 096 097 098 099 192 213 "
    "269 311 332 340 343 345 348 353 375 399 419 428 429 459 509 517 518 519 529 533 "
    "536 552 555 568 569 578 579 589 621 632 642 643 649 659 663 682 694 695 696 697 "
    "698 699 702 709 715 732 733 742 771 817 818 819 839 842 848 849 854 858 861 862 "
    "866 867 868 869 872 876 885 886 887 888 889 892 896 899 901 909 929 938 942 962 "
    "963 964 965 966 969 987";

}  // namespace

bool has_over_20000_people(std::string_view zip3) {
  return kSmall.find(zip3) == std::string_view::npos &&
         kNobody.find(zip3) == std::string_view::npos;
}

}  // namespace pratique::columns
