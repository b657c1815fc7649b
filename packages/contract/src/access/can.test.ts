import { describe, expect, it } from 'vitest';
import type { ActionOf, AnnotationAction, DocumentAction } from '../items.ts';
import { type AccountFacts, access, actions, can, type PlainAction } from './can.ts';
import { type Classification, classifications } from './classifications.ts';
import { type Role, roleNumber, roles } from './labels.ts';
import type { AccessFacts, Actor, CaseFacts, DocumentFacts, LockableFacts, MadeFacts } from './rules.ts';

const north = crypto.randomUUID();
const south = crypto.randomUUID();

function actor(role: Role, fields: Partial<Actor> = {}): Actor {
  return {
    id: crypto.randomUUID(),
    username: role,
    role,
    clearance: 'SECRET',
    groups: [{ _id: north, ceiling: 'SECRET' }],
    administered: role === 'groupAdmin' ? [north] : [],
    ...fields,
  };
}

function facts(fields: Partial<AccessFacts> = {}): AccessFacts {
  return { securityClassification: 'RESTRICTED', audience: 'groups', usergroups: [north], draft: false, ...fields };
}

const says = (verdict: ReturnType<typeof can>) => (verdict.allowed ? 'yes' : verdict.code);

describe('mission.read', () => {
  it('is decided by clearance first, for every role', () => {
    for (const role of roles) {
      const asking = actor(role, { clearance: 'UNCLASSIFIED' });

      expect(says(can(asking, 'mission.read', facts()))).toBe('notFound');
    }
  });

  it('shows a group item to its members alone, and to the superAdmin', () => {
    const elsewhere = facts({ usergroups: [south] });
    const answers = roles.map((role) => says(can(actor(role), 'mission.read', elsewhere)));

    expect(answers).toEqual(['yes', 'notFound', 'notFound', 'notFound', 'notFound']);
    expect(roles.map((role) => says(can(actor(role), 'mission.read', facts())))).toEqual(Array(5).fill('yes'));
  });

  it('keeps an item above the ceiling of the shared group hidden', () => {
    const low = actor('user', { groups: [{ _id: north, ceiling: 'UNCLASSIFIED' }] });

    expect(says(can(low, 'mission.read', facts()))).toBe('notFound');
  });

  it('shows audience everyone to all but the guest, and an empty list of groups only to the superAdmin', () => {
    const everyone = facts({ audience: 'everyone', usergroups: [] });
    const nobody = facts({ usergroups: [] });

    expect(roles.map((role) => says(can(actor(role), 'mission.read', everyone)))).toEqual([
      'yes',
      'yes',
      'yes',
      'yes',
      'notFound',
    ]);
    expect(roles.map((role) => says(can(actor(role), 'mission.read', nobody)))).toEqual([
      'yes',
      'notFound',
      'notFound',
      'notFound',
      'notFound',
    ]);
  });

  it('shows drafts to admins, and to a groupAdmin only when all groups of the draft are theirs', () => {
    const draft = facts({ draft: true });
    const mixed = facts({ draft: true, usergroups: [north, south] });

    expect(roles.map((role) => says(can(actor(role), 'mission.read', draft)))).toEqual([
      'yes',
      'yes',
      'yes',
      'notFound',
      'notFound',
    ]);
    expect(says(can(actor('groupAdmin'), 'mission.read', mixed))).toBe('notFound');
  });

  it('asks a stranger to log in', () => {
    expect(says(can(null, 'mission.read', facts()))).toBe('notSignedIn');
  });
});

