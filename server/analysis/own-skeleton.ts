// An own algorithm as the beginning of a plug-in in C++ (docs/plugins.md): what it declares is complete, and beside every call stands what
// the text does there.
import { cppComment, cppNumber, cppString } from '#analysis/cpp-text';
import { programParts, type Call, type ProgramParts } from '#analysis/own-program-parts';
import type { InternalDescriptor, ParamDescriptor } from '#protocol/cca';
import type { OwnDeclaration } from '#protocol/own-algorithm';

const MOST_ID = 40;

/** As specs will name the plug-in’s algorithm. */
export function skeletonId(name: string): string {
  const plain = name
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MOST_ID)
    .replaceAll(/^-+|-+$/g, '');
  return plain === '' ? 'own-algorithm' : plain;
}

const HEAD = (
  name: string,
  id: string,
  summary: string,
): string => `${cppComment(`${name}${summary === '' ? '' : `: ${summary}`}`)}//
// The skeleton of a plug-in: parameters, internals and needs are as the text declares them; what its calls do is still to be written,
// and stands beside each of them as it was. Until then the window stays what it is at first.
//
//   c++ -std=c++20 -O2 -ffp-contract=off -fPIC -shared -I <folder of paceline_plugin.h> ${id}.cc -o ${id}.so
//   paceline-list --cca-plugin ./${id}.so
//
// In the text times are milliseconds, here nanoseconds (_ns); rates are Mbps there, bits per second (_bps) here. What is null there is
// PACELINE_UNKNOWN here, Infinity is PACELINE_NEVER. \`this.cwnd_bytes\` and its like are fields of \`control\`.

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "paceline_plugin.h"

namespace {

`;

/** No keyword ends in one. */
const member = (name: string): string => `${name}_`;

const TYPES = {
  number: { cpp: 'double', kind: 'PACELINE_PARAM_NUMBER' },
  integer: { cpp: 'std::int64_t', kind: 'PACELINE_PARAM_INTEGER' },
  boolean: { cpp: 'bool', kind: 'PACELINE_PARAM_BOOLEAN' },
  choice: { cpp: 'std::size_t', kind: 'PACELINE_PARAM_CHOICE' },
  // No text can declare one.
  weights: { cpp: 'double', kind: 'PACELINE_PARAM_NUMBER' },
} as const;

const fromDouble = ({ type }: ParamDescriptor, value: string): string =>
  type === 'boolean' ? `${value} != 0` : type === 'number' ? value : `static_cast<${TYPES[type].cpp}>(${value})`;

/** What each of the words is counted as, behind a member. */
const numbered = (words: readonly string[]): string =>
  words.length === 0 ? '' : `  ${cppComment(words.map((word, i) => `${i}: ${word}`).join(', ')).trimEnd()}`;

function paramsStruct(params: readonly ParamDescriptor[]): string {
  if (params.length === 0) return '';
  const lines = params.map(({ name, type, choices }) => {
    const of = numbered(choices);
    return `  ${TYPES[type].cpp} ${member(name)};${of}\n`;
  });
  const values = params.map((param, i) => `        .${member(param.name)} = ${fromDouble(param, `values[${i}]`)},\n`);
  return `struct Params {\n${lines.join('')}\n  static Params of(const double* values) {\n    return {\n${values.join('')}    };\n  }\n};\n\n`;
}

function internalsStruct(internals: readonly InternalDescriptor[]): string {
  if (internals.length === 0) return '';
  const lines = internals.map(({ name, states }) => {
    return `  double ${member(name)} = NAN;${numbered(states)}\n`;
  });
  return `// What is sampled for plots; NaN: unknown.\nstruct Internals {\n${lines.join('')}};\n\n`;
}

/** Its name, what it is told beside the flow, and how that is called. */
const CALL_OF: Readonly<
  Record<Call, { readonly cpp: string; readonly takes: string; readonly gives: string; readonly told: string }>
