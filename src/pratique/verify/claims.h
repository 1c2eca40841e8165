// Re-derives claims about a release from the released file alone, from their definitions.
//
// A claim is one JSON object of a manifest's "claims":
//
//   {"model": "k-anonymity", "quasi_identifiers": [...], "k": 5}
//   {"model": "distinct-l-diversity", "quasi_identifiers": [...], "sensitive": "s", "l": 3}
//   {"model": "entropy-l-diversity", ... "sensitive": "s", "l": 3}
//   {"model": "recursive-l-diversity", ... "sensitive": "s", "l": 3, "c": 2}
//   {"model": "alpha", ... "sensitive": "s", "alpha": 0.5}
//   {"model": "value-risk", ... "sensitive": "s", "value": "hiv", "share": 0.1}
//   {"model": "t-closeness", ... "sensitive": "s", "distance": "equal" | "ordered" |
//    "hierarchical", "t": 0.2, "order": [values], "paths": [...]; of before also
//    "reference": {value: share}, "records": 30162}
//   {"model": "em-anonymity", ... "sensitive": "s", "e": 1000, "m": 4}
//   {"model": "range-diversity", ... "sensitive": "s", "e": 1000}
//   {"model": "personalised-privacy", ... "sensitive": "s", "guard": "g", "p": 0.5,
//    "paths": [...], "guards": [{"class": [cells], "nodes": [labels]}]}
//   {"model": "k-map", "quasi_identifiers": [...], "k": 5,
//    "population": {"path": "p.csv", "commitment": "..."}, "hierarchies": {column: paths}}
//   {"model": "delta-presence", ... "delta_min": 0.05, "delta_max": 0.5, as k-map}
//   {"model": "safe-versions", "quasi_identifiers": [...], "k": 5, "diversity": {column: l},
//    "earlier": [{"path": "old.csv", "sha256": "..."}], "labels": {column: [[label, ..., root]]}}
//   {"model": "rho1-to-rho2", "sensitive": "s", "rho1": 0.1, "rho2": 0.5, "gamma": 8.99,
//    "values": [...]}
//   {"model": "delta-growth", "sensitive": "s", "delta": 0.3, "gamma": 3.4, "values": [...]}
//   {"model": "k-unlinkability", "k": 5, "view": "external" | "central" | "contributor",
//    "location": "location", "element": ["element"], "identified": LISTS, "submitted": LISTS}
//   where LISTS is {"path": "p.csv", "location": ..., "element": [...], "delimiter": ",",
//    "files": [{"path": "p.csv", "commitment": "..."}]}; submitted for the last two views
//
//   {"model": "anatomy", "quasi_identifiers": [...], "sensitive": "s", "l": 3, "group": "group",
//    "count": "count"}, of two files: the second has sensitive values and their counts by group
//
//   {"model": "sequence-anonymity", "k": 2}, of a FASTA file
//   {"model": "snp-bins", "within": 3, "across": 2}, the same
//   {"model": "masked-loci", "loci": [301, 302]}, the same: its columns, from 1 on
//   {"model": "masked-genotypes", "loci": ["1:301"]}, of a VCF: CHROMOSOME:POSITION
//   {"model": "rounded-frequencies", "step": 0.01}, of chrom,pos,ref,alt,frequency
//   {"model": "association-statistics", "step": 0.01, "cases": 100, "controls": 120}, of
//    chrom,pos,ref,alt,cases,controls,chi_square,p_value
//   {"model": "noisy-frequencies", "epsilon": 0.5, "variants": 800}, as rounded-frequencies
//
//   {"model": "identifiers-removed", "types": ["phone"], "surrogates": false, "view": true}, of
//    notes in JSON lines; the types are those of text_identifiers.h; "view" where notes have one
//   {"model": "view-k-anonymity", "k": 5, "l": 1, "view": ["age", "sex"], "sensitive":
//    "diagnosis"}, the same: the row of its patient that each note carries
//
//   {"model": "differential-privacy", "epsilon": 0.5, "delta": 0, "max_rows": 1}, of a table of
//    boxes and their counts; of a synthetic table also "values": {column: [declared values]}
//
//   {"model": "safe-harbor", "as_of": 2026, "dates": [columns], "ages": [columns],
//    "zips": [columns], "allowed": [columns]}
//
//   {"model": "km-anonymity", "k": 5, "m": 2, "labels": {label: [codes] or hierarchy}}, of a long
//    file also "patient" and "code", its columns
//   {"model": "km-disassociation", "k": 5, "m": 2}, of a file as in data/disassociated.h
//   {"model": "complete-anonymity", "k": 5}, else as km-anonymity
//   {"model": "policy-anonymity", "k": 5, "privacy": {"path": "p.txt", "commitment": "..."} (of
//    earlier versions with its sha256, or as [[codes]]), "utility": [[codes]]}, the same;
//    an item is a code or a set of them, (493.00|493.01)
//   {"model": "hkp-coherence", "h": 2, "k": 5, "p": 2, "sensitive": [codes], as km-anonymity}
//   {"model": "ps-rules", "k": 5, "c": 0.5, "rules": [{"known": [codes], "inferred": [codes]}], as
//    km-anonymity}
//   {"model": "rho-uncertainty", "rho": 0.5, "sensitive": [codes], as km-anonymity}
//   {"model": "k-km-anonymity", "quasi_identifiers": [...], as km-anonymity}
//   {"model": "consortium-unlinkability", "k": 5, "statement": "...", "salt": "...",
//    "signature": "...", "authority_key": "..."}, of one site's list (consortium/site.h)
//
// Of l-diversity and alpha, values that differ in spelling alone are one value: in capitals,
// blanks, or the points of a code that begins with a letter and a digit.
//
// Of a table, "person" names the column that says whose each row is: then all counts are of people,
// each is in one class, and a person with several sensitive values fails what counts these.
//
// Paths are lists of labels, leaf first, root last, all of one length: what of a hierarchy the
// check needs. What a file cannot say by itself the claim carries, and it is taken at its word
// after it is checked for what it is:
// - reference: the distribution in the original table, suppressed records included; it must be a
//   distribution and have every value of the file, and of `records` with that distribution no
//   value may have fewer than the file. Without it the file's own is taken. order: of values that
//   are neither numbers nor dates.
// - guards: the guarding nodes that the records of each class hold, where the column `guard` is not
//   in the file. A class of the file that is not named there fails.
// - commitment: of a file of people that was read, the HMAC-SHA-256 of its hash and size under the
//   key of the private manifest. With that key another file fails; without it, the claim is derived
//   from the file that is there, and the explanation says that nobody compared it. Claims of
//   earlier manifests have its sha256.
// - population: read from its path; "dates" has the form (month-first) of its columns with dates
//   that are not ISO, "numbers" that of numbers with commas. A person is in a class when its cells
//   contain the person's values (GeneralisedValue), labels by `hierarchies`. With a delta_min above
//   0, a person in no class is one whose absence is known, and fails the claim.
//   A person in several classes fails it too, unless it allows anything: the share of a class is
//   the chance that a person is in the table only where no other class could hold the person.
// - identified, submitted: the lists that the release is linked to (unlinkability.h), read from
//   their path.
//
// - earlier: the releases that went before, read from their paths; another file fails. Classes
//   that have the same cells in both are compared: the values of the columns in `diversity` that
//   such a class kept, gained and lost are each nobody's, or at least k people's with at least l
//   distinct ones (two of those gained or lost, where l is less). labels: what stands above a
//   released cell; a cell of one release above a cell of the other, or of its own, fails, since
//   classes would overlap.
//
// - gamma, values: the operator that the column went through. That chance was at work nobody can
//   prove from a file; but a file that the operator makes with a probability of less than
//   kRefusedBelow fails, which a column that left as it was soon does.
//
// - epsilon, delta: that noise was drawn nobody can see in a file. What can be seen is checked:
//   that it holds counts of boxes, declared values or frequencies of so many variants, and nothing
//   else.
// - statement, salt, signature: what the authority of a consortium signed, which names the list's
//   bytes under the salt. The signature fits `authority_key`, and the list is the one that is
//   named.
//
// What a check shows is the claim's standing: derived where the claim follows from the file (and
// from what it carries), tested where the file could have been made so by chance, attested where
// it rests on the word of the program or of the authority that made it. A claim may say
// which ("standing"), as manifests of format 2 do, and a tested one with which confidence; one that
// says another fails.
//
// - as_of: the year that ages of years of birth are counted for; no year of the file is later.
//   dates, ages, zips: columns that are read so whatever they are called. allowed: columns that may
//   be called like an identifier, or have a value of their own for every record.
//
// - labels: which codes a released label stands for, or the hierarchy (icd9, icd10, atc, flat)
// whose
//   labels say so themselves (data/code_labels.h); sensitive codes are under none of the latter. An
//   item that is no label is the code itself. sensitive: codes, or 250* for what begins so.
// - privacy: a private file. Its SHA-256 is in the private manifest, which verify_release reads.
//
// `required` and `achieved` of recursive l-diversity are c and the largest r_1 / (r_l + ... + r_m);
// of rho1-to-rho2 privacy rho2 and the largest posterior;
// of Safe Harbor 0 and the records that have what must not leave;
// of Anatomy l and the least that a group is larger than the count of one of its values;
// of (e,m)-anonymity 1/m and the largest share; of delta-presence delta_max and the largest share.
//
// Two records are in one class when their quasi-identifier cells are equal as text. Records whose
// every quasi-identifier is suppressed are a class like any other: an adversary who knows that a
// target is in the table and in no other class finds it among them.
//
// Independence: no code is shared with what makes releases. Every claim is checked from its
// definition, and this folder stands before every kind of data, so it cannot include any. What lies
// below both is shared: engine/ opens files, reads rows and counts those with equal cells; data/
// parses generalised cells (k-map and delta-presence), numbers, dates and spellings of people, and
// has the trees of hierarchies, sets of codes, lists of constraints and the format of disassociated
// releases; core/ and crypto/ have files, JSON, hashes and signatures. A fault there can mislead
// both sides; docs/attack-model.md says so. The other way round, notes/replace takes out of a note
// what identifiers_in_note still finds in it: what those rules do not see, neither side does.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/core/json.h"
#include "pratique/core/progress.h"
#include "pratique/engine/engine.h"

namespace pratique::verify {

// Every model that there is a check for, in order of names.
[[nodiscard]] std::vector<std::string_view> known_models();

// A tested claim fails when the file is less probable than this.
inline constexpr double kRefusedBelow = 1e-12;

struct ClaimResult {
  std::string model;
  std::string attribute;  // the sensitive attribute, where the model has one
  std::vector<std::string> columns =
      {};  // the quasi-identifiers that it is about, where it has any
  double required = 0;
  double achieved = 0;
  bool holds = false;
  std::string explanation;  // in plain words; of the data, only codes that break a claim are named
  std::string_view standing = "derived";
  // Of what is tested: 1 - kRefusedBelow.
  std::optional<double> confidence = {};
};

// `beside`: the other files of a release of several. `key`: of the private manifest, where it is at
// hand.
[[nodiscard]] ClaimResult verify_claim(Engine& engine, const Source& release, const Json& claim,
                                       Progress& progress,
                                       const std::vector<std::string>& beside = {},
                                       const std::string& key = {});

}  // namespace pratique::verify
