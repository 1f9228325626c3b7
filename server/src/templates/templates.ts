// Templates: those that are shipped, and those that people save. A name means one of them.
import { randomBytes } from 'node:crypto';
import type { Maker } from '#protocol/access';
import { TEMPLATE_LIMITS, type NewTemplate, type Template, type TemplateChange } from '#protocol/template';
import { AppError } from '../errors.ts';
import type { Store } from '../store/store.ts';
import { shippedTemplates } from './read-templates.ts';

const known = (text: string): string => text.trim().toLowerCase();

export class Templates {
  readonly #store: Store;
  readonly #now: () => number;

  constructor(store: Store, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /** Shipped ones first, then the newest. */
  list(): Template[] {
    return [...shippedTemplates(), ...this.#store.templates.list()];
  }

  /** By its id or its name, in capitals or not. */
  named(name: string): Template {
    const all = this.list();
    const found = all.find(({ id }) => id === name) ?? all.find(({ title }) => known(title) === known(name));
    if (found !== undefined) return found;
    throw unknown(name, `There are: ${all.map(({ id, title }) => `${title} (${id})`).join('; ')}.`);
  }

  add({ title, answers, spec }: NewTemplate, maker: Maker | null = null): Template {
    const { templates } = this.#store;
    this.#mustBeFree(title);
    if (templates.list().length >= TEMPLATE_LIMITS.most)
      throw new AppError('TEMPLATE_REFUSED', `there are ${TEMPLATE_LIMITS.most} templates already`, {
        hint: 'Delete one that nobody needs.',
      });
    const id = `t-${randomBytes(10).toString('hex')}`;
    const created_at = new Date(this.#now()).toISOString();
    templates.insert({ id, title, answers, spec, created_at, keeps: [], shipped: false });
    this.#store.owners.put('template', id, maker);
    return this.#own(id);
  }

  change(id: string, change: TemplateChange): Template {
    this.#own(id);
    if (change.title !== undefined) this.#mustBeFree(change.title, id);
    this.#store.templates.change(id, change);
    return this.#own(id);
  }

  /** Until it is removed it can be restored. */
  delete(id: string): Template {
    const template = this.#own(id);
    this.#store.templates.delete(id, new Date(this.#now()).toISOString());
    return template;
  }

  restore(id: string): Template {
    const deleted = this.#store.templates.get(id, true);
    if (deleted === null) return this.#own(id);
    this.#mustBeFree(deleted.title, id);
    this.#store.templates.restore(id);
    return this.#own(id);
  }

  /** One that can be changed. */
  #own(id: string): Template {
    if (shippedTemplates().some((shipped) => shipped.id === id))
      throw new AppError('TEMPLATE_REFUSED', 'it is shipped with Paceline and stays as it is', {
        where: id,
        hint: 'Save an experiment that began from it as a template of your own.',
      });
    const template = this.#store.templates.get(id);
    if (template === null) throw unknown(id);
    return template;
  }

  #mustBeFree(title: string, but?: string): void {
    const taken = this.list().find(
      (other) => other.id !== but && [known(other.title), other.id].includes(known(title)),
    );
    if (taken !== undefined)
      throw new AppError('TEMPLATE_REFUSED', `there is a template “${taken.title}” already`, {
        where: 'title',
        hint: 'Choose another name.',
      });
  }
}

const unknown = (name: string, hint?: string): AppError =>
  new AppError('TEMPLATE_UNKNOWN', `there is no template ${JSON.stringify(name)}`, {
    where: name,
    ...(hint !== undefined && { hint }),
  });
