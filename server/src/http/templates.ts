import { NewTemplate, Template, TemplateChange, TemplateList } from '#protocol/template';
import type { Lab } from '../lab.ts';
import { TemplateParams } from './ids.ts';
import { makerOf } from './owners.ts';
import { defineRoute, reply, type Route } from './route.ts';

export const templateRoutes = ({ templates }: Lab): Route[] => [
  defineRoute({
    method: 'get',
    path: '/templates',
    tag: 'experiments',
    summary: 'Templates: specs that new experiments begin from',
    answers: { 200: { description: 'Shipped ones first, then the newest', schema: TemplateList } },
    errors: [],
    handle: (): TemplateList => ({ templates: templates.list() }),
  }),
  defineRoute({
    method: 'post',
    path: '/templates',
    tag: 'experiments',
    summary: 'Save a spec as a template',
    description: 'Its title is that of no other: `paceline run --template` finds it by it.',
    body: NewTemplate,
    bodyRefusal: 'SPEC_INVALID',
    answers: { 201: { description: 'It is there', schema: Template } },
    errors: ['SPEC_INVALID', 'TEMPLATE_REFUSED', 'DISK_FULL'],
    handle: ({ body }, _req, res) => reply(201, templates.add(body, makerOf(res))),
  }),
  defineRoute({
    method: 'patch',
    path: '/templates/:id',
    owned: { kind: 'template' },
    tag: 'experiments',
    summary: 'Rename a template, or say what it answers',
    description: 'What is left out stays; so do shipped ones.',
    params: TemplateParams,
    body: TemplateChange,
    answers: { 200: { description: 'As it is now', schema: Template } },
    errors: ['TEMPLATE_UNKNOWN', 'TEMPLATE_REFUSED', 'DISK_FULL'],
    handle: ({ params: { id }, body }) => templates.change(id, body),
  }),
  defineRoute({
    method: 'delete',
    path: '/templates/:id',
    owned: { kind: 'template' },
    tag: 'experiments',
    summary: 'Delete a template',
    description: 'For 24 hours it can be restored.',
    params: TemplateParams,
    answers: { 200: { description: 'As it was', schema: Template } },
    errors: ['TEMPLATE_UNKNOWN', 'TEMPLATE_REFUSED'],
    handle: ({ params: { id } }) => templates.delete(id),
  }),
  defineRoute({
    method: 'post',
    path: '/templates/:id/restore',
    owned: { kind: 'template' },
    tag: 'experiments',
    summary: 'Undo the deletion of a template',
    params: TemplateParams,
    answers: { 200: { description: 'It is there again', schema: Template } },
    errors: ['TEMPLATE_UNKNOWN', 'TEMPLATE_REFUSED'],
    handle: ({ params: { id } }) => templates.restore(id),
  }),
];
