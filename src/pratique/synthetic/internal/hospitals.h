// The hospitals of the region and who goes where.
//
// Hospital of rank r is meant to get a share of the patients proportional to 1/r (Zipf's law), and
// people go to what is near: someone in ZIP z chooses hospital h with probability proportional to
// a(h) * exp(-distance(z, h) / 20 km), plus a little for any distance. The attractions a(h) are
// found by scaling them until the expected shares over all ZIPs are the Zipf shares. Illness that
// the chosen hospital cannot treat is referred to one of a few large hospitals, again the near ones
// first, so patients who live near each other visit the same hospitals.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pratique/crypto/random.h"
#include "pratique/synthetic/internal/places.h"

namespace pratique::synthetic {

using HospitalIndex = std::uint16_t;

struct Hospital {
  std::string id;  // H01, the most popular; H001 where there are a hundred or more
  std::string name;
  std::uint32_t zip = 0;  // in Region::zips()
};

class Hospitals {
 public:
  Hospitals(std::size_t count, const Region& region);
  [[nodiscard]] const std::vector<Hospital>& all() const { return hospitals_; }
  [[nodiscard]] HospitalIndex choose(std::uint32_t zip, SeededRandom& random) const {
    return static_cast<HospitalIndex>(choice_[zip].draw(random));
  }
  [[nodiscard]] HospitalIndex refer(std::uint32_t zip, SeededRandom& random) const {
    return static_cast<HospitalIndex>(referral_[zip].draw(random));
  }

 private:
  std::vector<Hospital> hospitals_;
  std::vector<AliasTable> choice_;    // by ZIP
  std::vector<AliasTable> referral_;  // by ZIP, over the first few hospitals
};

}  // namespace pratique::synthetic
