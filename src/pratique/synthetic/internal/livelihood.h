// What people do and what it brings: schooling, job, income, property.
#pragma once

#include "pratique/crypto/random.h"
#include "pratique/synthetic/internal/people.h"

namespace pratique::synthetic {

// Fills education, job, employer, income and property of a person whose age and ZIP are known.
void draw_livelihood(Person& person, int age, double wealth_of_zip, SeededRandom& random);

}  // namespace pratique::synthetic
