// Files of other programs that are compared with runs.
import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { ImportedId, ImportedRecord } from '#protocol/imported';
import { ApiError, call } from './client';

export const importedQuery = (id: string) =>
  queryOptions({
    queryKey: ['imported-series', id],
    queryFn: async ({ signal }) => {
      // Asked so, the server answers null where it knows none: a 404 would stand in the browser's console as an error of the page.
      const found = ImportedId.safeParse(id).success
        ? await call(`/imported-series/${id}?unknown=null`, ImportedRecord.nullable(), { signal })
        : null;
      if (found !== null) return found;
      throw new ApiError({
        type: 'about:blank',
        title: 'There is no such imported file',
        status: 404,
        code: 'MEASUREMENT_UNKNOWN',
        detail: `There is no imported file ${id}.`,
        hint: 'Take it out of “files” in the address, and add the file anew.',
      });
    },
    staleTime: Infinity,
    retry: false,
  });

export async function importFile(queries: QueryClient, file: File): Promise<ImportedRecord> {
  const record = await call(`/imported-series?name=${encodeURIComponent(file.name)}`, ImportedRecord, {
    method: 'POST',
    file,
    fileType: 'application/octet-stream',
  });
  queries.setQueryData(importedQuery(record.id).queryKey, record);
  return record;
}
