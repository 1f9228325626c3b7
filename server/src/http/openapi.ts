import { z } from 'zod';
import * as api from '#protocol/api';
import { ExperimentAnswer, ExperimentAnswers } from '#protocol/answers';
import * as cca from '#protocol/cca';
import * as about from '#protocol/cca-about';
import * as fidelity from '#protocol/fidelity';
import { EditSketch, TraceEdit } from '#protocol/edit';
import { RunManifest } from '#protocol/manifest';
import { ExperimentKind, ExperimentKinds } from '#protocol/experiment-kind';
import { AskedSpec, ExperimentSpec } from '#protocol/spec';
import { Measurement, MeasurementList, MeasurementRecord } from '#protocol/measurement';
import { StudyList, StudyListItem, StudyRecord } from '#protocol/study';
import { RunSummary } from '#protocol/summary';
import * as trace from '#protocol/trace';
import * as own from '#protocol/own-algorithm';
import * as weights from '#protocol/weights';
import { Labels, LabelsChange, ListedLabels, TagList } from '#protocol/labels';
import { ERRORS, type ErrorCode } from '../errors.ts';
import { VERSION } from '../version.ts';
import { neededBy, type Needs } from './callers.ts';
import type { Answer, Route } from './route.ts';

type Json = Record<string, unknown>;

/** Schemas that have a name in the document; all others are written out where they are used. */
const NAMED: Readonly<Record<string, z.ZodType>> = {
  Problem: api.Problem,
  Health: api.Health,
  Doctor: api.Doctor,
  TraceRecord: api.TraceRecord,
  TraceList: api.TraceList,
  TraceInfo: trace.TraceInfo,
  TraceDynamics: trace.TraceDynamics,
  TraceMemory: trace.TraceMemory,
  TraceOutages: trace.TraceOutages,
  TraceFalls: trace.TraceFalls,
  TraceSourceRecord: api.TraceSourceRecord,
  TracePreview: trace.TracePreview,
  TraceProblem: trace.TraceProblem,
  TraceEdit,
  EditSketch,
  Labels,
  ListedLabels,
  LabelsChange,
  TagList,
  WeightsInfo: weights.WeightsInfo,
  WeightsRecord: weights.WeightsRecord,
  WeightsList: weights.WeightsList,
  OwnAlgorithm: own.OwnAlgorithm,
  OwnAlgorithmList: own.OwnAlgorithmList,
  OwnAlgorithmText: own.OwnAlgorithmText,
  ExperimentKind,
  ExperimentKinds,
  AskedSpec,
  ExperimentSpec,
  ExperimentListItem: api.ExperimentListItem,
  ExperimentList: api.ExperimentList,
  ExperimentRecord: api.ExperimentRecord,
  Cell: api.Cell,
  RunRef: api.RunRef,
  RunRecord: api.RunRecord,
  RunManifest,
  RunSummary,
  Measurement,
  MeasurementRecord,
  MeasurementList,
  Plan: api.Plan,
  Home: api.Home,
  ExperimentAnswer,
  ExperimentAnswers,
  StudyList,
  StudyListItem,
  StudyRecord,
  EngineListing: cca.EngineListing,
  CcaDescriptor: cca.CcaDescriptor,
  QueueDescriptor: cca.QueueDescriptor,
  ParamDescriptor: cca.ParamDescriptor,
  CcaAbouts: about.CcaAbouts,
  CcaAbout: about.CcaAbout,
  CcaNotes: about.CcaNotes,
  CcaSample: about.CcaSample,
  FidelityReport: fidelity.FidelityReport,
  Finding: fidelity.Finding,
};

/** Of every address. */
const EVERYWHERE: readonly ErrorCode[] = [
  'TOKEN_REQUIRED',
  'HOST_REFUSED',
  'ORIGIN_REFUSED',
  'RATE_LIMITED',
  'INTERNAL',
  'BEING_BUILT',
];

const uri = (id: string): string => `#/components/schemas/${id}`;

/** OpenAPI has its own place for what JSON Schema writes into each document. */
function embedded(schema: Json): Json {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== '$schema' && key !== '$id'));
}

function components(): Record<string, Json> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(NAMED)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { uri });
  const named = Object.entries(schemas).map(([id, schema]) => [id, embedded(schema as Json)] as const);
  // What a person may leave out has a default: the form sent is not the form received.
  const input = embedded(z.toJSONSchema(ExperimentSpec, { io: 'input' }));
  return { ...Object.fromEntries(named), ExperimentSpecInput: input };
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const name = Object.entries(NAMED).find(([, known]) => known === schema)?.[0];
  if (name === 'ExperimentSpec' && io === 'input') return { $ref: uri('ExperimentSpecInput') };
  if (name !== undefined) return { $ref: uri(name) };
  return embedded(z.toJSONSchema(schema, { io }));
}

/** `/runs/:id` -> `/runs/{id}`. */
const templated = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}');

function parameters(place: 'path' | 'query', schema: z.ZodType | undefined): Json[] {
  if (schema === undefined) return [];
  const { properties, required } = schemaOf(schema, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties ?? {}).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || (required?.includes(name) ?? false),
    schema: property,
  }));
}

