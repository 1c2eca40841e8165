// Who says that another answered wrongly shows it: what was asked, and the answer that the other
// signed. An answer has the hash of its question, and what the owner signed of that question and
// its number: nobody honest signs one without, so that it shows by itself whether it was given to
// what was asked. Everybody checks that again; a site that accuses another without it is not
// believed, so nobody is named for what it did not do.
#pragma once

#include <string>

#include "pratique/consortium/session.h"

namespace pratique::consortium {

// The context of a proof that `hop` multiplied a batch of `owner` by its key.
[[nodiscard]] std::string proof_context(const Sha256Digest& session, const std::string& owner,
                                        const std::string& hop, List list, std::uint64_t number);

// What the owner signs of the question that is the `number`th (from 0) of its connection to `hop`.
[[nodiscard]] std::string question_text(const Sha256Digest& session, const std::string& owner,
                                        const std::string& hop, std::uint64_t number,
                                        const Sha256Digest& asked);

// Whether `answer` (the payload of a message) multiplies what `asked` has by the key that `hop`
// committed to, and proves it. The points come out where it does.
[[nodiscard]] std::optional<std::vector<Point>> proven_answer(std::string_view asked,
                                                              std::string_view answer,
                                                              const std::string& owner,
                                                              const std::string& hop,
                                                              const Roster& roster);

// For CheckFailed: `answer` is the whole message, signed.
[[nodiscard]] std::string evidence_of(std::string_view asked, std::string_view answer);
// Whether it shows that `culprit` signed an answer in this session that proves nothing, or is to
// nothing that it was asked.
[[nodiscard]] bool shows_guilt(std::string_view evidence, const std::string& culprit,
                               const Roster& roster, const Identity& self);

// What is left of it: without a culprit where nothing shows that it is one. What the authority
// itself found needs no evidence.
[[nodiscard]] Aborted judged(const Aborted& accusation, const Configuration& configuration,
                             const Roster& roster, const Identity& self);

}  // namespace pratique::consortium
