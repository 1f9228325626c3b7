// Templates: what new experiments begin from.
import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { Template, TemplateList, type NewTemplateInput, type TemplateChange } from '#protocol/template';
import { call } from './client';

export const templatesQuery = queryOptions({
  queryKey: ['templates'],
  queryFn: async ({ signal }) => (await call('/templates', TemplateList, { signal })).templates,
});

async function taken(queries: QueryClient, answer: Promise<Template>): Promise<Template> {
  const template = await answer;
  await queries.invalidateQueries({ queryKey: templatesQuery.queryKey });
  return template;
}

const pathOf = (id: string): string => `/templates/${encodeURIComponent(id)}`;

export const saveTemplate = (queries: QueryClient, template: NewTemplateInput): Promise<Template> =>
  taken(queries, call('/templates', Template, { method: 'POST', body: template }));

export const changeTemplate = (queries: QueryClient, id: string, change: TemplateChange): Promise<Template> =>
  taken(queries, call(pathOf(id), Template, { method: 'PATCH', body: change }));

export const deleteTemplate = (queries: QueryClient, id: string): Promise<Template> =>
  taken(queries, call(pathOf(id), Template, { method: 'DELETE' }));

export const restoreTemplate = (queries: QueryClient, id: string): Promise<Template> =>
  taken(queries, call(`${pathOf(id)}/restore`, Template, { method: 'POST' }));
