// @vitest-environment jsdom
import { expect, it } from 'vitest';
import { routes } from '../pages/routes.tsx';
import { pageName } from './page-name.ts';

const at = (address: string) => {
  const { pathname, search } = new URL(address, 'http://osprey');
  return pageName({ pathname, search });
};

it.each([
  ['/missions', 'Missions'],
  ['/missions?mission=0b1f1c0e-8f7b-4f57-9d38-7a8a3a3f0c11&time=12', 'Mission view'],
  ['/missions?text=secret', 'Missions'],
  ['/live?platform=KEA-1', 'Live'],
  ['/cases/0b1f1c0e-8f7b-4f57-9d38-7a8a3a3f0c11', 'Case'],
  ['/admin/health', 'Health'],
  ['/help/keys', 'Help'],
  ['/of/nothing', 'Another page'],
])('%s is %s', (address, name) => {
  expect(at(address)).toBe(name);
});

it('names each page after the login', () => {
  const paths = routes.at(-1)?.children?.[0]?.children?.map(({ path }) => path ?? '') ?? [];
  const own = paths.filter((path) => path !== '/' && path !== '*');

  expect(own.length).toBeGreaterThan(15);
  expect(own.filter((path) => at(path.replace(':id', 'x').replace('/*', '')) === 'Another page')).toEqual([]);
});
