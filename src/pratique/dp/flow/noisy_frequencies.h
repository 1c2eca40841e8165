// `genomes protect --method frequencies` with a privacy budget: allele frequencies with noise, so
// that whoever has somebody's genotypes learns next to nothing about whether they were counted.
//
// Which variants are listed must not depend on the people: it is a list that everybody knows
// (--sites). Of each, the copies of the alternative and of all other alleles are counted, and
// discrete Laplace noise (mechanism/discrete_laplace.h) is added to both. A person has two alleles
// at each of m variants, in one of the two counts each, so all counts together change by at most
// 2 m when a person comes or goes: noise of rate epsilon / 2 m is epsilon-differentially private,
// missing and haploid calls included. The frequency is computed from the noisy counts alone. A
// variant that the file does not list is nobody's: everybody has two other alleles.
#pragma once

#include "pratique/genomes/flow/protect.h"
#include "pratique/kind/run.h"

namespace pratique::dp::flow {

// JSON keys: those of genomes protect --method frequencies, and epsilon_spent, epsilon_left,
// deviation (of a count).
[[nodiscard]] Outcome noisy_frequencies(const genomes::flow::ProtectRequest& request,
                                        const Run& run);

}  // namespace pratique::dp::flow
