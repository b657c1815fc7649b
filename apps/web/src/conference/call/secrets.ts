import type { ConferenceMember } from '@osprey/contract';
import {
  makePassphrase,
  nameOfPassphrase,
  type Pair,
  type Passphrase,
  type Place,
  seal,
  sealingKey,
  sharedSecret,
  unseal,
} from './keys.ts';

/**
 * Number of passphrases that are kept: messages in transit while a member leaves were encrypted with the previous one.
 */
const RETAINED = 3;

type Known = { passphrase: Passphrase; name: string };
type Carried = { passphrase: Passphrase; number: number };

export type SecretsDeps = {
  pair: Pair;
  room: string;
  self: string;
  /** Returns the members in the order in which they joined, including the user. */
  members: () => readonly ConferenceMember[];
  send: (to: string, data: string) => void;
  /** Called when the passphrase was set or changed. */
  onPassphrase: () => void;
};

export type Secrets = ReturnType<typeof callSecrets>;

/**
 * Holds the passphrase of a room for one member, and encrypts and decrypts messages with it. The member who has been in
 * the room longest distributes the passphrase, and creates a new one when a member has left, so that the latter cannot
 * read further messages.
 */
export function callSecrets({ pair, room, self, members, send, onPassphrase }: SecretsDeps) {
  const shared = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();
  let known: Known[] = [];
  let made = 0;
  /** Highest passphrase number received, and the distributing member who sent it. */
  let received = { from: '', number: 0 };

  const head = () => members()[0]?.id;

  /** @throws if the member is not in the room */
  async function sharedWith(id: string): Promise<Uint8Array<ArrayBuffer>> {
    const member = members().find((one) => one.id === id);
    if (member === undefined) throw new Error('Not in the room');
    const known = shared.get(member.key) ?? sharedSecret(pair, member.key);
    shared.set(member.key, known);
    return known;
  }

  async function adopt(passphrase: Passphrase): Promise<void> {
    known = [{ passphrase, name: await nameOfPassphrase(passphrase) }, ...known].slice(0, RETAINED);
    onPassphrase();
  }

  const placeTo = (to: string): Place => ({ room, from: self, to });
  const placeFrom = (from: string): Place => ({ room, from, to: self });

  async function handOut(to: string): Promise<void> {
    const current = known[0];
    if (current === undefined || head() !== self) return;
    const key = await sealingKey(await sharedWith(to), room, null);
    const carried: Carried = { passphrase: current.passphrase, number: made };
    send(to, `key.${await seal(key, placeTo(to), carried)}`);
  }

  async function receivePassphrase(from: string, sealed: string): Promise<void> {
    if (from !== head()) return;
    const key = await sealingKey(await sharedWith(from), room, null);
    const carried = carriedOf(await unseal(key, placeFrom(from), sealed));
    // Ignore numbers that are not higher, so that a recorded and replayed message cannot restore an older passphrase.
    if (carried === null || from !== head()) return;
    if (received.from === from && carried.number <= received.number) return;
    received = { from, number: carried.number };
    await adopt(carried.passphrase);
  }

  return {
    /** Called after joining. The first member of a room creates the passphrase; others wait to receive it. */
    async begin(): Promise<void> {
      if (head() !== self) return;
      made += 1;
      await adopt(makePassphrase());
    },

    /** Called when a member has joined; the member who has been in the room longest sends them the passphrase. */
    joined: (id: string): Promise<void> => handOut(id),

    /** Called when a member has left; the remaining members get a new passphrase. */
    async left(): Promise<void> {
      if (head() !== self) return;
      made += 1;
      await adopt(makePassphrase());
      for (const { id } of members()) if (id !== self) await handOut(id);
    },

    hasPassphrase: (): boolean => known.length > 0,
    passphrase: (): Passphrase | null => known[0]?.passphrase ?? null,

    /** Encrypts a message for one member and sends it. */
    async say(to: string, message: unknown): Promise<void> {
      const current = known[0];
      if (current === undefined) return;
      const key = await sealingKey(await sharedWith(to), room, current.passphrase);
      send(to, `words.${current.name}.${await seal(key, placeTo(to), message)}`);
    },

    /**
     * Decrypts a message from a member to this one. Null for messages that carry a passphrase, and for messages that do
     * not come from that member.
     */
    async receive(from: string, data: string): Promise<unknown> {
      const [kind = '', ...parts] = data.split('.');
      try {
        if (kind === 'key') {
          await receivePassphrase(from, parts[0] ?? '');
          return null;
        }
        const [name, sealed = ''] = parts;
        const used = known.find((one) => one.name === name);
        if (kind !== 'words' || used === undefined) return null;
        const key = await sealingKey(await sharedWith(from), room, used.passphrase);
        return await unseal(key, placeFrom(from), sealed);
      } catch {
        // The key is no point of the curve, or belongs to a member who has left.
        return null;
      }
    },
  };
}

function carriedOf(message: unknown): Carried | null {
  if (typeof message !== 'object' || message === null) return null;
  const { passphrase, number } = message as Partial<Record<keyof Carried, unknown>>;
  const isGood = typeof passphrase === 'string' && /^[A-Za-z0-9_-]{43}$/.test(passphrase) && Number.isInteger(number);
  return isGood ? { passphrase, number: number as number } : null;
}
