import { expect, it } from 'vitest';
import { patiently } from './lazy-part';

const failing = (times: number) => {
  let calls = 0;
  return {
    load: () => (++calls > times ? Promise.resolve('there') : Promise.reject(new Error(`try ${calls}`))),
    calls: () => calls,
  };
};

it('what fails for a while comes in the end', async () => {
  const { load, calls } = failing(2);
  await expect(patiently(load, [1, 1, 1])).resolves.toBe('there');
  expect(calls()).toBe(3);
});

it('what never comes fails with its last reason', async () => {
  const { load } = failing(9);
  await expect(patiently(load, [1, 1])).rejects.toThrow('try 3');
});
