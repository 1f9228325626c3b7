// A made-up report of iperf3, as the engine reads it.
import { madeMeasurement } from '#analysis/testing-iperf3';
import type { MeasurementRecord } from '#protocol/measurement';
import { random } from './ccas';

export function measurementFixture(seconds: number, { sender = true } = {}): MeasurementRecord {
  const draw = random(11);
  let walk = 0;
  const mbps = Array.from({ length: seconds * 10 }, () => {
    walk = 0.97 * walk + (draw() - 0.5);
    return Math.max(1, 17 * Math.exp(0.2 * walk) + 2 * (draw() - 0.5));
  });
  const measurement = madeMeasurement({
    mbps,
    sender,
    cwnd_bytes: (i) => 1448 * Math.round(40 + 30 * Math.abs(Math.sin(i / 25))),
    rtt_ms: (i) => 25 + 18 * Math.abs(Math.sin(i / 25)) + 3 * draw(),
  });
  return {
    id: '0123456789abcdef',
    run: 'a'.repeat(20),
    name: 'walk.json',
    created_at: '2026-07-11T10:15:00.000Z',
    measurement,
  };
}
