import { describe, expect, it } from 'vitest';
import { type AisMessage, createAisReader, encodeSentences } from '../src/index.ts';
import { EVERY_TYPE } from './every-type.ts';

/** 5 s in every run, 60 s in the soak. */
const FUZZ_MS = Number(process.env.OSPREY_FUZZ_MS ?? 5000);
const SEED = Number(process.env.OSPREY_SEED ?? 13_715);
const LONGEST_MS = 1000;
const MEMORY_BYTES = 256 * 1024 * 1024;
const SENTENCES = 1_000_000;
const BATCH = 100;

/** Numbers that are the same in each run with the same seed (xorshift). */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed | 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

const SENTENCES_OF_ALL: readonly string[] = EVERY_TYPE.flatMap((message, index) =>
  encodeSentences(message, {
    sequence: index % 10,
    source: index % 3 === 0 ? `station${index}` : null,
    timeUs: index % 2 === 0 ? 1_700_000_000_000_000 : null,
  }),
);

/** Gives a sentence that was changed a right checksum, so that the change gets as far as the decoder. */
function withChecksum(sentence: string): string {
  const bang = sentence.lastIndexOf('!');
  const star = sentence.indexOf('*', bang);
  if (bang < 0 || star < 0) return sentence;
  let sum = 0;
  for (let i = bang + 1; i < star; i++) sum ^= sentence.charCodeAt(i);
  return `${sentence.slice(0, star)}*${sum.toString(16).padStart(2, '0')}`;
}

function mutated(random: (below: number) => number): string {
  let text = SENTENCES_OF_ALL[random(SENTENCES_OF_ALL.length)]!;
  for (let edits = random(4); edits > 0; edits--) {
    const at = random(text.length + 1);
    const kind = random(5);
    const character = String.fromCharCode(random(256));
    if (kind === 0) text = text.slice(0, at) + character + text.slice(at + 1);
    if (kind === 1) text = text.slice(0, at) + text.slice(at + 1 + random(20));
    if (kind === 2) text = text.slice(0, at) + text.slice(random(at + 1));
    if (kind === 3) text = text.slice(0, at) + String.fromCharCode(48 + random(72)) + text.slice(at + 1);
    if (kind === 4) text = text.slice(0, at) + character + text.slice(at);
  }
  if (random(3) > 0) text = withChecksum(text);
  return text + ['\r\n', '\n', '\r', '', '\r\n'][random(5)]!;
}

/** Invalid values of a decoded message, which no input may cause. */
function oddities(message: AisMessage): string[] {
  const found: string[] = [];
  const visit = (value: unknown, path: string) => {
    if (value instanceof Uint8Array) return;
    if (typeof value === 'number' && !Number.isFinite(value)) found.push(path);
    if (value === undefined) found.push(path);
    if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) visit(inner, `${path}.${name}`);
    }
  };
  visit(message, String(message.type));
  if ('latitude' in message && message.latitude !== null && Math.abs(message.latitude) > 90) found.push('latitude');
  if ('longitude' in message && message.longitude !== null && Math.abs(message.longitude) > 180)
    found.push('longitude');
  return found;
}

/** Feeds batches until `enough`; returns what went against the rules. */
function fuzz(enough: (sentences: number) => boolean) {
  const random = randomNumbers(SEED);
  const before = process.memoryUsage().rss;
  const odd = new Set<string>();
  let slowestMs = 0;
  let sentences = 0;
  const reader = createAisReader({
    onMessage(message) {
      for (const oddity of oddities(message)) odd.add(oddity);
    },
  });
  while (!enough(sentences)) {
    let text = '';
    for (let i = 0; i < BATCH; i++) text += mutated(random);
    sentences += BATCH;
    const bytes = Buffer.from(text, 'latin1');
    const start = performance.now();
    // Times go on, and at times back.
    const nowUs = sentences * 1000 - random(3) * 1_000_000;
    for (let at = 0; at < bytes.length; ) {
      const length = 1 + random(400);
      reader.push(bytes.subarray(at, at + length), random(2) === 0 ? nowUs : null);
      at += length;
    }
    if (random(50) === 0) reader.end();
    if (random(500) === 0) reader.restart();
    slowestMs = Math.max(slowestMs, performance.now() - start);
  }
  reader.end();
  return { odd: [...odd], slowestMs, sentences, counts: reader.counts, grownBytes: process.memoryUsage().rss - before };
}

function expectCalm({ odd, slowestMs, sentences, counts, grownBytes }: ReturnType<typeof fuzz>) {
  expect(odd).toEqual([]);
  expect(slowestMs).toBeLessThan(LONGEST_MS);
  expect(grownBytes).toBeLessThan(MEMORY_BYTES);
  expect(sentences).toBeGreaterThan(BATCH);
  // The damage reaches everything: decoder, tag blocks, assembly.
  expect(counts.messages).toBeGreaterThan(sentences / 10);
  for (const kind of [
    'checksum',
    'form',
    'sixBit',
    'tooShort',
    'unknownType',
    'tagBlock',
    'orphanPart',
    'unfinished',
  ] as const) {
    expect(counts.faults[kind], kind).toBeGreaterThan(0);
  }
}

describe(`T-042 hostile sentences, seed ${SEED},`, { timeout: FUZZ_MS + 300_000 }, () => {
  it('neither stop nor fill the reader of AIS', () => {
    const end = performance.now() + FUZZ_MS;
    expectCalm(fuzz(() => performance.now() > end));
  });

  it('neither stop nor fill the reader of AIS, a million of them', { tags: 'long' }, () => {
    expectCalm(fuzz((sentences) => sentences >= SENTENCES));
  });
});
