#pragma once
// What a flow's application writes, as the manifest says it.

#include "drivers/plan.hh"
#include "manifest/fields.hh"

namespace paceline {

// Throws Refusal with the path of what is wrong.
void read_source(Fields source, FlowPlan& flow);

}  // namespace paceline
