#pragma once
// What a flow's application writes, as the manifest says it.

#include "apps/common/fields.hh"
#include "drivers/plan.hh"

namespace paceline {

// Throws Refusal with the path of what is wrong.
void read_source(Fields source, FlowPlan& flow);

}  // namespace paceline