/** What an answer that is no JSON of a known form holds: a file, which may be JSON all the same. */
const fileOf = (media: string): Json =>
  media === 'application/json' ? { type: 'object' } : { type: 'string', format: 'binary' };

function answerOf({ description, schema, media = 'application/json' }: Answer, mayBeNull: boolean): Json {
  const contentOf = (one: string): Json => {
    const content = schema === undefined ? fileOf(one) : schemaOf(schema, 'output');
    return { schema: mayBeNull ? { anyOf: [content, { type: 'null' }] } : content };
  };
  return { description, content: Object.fromEntries([media].flat().map((one) => [one, contentOf(one)])) };
}

const UNKNOWN: Json = {
  name: 'unknown',
  in: 'query',
  required: false,
  description: '`null`: what is not known is answered 200 and null instead of 404. An id of another form stays a 400.',
  schema: { const: 'null' },
};

/** The problems of one status: their codes are what a program goes by. */
function problems(codes: readonly ErrorCode[]): Record<string, Json> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) byStatus.set(ERRORS[code].status, [...(byStatus.get(ERRORS[code].status) ?? []), code]);
  return Object.fromEntries(
    [...byStatus].map(([status, list]) => [
      String(status),
      {
        description: list.map((code) => `\`${code}\`: ${ERRORS[code].title}`).join('\n\n'),
        content: { 'application/problem+json': { schema: { $ref: uri('Problem') } } },
      },
    ]),
  );
}

function bodyOf({ body, upload }: Route): Json {
  if (body !== undefined)
    return { requestBody: { required: true, content: { 'application/json': { schema: schemaOf(body, 'input') } } } };
  if (upload === undefined) return {};
  const binary = { type: 'string', format: 'binary' };
  const form = { type: 'object', properties: { file: binary }, required: ['file'] };
  const content = upload.map((media) => [media, { schema: media.startsWith('multipart') ? form : binary }]);
  return { requestBody: { required: true, content: Object.fromEntries(content) as Json } };
}

/** Where the one can be, the others can. */
const WITH: Partial<Record<ErrorCode, readonly ErrorCode[]>> = {
  DISK_FULL: ['QUOTA_EXCEEDED', 'HOLDINGS_EXCEEDED'],
  ENGINE_MISSING: ['TOO_BUSY', 'TOOK_TOO_LONG'],
  EXPERIMENT_UNKNOWN: ['DELETED'],
  RUN_UNKNOWN: ['DELETED'],
  TRACE_UNKNOWN: ['DELETED', 'FILE_DAMAGED'],
  WEIGHTS_UNKNOWN: ['DELETED', 'FILE_DAMAGED'],
  ALGORITHM_UNKNOWN: ['DELETED'],
};

/** What can be wrong wherever a request is like this, beside what the address itself names. */
function commonErrors(route: Route): ErrorCode[] {
  const { params, query, body, bodyRefusal, upload } = route;
  const reads = body !== undefined || upload !== undefined;
  return [
    ...EVERYWHERE,
    ...(['author', 'operator'].includes(neededBy(route)) ? (['ROLE_REFUSED'] as const) : []),
    ...(params !== undefined || query !== undefined || reads ? (['REQUEST_INVALID'] as const) : []),
    ...(reads ? (['MEDIA_UNSUPPORTED', 'BODY_TOO_SLOW'] as const) : []),
    ...(body === undefined ? [] : (['JSON_INVALID', 'BODY_TOO_LARGE', bodyRefusal ?? 'REQUEST_INVALID'] as const)),
  ];
}

const WHO: Readonly<Record<Needs, string>> = {
  anyone: 'Nobody needs a token for it.',
  viewer: 'Where a token is asked for, any will do.',
  author: 'Where a token is asked for: an author’s or an operator’s.',
  operator: 'Where a token is asked for: an operator’s.',
};

function operation(route: Route): Json {
  const faults = [
    ...new Set([
      ...commonErrors(route),
      ...(route.owned === undefined ? [] : (['NOT_YOURS'] as const)),
      ...route.errors.flatMap((code) => [code, ...(WITH[code] ?? [])]),
    ]),
  ];
  const answers = Object.entries(route.answers).map(
    ([status, answer]) => [status, answerOf(answer, route.unknown !== undefined)] as const,
  );
  return {
    operationId: `${route.method} ${templated(route.path)}`.replaceAll(/\W+(\w?)/g, (_, next: string) =>
      next.toUpperCase(),
    ),
    tags: [route.tag],
    summary: route.summary,
    description: [route.description ?? [], WHO[neededBy(route)]].flat().join('\n\n'),
    parameters: [
      ...parameters('path', route.params),
      ...parameters('query', route.query),
      ...(route.unknown === undefined ? [] : [UNKNOWN]),
    ],
    ...bodyOf(route),
    responses: {
      ...Object.fromEntries(answers),
      ...problems(faults),
      431: { description: 'The address and the headers are too long' },
    },
  };
}

/** The OpenAPI 3.1 document of these routes. */
export function openApi(routes: readonly Route[]): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = templated(route.path);
    paths[path] = { ...paths[path], [route.method]: operation(route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Paceline',
      version: VERSION,
      description:
        'A laboratory for congestion control over cellular links. Samples and state changes come over the WebSocket /api/v1/live (docs/api.md).',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/api/v1' }],
    paths,
    components: { schemas: components() },
  };
}
