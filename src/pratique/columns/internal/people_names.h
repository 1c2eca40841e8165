// Whether texts of two or three capitalised words are names of people: first and family names come
// together in many ways. So do the words of few diagnoses, which have words that names have not.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace pratique::columns::internal {

class PeopleNames {
 public:
  // Of so many different texts all is known that the rest could tell.
  static constexpr std::size_t kEnough = 20000;

  void add(std::string_view text);
  [[nodiscard]] std::size_t size() const { return texts_.size(); }

  // At least ten texts of five first and five last words; of three in ten both words stand in other
  // texts beside other words.
  [[nodiscard]] bool recombine() const;

 private:
  std::set<std::pair<std::string, std::string>> texts_;  // first word and last
  std::map<std::string, std::size_t> firsts_;            // and beside how many last ones
  std::map<std::string, std::size_t> lasts_;
  std::size_t medical_ = 0;
};

}  // namespace pratique::columns::internal
