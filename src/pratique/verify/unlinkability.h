// Decides k-unlinkability of published lists from their definition (Malin 2006, chapters 6 and 8),
// from the files alone.
//
// Locations publish lists of people and, apart from them, lists of samples. The trail of an element
// is the set of locations whose lists have it. One side may be incomplete (reserved): a blank in
// its trails is unknown, so its element may belong to every element of the other side that was seen
// at least where it was seen. When neither is, trails must be equal. When each location may
// withhold either (`both`), see internal/both_incomplete.h.
//
// Definition 20: lists are made k-unlinkable by suppression when published ones are parts of those
// that were `submitted` and `submitted_identified`, and what is left is k-unlinkable.
//
// Definition 19: every vertex of the graph of these links takes part in at least k edges of the
// union of all maximum matchings, or all its edges there end at a null trail. Elements of the
// reserved side that no location published are null trails: as many as the other side has more
// elements. They link to everyone, count as partners, and need no protection themselves.
//
// Views:
// - external (Definition 22): who has the published lists and nothing else.
// - central (Definition 24): the third party that got the `submitted` lists and chose what is
//   published of them. A published sample may be any of the submitted samples whose published trail
//   is the same, and links to a person when one of these was seen nowhere but where the person was.
// - contributor (Definition 25): each location in turn, and with `coalition` T every 2 to T
//   locations that pool what they know. They know which person each sample of theirs belongs to,
//   and take these pairs away before they link the rest. What a location submitted does not bound
//   what it knows: it may hold a sample of everybody it lists. The answer is exact with the `truth`
//   (which sample is whose), and for locations that submitted a sample for each person they list,
//   who are then the people they know. For others a bound holds for every truth
//   (internal/contributors.h).
//
// Lists of nobody, or without samples, hold nothing: nothing was tried.
//
// A sample without any person who fits, or more samples than fitting people, cannot be: somebody's
// list is not truthful, and nothing is certain of such data. `impossible` counts these, and nothing
// with them holds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pratique/core/json.h"
#include "pratique/core/progress.h"
#include "pratique/engine/engine.h"

namespace pratique::verify {

// Where one side's lists are: a file with a row per sighting; a folder with a file per location,
// named after it; or a path with one * that stands for the location (hospitals/*/dna.csv).
struct TrailList {
  std::string path;
  std::string location_column = "location";
  // Columns that name an element together.
  std::vector<std::string> element_columns = {"element"};
  // How many elements each name stands for that nothing but their names would distinguish, the same
  // in all its rows: millions of them need only as many rows as there are different trails. Without
  // it a name is an element.
  std::string count_column = {};
  CsvOptions csv = {};
  std::optional<Source> opened = {};  // instead of what is at `path`, which then is its name
};

enum class ReservedSide { deidentified, identified, none, both };
enum class TrailView { external, central, contributor };

struct UnlinkabilityQuestion {
  TrailList identified;
  TrailList deidentified;
  std::uint64_t k = 2;
  std::optional<ReservedSide> reserved = {};  // found out from the sizes per location when not said
  TrailView view = TrailView::external;
  std::optional<TrailList> submitted = {};  // for the views central and contributor
  std::optional<TrailList> submitted_identified = {};
  std::uint64_t coalition = 1;  // for the view contributor: so many locations pool what they know
  // A file with columns deidentified, identified: whose sample each is. For the view contributor.
  std::string truth = {};
};

// Elements with one trail that have few partners.
struct FewPartners {
  bool identified = false;                     // which side they are of
  std::uint64_t elements = 0;                  // how many
  std::uint64_t partners = 0;                  // of each
  std::vector<std::string> locations;          // where they were seen
  std::vector<std::string> contributors = {};  // who can link them, for that view
};

struct Unlinkability {
  std::uint64_t required = 0;
  TrailView view = TrailView::external;
  std::uint64_t coalition = 1;
  ReservedSide reserved = ReservedSide::deidentified;
  bool reserved_was_said = false;
  bool exact = true;  // false: k is a lower bound (contributor without truth)
  std::uint64_t identified = 0;
  std::uint64_t deidentified = 0;
  std::uint64_t locations = 0;
  std::uint64_t undisclosed = 0;  // null trails
  std::uint64_t impossible = 0;
  // The fewest partners; nothing where no element of the side has any that counts.
  std::optional<std::uint64_t> k_identified = {};
  std::optional<std::uint64_t> k_deidentified = {};
  // For the view central: the fewest partners left to a third party that also uses that two samples
  // are never one person's. Definition 24 does not, so this may be less than k.
  std::optional<std::uint64_t> k_joint = {};
  // Sightings that were submitted and not published, where the lists are given.
  std::optional<std::uint64_t> suppressed_samples = {};
  std::optional<std::uint64_t> suppressed_people = {};
  std::uint64_t violations = 0;  // elements with fewer than `required` partners; for the view
                                 // contributor, summed over coalitions
  std::vector<FewPartners> worst = {};  // fewest partners first, at most ten

  [[nodiscard]] std::optional<std::uint64_t> k() const;
  // An empty list links nobody, which says nothing about who could be linked.
  [[nodiscard]] bool tried() const { return identified > 0 && deidentified > 0; }
  [[nodiscard]] bool holds() const { return tried() && violations == 0 && impossible == 0; }
};

[[nodiscard]] Unlinkability verify_unlinkability(Engine& engine,
                                                 const UnlinkabilityQuestion& question,
                                                 Progress& progress);

// holds, k, k_deidentified, k_identified (null: nothing is there to link), protection,
// ent_unlinkability (section 6.3.3), required, exact,
// violations, impossible, view, assumption, identified, deidentified, locations, undisclosed,
// worst[] (side, partners, elements, locations[], contributor where it is one, contributors[]),
// suppressed (identified, deidentified) where originals are given, coalition for the view
// contributor, k_joint for the view central, and a note where nothing was tried. No element is
// named.
[[nodiscard]] Json to_json(const Unlinkability& result);

}  // namespace pratique::verify
