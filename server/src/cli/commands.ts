// The commands of `paceline`: what is said of each, and where it is.

export const HELP = `Usage: paceline COMMAND [options]        (paceline COMMAND --help says more)

  serve                      the page and its server
  worker                     makes runs for a server on another machine
  workers --server URL       where a server's runs are made, and how much there is to make
  run SPEC.json --out DIR    an experiment without the page: the same runs, the same numbers
  merge DIR … --data-dir DIR  what other machines have made of it with run --shard
  assert FILE.json           whether what is expected of an experiment holds, for continuous integration
  bisect GOOD BAD FILE.json  since which revision an expectation is broken
  baseline save|compare      what an experiment came to, to be held against later
  runs [QUERY]               every run of every experiment: found, sorted, grouped
  report EXPERIMENT          what came out, as one HTML file to read anywhere
  packets RUN --from S --to S  what became of every packet; --pcapng, --ns3 FILE: a capture
  figure ID --of X --out F   one figure of a run, an experiment or a trace, as its menu saves it
  bundle EXPERIMENT          all of it as one zip file that imports elsewhere
  share ADDRESS|SLUG         a view that never changes: freeze one, list them, write one as a file
  import|verify FILE.zip     a bundle: bring in what it carries; make it again and compare
  import FILE                series of flent, qlog, iperf3, ns-3 or OMNeT++, to compare
  experiments                those of a data folder, by words and tags
  tag|note|star|rename ID    what is said of an experiment, a run or a trace
  archive|delete|restore ID  out of the lists; out of the data folder, for 24 hours with a way back
  publish ID                 what is private: all who may look see it from then on
  kind list|ID --ccas A,B …  a spec for a question: fairness, harm, sweeps …
  study list|run|report      what papers say, held against our own runs
  ccas [ID …] [--json]       the CCAs and queue disciplines there are; of one how it works
  algorithms [COMMAND]       your own algorithms: list, add, check, show, skeleton, delete
  trace COMMAND FILE         list, info, validate, import, convert, make, edit, cut
  source FILE                what an application wrote, from a CSV file or a packet capture
  shell [link] -- COMMAND    any program behind a modelled link, like mm-link
  record server|client       a trace of a real path
  compare A B                two runs, two experiments of one spec, or a run and a report of iperf3
  quic server|client         one end of a QUIC connection with our congestion control or quinn's
  check [--data-dir DIR]     whether everything that is kept is whole
  retention [to SIZE|again ID]  let the samples of old runs go, or make them again
  backup --to DIR            all of a data folder, while a server works with it
  restore --from DIR         a data folder from a backup
  token add|list|revoke      who may use a server that asks for a token, and for what
  user list|set|remove       what persons may whom a proxy in front of a server names
  deeds                      what was done at a server, and by whom
  holdings                   how much of a data folder is whose
  doctor [--json]            what this machine can do
  completion bash|zsh|fish   a script by which the shell completes all of this
  man [--out DIR]            manual pages of all of this

  --cca-plugin FILE          with any command: a shared library with algorithms, also in $PACELINE_CCA_PLUGINS (docs/plugins.md)

Exit codes: 0 done, 1 failed, 2 bad input, 3 an expectation is broken.
`;

export type Command = (words: readonly string[]) => Promise<number>;

export type Commands = ReadonlyMap<string, () => Promise<Command>>;

/** Loaded only when asked for: most commands need little of the server. */
export const COMMANDS: Commands = new Map([
  ['serve', async () => (await import('./serve.ts')).serve],
  ['worker', async () => (await import('./worker.ts')).worker],
  ['workers', async () => (await import('./workers.ts')).workers],
  ['run', async () => (await import('./run.ts')).run],
  ['merge', async () => (await import('./merge.ts')).merge],
  ['assert', async () => (await import('./assert.ts')).assert],
  ['bisect', async () => (await import('./bisect.ts')).bisect],
  ['baseline', async () => (await import('./baseline.ts')).baseline],
  ['runs', async () => (await import('./runs.ts')).runs],
  ['report', async () => (await import('./report.ts')).report],
  ['packets', async () => (await import('./packets.ts')).packets],
  ['figure', async () => (await import('./figure.ts')).figure],
  ['bundle', async () => (await import('./bundle.ts')).bundle],
  ['share', async () => (await import('./share.ts')).share],
  ['import', async () => (await import('./bundle.ts')).importBundle],
  ['verify', async () => (await import('./bundle.ts')).verify],
  ['experiments', async () => (await import('./organise.ts')).experiments],
  ['tag', async () => (await import('./organise.ts')).tag],
  ['note', async () => (await import('./organise.ts')).note],
  ['star', async () => (await import('./organise.ts')).star],
  ['rename', async () => (await import('./organise.ts')).rename],
  ['archive', async () => (await import('./organise.ts')).archive],
  ['publish', async () => (await import('./organise.ts')).publish],
  ['delete', async () => (await import('./organise.ts')).remove],
  ['restore', async () => (await import('./restore.ts')).restore],
  ['kind', async () => (await import('./kind.ts')).kind],
  ['study', async () => (await import('./study.ts')).study],
  ['ccas', async () => (await import('./ccas.ts')).ccas],
  ['algorithms', async () => (await import('./algorithms.ts')).algorithms],
  ['trace', async () => (await import('./trace.ts')).trace],
  ['source', async () => (await import('./source.ts')).source],
  ['shell', async () => (await import('./shell.ts')).shell],
  ['record', async () => (await import('./record.ts')).record],
  ['compare', async () => (await import('./compare.ts')).compare],
  ['quic', async () => (await import('./quic.ts')).quic],
  ['check', async () => (await import('./check.ts')).check],
  ['retention', async () => (await import('./retention.ts')).retention],
  ['backup', async () => (await import('./backup.ts')).backup],
  ['token', async () => (await import('./token.ts')).token],
  ['user', async () => (await import('./user.ts')).user],
  ['deeds', async () => (await import('./token.ts')).deeds],
  ['holdings', async () => (await import('./holdings.ts')).holdings],
  ['doctor', async () => (await import('./doctor.ts')).doctor],
]);
