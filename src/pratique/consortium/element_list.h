// The elements of a site's list, which may be a million: as they are compared, and as the site
// spells them. They lie in a file, and memory keeps a few bits of each.
//
// The file is private (0600) and has no name once it is open, so that it ends with the process; a
// short list needs none.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace pratique::consortium {

// Copies share what was added.
class ElementList {
 public:
  ElementList();
  ElementList(std::initializer_list<std::string_view> elements);
  template <class Range>
  static ElementList of(const Range& elements) {
    ElementList list;
    for (const auto& element : elements) list.add(element, element);
    return list;
  }

  void add(std::string_view element, std::string_view spelled);

  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] bool empty() const { return size() == 0; }
  [[nodiscard]] std::string operator[](std::size_t place) const;
  [[nodiscard]] std::string spelled(std::size_t place) const;

 private:
  class Records;
  std::shared_ptr<Records> records_;
};

// Gathers a list in which every element is once.
class DistinctElements {
 public:
  // False where it is there already: the first spelling counts.
  bool add(std::string_view element, std::string_view spelled);
  // Whether any element came in two spellings.
  [[nodiscard]] bool joined_spellings() const { return joined_spellings_; }
  // All that was added; it begins anew.
  [[nodiscard]] ElementList take();

 private:
  // Open addressing: the place counts from 1, and an empty slot has 0.
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t place = 0;
  };
  void grow();

  ElementList list_;
  std::vector<Slot> slots_;
  bool joined_spellings_ = false;
};

}  // namespace pratique::consortium
