#include "pratique/notes/format/corpus_types.h"

#include <algorithm>
#include <unordered_map>

#include "pratique/notes/note.h"

namespace pratique::notes {
namespace {

struct TheirTypes {
  const char* ours;
  std::string_view theirs;  // small, words apart by an underscore
};

// Of i2b2 2006 and 2014, PhysioNet, Presidio, Philter and OntoNotes.
constexpr TheirTypes kTheirTypes[] = {
    {"name",
     "person per patient doctor staff hcw hcpname ptname relativeproxyname ptnameinitial "
     "patient_name doctor_name prefix first_name last_name"},
    {"location",
     "loc address street street_address city state country gpe zip zipcode zip_code postal_code "
     "county location_other nationality"},
    {"date", "date_time datetime dob date_of_birth dateyear"},
    {"organisation", "organization org company employer"},
    {"hospital", "facility institution"},
    {"profession", "title job occupation"},
    {"phone", "phone_number telephone telephone_number phonefax contact"},
    {"fax", "fax_number"},
    {"email", "email_address mail"},
    {"url", "domain_name website"},
    {"ip", "ip_address ipaddr ipaddress"},
    {"ssn", "us_ssn social_security_number"},
    {"mrn", "medicalrecord medical_record medical_record_number"},
    {"account", "credit_card iban_code us_bank_number account_number"},
    {"plan", "healthplan health_plan"},
    {"licence", "license us_driver_license driver_license license_plate"},
    {"device", "device_id serial"},
    {"vehicle", "vehicle_id"},
    {"id", "idnum bioid username other_id"}};

}  // namespace

std::string our_type(std::string_view type) {
  static const std::unordered_map<std::string_view, const char*> table = [] {
    std::unordered_map<std::string_view, const char*> types;
    for (const auto& own : span_types()) types.emplace(own, own.c_str());
    for (const auto& [ours, theirs] : kTheirTypes) {
      for (std::string_view rest = theirs; !rest.empty();) {
        const auto name = rest.substr(0, rest.find(' '));
        types.emplace(name, ours);
        rest.remove_prefix(std::min(name.size() + 1, rest.size()));
      }
    }
    return types;
  }();
  std::string small;
  for (const char c : type)
    small += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c == '-' || c == ' ' ? '_' : c;
  const auto entry = table.find(small);
  return entry == table.end() ? "id" : entry->second;
}

}  // namespace pratique::notes