describe('changing missions', () => {
  const rows: [ActionOf<'mission'>, string[]][] = [
    ['mission.update', ['yes', 'yes', 'yes', 'forbidden', 'forbidden']],
    ['mission.upload', ['yes', 'yes', 'yes', 'forbidden', 'forbidden']],
    ['mission.delete', ['yes', 'yes', 'yes', 'forbidden', 'forbidden']],
    ['mission.export', ['yes', 'yes', 'yes', 'forbidden', 'forbidden']],
    ['mission.hold', ['yes', 'yes', 'forbidden', 'forbidden', 'forbidden']],
    ['mission.lower', ['yes', 'yes', 'forbidden', 'forbidden', 'forbidden']],
    ['mission.share', ['yes', 'yes', 'yes', 'yes', 'yes']],
    ['mission.create', ['yes', 'yes', 'yes', 'forbidden', 'forbidden']],
  ];

  it.each(rows)('%s is given by role', (action, expected) => {
    expect(roles.map((role) => says(can(actor(role), action, facts())))).toEqual(expected);
  });

  it.each(rows.filter(([action]) => action !== 'mission.create'))(
    '%s of a hidden mission answers notFound',
    (action) => {
      const hidden = facts({ securityClassification: 'TOP SECRET' });

      expect(roles.map((role) => says(can(actor(role), action, hidden)))).toEqual(Array(5).fill('notFound'));
    },
  );

  it('lets a groupAdmin create and change only inside the groups they administer', () => {
    const asking = actor('groupAdmin', { groups: [north, south].map((_id) => ({ _id, ceiling: 'SECRET' as const })) });

    for (const action of ['mission.create', 'mission.update', 'mission.delete'] as const) {
      expect(says(can(asking, action, facts({ usergroups: [south] })))).toBe('forbidden');
      expect(says(can(asking, action, facts({ audience: 'everyone', usergroups: [] })))).toBe('forbidden');
    }
  });

  it("refuses creation above the actor's own clearance", () => {
    for (const role of roles) {
      expect(says(can(actor(role), 'mission.create', facts({ securityClassification: 'TOP SECRET' })))).toBe(
        'forbidden',
      );
    }
  });
});

describe('documents', () => {
  const document = (fields: Partial<DocumentFacts> = {}): DocumentFacts => ({ ...facts(), locked: false, ...fields });
  const rows: [DocumentAction, string, string][] = [
    ['document.read', 'yyyyy', 'yyyyy'],
    ['document.download', 'yyyy-', 'yyyy-'],
    ['document.create', 'yyyy-', 'yyyy-'],
    ['document.update', 'yyyy-', 'yyy--'],
    ['document.delete', 'yyyy-', 'yyy--'],
    ['document.lock', 'yyy--', 'yyy--'],
    ['document.lower', 'yy---', 'yy---'],
  ];

  it.each(rows)('%s is given by role, unlocked and locked', (action, unlocked, locked) => {
    const verdicts = (requested: DocumentFacts) =>
      roles.map((role) => (can(actor(role), action, requested).allowed ? 'y' : '-')).join('');

    expect([verdicts(document()), verdicts(document({ locked: true }))]).toEqual([unlocked, locked]);
  });

  it('leaves a locked document to a groupAdmin of any of its groups, its lock to one of all of them', () => {
    const both = actor('groupAdmin');
    const shared = document({ locked: true, usergroups: [north, south] });

    expect(says(can(both, 'document.update', shared))).toBe('yes');
    expect(says(can(both, 'document.lock', shared))).toBe('forbidden');
    expect(
      says(can(actor('groupAdmin', { administered: [south] }), 'document.delete', document({ locked: true }))),
    ).toBe('forbidden');
  });

  it.each(rows.filter(([action]) => action !== 'document.create'))('%s of a hidden one answers notFound', (action) => {
    const hidden = document({ securityClassification: 'TOP SECRET' });

    expect(roles.map((role) => says(can(actor(role), action, hidden)))).toEqual(Array(5).fill('notFound'));
  });
});

describe('bookmarks', () => {
  const by = (authorId: string | null, fields: Partial<AccessFacts> = {}) => ({ ...facts(fields), authorId });
  const rows: [ActionOf<'bookmark'>, string, string, string][] = [
    ['bookmark.read', 'yyyyy', 'yyyyy', 'yy---'],
    ['bookmark.create', 'yyyy-', 'yyyy-', 'yy---'],
    ['bookmark.update', 'yyyy-', 'yyy--', 'yy---'],
    ['bookmark.delete', 'yyyy-', 'yyy--', 'yy---'],
  ];

  it.each(rows)(
    '%s is given by role: own ones, those of others, and in a draft of another group',
    (action, own, others, draft) => {
      const verdicts = (requested: (who: Actor) => MadeFacts) =>
        roles
          .map((role) => actor(role))
          .map((who) => (can(who, action, requested(who)).allowed ? 'y' : '-'))
          .join('');

      expect(verdicts(({ id }) => by(id))).toBe(own);
      expect(verdicts(() => by('somebody'))).toBe(others);
      expect(verdicts(() => by(null))).toBe(others);
      expect(verdicts(({ id }) => by(id, { draft: true, usergroups: [north, south] }))).toBe(draft);
    },
  );

  it.each(rows)('%s in a hidden mission answers notFound, to the author too', (action) => {
    const verdicts = roles.map((role) =>
      says(can(actor(role), action, by(actor(role).id, { securityClassification: 'TOP SECRET' }))),
    );

    expect(verdicts).toEqual(Array(5).fill('notFound'));
  });

  it('leaves bookmarks of others to a groupAdmin only wholly inside the groups they administer', () => {
    const asking = actor('groupAdmin', { groups: [north, south].map((_id) => ({ _id, ceiling: 'SECRET' as const })) });

    expect(says(can(asking, 'bookmark.delete', by('somebody', { usergroups: [south] })))).toBe('forbidden');
    expect(says(can(asking, 'bookmark.delete', by(asking.id, { usergroups: [south] })))).toBe('yes');
  });
});

