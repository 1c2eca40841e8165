// A number for each of many variants, by their keys (Variant::key), which are mixed well already:
// open addressing, so that a look-up touches one place in memory.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace pratique::genomes {

class SiteTable {
 public:
  struct Site {
    std::uint64_t key = 0;
    float value = std::numeric_limits<float>::quiet_NaN();  // no number: the place is free
  };

  class Iterator {
   public:
    Iterator(const Site* site, const Site* end) : site_(site), end_(end) { skip_free(); }
    const Site& operator*() const { return *site_; }
    const Site* operator->() const { return site_; }
    Iterator& operator++() {
      ++site_;
      skip_free();
      return *this;
    }
    bool operator==(const Iterator& other) const { return site_ == other.site_; }

   private:
    void skip_free() {
      while (site_ != end_ && std::isnan(site_->value)) ++site_;
    }
    const Site* site_;
    const Site* end_;
  };

  // Where there is none yet, 0.
  float& operator[](std::uint64_t key) {
    if (2 * (size_ + 1) > sites_.size()) grow();
    Site& site = sites_[place_of(key)];
    if (std::isnan(site.value)) {
      site = {key, 0};
      ++size_;
    }
    return site.value;
  }
  // Null where there is none.
  [[nodiscard]] const float* find(std::uint64_t key) const {
    if (sites_.empty()) return nullptr;
    const Site& site = sites_[place_of(key)];
    return std::isnan(site.value) ? nullptr : &site.value;
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  // In no particular order.
  [[nodiscard]] Iterator begin() const { return {sites_.data(), sites_.data() + sites_.size()}; }
  [[nodiscard]] Iterator end() const {
    return {sites_.data() + sites_.size(), sites_.data() + sites_.size()};
  }

 private:
  // Of the key, or the free place where it would be. At most half of all are taken.
  [[nodiscard]] std::size_t place_of(std::uint64_t key) const {
    const std::size_t mask = sites_.size() - 1;
    std::size_t place = key & mask;
    while (!std::isnan(sites_[place].value) && sites_[place].key != key) place = (place + 1) & mask;
    return place;
  }
  void grow() {
    constexpr std::size_t kFewest = 64;
    std::vector<Site> before(sites_.empty() ? kFewest : 2 * sites_.size());
    before.swap(sites_);
    for (const Site& site : before) {
      if (!std::isnan(site.value)) sites_[place_of(site.key)] = site;
    }
  }

  std::vector<Site> sites_;
  std::size_t size_ = 0;
};

}  // namespace pratique::genomes
