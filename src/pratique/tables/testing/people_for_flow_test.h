// Six people whose releases are worked out by hand, for tests of the flows on tables.
#pragma once

#include "pratique/kind/testing/table_flow_fixture.h"
#include "pratique/tables/flow/prepared_table.h"

namespace pratique::tables::flow {

class PeopleFlow : public TableFlowFixture {
 protected:
  // No two share age and sex: everybody stands alone. In their decades, by sex: 1, 2 and 3.
  std::string people = file("people.csv",
                            "name,age,sex,ward,diagnosis\n"
                            "Ann,21,F,1,flu\n"
                            "Bob,23,M,1,flu\n"
                            "Cid,27,M,2,cold\n"
                            "Dot,34,F,1,flu\n"
                            "Eve,36,F,2,cold\n"
                            "Fay,38,F,2,flu\n");

  // Ages by decades, sex hidden: two classes of three.
  [[nodiscard]] ProtectRequest asked() const {
    ProtectRequest request;
    request.file = people;
    request.out = path("out.csv");
    request.method = "levels";
    request.levels = {"age=1", "sex=1"};
    request.models["k"] = {"3"};
    request.seed = 7;
    request.columns.said.identifiers = {"name"};
    request.columns.said.quasi_identifiers = {"age", "sex"};
    request.columns.said.sensitive = {"diagnosis"};
    request.columns.said.insensitive = {"ward"};
    request.columns.hierarchies = {"age=interval:10"};
    return request;
  }
};

}  // namespace pratique::tables::flow
