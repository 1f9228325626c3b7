import { BUNDLE_FILES, type BundleHead } from '#protocol/bundle';

/** A name within a line of Markdown. */
const plain = (text: string): string =>
  text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_[\]<>#|]/g, (found) => `\\${found}`);

/** What a bundle is, for whoever opens it as a zip file. */
export function readme({
  name,
  experiment,
  engine_version,
  paceline,
  measured,
  traces,
  weights,
  algorithms = [],
  runs,
}: BundleHead): string {
  const again = measured
    ? 'It was measured in real time, and no two measurements are the same: `paceline verify` only checks that the file is whole.'
    : 'Its runs are in virtual time: the same engine gives the same bytes, and another one is told apart.';
  const owners = traces.map(
    (trace) =>
      `- ${plain(trace.name)}, SHA-256 \`${trace.id}\`${trace.left_out === null ? '' : `, not in this file: ${trace.left_out}`}\n  - licence: ${trace.licence === '' ? 'not known' : plain(trace.licence)}\n  - source: ${trace.source === '' ? 'not known' : plain(trace.source)}`,
  );
  return `# ${plain(name)}

Experiment \`${experiment}\` of Paceline ${paceline}, engine \`${engine_version ?? 'unknown'}\`, ${runs} runs. ${again}

    paceline verify FILE.paceline.zip                 # make it again and compare, byte for byte
    paceline import FILE.paceline.zip                 # traces, weights and own algorithms into a data folder, for the page
    paceline run FILE.paceline.zip --out DIR          # make it again, and keep what comes out

| file | |
|---|---|
| \`${BUNDLE_FILES.spec}\` | the experiment, as \`paceline run\` takes it; traces are named by their content |
| \`traces/\`, \`weights/\`, \`algorithms/\` | what it runs over and acts by, each named by its SHA-256 |
| \`${BUNDLE_FILES.manifests}\` | a line per run, everything resolved: \`paceline-simulate\` takes \`manifest\` as it is |
| \`${BUNDLE_FILES.runs}\` | a line per run: its summary, with the SHA-256 of that as canonical JSON and of its samples |
| \`${BUNDLE_FILES.summary}\`, \`${BUNDLE_FILES.figures}\` | the same as a table; what the cells give, with intervals |
| \`${BUNDLE_FILES.report}\` | what came out, to read in a browser: it fetches nothing |
| \`${BUNDLE_FILES.hashes}\` | SHA-256 of all other files |

## Traces

${owners.length === 0 ? 'Constant rates only.' : owners.join('\n')}
${weights.length === 0 ? '' : `\n## Weights\n\n${weights.map(({ id, name: own }) => `- ${plain(own)}, SHA-256 \`${id}\``).join('\n')}\n`}${
    algorithms.length === 0
      ? ''
      : `\n## Own algorithms\n\nTexts that somebody has written; they run sandboxed.\n\n${algorithms.map(({ id, name: own, program }) => `- ${plain(own)} (\`${id}\`), SHA-256 \`${program}\``).join('\n')}\n`
  }`;
}
