// Who may do what at a server that asks for a token (docs/access.md).
import { z } from 'zod';
import { plainLine } from '#protocol/text';

/** Each may do what those before it may. */
export const ROLES = ['viewer', 'author', 'operator'] as const;
export const Role = z
  .enum(ROLES)
  .describe('viewer: looks; author: runs, edits and deletes what they made; operator: everything');
export type Role = z.infer<typeof Role>;

export const mayDo = (role: Role, needed: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(needed);

/** How somebody is known: by a token, or because a proxy that the operator trusts has named them. */
export const Via = z.enum(['token', 'proxy']);
export type Via = z.infer<typeof Via>;

/** Who has made something. */
export const Maker = z.object({
  name: z.string().nullable().describe('of the token or the person; null: the operator’s own token'),
  via: Via,
});
export type Maker = z.infer<typeof Maker>;

export const OWNED_KINDS = [
  'experiment',
  'trace',
  'weights',
  'algorithm',
  'share',
  'template',
  'imported',
  'measurement',
] as const;
export type OwnedKind = (typeof OWNED_KINDS)[number];

/** What may be private: its maker and operators alone see it. A run is for whoever may see an experiment that has it. */
export const PRIVATE_KINDS = ['experiment', 'trace'] as const satisfies readonly OwnedKind[];
export type PrivateKind = (typeof PRIVATE_KINDS)[number];
export const isPrivateKind = (kind: OwnedKind): kind is PrivateKind =>
  (PRIVATE_KINDS as readonly OwnedKind[]).includes(kind);

export const IsPrivate = z
  .literal(true)
  .optional()
  .describe('only its maker and operators see it; absent: whoever may look at anything');

export const isMaker = (maker: Maker, other: Maker | null): boolean =>
  other !== null && maker.name === other.name && maker.via === other.via;

export const ACCESS_LIMITS = {
  name: 64,
  /** Of a person whom a proxy names: an address of electronic mail is no longer. */
  user: 254,
  /** Whose role the operator has set. */
  users: 5000,
  /** That hold at one time. */
  tokens: 500,
  days: { min: 1, max: 3650, default: 180 },
  /** What was done that is remembered. */
  deeds: 100_000,
  page: { min: 1, max: 1000, default: 100 },
} as const;

const { days, page } = ACCESS_LIMITS;

/** Drawn. */
export const TokenId = z.string().regex(/^[a-z0-9]{12}$/, 'a token’s id has 12 characters, a–z and 0–9');

export const NewToken = z.strictObject({
  name: z
    .string()
    .max(ACCESS_LIMITS.name)
    .overwrite(plainLine)
    .min(1, 'a name has at least one character')
    .describe('of the person or the program that it is for'),
  role: Role.default('author'),
  days: z.int().min(days.min).max(days.max).default(days.default).describe('for which it holds'),
});

export const TokenRecord = z.object({
  id: TokenId,
  name: z.string(),
  role: Role,
  created_at: z.string(),
  expires_at: z.string(),
  used_at: z.string().nullable().describe('the day on which it was last used; null: never'),
});
export const TokenList = z.object({ tokens: z.array(TokenRecord) });
export const MadeToken = TokenRecord.extend({ token: z.string().describe('told now, and never again') });

/** As the proxy writes it, to the letter: what differs in anything is somebody else. */
export const UserName = z
  .string()
  .min(1, 'a name has at least one character')
  .max(ACCESS_LIMITS.user)
  .refine(
    (name) => name === plainLine(name) && !name.includes(','),
    'a name has no commas, and nothing that is not seen',
  )
  .describe('of a person, as the proxy in front of the server writes it');

/** `none`: turned away, whoever else may come. */
export const UserRole = z.enum(['none', ...ROLES]).describe('none: turned away; else what the person may');
export type UserRole = z.infer<typeof UserRole>;

/** What persons may of whom nothing is said. */
export const DEFAULT_ROLES = ['none', 'viewer', 'author'] as const;
export const DefaultRole = z.enum(DEFAULT_ROLES);
export type DefaultRole = z.infer<typeof DefaultRole>;

export const SetUser = z.strictObject({ name: UserName, role: UserRole });

export const UserRecord = z.object({
  name: z.string(),
  role: UserRole,
  set_at: z.string().describe('when its role was said last'),
  seen_at: z.string().nullable().describe('the day on which the person last came; null: not since'),
});
export const UserList = z.object({
  users: z.array(UserRecord),
  proxied: z.boolean().describe('this server believes a proxy that says who comes'),
  default_role: DefaultRole.describe('of everybody else whom the proxy lets in'),
});

export const Caller = z.object({
  role: Role,
  name: z
    .string()
    .nullable()
    .describe('of the token or the person; null: the operator’s own token, or this server asks for none'),
  asks: z.boolean().describe('this server asks who comes'),
  via: Via.nullable().describe('token: it was shown one; proxy: the proxy in front says so; null: it asks nobody'),
});

export const Deed = z.object({
  n: z.int(),
  at: z.string(),
  by: z
    .string()
    .nullable()
    .describe('the name of the token or the person; null: the operator’s own, or none was asked for'),
  via: Via.describe('what names them: a token, or a proxy'),
  role: Role,
  what: z.string().describe('method and address, without what was sent'),
  status: z.int().describe('of the answer'),
});
export const DeedList = z.object({ deeds: z.array(Deed) });

export const DeedQuery = z.object({
  before: z.coerce.number().int().positive().optional().describe('those before this one'),
  limit: z.coerce.number().int().min(page.min).max(page.max).default(page.default),
});

export type NewToken = z.infer<typeof NewToken>;
export type NewTokenInput = z.input<typeof NewToken>;
export type SetUser = z.infer<typeof SetUser>;
export type UserRecord = z.infer<typeof UserRecord>;
export type UserList = z.infer<typeof UserList>;
export type TokenRecord = z.infer<typeof TokenRecord>;
export type MadeToken = z.infer<typeof MadeToken>;
export type Caller = z.infer<typeof Caller>;
export type Deed = z.infer<typeof Deed>;
