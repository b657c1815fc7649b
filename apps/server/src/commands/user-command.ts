import { AppError, classificationOf, roles } from '@osprey/contract';
import type { Kysely } from 'kysely';
import { roleOf, selectAccounts } from '../base/access/actors.ts';
import { usernameKey } from '../base/access/username-key.ts';
import { requestAudit } from '../base/audit/request-audit.ts';
import { auditWriter } from '../base/audit/writer.ts';
import type { Database } from '../base/db/schema.ts';

export type UserCommandDeps = {
  db: Kysely<Database>;
  hashPassword: (password: string) => Promise<string>;
  checkPassword: (password: string) => void;
  /** Asks for a password; it is never an argument, since every process could read that. */
  readPassword: () => Promise<string>;
  say: (line: string) => void;
  nowUs: () => number;
};

export const userCommandHelp = `npm run user -- <command>     accounts, from the server's own machine

  list                                 every account with role, clearance, groups and state
  add <name>                           a new account: role user, clearance 1, group Demo
  password <name>                      a new password; all its sessions end
  role <name> <role>                   ${roles.filter((role) => role !== 'guest').join(', ')}
  clearance <name> <1-5>               UNCLASSIFIED 1 to TOP SECRET 5
  groups <name> <group,group,...>      its usergroups; Demo stays
  administers <name> <group,group,...> the usergroups that a groupAdmin controls
  enable <name>
  disable <name>                       all its sessions end
  --help                               this text

Passwords are asked for, or read from standard input where that is not a terminal. The server may run meanwhile.
`;

/** A wrong name or argument; the message says what is allowed. */
export class UserCommandError extends Error {
  override name = 'UserCommandError';
}

/** Account commands for an operator with access to the machine; each change is written to the audit. */
export async function runUserCommand(deps: UserCommandDeps, args: readonly string[]): Promise<void> {
  const [command = '--help', name, value] = args;
  if (command === '--help' || command === '-h') return deps.say(userCommandHelp.trimEnd());
  if (command === 'list') return list(deps);
  const work = commands[command];
  if (work === undefined) throw new UserCommandError(`Unknown command ${command}. See npm run user -- --help.`);
  if (name === undefined) throw new UserCommandError(`${command} needs the name of an account.`);
  const target = command === 'add' ? null : await find(deps.db, name);
  await work(deps, { name, value: value ?? '', target });
  await note(deps, `user.${command}`, target ?? (await find(deps.db, name)));
}

type Target = { id: string; username: string; role: string };
type Order = { name: string; value: string; target: Target | null };
type Command = (deps: UserCommandDeps, order: Order) => Promise<void>;

const commands: Record<string, Command> = {
  async add({ db, say, nowUs, ...deps }, { name }) {
    if (!/^[^,:\p{C}]{1,64}$/u.test(name.trim())) {
      throw new UserCommandError('A name has 1 to 64 characters, without commas, colons and control characters.');
    }
    const existing = await db
      .selectFrom('users')
      .select('id')
      .where('username_key', '=', usernameKey(name))
      .executeTakeFirst();
    if (existing) throw new UserCommandError(`User ${name} already exists.`);
    const password_hash = await newHash(deps);
    const row = { username: name.trim(), username_key: usernameKey(name), role: 'user', clearance: 1 };
    const { id } = await db
      .insertInto('users')
      .values({ ...row, password_hash, registered: nowUs() })
      .returning('id')
      .executeTakeFirstOrThrow();
    await setGroups(db, 'user_usergroups', id, ['Demo']);
    say(`User ${name} added.`);
  },

  async password({ db, say, ...deps }, { target }) {
    const { id, username, role } = target!;
    if (role === 'guest') throw new UserCommandError('The guest has no password.');
    const password_hash = await newHash(deps);
    await db.updateTable('users').set({ password_hash }).where('id', '=', id).execute();
    await db.deleteFrom('password_links').where('user_id', '=', id).execute();
    await db.deleteFrom('credentials').where('user_id', '=', id).execute();
    say(`Password of ${username} changed.`);
  },

  async role({ db, say }, { target, value }) {
    const role = roles.find((one) => one === value && one !== 'guest');
    if (role === undefined) throw new UserCommandError(`Unknown role ${value}.`);
    if (target!.role === 'guest') throw new UserCommandError('The guest stays guest.');
    if (role !== 'superAdmin') await keepOneSuperAdmin(db, target!);
    await db.transaction().execute(async (tx) => {
      await tx.updateTable('users').set({ role }).where('id', '=', target!.id).execute();
      // Controlled usergroups are removed together with the role that they were given for.
      if (role !== target!.role) await tx.deleteFrom('user_administered').where('user_id', '=', target!.id).execute();
    });
    say(`${target!.username} is ${role} now.`);
  },

  async clearance({ db, say }, { target, value }) {
    if (!/^[1-5]$/.test(value)) throw new UserCommandError('A clearance is a number from 1 to 5.');
    if (target!.role === 'guest') throw new UserCommandError('The guest stays at clearance 1.');
    await db
      .updateTable('users')
      .set({ clearance: Number(value) })
      .where('id', '=', target!.id)
      .execute();
    say(`${target!.username} is cleared for ${classificationOf(Number(value))} now.`);
  },

  async groups({ db, say }, { target, value }) {
    await setGroups(db, 'user_usergroups', target!.id, ['Demo', ...names(value)]);
    say(`Usergroups of ${target!.username} changed.`);
  },

  async administers({ db, say }, { target, value }) {
    if (target!.role !== 'groupAdmin') {
      throw new UserCommandError(`${target!.username} is ${target!.role}; only a groupAdmin controls usergroups.`);
    }
    await setGroups(db, 'user_administered', target!.id, names(value));
    say(`What ${target!.username} administers changed.`);
  },

  async enable({ db, say }, { target }) {
    await db.updateTable('users').set({ disabled: false, waiting: false }).where('id', '=', target!.id).execute();
    say(`${target!.username} may log in.`);
  },

  async disable({ db, say }, { target }) {
    await keepOneSuperAdmin(db, target!);
    await db.updateTable('users').set({ disabled: true }).where('id', '=', target!.id).execute();
    await db.deleteFrom('credentials').where('user_id', '=', target!.id).execute();
    say(`${target!.username} may not log in any more.`);
  },
};

