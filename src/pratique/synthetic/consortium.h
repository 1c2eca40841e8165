// One coherent world of synthetic hospitals, patients and what is known about them elsewhere. Every
// kind of data in the product has its example here, about the same people, none of whom exists.
//
// Files (CSV with a header, comma, UTF-8; dates 2012-12-31). A key names a row of its own file
// only; keys are given out in random order, so that no two files can be joined by them. In truth/
// they can.
//
//   register.csv       the population register, as a voter list has it; some people are missing
//                      entry,name,date_of_birth,sex,zip,address,town
//   hospitals.csv      hospital,name,zip,town
//   zips.csv           zip,town,county,population,east_km,north_km
//   hospitals/H01/discharges.csv   identified, one row per stay; other diagnoses separated by `|`
//                      visit,name,date_of_birth,sex,zip,admission_date,length_of_stay,
//                      primary_diagnosis,other_diagnoses,charges
//   hospitals/H01/dna.csv          severed DNA: one row per patient who left some there; the same
//                      person has the same sample and sequence in every hospital
//                      sample,sequence
//   patients.csv       the consortium's research table, one row per patient
//                      patient,date_of_birth,age,sex,zip,race,marital_status,education,hospital,
//                      diagnosis,hospital_visits,length_of_stay,cost
//   codes.csv          one row per patient and ICD-9-CM code: patient,code
//   insurer.csv        members are known by name; indices and valuation 1 to 10, income in dollars
//                      member,name,visit_index,expenditure_index,valuation,income
//   web_facts.csv      what a search for a name finds; some names are mistyped or lack the initial
//                      page,name,employment,employer,property_size,property_value
//   truth/people.csv   person,entry,patient,sample,member,page (empty where there is none)
//   truth/records.csv  of patients who are registered, for scoring attacks on patients.csv
//                      entry,date_of_birth,sex,zip,diagnosis
//   truth/visits.csv   visit,hospital,person
//   world.json         seed, options, counts, and what each file is
//
// What holds: patients per hospital follow Zipf's law; patients who live near each other visit the
// same hospitals; (name, date_of_birth) belongs to one person, a name often to several; every DNA
// trail is a subtrail of its owner's identified trail; codes.csv has exactly the codes of a
// patient's stays; income goes with employment, property and valuation, so that who has insurer and
// web estimates income better than who has one of them.
//
// The same options give the same bytes on any number of threads.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pratique/core/progress.h"

namespace pratique {

struct ConsortiumOptions {
  std::uint64_t hospitals = 20;    // 1 to 999
  std::uint64_t patients = 50000;  // 1 to 20 million; the population is three times as many
  std::uint64_t seed = 0;
  std::string folder;  // new or empty; its parent must exist
};

struct ConsortiumSummary {
  struct File {
    std::string path;  // inside the folder
    std::string what;
    std::string columns;  // the header line
    std::uint64_t rows = 0;
  };
  std::uint64_t hospitals = 0;
  std::uint64_t patients = 0;
  std::uint64_t population = 0;
  std::uint64_t registered = 0;
  std::uint64_t visits = 0;
  std::uint64_t dna_samples = 0;   // rows of all dna.csv
  std::uint64_t dna_patients = 0;  // patients who left DNA anywhere
  std::uint64_t codes = 0;
  std::uint64_t insured = 0;
  std::uint64_t web_pages = 0;
  std::vector<File> files;
};

// The folder appears when all of it is written; until then there is a private folder beside it that
// disappears on any failure.
ConsortiumSummary generate_consortium(const ConsortiumOptions& options, Progress& progress);

}  // namespace pratique
