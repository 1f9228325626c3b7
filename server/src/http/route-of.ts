/** What Express knows of a request once it has found who answers it. */
interface Routed {
  readonly originalUrl: string;
  readonly baseUrl: string;
  readonly route?: unknown;
}

const pathOf = (route: unknown): unknown =>
  typeof route === 'object' && route !== null && 'path' in route ? route.path : undefined;

/** As its router writes it, `/api/v1/runs/:id`: whoever asks for what there is not makes no new one. After a refusal `baseUrl` is lost. */
export function routeOf({ originalUrl, baseUrl, route }: Routed, api: string): string {
  const path = pathOf(route);
  if (typeof path !== 'string') return 'other';
  return `${originalUrl.startsWith(`${api}/`) ? api : baseUrl}${path}`;
}
