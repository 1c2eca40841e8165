// How the command line declares what the columns of a table are, and how one is protected.
#pragma once

#include "pratique/tables/flow/prepared_table.h"
#include "verb.h"

namespace pratique::app {

using tables::flow::ColumnRoles;

void declare_config(Verb& verb, ColumnRoles& roles);
void declare_identifiers(Verb& verb, ColumnRoles& roles);
void declare_quasi_identifiers(Verb& verb, ColumnRoles& roles);
void declare_sensitive(Verb& verb, ColumnRoles& roles);
void declare_hierarchies(Verb& verb, ColumnRoles& roles);
Option& declare_date_form(Verb& verb, std::vector<std::string>& forms);
Option& declare_number_form(Verb& verb, std::vector<std::string>& forms);

// The method that is charged to a budget; the others are tables::method_names() and anatomy.
inline constexpr const char* kDiffgen = "diffgen";

// What protect and explore both take.
void declare_shared(Verb& verb, tables::flow::ProtectRequest& request);
// What protect alone takes.
void declare_protect(Verb& verb, tables::flow::ProtectRequest& request);

}  // namespace pratique::app
