// k-unlinkability: the released lists of samples against the lists of people.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/core/guarded_file.h"
#include "pratique/engine/source_name.h"
#include "pratique/verify/internal/claim_reader.h"
#include "pratique/verify/internal/model_claims.h"
#include "pratique/verify/internal/recorded_file.h"
#include "pratique/verify/unlinkability.h"

namespace pratique::verify {
namespace {

// A place in a claim where the lists of one side are.
const Json& member_of(const Json& claim, const std::string& key) {
  if (!claim.contains(key) || !claim[key].is_object()) throw malformed("no " + key + " lists");
  return claim[key];
}

TrailList list_of(const Json& lists) {
  TrailList list;
  list.path = text_in(lists, "path");
  refuse_recorded_device(list.path);
  list.location_column = text_in(lists, "location");
  list.element_columns = names_in(lists, "element");
  if (lists.contains("delimiter")) {
    const std::string delimiter = text_in(lists, "delimiter");
    if (delimiter.size() != 1) throw malformed("a delimiter of more than one character");
    list.csv.delimiter = delimiter.front();
  }
  return list;
}

// Of all files together: another where one is.
Sameness compare_lists(const ClaimContext& context, const Json& lists) {
  Sameness all = Sameness::same;
  if (!lists.contains("files") || !lists["files"].is_array() || lists["files"].empty()) {
    throw malformed("no files of the lists");
  }
  for (const auto& file : lists["files"]) {
    if (!file.is_object()) throw malformed("no files of the lists");
    const std::string path = text_in(file, "path");
    refuse_recorded_device(path);
    if (!std::filesystem::exists(parse_source_name(path).file)) {
      throw Error::input("a list that this release was made with is not at its recorded place")
          .at(path)
          .hint(fmt::format("It was looked for as {}. Run this in the folder where the release was "
                            "made, with the lists where they were.",
                            std::filesystem::absolute(path).lexically_normal().string()));
    }
    const Sameness sameness = compare_with_recorded(context, file);
    if (sameness == Sameness::another) return sameness;
    if (sameness == Sameness::unknown) all = sameness;
  }
  return all;
}

TrailView view_of(const std::string& name) {
  if (name == "external") return TrailView::external;
  if (name == "central") return TrailView::central;
  if (name == "contributor") return TrailView::contributor;
  throw malformed("an unknown view");
}

}  // namespace

ClaimResult check_unlinkability(const ClaimContext& context) {
  const Json& claim = context.claim;
  const Json& identified = member_of(claim, "identified");
  UnlinkabilityQuestion question;
  question.identified = list_of(identified);
  question.deidentified.path = context.release.name;
  question.deidentified.opened = context.release;
  question.deidentified.location_column = text_in(claim, "location");
  question.deidentified.element_columns = names_in(claim, "element");
  question.k = static_cast<std::uint64_t>(std::ceil(count_in(claim, "k")));
  question.reserved = ReservedSide::deidentified;
  question.view = view_of(text_in(claim, "view"));
  if (claim.contains("coalition")) {
    question.coalition = static_cast<std::uint64_t>(std::ceil(count_in(claim, "coalition")));
  }
  Sameness sameness = compare_lists(context, identified);
  if (question.view != TrailView::external) {
    const Json& submitted = member_of(claim, "submitted");
    question.submitted = list_of(submitted);
    const Sameness other = compare_lists(context, submitted);
    if (sameness == Sameness::same || other == Sameness::another) sameness = other;
  }

  ClaimResult result;
  result.attribute = text_in(claim, "view");
  result.required = static_cast<double>(question.k);
  if (sameness == Sameness::another) {
    result.explanation = "the lists are not those that the claim was made for";
    return result;
  }
  const Unlinkability unlinkability =
      verify_unlinkability(context.engine, question, context.progress);
  result.achieved = unlinkability.k() ? static_cast<double>(*unlinkability.k())
                                      : std::numeric_limits<double>::infinity();
  result.holds = unlinkability.holds();
  if (!unlinkability.tried()) {
    result.explanation = "a list is empty: there is nothing to link, and nothing was tried";
  } else if (unlinkability.impossible > 0) {
    result.explanation = fmt::format("{} elements can belong to nobody", unlinkability.impossible);
  } else if (!unlinkability.k()) {
    result.explanation = "nothing was disclosed that could be linked";
  } else if (!result.holds) {
    result.explanation =
        fmt::format("in the {} view a sample, or a person linked to one, {} only {} possible {}",
                    result.attribute, unlinkability.exact ? "has" : "may have", *unlinkability.k(),
                    *unlinkability.k() == 1 ? "partner" : "partners");
  } else {
    result.explanation = fmt::format(
        "every sample and every person linked to one has {}{} possible partners or more",
        unlinkability.exact ? "" : "at least ", *unlinkability.k());
  }
  if (sameness == Sameness::unknown) result.explanation += kNotCompared;
  return result;
}

}  // namespace pratique::verify
