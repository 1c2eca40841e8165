#include "pratique/synthetic/internal/places.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace pratique::synthetic {
namespace {

constexpr std::array<std::string_view, 76> kStreets = {
    "Maple",     "Oak",      "Cedar",    "Elm",       "Pine",    "Walnut",   "Chestnut", "Willow",
    "Birch",     "Sycamore", "Church",   "Mill",      "School",  "Park",     "Lake",     "River",
    "Spring",    "Hill",     "Ridge",    "Meadow",    "Orchard", "Valley",   "Garden",   "Prairie",
    "Bridge",    "Station",  "Market",   "Union",     "Liberty", "Franklin", "Lincoln",  "Madison",
    "Jefferson", "Monroe",   "Grant",    "Clover",    "Harvest", "Quarry",   "Foundry",  "Cooper",
    "Weaver",    "Tanner",   "Ferry",    "Harbor",    "Canal",   "Depot",    "Railroad", "Academy",
    "College",   "Chapel",   "Rosewood", "Hawthorn",  "Juniper", "Laurel",   "Magnolia", "Poplar",
    "Locust",    "Aspen",    "Hickory",  "Dogwood",   "Sunset",  "Highland", "Fairview", "Pleasant",
    "Summit",    "Crescent", "Granite",  "Limestone", "Copper",  "Silver",   "Heron",    "Falcon",
    "Sparrow",   "Fox",      "Badger",   "Otter"};

constexpr std::array<std::string_view, 7> kStreetTypes = {"Street", "Avenue", "Road", "Lane",
                                                          "Drive",  "Court",  "Place"};

// Largest first.
constexpr std::array<std::string_view, 60> kTowns = {
    "Ardenport",         "Bellhaven",    "Corrigan",           "Duskfield",
    "Eastmere",          "Farrowdale",   "Glenhollow",         "Harrowgate",
    "Ivybridge",         "Juniperton",   "Kestrel Falls",      "Larkmoor",
    "Merrivale",         "Northwick",    "Otterburn",          "Pellingham",
    "Quillstead",        "Ravenscar",    "Saltmarsh",          "Thistledown",
    "Upperford",         "Vantage",      "Willowbend",         "Yarrowton",
    "Amberlea",          "Brackenridge", "Coldspring",         "Dunmarrow",
    "Elderwick",         "Foxhollow",    "Greyling",           "Hartsmere",
    "Ironbridge Mills",  "Jessamine",    "Kingsferry",         "Lowmeadow",
    "Mossgrove",         "Netherby",     "Oakhampton",         "Piper Hill",
    "Quarrydale",        "Rookwood",     "Stillwater Bend",    "Tanglewood Cross",
    "Underhill",         "Vesper",       "Wexcombe",           "Yewdale",
    "Ashgrove Junction", "Birchwater",   "Cinderford Heights", "Dovecote",
    "Emberton",          "Fernbank",     "Goosecreek",         "Hollowell",
    "Inglenook",         "Kittering",    "Lanternhill",        "Millrace"};

constexpr std::array<std::string_view, 6> kCounties = {"Arden",     "Bellmoor", "Corran",
                                                       "Duskshire", "Estwick",  "Fallow"};

constexpr std::array<std::string_view, 10> kHospitalKinds = {
    "General Hospital",   "University Medical Center", "Memorial Hospital",
    "Community Hospital", "Regional Medical Center",   "Children and Family Hospital",
    "Mercy Hospital",     "Veterans Hospital",         "Surgical Hospital",
    "Valley Clinic"};

// A county has one three-digit prefix, in a range that no real place uses.
constexpr int kFirstPrefix = 694;
constexpr double kRegionKilometres = 90;  // from the middle of the region to a county's middle
constexpr double kCountyKilometres = 22;  // spread of towns in a county
constexpr double kTownKilometres = 3;     // spread of ZIPs in a town
constexpr std::size_t kPeoplePerZip = 5000;

}  // namespace

Region::Region(std::size_t population, SeededRandom random) {
  const std::size_t zips =
      std::clamp(population / kPeoplePerZip, kTowns.size() / 5, kTowns.size() * 4);
  // A town of rank r has about zips / r ZIPs, so its share of the people follows Zipf's law.
  const std::size_t towns = std::clamp<std::size_t>(zips / 2, 6, kTowns.size());
  std::vector<std::size_t> zips_of_town(towns, 1);
  double harmonic = 0;
  for (std::size_t rank = 1; rank <= towns; ++rank) harmonic += 1.0 / static_cast<double>(rank);
  for (std::size_t left = zips - towns, rank = 0; left > 0; rank = (rank + 1) % towns) {
    const double share =
        static_cast<double>(zips - towns) / harmonic / static_cast<double>(rank + 1);
    const std::size_t more = std::min(left, static_cast<std::size_t>(std::ceil(share)));
    zips_of_town[rank] += more;
    left -= more;
  }
  std::array<int, kCounties.size()> next_suffix{};
  for (std::size_t town = 0; town < towns; ++town) {
    const std::size_t county = town % kCounties.size();
    // Counties lie on a ring; the first, with the largest town, in the middle.
    const double angle = 6.283185307179586 * static_cast<double>(county) / (kCounties.size() - 1);
    const double distance = county == 0 ? 0 : kRegionKilometres;
    const double town_east = random.normal(distance * std::cos(angle), kCountyKilometres);
    const double town_north = random.normal(distance * std::sin(angle), kCountyKilometres);
    for (std::size_t i = 0; i < zips_of_town[town]; ++i) {
      Zip zip;
      zip.code = fmt::format("{}{:02}", kFirstPrefix + county, next_suffix[county]++ + 1);
      zip.town = kTowns[town];
      zip.county = kCounties[county];
      zip.east = random.normal(town_east, kTownKilometres);
      zip.north = random.normal(town_north, kTownKilometres);
      zip.weight = 0.5 + random.uniform();
      zip.wealth = random.normal(0, 1);
      zips_.push_back(std::move(zip));
    }
  }
  std::vector<double> weights;
  weights.reserve(zips_.size());
  for (const Zip& zip : zips_) weights.push_back(zip.weight);
  choice_.emplace_back(weights);
}

double Region::kilometres(std::size_t a, std::size_t b) const {
  return std::hypot(zips_[a].east - zips_[b].east, zips_[a].north - zips_[b].north);
}

Address draw_address(SeededRandom& random) {
  Address address;
  address.number = static_cast<std::uint16_t>(random.between(1, 999));
  address.street = static_cast<std::uint8_t>(random.below(kStreets.size()));
  address.type = static_cast<std::uint8_t>(random.below(kStreetTypes.size()));
  return address;
}

std::string text_of(const Address& address) {
  return fmt::format("{} {} {}", address.number, kStreets[address.street],
                     kStreetTypes[address.type]);
}

std::string hospital_name(std::string_view town, std::size_t number_in_town) {
  const std::size_t kind = number_in_town % kHospitalKinds.size();
  const std::size_t turn = number_in_town / kHospitalKinds.size();
  return turn == 0 ? fmt::format("{} {}", town, kHospitalKinds[kind])
                   : fmt::format("{} {} {}", town, kHospitalKinds[kind], turn + 1);
}

}  // namespace pratique::synthetic
