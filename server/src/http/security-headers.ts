/** Of every answer, whatever it is. Pages say for themselves what they may load (static.ts); nothing else may load anything. */
export const securityHeaders = (trustworthy: boolean): Record<string, string> => ({
  'Content-Security-Policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
  'X-Frame-Options': 'SAMEORIGIN',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  // Elsewhere browsers do not heed it, and complain of it.
  ...(trustworthy && { 'Cross-Origin-Opener-Policy': 'same-origin' }),
});
