#pragma once
// Every format there is; registry.cc has their order.

#include "apps/formats/format.hh"

namespace paceline::formats {

extern const Format kPacketCapture;
extern const Format kIperf3;
extern const Format kRecorderLog;
extern const Format kGNetTrack;
extern const Format kLumos5G;
extern const Format kTraceText;
extern const Format kTable;

}  // namespace paceline::formats
