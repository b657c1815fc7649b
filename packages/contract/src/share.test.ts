import { expect, it } from 'vitest';
import type { Actor } from './access/rules.ts';
import { shareProblem } from './share.ts';

const [demo, north, south] = ['Demo', 'North', 'South'].map((name) => ({
  _id: crypto.randomUUID(),
  name,
  securityClassification: name === 'Demo' ? ('UNCLASSIFIED' as const) : ('SECRET' as const),
})) as [G, G, G];
type G = { _id: string; name: string; securityClassification: 'UNCLASSIFIED' | 'SECRET' };

const held = (...groups: G[]) => groups.map((group) => ({ _id: group._id, ceiling: group.securityClassification }));
const admin: Actor = {
  id: 'a',
  username: 'a',
  role: 'admin',
  clearance: 'SECRET',
  groups: held(demo, north),
  administered: [],
};
const requested = (usergroups: G[], securityClassification: 'UNCLASSIFIED' | 'SECRET' | 'TOP SECRET' = 'SECRET') => ({
  securityClassification,
  audience: 'groups' as const,
  usergroups: usergroups.map((group) => group._id),
});
const all = [demo, north, south];

it('takes a label and groups under which the maker sees the item', () => {
  expect(shareProblem(admin, requested([north]), all)).toBeNull();
  expect(shareProblem(admin, { ...requested([]), audience: 'everyone' }, all)).toBeNull();
});

it('names the groups whose ceiling is under the label', () => {
  expect(shareProblem(admin, requested([demo, north]), all)).toEqual({ code: 'labelAboveGroup', groups: ['Demo'] });
});

it('refuses what would hide the item from its maker, but not from a superAdmin', () => {
  expect(shareProblem(admin, requested([south]), all)).toEqual({ code: 'hidesFromMaker' });
  expect(shareProblem(admin, requested([]), all)).toEqual({ code: 'hidesFromMaker' });
  expect(shareProblem({ ...admin, role: 'superAdmin' }, requested([south]), all)).toBeNull();
});

it('refuses labels above the own clearance, and groups that the caller may not name', () => {
  expect(shareProblem(admin, requested([north], 'TOP SECRET'), all)).toEqual({ code: 'forbidden' });
  expect(shareProblem(admin, requested([south]), [demo, north])).toEqual({ code: 'unknownUsergroup' });
});

it('lets a groupAdmin share with groups only, never with everyone', () => {
  const groupAdmin: Actor = { ...admin, role: 'groupAdmin', administered: [north._id] };

  expect(shareProblem(groupAdmin, { ...requested([]), audience: 'everyone' }, all)).toEqual({ code: 'forbidden' });
});