async function list({ db, say }: UserCommandDeps): Promise<void> {
  const groups = new Map(
    (await db.selectFrom('usergroups').select(['id', 'name']).execute()).map((g) => [g.id, g.name]),
  );
  for (const row of await selectAccounts(db).orderBy('users.username_key').execute()) {
    const held = row.groups.map(({ _id }) => groups.get(_id) ?? '').join(', ');
    const state = row.disabled ? 'disabled' : 'enabled';
    say([row.username, roleOf(row.role), classificationOf(row.clearance), held, state].join(' | '));
  }
}

const names = (value: string) => value.split(',').flatMap((name) => name.trim() || []);

async function find(db: Kysely<Database>, name: string): Promise<Target> {
  const row = await db
    .selectFrom('users')
    .select(['id', 'username', 'role'])
    .where('username_key', '=', usernameKey(name))
    .executeTakeFirst();
  if (row === undefined) throw new UserCommandError(`There is no user ${name}.`);
  return row;
}

async function newHash({
  readPassword,
  checkPassword,
  hashPassword,
}: Pick<UserCommandDeps, 'readPassword' | 'checkPassword' | 'hashPassword'>) {
  const password = (await readPassword()).trim();
  try {
    checkPassword(password);
  } catch (error) {
    if (error instanceof AppError) throw new UserCommandError(error.message);
    throw error;
  }
  return hashPassword(password);
}

/** Refuses a change after which no superAdmin would remain. */
async function keepOneSuperAdmin(db: Kysely<Database>, target: Target): Promise<void> {
  if (target.role !== 'superAdmin') return;
  const others = await db
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'superAdmin')
    .where('disabled', '=', false)
    .where('deleted_time', 'is', null)
    .where('id', '!=', target.id)
    .execute();
  if (others.length === 0) throw new UserCommandError(`${target.username} is the last superAdmin.`);
}

async function setGroups(
  db: Kysely<Database>,
  table: 'user_usergroups' | 'user_administered',
  userId: string,
  requested: readonly string[],
): Promise<void> {
  const unique = [...new Set(requested)];
  const rows =
    unique.length === 0
      ? []
      : await db.selectFrom('usergroups').select(['id', 'name']).where('name', 'in', unique).execute();
  const missing = unique.filter((name) => !rows.some((row) => row.name === name));
  if (missing.length > 0) throw new UserCommandError(`There is no usergroup ${missing.join(', ')}.`);
  await db.transaction().execute(async (tx) => {
    await tx.deleteFrom(table).where('user_id', '=', userId).execute();
    const links = rows.map(({ id }) => ({ user_id: userId, usergroup_id: id }));
    if (links.length > 0) await tx.insertInto(table).values(links).execute();
  });
}

async function note({ db, nowUs }: UserCommandDeps, action: string, target: Target): Promise<void> {
  const log = { error: () => undefined };
  const writer = auditWriter({ db, node: 'command', log });
  await requestAudit(writer, { actor: null, session: null, address: 'console' }, nowUs).write({
    action,
    subject: target.id,
  });
}
