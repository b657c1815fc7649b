import { describe, expect, it } from 'vitest';
import { waitingForLock } from '../../../test/database.ts';
import { basicOf, testServer } from '../../../test/server.ts';
import { passwordHashes } from './password-hashes.ts';

/** Factor of the limits: `npm run soak` has the machine for itself. */
const slack = process.env.OSPREY_FIGURES ? 1 : 3;
/** Each client has an address of its own. */
const TIMED_PAIRS = Math.min(200, Number(process.env.OSPREY_TIMED_PAIRS ?? 60));

const hashes = passwordHashes({ nowMs: () => performance.now() });
let laterUs = 0;
let laterMs = 0;
const server = await testServer({
  clock: { nowMs: () => performance.now() + laterMs, nowUs: () => Date.now() * 1000 + laterUs },
});
const { db, inject, asUser } = server;

async function setPassword(name: 'U0' | 'U1' | 'U2' | 'A2', password: string): Promise<void> {
  const password_hash = await hashes.hash(password);
  await db.updateTable('users').set({ password_hash }).where('id', '=', server.userId(name)).execute();
}

/** T-013, after every call that stores a password. */
const ARGON2ID = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/;

async function storedHash(name: 'A2'): Promise<string | null> {
  const row = await db
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', server.userId(name))
    .executeTakeFirst();
  return row?.password_hash ?? null;
}

const whoAmI = (headers: Record<string, string>, remoteAddress = '127.0.0.1') =>
  inject({ method: 'GET', url: '/api/users/authenticated', headers, remoteAddress });

const login = (username: string, password: string, remoteAddress = '127.0.0.1') =>
  inject({ method: 'POST', url: '/api/login', payload: { username, password }, remoteAddress });

const cookieOf = (answer: Awaited<ReturnType<typeof login>>) => {
  const [cookie] = answer.cookies as { name: string; value: string; httpOnly?: boolean; sameSite?: string }[];
  return cookie!;
};

describe('Basic', () => {
  it('T-002 takes the right password, also in UTF-8 and with colons, and answers a wrong one like an unknown name', async () => {
    await setPassword('U1', 'grün:e Wiese:7');

    const right = await whoAmI({ authorization: basicOf('u1', 'grün:e Wiese:7') });
    const wrong = await whoAmI({ authorization: basicOf('U1', 'grüne Wiese') });
    const unknown = await whoAmI({ authorization: basicOf('nobody', 'grüne Wiese') });

    expect(right.json()).toMatchObject({ role: 'user', username: 'U1' });
    expect(wrong.statusCode).toBe(401);
    expect(wrong.body).toBe(unknown.body);
    expect(wrong.headers['www-authenticate']).toBeUndefined();
  });

  it('T-002 refuses what is not Basic without a word about it', async () => {
    for (const authorization of [
      'Bearer x',
      'Basic',
      'Basic !',
      `Basic ${Buffer.from('nocolon').toString('base64')}`,
    ]) {
      expect((await whoAmI({ authorization })).statusCode).toBe(401);
    }
  });

  it('T-015 takes no password over plain http from another machine', async () => {
    const answer = await whoAmI({ authorization: basicOf('U1', 'grün:e Wiese:7') }, '192.0.2.7');

    expect(answer.json()).toMatchObject({ code: 'plainHttp' });
  });
});