> = {
  onAck: {
    cpp: 'on_ack',
    takes: 'const paceline_ack& ack, [[maybe_unused]] std::span<const paceline_acked_packet> packets, ',
    told: 'const paceline_ack* told, const paceline_acked_packet* packets, std::size_t count, ',
    gives: '*told, std::span{packets, count}, ',
  },
  onLoss: {
    cpp: 'on_loss',
    takes: 'const paceline_loss& loss, [[maybe_unused]] std::span<const paceline_lost_packet> packets, ',
    told: 'const paceline_loss* told, const paceline_lost_packet* packets, std::size_t count, ',
    gives: '*told, std::span{packets, count}, ',
  },
  onTimeout: {
    cpp: 'on_timeout',
    takes: 'const paceline_timeout& timeout, ',
    told: 'const paceline_timeout* told, ',
    gives: '*told, ',
  },
  onSent: {
    cpp: 'on_sent',
    takes: 'const paceline_sent& sent, ',
    told: 'const paceline_sent* told, ',
    gives: '*told, ',
  },
  onTick: { cpp: 'on_tick', takes: 'std::int64_t now_ns, ', told: 'std::int64_t now_ns, ', gives: 'now_ns, ' },
  onIdleRestart: {
    cpp: 'on_idle_restart',
    takes: 'std::int64_t now_ns, ',
    told: 'std::int64_t now_ns, ',
    gives: 'now_ns, ',
  },
};

const NOT_FOUND = 'Where it is written was not found: the whole text stands at the end.';

function flowStruct({ params, internals }: OwnDeclaration, { calls, create }: ProgramParts): string {
  const members = [
    ...(params.length === 0 ? [] : ['  Params params;\n']),
    ...(internals.length === 0 ? [] : ['  Internals internals;\n']),
  ];
  const values = params.length === 0 ? '[[maybe_unused]] const double* values' : 'const double* values';
  const starts = params.length === 0 ? '' : `\n      : params{Params::of(values)}`;
  const bodies = [...calls].map(
    ([call, text]) => `
  void ${CALL_OF[call].cpp}([[maybe_unused]] ${CALL_OF[call].takes}[[maybe_unused]] paceline_control& control) {
${cppComment(text ?? NOT_FOUND, '    ')}  }
`,
  );
  return `// The sender's side of one flow.
struct Flow {
${members.join('')}${members.length === 0 ? '' : '\n'}  Flow([[maybe_unused]] const paceline_setup& setup, ${values}, [[maybe_unused]] paceline_control& control)${starts} {
${cppComment(create ?? NOT_FOUND, '    ')}  }
${bodies.join('')}};

Flow& flow(void* state) { return *static_cast<Flow*>(state); }

`;
}

const wordList = (name: string, all: readonly string[]): string =>
  `constexpr std::array<const char*, ${all.length}> ${name}{${all.map(cppString).join(', ')}};\n`;

/** Of a list that may be empty: where it lies, and how long it is. */
const listed = (name: string, all: readonly unknown[]): readonly [string, string] =>
  all.length === 0 ? ['nullptr', '0'] : [`${name}.data()`, `${name}.size()`];

/** Place of the default, as the interface counts it. */
function initial({ type, default: value, choices }: ParamDescriptor): string {
  if (typeof value === 'number') return cppNumber(value);
  if (type === 'choice') return String(Math.max(0, choices.indexOf(String(value))));
  return value === true ? '1' : '0';
}

function paramsTable(params: readonly ParamDescriptor[]): string {
  if (params.length === 0) return '';
  const lists = params.map(({ choices }, i) => (choices.length === 0 ? '' : wordList(`kChoices${i}`, choices)));
  const rows = params.map((param, i) => {
    const [choices, count] = listed(`kChoices${i}`, param.choices);
    return `    paceline_param{.name = ${cppString(param.name)},
                   .label = ${cppString(param.label)},
                   .unit = ${cppString(param.unit)},
                   .help = ${cppString(param.help)},
                   .type = ${TYPES[param.type].kind},
                   .initial = ${initial(param)},
                   .min = ${cppNumber(param.min ?? 0)},
                   .max = ${cppNumber(param.max ?? 0)},
                   .choices = ${choices},
                   .choice_count = ${count}},
`;
  });
  return `${lists.join('')}constexpr std::array kParams{\n${rows.join('')}};\n\n`;
}

