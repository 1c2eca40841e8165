// The head of a request, as RFC 9112, section 5, has it and in no other way.
//
// Programs that read a lenient head in different ways see different requests, so what is not plain
// is refused: a line that is folded, empty before the first, without a name or with a blank before
// its colon, with a control character, or that does not end with CRLF.
#pragma once

#include <string_view>

namespace pratique::net {

// `head` reaches up to and with its last, empty line. Throws Problem 400.
void check_head(std::string_view head);

}  // namespace pratique::net
