import { describe, expect, it } from 'vitest';
import { makePair, type Pair, phraseOf } from './keys.ts';
import { callSecrets, type Secrets } from './secrets.ts';

type Person = { id: string; pair: Pair; secrets: Secrets; received: unknown[]; phrase: () => Promise<string> };
type Sent = { from: string; to: string; data: string };

/** A relay as the server is, with all that it saw; `forge` may show a member other keys than those that are. */
function relay(forge: (viewer: string, member: string, key: string) => string = (_viewer, _member, key) => key) {
  const people: Person[] = [];
  const seen: Sent[] = [];
  let waiting: Promise<unknown> = Promise.resolve();

  function deliver(sent: Sent): void {
    seen.push(sent);
    waiting = waiting.then(async () => {
      const to = people.find(({ id }) => id === sent.to);
      const message = await to?.secrets.receive(sent.from, sent.data);
      if (message !== null && message !== undefined) to?.received.push(message);
    });
  }

  async function settle(): Promise<void> {
    for (let last: unknown = null; last !== waiting; ) {
      last = waiting;
      await waiting;
    }
  }

  async function join(id: string): Promise<Person> {
    const pair = await makePair();
    const membersFor = () =>
      people.map((one) => ({
        id: one.id,
        name: one.id,
        key: one.id === id ? pair.publicKey : forge(id, one.id, one.pair.publicKey),
      }));
    const secrets = callSecrets({
      ...{ pair, room: 'bridge', self: id, members: membersFor },
      send: (to, data) => deliver({ from: id, to, data }),
      onPassphrase: () => undefined,
    });
    const phrase = () =>
      phraseOf(
        'bridge',
        membersFor().map(({ key }) => key),
      );
    const person: Person = { id, pair, secrets, received: [], phrase };
    people.push(person);
    await secrets.begin();
    for (const other of people) if (other !== person) await other.secrets.joined(id);
    await settle();
    return person;
  }

  async function leave(person: Person): Promise<void> {
    people.splice(people.indexOf(person), 1);
    for (const other of people) await other.secrets.left();
    await settle();
  }

  return { people, seen, deliver, settle, join, leave };
}

describe('the passphrase of a room', () => {
  it('is made by the first, sealed to each newcomer, and the same for all', async () => {
    const { join, seen } = relay();
    const people = [await join('a'), await join('b'), await join('c')];

    const passphrases = people.map(({ secrets }) => secrets.passphrase());
    expect(new Set(passphrases).size).toBe(1);
    expect(passphrases[0]).toMatch(/^[A-Za-z0-9_-]{43}$/);
    // The relay has passed it on twice and has never seen it.
    expect(seen.map(({ from, to }) => [from, to])).toEqual([
      ['a', 'b'],
      ['a', 'c'],
    ]);
    expect(seen.some(({ data }) => data.includes(passphrases[0] ?? ''))).toBe(false);
  });

  it('is another one after any member has gone', async () => {
    const { join, leave } = relay();
    const [a, b, c] = [await join('a'), await join('b'), await join('c')];
    const first = c.secrets.passphrase();

    await leave(b);
    const second = c.secrets.passphrase();
    await leave(a);

    expect(new Set([first, second, c.secrets.passphrase()]).size).toBe(3);
    expect(a.secrets.passphrase()).toBe(second);
    // A member who has gone holds the old one.
    expect(b.secrets.passphrase()).toBe(first);
  });

  it('is taken only from the member who has been there longest, and an older one does not come back', async () => {
    const { join, leave, seen, deliver, settle } = relay();
    const [, b, c] = [await join('a'), await join('b'), await join('c')];
    const d = await join('d');
    const old = seen.find(({ to }) => to === c.id);
    await leave(b);
    const current = c.secrets.passphrase();

    if (old === undefined) throw new Error('No passphrase was handed out');
    deliver(old);
    deliver({ ...old, from: d.id });
    await settle();

    expect(c.secrets.passphrase()).toBe(current);
  });
});

describe('sealed words', () => {
  it('reach the one they are for, and no other can read or send them', async () => {
    const { join, seen, deliver, settle } = relay();
    const [a, b, c] = [await join('a'), await join('b'), await join('c')];

    await a.secrets.say('b', { sdp: 'fingerprint' });
    await settle();
    expect(b.received).toEqual([{ sdp: 'fingerprint' }]);

    const sent = seen.at(-1);
    if (sent === undefined) throw new Error('Nothing was sent');
    // Under another name, to another one, and with one character changed.
    deliver({ ...sent, from: 'c' });
    deliver({ ...sent, to: 'c' });
    const other = sent.data.at(-2) === 'A' ? 'B' : 'A';
    deliver({ ...sent, data: sent.data.slice(0, -2) + other + sent.data.slice(-1) });
    deliver({ ...sent, data: 'words' });
    await settle();

    expect(b.received).toHaveLength(1);
    expect(c.received).toEqual([]);
    expect(sent.data).not.toContain('fingerprint');
  });
});

describe('the phrase', () => {
  it('has six words, the same for all members, and others when a member joins', async () => {
    const { join } = relay();
    const [a, b] = [await join('a'), await join('b')];
    const both = await a.phrase();

    expect(both).toMatch(/^(?:[bdfghjklmnprstvz][aiou][bdfghjklmnprstvz][aiou][bdfghjklmnprstvz] ?){6}$/);
    expect(await b.phrase()).toBe(both);
    await join('c');
    expect(await a.phrase()).not.toBe(both);
    expect(await b.phrase()).toBe(await a.phrase());
  });

  it('differs where a lying relay has put its own key between two people', async () => {
    const liar = await makePair();
    const { join } = relay((_viewer, _member, _key) => liar.publicKey);

    const [a, b] = [await join('a'), await join('b')];

    expect(await a.phrase()).not.toBe(await b.phrase());
  });
});
