/** The number a person reads: `13 800 ms` is 13800, `∞` and `–` are none. */
export function readNumber(text: string): number | null {
  const digits = /[−-]?[\d\u202f\u2009\u00a0 ]*\d(?:\.\d+)?/.exec(text)?.[0];
  return digits === undefined ? null : Number(digits.replace(/[\u202f\u2009\u00a0 ]/g, '').replace('−', '-'));
}

/** As the page writes measured numbers: three significant digits. */
export const three = (value: number): number => Number(value.toPrecision(3));

const UNITS: Readonly<Record<string, number>> = {
  ...{ µs: 1e-6, ms: 1e-3, s: 1, min: 60 },
  ...{ kbps: 1e3, Mbps: 1e6, Gbps: 1e9 },
  ...{ B: 1, kB: 1e3, MB: 1e6, GB: 1e9 },
};

/** A number with its unit, in seconds, bits per second or bytes: `7.53 s`, `442 ms`, `17.1 Mbps`, `153 kB`. */
export function readQuantity(text: string): number {
  const unit = /\d\u00a0(\S+)/.exec(text)?.[1] ?? '';
  return (readNumber(text) ?? Number.NaN) * (UNITS[unit] ?? Number.NaN);
}