describe('login', () => {
  it('T-004 makes the sixth try wait after five wrong passwords, but not from another address', async () => {
    await setPassword('U2', 'correct horse battery');
    for (let i = 0; i < 5; i++) expect((await login('U2', `wrong ${i} password`, '127.0.0.2')).statusCode).toBe(401);

    const sixth = await login('U2', 'correct horse battery', '127.0.0.2');
    const elsewhere = await login('U2', 'correct horse battery', '127.0.0.3');

    expect(sixth.statusCode).toBe(429);
    expect(Number(sixth.headers['retry-after'])).toBeGreaterThan(0);
    expect(elsewhere.statusCode).toBe(200);
  });

  it('T-004 reveals no more by many tries at once than by five', async () => {
    await setPassword('U2', 'correct horse battery');
    const tries = Array.from({ length: 12 }, (_none, i) => login('U2', `wrong ${i} password`, '127.0.0.10'));

    const statuses = (await Promise.all(tries)).map(({ statusCode }) => statusCode);

    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(7);
    expect((await login('U2', 'correct horse battery', '127.0.0.10')).statusCode).toBe(429);
  });

  it('T-004 counts five wrong passwords within 15 minutes, and again after 15 minutes without one', async () => {
    const minutesMs = 60_000;
    const wrong = async () => (await login('U2', 'a wrong password', '127.0.0.6')).statusCode;
    for (let i = 0; i < 4; i++) {
      expect(await wrong()).toBe(401);
      laterMs += 3.5 * minutesMs;
    }
    expect([await wrong(), await wrong()]).toEqual([401, 429]);

    laterMs += 14.9 * minutesMs;
    expect([await wrong(), await wrong()]).toEqual([401, 429]);
    laterMs += 15 * minutesMs;
    const begun = [];
    for (let i = 0; i < 6; i++) begun.push(await wrong());
    expect(begun).toEqual([401, 401, 401, 401, 401, 429]);
    laterMs = 0;
  });

  it('T-003 takes as long for an unknown name as for a wrong password', async () => {
    await setPassword('U0', 'correct horse battery');
    const kinds = ['known', 'unknown'] as const;
    const took = { known: [] as number[], unknown: [] as number[] };
    for (let i = 0; i < TIMED_PAIRS; i++) {
      // In turns, each kind as often first: what else the machine does then falls on both alike.
      for (const kind of i % 2 === 0 ? kinds : kinds.toReversed()) {
        const started = performance.now();
        await login(kind === 'known' ? 'U0' : `nobody ${i}`, 'wrong password', `127.0.1.${i}`);
        took[kind].push(performance.now() - started);
      }
    }

    // Other load of the machine only adds to the time of a try: the quicker ones show the server's own time.
    const share = process.env.OSPREY_FIGURES ? 1 / 2 : 1 / 4;
    const usual = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length * share)]!;
    expect(Math.abs(usual(took.known) - usual(took.unknown))).toBeLessThan(slack * 5);
  });

  it('T-006 takes a device credential only together with its HttpOnly cookie, and notes the attempt', async () => {
    const answer = await login('U2', 'correct horse battery', '127.0.0.4');
    const { credential } = answer.json() as { credential: string };
    const cookie = cookieOf(answer);
    const authorization = basicOf('U2', credential);

    const withCookie = await whoAmI({ authorization, cookie: `${cookie.name}=${cookie.value}` });
    const before = await refusedRows('credential.use');
    const copied = await whoAmI({ authorization });
    const after = await refusedRows('credential.use');

    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
    expect(withCookie.statusCode).toBe(200);
    expect(copied.statusCode).toBe(401);
    expect(after - before).toBe(1);
  });

  it('opens nothing but media with the cookie alone, and that only from the same origin', async () => {
    const { name, value } = cookieOf(await login('U2', 'correct horse battery', '127.0.0.4'));
    const cookie = `${name}=${value}`;
    const media = `/api/media/${crypto.randomUUID()}/index.m3u8`;
    const get = (url: string, headers: Record<string, string>) => inject({ method: 'GET', url, headers });

    expect((await get('/api/missions/brief', { cookie })).statusCode).toBe(401);
    expect((await get(media, { cookie })).statusCode).toBe(404);
    expect((await get(media, { cookie, 'sec-fetch-site': 'cross-site' })).statusCode).toBe(401);
    expect((await get(media, {})).statusCode).toBe(401);
  });

  it('T-013 stores passwords as argon2id and device credentials as hashes', async () => {
    const { credential } = (await login('U2', 'correct horse battery', '127.0.0.4')).json() as { credential: string };

    const users = await db.selectFrom('users').select('password_hash').where('password_hash', 'is not', null).execute();
    const rows = await db.selectFrom('credentials').selectAll().execute();

    for (const { password_hash } of users) expect(password_hash).toMatch(ARGON2ID);
    expect(JSON.stringify(rows)).not.toContain(credential);
    expect(rows.some(({ secret_hash }) => secret_hash.toString().includes(credential))).toBe(false);
    const bytes = Buffer.from(credential.replace('osd_', ''), 'base64url');
    expect(bytes.length).toBeGreaterThanOrEqual(32);
    expect(rows.some(({ secret_hash }) => secret_hash.includes(bytes))).toBe(false);
  });
});

