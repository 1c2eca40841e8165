// What is said first whenever a release is read: the columns that left although they look like
// identifiers (--allow), and that rows were said to be people. The manifest beside it tells.
#pragma once

#include <span>
#include <vector>

#include "pratique/core/json.h"
#include "pratique/manifest/figure.h"
#include "verb.h"

namespace pratique::app {

// Of the releases that the verb is given to read: `allowed`, `rows_are_people`; else nothing. Verbs
// that make a release decide anew.
[[nodiscard]] Json what_was_let_go(const Verb& verb);
// The result with these before everything else, unless it says so itself.
[[nodiscard]] Json said_first(const Json& let_go, const Json& result);

// The words for these, beside those that a kind of data declares.
[[nodiscard]] std::vector<Figure> with_words_for_it(std::span<const Figure> declared);

}  // namespace pratique::app