describe('annotations', () => {
  const annotation = (fields: Partial<LockableFacts> = {}): LockableFacts => ({ ...facts(), locked: false, ...fields });
  const everyone = { audience: 'everyone', usergroups: [] } as const;
  const rows: [AnnotationAction, shared: string, open: string, locked: string][] = [
    ['annotation.read', 'yyyyy', 'yyyy-', 'yyyyy'],
    ['annotation.export', 'yyyy-', 'yyyy-', 'yyyy-'],
    ['annotation.create', 'yyyy-', 'yyyy-', 'yyyy-'],
    ['annotation.update', 'yyyy-', 'yyy--', 'yyy--'],
    ['annotation.delete', 'yyyy-', 'yyy--', 'yyy--'],
    ['annotation.lock', 'yyy--', 'yy---', 'yyy--'],
    ['annotation.lower', 'yy---', 'yy---', 'yy---'],
  ];

  it.each(rows)('%s is given by role: shared with a usergroup, with everyone, and locked', (action, ...expected) => {
    const verdicts = (requested: LockableFacts) =>
      roles.map((role) => (can(actor(role), action, requested).allowed ? 'y' : '-')).join('');

    expect([verdicts(annotation()), verdicts(annotation(everyone)), verdicts(annotation({ locked: true }))]).toEqual(
      expected,
    );
  });

  it('is changed by its author for any audience, unless it is locked', () => {
    const author = actor('user');
    const own = { ...everyone, authorId: author.id };

    expect(says(can(author, 'annotation.update', annotation(own)))).toBe('yes');
    expect(says(can(author, 'annotation.delete', annotation({ ...own, locked: true })))).toBe('forbidden');
  });
});

describe('clips', () => {
  it('are exported by everybody who may read the mission, but the guest', () => {
    const verdicts = (fields: Partial<AccessFacts>) =>
      roles.map((role) => says(can(actor(role), 'clip.export', { ...facts(fields), authorId: null }))).join(' ');

    expect(verdicts({})).toBe('yes yes yes yes forbidden');
    expect(verdicts({ securityClassification: 'TOP SECRET' })).toBe(Array(5).fill('notFound').join(' '));
  });

  it('are kept by accounts, and changed by who made them and who manages the mission', () => {
    const verdicts = (action: ActionOf<'clip'>, authorId: (who: Actor) => string | null) =>
      roles
        .map((role) => actor(role))
        .map((who) => says(can(who, action, { ...facts({}), authorId: authorId(who) })))
        .join(' ');

    expect(verdicts('clip.read', () => null)).toBe('yes yes yes yes yes');
    expect(verdicts('clip.create', () => null)).toBe('yes yes yes yes forbidden');
    for (const action of ['clip.update', 'clip.delete'] as const) {
      expect(verdicts(action, ({ id }) => id)).toBe('yes yes yes yes forbidden');
      expect(verdicts(action, () => 'somebody')).toBe('yes yes yes forbidden forbidden');
    }
  });
});