describe('many wrong logins', () => {
  it('T-014 at once leave a signed-in user with fast lists, and fill no memory', async () => {
    const rssBefore = process.memoryUsage().rss;
    const attempts = Array.from({ length: 200 }, (_none, i) =>
      whoAmI({ authorization: basicOf(`nobody ${i}`, 'wrong password') }, '127.0.2.1'),
    );
    const times: number[] = [];
    for (let i = 0; i < 40; i++) {
      const started = performance.now();
      expect((await asUser('U1').inject({ method: 'GET', url: '/api/missions/brief' })).statusCode).toBe(200);
      times.push(performance.now() - started);
    }
    const answers = new Set((await Promise.all(attempts)).map(({ statusCode }) => statusCode));

    expect(times.sort((a, b) => a - b)[37]).toBeLessThan(slack * 300);
    expect(process.memoryUsage().rss - rssBefore).toBeLessThan(256 * 1024 * 1024);
    expect([...answers].sort()).toEqual([401, 503]);
  });
});

describe('credentials', () => {
  it('T-007 are refused at once when revoked, and a changed password ends all others', async () => {
    await setPassword('A2', 'correct horse battery');
    const open = async (password = 'correct horse battery') => {
      const answer = await login('A2', password, '127.0.0.5');
      const { name, value } = cookieOf(answer);
      const { credential } = answer.json() as { credential: string };
      return { authorization: basicOf('A2', credential), cookie: `${name}=${value}` };
    };
    const [first, second, third] = [await open(), await open(), await open()];
    const list = (await inject({ method: 'GET', url: '/api/credentials', headers: first })).json() as {
      _id: string;
      current: boolean;
    }[];

    const [current] = list.filter((row) => row.current);
    await inject({ method: 'DELETE', url: `/api/credentials/${current!._id}`, headers: second });
    expect((await whoAmI(first)).statusCode).toBe(401);
    expect((await whoAmI(second)).statusCode).toBe(200);

    const changed = await inject({
      method: 'PUT',
      url: '/api/users/password',
      headers: second,
      payload: { oldPassword: 'correct horse battery', newPassword: 'another horse battery' },
    });
    expect(changed.statusCode).toBe(200);
    const ofUser = await storedHash('A2');
    expect(ofUser).toMatch(ARGON2ID);
    expect((await whoAmI(second)).statusCode).toBe(200);
    expect((await whoAmI(third)).statusCode).toBe(401);
    expect((await whoAmI({ authorization: basicOf('A2', 'correct horse battery') })).statusCode).toBe(401);

    const made = await inject({
      method: 'POST',
      url: '/api/credentials',
      headers: second,
      payload: { name: 'a script', days: 1 },
    });
    const ofScript = { authorization: basicOf('A2', (made.json() as { credential: string }).credential) };
    const all = [second, await open('another horse battery'), await open('another horse battery'), ofScript];
    const statuses = () => Promise.all(all.map(async (one) => (await whoAmI(one)).statusCode));
    expect(await statuses()).toEqual([200, 200, 200, 200]);
    const reset = await asUser('SA').inject({
      method: 'PUT',
      url: `/api/users/${server.userId('A2')}/password`,
      payload: { password: 'third horse battery' },
    });
    expect(reset.statusCode).toBe(200);
    expect(await statuses()).toEqual([401, 401, 401, 401]);
    const ofAdmin = await storedHash('A2');
    expect(ofAdmin).toMatch(ARGON2ID);
    expect(ofAdmin).not.toBe(ofUser);
  });

  describe('of an account whose password is reset while', () => {
    const account = () => db.selectFrom('users').where('id', '=', server.userId('U0'));

    /** Lets the call come as far as the row of the account, and sets another password before it goes on. */
    async function overtaken(call: () => ReturnType<typeof login>) {
      await setPassword('U0', 'correct horse battery');
      const password_hash = await hashes.hash('a password of an admin');
      const asked = await db.transaction().execute(async (tx) => {
        await tx.selectFrom('users').select('id').where('id', '=', server.userId('U0')).forUpdate().execute();
        const answer = call();
        await expect.poll(() => waitingForLock(db)).toBe(1);
        await tx.updateTable('users').set({ password_hash }).where('id', '=', server.userId('U0')).execute();
        await tx.deleteFrom('credentials').where('user_id', '=', server.userId('U0')).execute();
        return { answer };
      });
      const answer = await asked.answer;
      const stored = await account().select('password_hash').executeTakeFirstOrThrow();
      const left = await db.selectFrom('credentials').select('id').where('user_id', '=', server.userId('U0')).execute();
      return { status: answer.statusCode, isKept: stored.password_hash === password_hash, left: left.length };
    }

    it('a log-in with the old one are not made', async () => {
      const outcome = await overtaken(() => login('U0', 'correct horse battery', '127.0.0.9'));

      expect(outcome).toEqual({ status: 401, isKept: true, left: 0 });
    });

    it('a change of the old one do not outlive it, nor does that change', async () => {
      await setPassword('U0', 'correct horse battery');
      const answer = await login('U0', 'correct horse battery', '127.0.0.9');
      const { name, value } = cookieOf(answer);
      const { credential } = answer.json() as { credential: string };

      const outcome = await overtaken(() =>
        inject({
          method: 'PUT',
          url: '/api/users/password',
          headers: { authorization: basicOf('U0', credential), cookie: `${name}=${value}` },
          payload: { oldPassword: 'correct horse battery', newPassword: 'staple horse battery' },
        }),
      );

      expect(outcome).toEqual({ status: 401, isKept: true, left: 0 });
    });
  });

  it('T-008 are refused after 12 h without use, and after 7 days of use', async () => {
    const hourUs = 3_600_000_000;
    const open = async () => {
      const answer = await login('U2', 'correct horse battery', '127.0.0.4');
      const { name, value } = cookieOf(answer);
      const { credential } = answer.json() as { credential: string };
      return { authorization: basicOf('U2', credential), cookie: `${name}=${value}` };
    };
    const [idle, used] = [await open(), await open()];

    laterUs = 11 * hourUs;
    expect((await whoAmI(used)).statusCode).toBe(200);
    laterUs = 13 * hourUs;
    expect((await whoAmI(idle)).statusCode).toBe(401);
    for (let hours = 13; hours < 7 * 24; hours += 10) {
      laterUs = hours * hourUs;
      expect((await whoAmI(used)).statusCode).toBe(200);
    }
    laterUs = (7 * 24 + 1) * hourUs;
    expect((await whoAmI(used)).statusCode).toBe(401);
    laterUs = 0;
  });

  it('T-017 of another account are not found', async () => {
    const row = await db
      .selectFrom('credentials')
      .select('id')
      .where('user_id', '=', server.userId('U2'))
      .executeTakeFirstOrThrow();

    const answer = await asUser('U1').inject({ method: 'DELETE', url: `/api/credentials/${row.id}` });

    expect(answer.statusCode).toBe(404);
    expect((await asUser('U2').inject({ method: 'GET', url: '/api/users/authenticated' })).statusCode).toBe(200);
  });

  it('end with a logout', async () => {
    const answer = await login('U2', 'correct horse battery', '127.0.0.4');
    const { name, value } = cookieOf(answer);
    const { credential } = answer.json() as { credential: string };
    const headers = { authorization: basicOf('U2', credential), cookie: `${name}=${value}` };

    const out = await inject({ method: 'POST', url: '/api/logout', headers });

    expect(out.statusCode).toBe(200);
    expect((await whoAmI(headers)).statusCode).toBe(401);
  });
});

async function refusedRows(action: string): Promise<number> {
  const rows = await db
    .selectFrom('audit')
    .select('seq')
    .where('action', '=', action)
    .where('decision', '=', 'refused')
    .execute();
  return rows.length;
}