function internalsTable(internals: readonly InternalDescriptor[]): string {
  if (internals.length === 0) return '';
  const lists = internals.map(({ states }, i) => (states.length === 0 ? '' : wordList(`kStates${i}`, states)));
  const rows = internals.map(({ name, label, unit, states }, i) => {
    const [all, count] = listed(`kStates${i}`, states);
    return `    paceline_internal{.name = ${cppString(name)},
                      .label = ${cppString(label)},
                      .unit = ${cppString(unit)},
                      .states = ${all},
                      .state_count = ${count}},
`;
  });
  return `${lists.join('')}constexpr std::array kInternals{\n${rows.join('')}};\n\n`;
}

const PACING = { window: 'PACELINE_PACE_WINDOW', own: 'PACELINE_PACE_OWN', none: 'PACELINE_PACE_NONE' } as const;
const ECN = { none: 'PACELINE_ECN_NONE', classic: 'PACELINE_ECN_CLASSIC', l4s: 'PACELINE_ECN_L4S' } as const;

function needsOf({ paced_start, prr, acked_packets, receiver_timestamps }: OwnDeclaration['needs']): string {
  const asked = [
    ...(paced_start ? ['PACELINE_NEEDS_PACED_START'] : []),
    ...(prr ? [] : ['PACELINE_NEEDS_NO_PRR']),
    ...(acked_packets ? ['PACELINE_NEEDS_ACKED_PACKETS'] : []),
    ...(receiver_timestamps ? ['PACELINE_NEEDS_RECEIVER_TIMESTAMPS'] : []),
  ];
  return asked.length === 0 ? '0' : asked.join(' | ');
}

function callField(call: Call, has: boolean): string {
  const { cpp, told, gives } = CALL_OF[call];
  if (!has) return `    .${cpp} = nullptr,\n`;
  return `    .${cpp} =\n        [](void* state, ${told}paceline_control* control) { flow(state).${cpp}(${gives}*control); },\n`;
}

function algorithm(
  { name, summary, source, needs, params, internals }: OwnDeclaration,
  { calls, phases }: ProgramParts,
): string {
  const [paramsAt, paramCount] = listed('kParams', params);
  const [internalsAt, internalCount] = listed('kInternals', internals);
  const [phasesAt, phaseCount] = listed('kPhases', phases);
  const sampled = internals.map(
    ({ name: own }, i) => `          values[${i}] = flow(state).internals.${member(own)};\n`,
  );
  return `const paceline_algorithm kAlgorithm{
    .id = ${cppString(skeletonId(name))},
    .label = ${cppString(name)},
    .family = "own",
    .summary = ${cppString(summary)},
    .source = ${cppString(source)},
    .pacing = ${PACING[needs.pacing]},
    .ecn = ${ECN[needs.ecn]},
    .needs = ${needsOf(needs)},
    .params = ${paramsAt},
    .param_count = ${paramCount},
    .internals = ${internalsAt},
    .internal_count = ${internalCount},
    .phases = ${phasesAt},
    .phase_count = ${phaseCount},
    .context = nullptr,
    .create = [](const void*, const paceline_setup* setup, const double* values, paceline_control* control) -> void* {
      return new Flow{*setup, values, *control};
    },
    .destroy = [](void* state) { delete &flow(state); },
${(Object.keys(CALL_OF) as Call[]).map((call) => callField(call, calls.has(call))).join('')}    .read_internals = ${sampled.length === 0 ? 'nullptr' : `\n        [](void* state, double* values) {\n${sampled.join('')}        }`},
};

}  // namespace

extern "C" __attribute__((visibility("default"))) const paceline_plugin* paceline_get_plugin() {
  static const paceline_plugin plugin{.abi = PACELINE_PLUGIN_ABI,
                                      .algorithm_bytes = sizeof(paceline_algorithm),
                                      .algorithms = &kAlgorithm,
                                      .algorithm_count = 1};
  return &plugin;
}
`;
}

/** A whole source: it compiles as it is, and its algorithm keeps its first window. */
export function skeletonOf(declaration: OwnDeclaration, text: string): string {
  const parts = programParts(text);
  const { name, summary, params, internals } = declaration;
  return [
    HEAD(name, skeletonId(name), summary),
    paramsStruct(params),
    internalsStruct(internals),
    flowStruct(declaration, parts),
    paramsTable(params),
    internalsTable(internals),
    parts.phases.length === 0 ? '' : `${wordList('kPhases', parts.phases)}\n`,
    algorithm(declaration, parts),
    `\n// The whole text:\n//\n${cppComment(text.trimEnd())}`,
  ].join('');
}
