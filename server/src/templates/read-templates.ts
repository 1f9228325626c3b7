import { readdirSync, readFileSync } from 'node:fs';
import { ShippedTemplate, type Template } from '#protocol/template';

const SHIPPED = new URL('../../templates/', import.meta.url);
const ENDING = '.template.json';

let read: readonly Template[] | null = null;

/** One data file each, in their own order. They are shipped: a test reads all of them. */
export const shippedTemplates = (): readonly Template[] => (read ??= readAll());

const readAll = (): Template[] =>
  readdirSync(SHIPPED)
    .filter((name) => name.endsWith(ENDING))
    .map((name) => {
      const template = ShippedTemplate.parse(JSON.parse(readFileSync(new URL(name, SHIPPED), 'utf8')));
      if (`${template.id}${ENDING}` !== name) throw new Error(`${name}: its id is ${template.id}`);
      return template;
    })
    .sort((a, b) => a.order - b.order)
    .map(({ order: _, ...template }) => ({ ...template, shipped: true, created_at: null }));