describe('cases', () => {
  const of = (fields: Partial<CaseFacts> = {}): CaseFacts => ({ ...facts(), authorId: null, editors: [], ...fields });
  const rows: [ActionOf<'case'>, owned: string, named: string, others: string][] = [
    ['case.read', 'yyyyy', 'yyyyy', 'yyyyy'],
    ['case.create', 'yyyy-', 'yyyy-', 'yyyy-'],
    ['case.update', 'yyyy-', 'yyyy-', 'yy---'],
    ['case.own', 'yyyy-', 'yy---', 'yy---'],
    ['case.delete', 'yyyy-', 'yy---', 'yy---'],
    ['case.comment', 'yyyy-', 'yyyy-', 'yyyy-'],
    ['case.export', 'yyyy-', 'yyyy-', 'yyyy-'],
    ['case.hold', 'yy---', 'yy---', 'yy---'],
    ['case.lower', 'yy---', 'yy---', 'yy---'],
  ];

  it.each(rows)('%s is given by role: to the owner, to an editor, and to others', (action, ...expected) => {
    const verdicts = (requested: (who: Actor) => CaseFacts) =>
      roles
        .map((role) => actor(role))
        .map((who) => (can(who, action, requested(who)).allowed ? 'y' : '-'))
        .join('');

    expect([
      verdicts(({ id }) => of({ authorId: id })),
      verdicts(({ id }) => of({ authorId: 'somebody', editors: [id] })),
      verdicts(() => of({ authorId: 'somebody', editors: ['somebody else'] })),
    ]).toEqual(expected);
  });

  it.each(rows)('%s of a hidden case is answered as of none, to owner and editors too', (action) => {
    const verdicts = roles.map((role) => {
      const who = actor(role);
      return says(can(who, action, of({ securityClassification: 'TOP SECRET', authorId: who.id, editors: [who.id] })));
    });

    expect(verdicts).toEqual(Array(5).fill(action === 'case.create' ? 'forbidden' : 'notFound'));
  });
});

describe('ship lists', () => {
  const verdicts = (action: ActionOf<'shiplist'>, requested: (who: Actor) => Partial<MadeFacts>) =>
    roles
      .map((role) => actor(role))
      .map((who) => can(who, action, { ...facts(), authorId: null, ...requested(who) }))
      .map((verdict) => (verdict.allowed ? 'y' : verdict.code === 'forbidden' ? '-' : '.'))
      .join('');
  const ownAlone = ({ id }: Actor) => ({ authorId: id, audience: 'groups' as const, usergroups: [] });
  const rows: [ActionOf<'shiplist'>, owned: string, ofTheirGroup: string, ofAll: string][] = [
    ['shiplist.read', 'yyyy.', 'yyyyy', 'yyyy.'],
    ['shiplist.update', 'yyyy.', 'yyyy-', 'yyy-.'],
    ['shiplist.own', 'yyyy.', 'yyy--', 'yy--.'],
    ['shiplist.delete', 'yyyy.', 'yyy--', 'yy--.'],
    ['shiplist.export', 'yyyy.', 'yyyy-', 'yyyy.'],
    ['shiplist.lower', 'yy--.', 'yy---', 'yy--.'],
  ];

  it.each(rows)(
    '%s is given by role: on one of their own that is shared with nobody, of their usergroup, for everyone',
    (action, ...expected) => {
      expect([
        verdicts(action, ownAlone),
        verdicts(action, () => ({})),
        verdicts(action, () => ({ audience: 'everyone', usergroups: [] })),
      ]).toEqual(expected);
    },
  );

  it.each(rows)('%s of one above the clearance is answered as of none, to who made it too', (action) => {
    expect(verdicts(action, (who) => ({ ...ownAlone(who), securityClassification: 'TOP SECRET' }))).toBe('.....');
  });
});

describe('accounts', () => {
  const account = (role: Role, usergroups = [north]): AccountFacts => ({
    id: crypto.randomUUID(),
    username: role,
    role,
    usergroups,
  });

  it('protects the guest and every superAdmin from everybody', () => {
    for (const role of roles) {
      for (const target of ['guest', 'superAdmin'] as const) {
        expect(can(actor(role), 'user.update', account(target)).allowed).toBe(false);
        expect(can(actor(role), 'user.delete', account(target)).allowed).toBe(false);
      }
    }
  });

  it('lets a role change only lower ones', () => {
    const table = roles.map((asking) =>
      roles.map((target) => (can(actor(asking), 'user.update', account(target)).allowed ? 'y' : '-')).join(''),
    );

    expect(table).toEqual(['-yyy-', '--yy-', '---y-', '-----', '-----']);
  });

  it('lets no account change its own rights', () => {
    const asking = actor('admin');

    expect(can(asking, 'user.setRights', { ...account('user'), id: asking.id }).allowed).toBe(false);
  });

  it('hides accounts outside the administered groups from a groupAdmin, and gives them no rights to set', () => {
    expect(says(can(actor('groupAdmin'), 'user.update', account('user', [south])))).toBe('notFound');
    expect(says(can(actor('groupAdmin'), 'user.setRights', account('user')))).toBe('forbidden');
  });
});

