import { describe, expect, it } from 'vitest';
import { testServer } from '../../test/server.ts';
import { passwordPolicy } from '../features/identity/password-policy.ts';
import { runUserCommand } from './user-command.ts';

const { db, userId, asUser } = await testServer();

async function run(args: string[], password = 'correct horse battery'): Promise<string[]> {
  const lines: string[] = [];
  const deps = {
    db,
    hashPassword: async (text: string) => `hash of ${text}`,
    checkPassword: passwordPolicy(8),
    readPassword: async () => password,
    say: (line: string) => lines.push(line),
    nowUs: () => Date.now() * 1000,
  };
  await runUserCommand(deps, args);
  return lines;
}

const row = (username: string) =>
  db.selectFrom('users').selectAll().where('username', '=', username).executeTakeFirst();

describe('npm run user', () => {
  it('adds an account that can do nothing special, and lists it', async () => {
    await run(['add', 'Pilot']);

    expect(await row('Pilot')).toMatchObject({
      role: 'user',
      clearance: 1,
      password_hash: 'hash of correct horse battery',
    });
    expect(await run(['list'])).toContain('Pilot | user | UNCLASSIFIED | Demo | enabled');
  });

  it('T-020 makes a superAdmin, but never takes the last one away', async () => {
    await expect(run(['disable', 'SA'])).rejects.toThrow('SA is the last superAdmin.');
    await expect(run(['role', 'SA', 'user'])).rejects.toThrow('SA is the last superAdmin.');

    await run(['role', 'Pilot', 'superAdmin']);
    await run(['clearance', 'Pilot', '4']);

    expect(await row('Pilot')).toMatchObject({ role: 'superAdmin', clearance: 4 });
  });

  it('ends the sessions of an account whose password changes or that is disabled', async () => {
    const works = async () =>
      (await asUser('U1').inject({ method: 'GET', url: '/api/users/authenticated' })).statusCode;
    expect(await works()).toBe(200);

    await run(['disable', 'U1']);

    expect(await works()).toBe(401);
    const left = await db.selectFrom('credentials').selectAll().where('user_id', '=', userId('U1')).execute();
    expect(left).toEqual([]);
  });

  it('puts accounts into groups and says which it does not know', async () => {
    await run(['groups', 'U0', 'G1, G2']);

    expect(await run(['list'])).toContain('U0 | user | UNCLASSIFIED | Demo, G1, G2 | enabled');
    await expect(run(['groups', 'U0', 'G7'])).rejects.toThrow('There is no usergroup G7.');
  });

  it('lets a groupAdmin control groups, for as long as that is the role', async () => {
    await expect(run(['administers', 'U2', 'G1'])).rejects.toThrow(
      'U2 is user; only a groupAdmin controls usergroups.',
    );
    await run(['role', 'U2', 'groupAdmin']);
    await run(['administers', 'U2', 'G1']);
    expect(await run(['list'])).toContain('U2 | groupAdmin | TOP SECRET | Demo, G1, G2 | enabled');

    await run(['role', 'U2', 'user']);

    await run(['role', 'U2', 'groupAdmin']);
    expect(await run(['list'])).toContain('U2 | groupAdmin | TOP SECRET | Demo, G2 | enabled');
    await run(['role', 'U2', 'user']);
  });

  it.each([
    [['fly'], 'Unknown command fly'],
    [['role'], 'role needs the name of an account.'],
    [['role', 'nobody', 'user'], 'There is no user nobody.'],
    [['role', 'U2', 'king'], 'Unknown role king.'],
    [['clearance', 'U2', '6'], 'A clearance is a number from 1 to 5.'],
    [['add', 'U2'], 'User U2 already exists.'],
  ])('refuses %j', async (args, text) => {
    await expect(run(args)).rejects.toThrow(text);
  });

  it('refuses a password that the policy does not take, and leaves a row for each change', async () => {
    await expect(run(['password', 'U2'], 'short')).rejects.toThrow('at least 8 characters');

    await run(['password', 'U2']);

    const rows = await db.selectFrom('audit').selectAll().where('node', '=', 'command').orderBy('seq').execute();
    expect(rows.at(-1)).toMatchObject({ action: 'user.password', item_id: userId('U2'), address: 'console' });
  });
});
