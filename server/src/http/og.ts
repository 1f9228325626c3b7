import express, { type Request, type Response, type Router } from 'express';
import { safe } from '#analysis/report-page';
import { CARD } from '#analysis/og-card';
import { AppError } from '../errors.ts';
import type { Lab } from '../lab.ts';
import type { Limits } from '../limits.ts';
import { OgPictures } from '../og/pictures.ts';
import { OG_KINDS, subjectAt, subjectOf, type Subject } from '../og/subjects.ts';
import { eyesOf } from './eyes.ts';
import type { Hosts } from './hosts.ts';
import { otherMethods } from './problem.ts';
import { rateLimit } from './rate-limit.ts';
import { goneOf } from './route.ts';

/** A picture costs more than most answers, and sites ask for one once. */
const PICTURES = { requests_per_s: 2, requests_burst: 30 };
const FILE = /^\/([a-z]+)\/([a-z0-9-]+)\.png$/;

/** Pictures of pages for other sites: `/og/e/<id>.png`. */
export function ogRoutes(lab: Lab, limits: Limits): Router {
  const router = express.Router();
  const pictures = new OgPictures(lab);
  router.use(rateLimit({ ...limits, ...PICTURES }));
  router
    .route('/{*path}')
    .get(async (req, res) => {
      const [, kind = '', id = ''] = FILE.exec(req.path) ?? [];
      const at = subjectAt(`/${kind}/${id}`);
      const subject = at === null ? null : await subjectOf(lab, at, eyesOf(res));
      if (subject === null)
        throw new AppError('ROUTE_UNKNOWN', `GET ${req.originalUrl}`, {
          hint: `There are pictures at ${OG_KINDS.map((one) => `/og/${one}/<id>.png`).join(', ')}.`,
        });
      const png = await pictures.png(subject, goneOf(res));
      res.set('Cache-Control', 'private, max-age=300').type('png').send(png);
    })
    .all(otherMethods('GET'));
  return router;
}

/** How the page was asked for: a host that was let in, and TLS where the operator said that there is a proxy with it. */
const originOf = (req: Request, hosts: Hosts): string => {
  const host = req.get('host') ?? '';
  return `${hosts.schemesOf(host).includes('https') ? 'https' : 'http'}://${host}`;
};

const meta = (name: string, content: string): string => `<meta property="${name}" content="${safe(content)}" />`;

/** The page with the words that other sites show of it. Everything else of it stays as it was built. */
function withSubject(html: string, { kind, id, title, line }: Subject, origin: string): string {
  const image = `${origin}/og/${kind}/${id}.png`;
  const head = [
    `<title>${safe(title)} · Paceline</title>`,
    meta('og:site_name', 'Paceline'),
    meta('og:type', 'website'),
    meta('og:title', title),
    meta('og:description', line),
    meta('og:url', `${origin}/${kind}/${id}`),
    meta('og:image', image),
    meta('og:image:width', String(CARD.width)),
    meta('og:image:height', String(CARD.height)),
    meta('og:image:alt', `${title}: ${line}`),
    '<meta name="twitter:card" content="summary_large_image" />',
  ].join('\n    ');
  return html
    .replace(/<title>[^<]*<\/title>/, () => head)
    .replace(/(<meta\s+name="description"\s+content=")[^"]*"/, (_, before: string) => `${before}${safe(line)}"`);
}

export type Describe = (html: string, req: Request, res: Response) => Promise<string>;

/** What is not known, or cannot be told now, leaves the page as it is. */
export const describing =
  (lab: Lab, hosts: Hosts): Describe =>
  async (html, req, res) => {
    const at = subjectAt(req.path);
    if (at === null) return html;
    const subject = await subjectOf(lab, at, eyesOf(res)).catch(() => null);
    return subject === null ? html : withSubject(html, subject, originOf(req, hosts));
  };
