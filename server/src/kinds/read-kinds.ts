import { readdirSync, readFileSync } from 'node:fs';
import { ExperimentKind } from '#protocol/experiment-kind';

const SHIPPED = new URL('../../kinds/', import.meta.url);
const ENDING = '.kind.json';

/** One data file each, in their own order. They are shipped: a test reads all of them. */
export const shippedKinds = (): ExperimentKind[] =>
  readdirSync(SHIPPED)
    .filter((name) => name.endsWith(ENDING))
    .map((name) => {
      const kind = ExperimentKind.parse(JSON.parse(readFileSync(new URL(name, SHIPPED), 'utf8')));
      if (`${kind.id}${ENDING}` !== name) throw new Error(`${name}: its id is ${kind.id}`);
      return kind;
    })
    .sort((a, b) => a.order - b.order);
