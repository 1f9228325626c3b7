// TypeScript to JavaScript: types are left out, lines stay where they are.
import { transform } from 'sucrase';
import { OwnFault } from './fault.ts';

/** Sucrase's own words end with the place. */
const PLACE = /\s*\((\d+):(\d+)\)$/;

/** Throws OwnFault where the text is no TypeScript. */
export function strip(text: string): string {
  try {
    return transform(text, { transforms: ['typescript'], disableESTransforms: true, keepUnusedImports: true }).code;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const place = PLACE.exec(message);
    const at = place === null ? null : { line: Number(place[1]), column: Number(place[2]) };
    throw new OwnFault(`SyntaxError: ${message.replace(PLACE, '').replace(/^Error transforming [^:]*: /, '')}`, at);
  }
}
