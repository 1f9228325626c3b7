/** JSON of a stored column, to be checked by a schema. */
export const fromJson = (text: string | null): unknown => (text === null ? null : JSON.parse(text));
