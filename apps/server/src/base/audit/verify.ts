import type { AuditFault } from '@osprey/contract';
import type { ChainedRow } from '../db/audit-rows.ts';
import { GENESIS, hashOf } from './chain.ts';
import { type Checkpoint, isSigned } from './checkpoint.ts';
import type { PublicKeys } from './signing-key.ts';

export type Verified = { rows: number; checkpoints: number; lastCheckpoint: number | null; faults: AuditFault[] };

export type Evidence = {
  /** Checkpoints from any source: the database, the file outside it, or an export. Duplicates are allowed. */
  checkpoints: readonly Checkpoint[];
  keys: PublicKeys;
  /**
   * False for a filtered export, whose chains have gaps and may end early; each row is then checked only against its
   * own hash.
   */
  isComplete: boolean;
};

type Mark = { number: number; seq: number; hash: string };
type Chain = { seq: number; hash: Buffer; marks: Mark[]; nextMark: number; lastGood: number; fault: AuditFault | null };

/**
 * Reads chains row by row and keeps the first fault of each.
 *
 * Rows come ordered by number within each node; the nodes may be mixed.
 */
export function chainVerifier({ checkpoints, keys, isComplete }: Evidence) {
  const chains = new Map<string, Chain>();
  const faults: AuditFault[] = [];
  const good = goodCheckpoints();
  let rows = 0;

  for (const { number, chains: heads } of good) {
    for (const { node, seq, hash } of heads) chainOf(node).marks.push({ number, seq, hash });
  }
  for (const { marks } of chains.values()) marks.sort((a, b) => a.seq - b.seq || a.number - b.number);

  function goodCheckpoints(): Checkpoint[] {
    const signed = checkpoints.filter((one) => {
      if (isSigned(one, keys)) return true;
      const text = `Checkpoint ${one.number} does not carry the signature of a key that is known here.`;
      faults.push({ node: '', seq: one.number, kind: 'badCheckpoint', text });
      return false;
    });
    const byNumber = new Map<number, Checkpoint>();
    for (const one of signed) {
      const existing = byNumber.get(one.number);
      if (existing !== undefined && existing.signature !== one.signature) {
        const text = `There are two different checkpoints with the number ${one.number}.`;
        faults.push({ node: '', seq: one.number, kind: 'badCheckpoint', text });
      }
      byNumber.set(one.number, one);
    }
    return [...byNumber.values()].sort((a, b) => a.number - b.number);
  }

  function chainOf(node: string): Chain {
    const existing = chains.get(node);
    if (existing) return existing;
    const chain: Chain = { seq: 0, hash: GENESIS, marks: [], nextMark: 0, lastGood: 0, fault: null };
    chains.set(node, chain);
    return chain;
  }

  function row(one: ChainedRow): void {
    rows += 1;
    const chain = chainOf(one.node);
    if (chain.fault !== null) return;
    chain.fault = faultOf(chain, one);
    chain.seq = one.seq;
    chain.hash = one.hash;
    if (chain.fault === null) chain.fault = compareMarks(chain, one);
  }

  function faultOf(chain: Chain, one: ChainedRow): AuditFault | null {
    const { node, seq } = one;
    const expected = chain.seq + 1;
    if (seq !== expected && isComplete && !followsRemoved(chain, one)) {
      const text = seq > expected ? `${missing(expected, seq - 1)}.` : `Row ${seq} is there twice.`;
      return { node, seq: Math.min(expected, seq), kind: 'missing', text };
    }
    const isLinked = seq !== expected || one.previous_hash.equals(chain.hash);
    if (isLinked && hashOf(one).equals(one.hash)) return null;
    const text = isLinked
      ? `Row ${seq} is not as it was written.`
      : `Row ${seq} does not follow the row before it: one of them was replaced or moved.`;
    return { node, seq, kind: 'changed', text };
  }

  /**
   * Whether a row follows rows that were removed because of their age. The checkpoint at the end of the removed rows is
   * kept and confirms the hash that the remaining rows continue from.
   */
  function followsRemoved(chain: Chain, one: ChainedRow): boolean {
    const before = one.previous_hash.toString('hex');
    return chain.seq === 0 && chain.marks.some(({ seq, hash }) => seq === one.seq - 1 && hash === before);
  }

  function compareMarks(chain: Chain, { node, seq, hash }: ChainedRow): AuditFault | null {
    for (let mark = chain.marks[chain.nextMark]; mark && mark.seq <= seq; mark = chain.marks[chain.nextMark]) {
      chain.nextMark += 1;
      if (mark.seq < seq) continue;
      if (mark.hash !== hash.toString('hex')) {
        const first = chain.lastGood + 1;
        const text = `Rows ${first} to ${seq} are not those that checkpoint ${mark.number} signed: the chain was rewritten.`;
        return { node, seq: first, kind: 'rewritten', text };
      }
      chain.lastGood = seq;
    }
    return null;
  }

  function end(): Verified {
    for (const [node, chain] of chains) {
      chain.fault ??= isComplete ? tailFault(node, chain) : null;
      if (chain.fault) faults.push(chain.fault);
    }
    faults.sort((a, b) => (a.node < b.node ? -1 : Number(a.node > b.node)) || a.seq - b.seq);
    return { rows, checkpoints: good.length, lastCheckpoint: good.at(-1)?.time ?? null, faults };
  }

  function tailFault(node: string, { seq, marks }: Chain): AuditFault | null {
    const last = marks.at(-1);
    if (last === undefined || last.seq <= seq) return null;
    const when = last.seq === seq + 1 ? 'it was' : 'they were';
    const text = `${missing(seq + 1, last.seq)}: checkpoint ${last.number} was signed when ${when} there.`;
    return { node, seq: seq + 1, kind: 'tailMissing', text };
  }

  return { row, end };
}

const missing = (first: number, last: number): string =>
  first === last ? `Row ${first} is missing` : `Rows ${first} to ${last} are missing`;