describe('sessions of others', () => {
  const account = (role: Role): AccountFacts => ({
    id: crypto.randomUUID(),
    username: role,
    role,
    usergroups: [north],
  });

  it('are ended by admins, of lower roles and of the guest', () => {
    const table = roles.map((asking) =>
      roles.map((target) => (can(actor(asking), 'user.endSession', account(target)).allowed ? 'y' : '-')).join(''),
    );

    expect(table).toEqual(['-yyyy', '--yyy', '-----', '-----', '-----']);
  });
});

describe('plain actions', () => {
  const rows: [PlainAction, string][] = [
    ['public.use', 'yyyyyy'],
    ['session.use', 'yyyyy-'],
    ['account.own', 'yyyy--'],
    ['info.details', 'yy----'],
    ['system.read', 'yyy---'],
    ['health.details', 'yy----'],
    ['metrics.read', 'yy----'],
    ['server.restart', 'yy----'],
    ['server.update', 'y-----'],
    ['mission.list', 'yyyyy-'],
    ['mission.createAny', 'yyy---'],
    ['document.list', 'yyyyy-'],
    ['document.createAny', 'yyyy--'],
    ['document.bin', 'yy----'],
    ['annotation.list', 'yyyyy-'],
    ['annotation.createAny', 'yyyy--'],
    ['annotation.exportAny', 'yyyy--'],
    ['annotation.bin', 'yy----'],
    ['case.list', 'yyyyy-'],
    ['case.createAny', 'yyyy--'],
    ['case.bin', 'yy----'],
    ['shiplist.list', 'yyyyy-'],
    ['shiplist.createAny', 'yyyy--'],
    ['sample.remove', 'yy----'],
    ['bin.list', 'yy----'],
    ['bin.empty', 'y-----'],
    ['retention.manage', 'yy----'],
    ['tiles.manage', 'yy----'],
    ['places.manage', 'yy----'],
    ['intake.manage', 'yy----'],
    ['user.list', 'yyy---'],
    ['user.create', 'yyy---'],
    ['usergroup.list', 'yyyyy-'],
    ['usergroup.manage', 'yy----'],
    ['activity.read', 'yyy---'],
    ['onlineUsers.count', 'yyy---'],
    ['audit.read', 'yy----'],
    ['license.manage', 'yy----'],
    ['backup.list', 'yy----'],
    ['backup.create', 'yy----'],
    ['backup.delete', 'y-----'],
    ['platform.list', 'yyyyy-'],
    ['platform.controlAny', 'yyy---'],
    ['platformConfig.manage', 'yy----'],
    ['lookup.read', 'yyyyy-'],
    ['ais.read', 'yyyyy-'],
    ['ais.export', 'yyyy--'],
    ['ais.delete', 'yy----'],
    ['room.list', 'yyyy--'],
  ];

  it.each(rows)('%s is given by role, the last letter being a stranger', (action, expected) => {
    const asking = [...roles.map((role) => actor(role)), null];

    expect(asking.map((one) => (can(one, action).allowed ? 'y' : '-')).join('')).toBe(expected);
  });

  it('names every action without facts exactly once in this table', () => {
    const plain = actions.filter((action) => !access.needsFacts(action));

    expect(rows.map(([action]) => action).sort()).toEqual([...plain].sort());
  });
});

it('numbers the roles from superAdmin 1 to guest 5', () => {
  expect(roles.map((role) => [role, roleNumber(role)])).toEqual([
    ['superAdmin', 1],
    ['admin', 2],
    ['groupAdmin', 3],
    ['user', 4],
    ['guest', 5],
  ]);
});

it('numbers the classifications from 1 in rising order', () => {
  const words: Classification[] = ['UNCLASSIFIED', 'RESTRICTED', 'CONFIDENTIAL', 'SECRET', 'TOP SECRET'];

  expect([...classifications]).toEqual(words);
});

it('lets users keep and export what they watch, and admins manage recording, accounts, groups and backups', () => {
  const item = { ...facts(), locked: false, authorId: null };
  const user = actor('user');
  const admin = actor('admin');

  expect([
    can(user, 'bookmark.create', item).allowed,
    can(user, 'document.create', item).allowed,
    can(user, 'clip.export', item).allowed,
    can(user, 'annotation.create', item).allowed,
    can(user, 'room.join', item).allowed,
  ]).toEqual(Array(5).fill(true)); // S2-004
  expect([
    can(admin, 'platform.control', item).allowed,
    can(admin, 'user.create').allowed,
    can(admin, 'usergroup.manage').allowed,
    can(admin, 'backup.create').allowed,
    can(admin, 'platformConfig.manage').allowed,
  ]).toEqual(Array(5).fill(true)); // S2-005
});
