// Persons whom a trusted proxy names, with the role that the operator has given them.
import type { IncomingMessage } from 'node:http';
import type { DefaultRole } from '#protocol/access';
import type { Access } from '../access.ts';
import { AppError } from '../errors.ts';
import type { Holder } from './keys.ts';
import type { Proxies } from './proxies.ts';

export class Persons {
  readonly defaultRole: DefaultRole;
  readonly #proxies: Proxies;
  readonly #access: Access;

  constructor(proxies: Proxies, access: Access, defaultRole: DefaultRole) {
    this.#proxies = proxies;
    this.#access = access;
    this.defaultRole = defaultRole;
  }

  /** Null: no proxy names anybody. An error: somebody is named who may not come in, or nobody can tell who. */
  who(req: IncomingMessage): Holder | AppError | null {
    const name = this.#proxies.nameIn(req);
    if (name === null || name instanceof AppError) return name;
    const role = this.#access.roleOf(name) ?? this.defaultRole;
    if (role !== 'none') return { name, role, via: 'proxy' };
    return new AppError('USER_REFUSED', `${name} has no role at this server`, {
      hint: 'Its operator gives roles: paceline user set NAME --role viewer.',
    });
  }
}
