// Models that count the people of a population who fall into a class beside the class's records.
//
// k-map (Sweeney 2002): at least k people of the population could be behind a record.
// delta-presence (Nergiz, Atzori, Clifton 2007): the chance that a person of the population is in
// the table, records / people, lies between delta_min and delta_max in every class. A person whom
// no class holds is known to be absent: with delta_min above 0 every person must be in a class. A
// person whom two classes could hold is likelier in the table than either share tells: no cells of
// two classes may contain one person.
//
// Both are monotone: people add up, and the share of a union lies between the shares of its parts.
//
// A claim names the population's file with its SHA-256, and carries the hierarchies without which
// a label in the release says nothing about an original value: of the values that `population` (by
// group, beside the attributes' columns) has, in an order that tells nothing of the table.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "pratique/tables/attribute.h"
#include "pratique/tables/model/model_kind.h"

namespace pratique::tables {

[[nodiscard]] std::unique_ptr<Model> k_map(std::uint64_t k, const PopulationFile& file,
                                           const std::vector<Attribute>& attributes,
                                           const std::vector<std::uint64_t>* population = nullptr);
[[nodiscard]] std::unique_ptr<Model> delta_presence(
    double minimum, double maximum, const PopulationFile& file,
    const std::vector<Attribute>& attributes,
    const std::vector<std::uint64_t>* population = nullptr);

// --k-map K, --population FILE
extern const ModelKind k_map_kind;
// --delta MIN,MAX
extern const ModelKind delta_presence_kind;

}  // namespace pratique::tables
