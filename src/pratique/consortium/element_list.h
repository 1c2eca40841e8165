// Texts one after the other in one piece of memory: a list may have a million elements, and a text
// of ten letters should not take fifty bytes.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace pratique::consortium {

class ElementList {
 public:
  ElementList() = default;
  ElementList(std::initializer_list<std::string_view> elements) {
    for (const auto element : elements) add(element);
  }
  template <class Range>
  static ElementList of(const Range& elements) {
    ElementList list;
    for (const auto& element : elements) list.add(element);
    return list;
  }

  void add(std::string_view element) {
    text_ += element;
    ends_.push_back(text_.size());
  }
  // Nothing more is added.
  void finish() {
    text_.shrink_to_fit();
    ends_.shrink_to_fit();
  }

  [[nodiscard]] std::size_t size() const { return ends_.size(); }
  [[nodiscard]] bool empty() const { return ends_.empty(); }
  [[nodiscard]] std::string_view operator[](std::size_t place) const {
    const std::uint64_t begin = place == 0 ? 0 : ends_[place - 1];
    return std::string_view(text_).substr(begin, ends_[place] - begin);
  }
  friend bool operator==(const ElementList&, const ElementList&) = default;

 private:
  std::string text_;
  std::vector<std::uint64_t> ends_;
};

}  // namespace pratique::consortium
