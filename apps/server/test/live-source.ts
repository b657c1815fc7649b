import { expect } from 'vitest';
import { findSandbox } from '../src/base/ffmpeg/sandbox.ts';
import type { Storage } from '../src/base/storage/storage.ts';
import type { OpenSource } from '../src/recorder/components.ts';
import { sourceOpener } from '../src/recorder/sources/open-source.ts';
import type { FindTls } from '../src/recorder/sources/rtmp/shared-ports.ts';
import { sourceCheck } from '../src/recorder-wire/source-address.ts';
import { atEnd } from './cleanup.ts';

type Given = {
  senders?: string[];
  allowed?: string[];
  storage?: Pick<Storage, 'list' | 'read'>;
  tls?: FindTls;
  /** An opener in use by other sources: sources of one recorder share ports. */
  opener?: OpenSource;
  /** Called before packets are kept; may throw, as a reader with a fault does. */
  onPackets?: () => void;
};

const empty: Pick<Storage, 'list' | 'read'> = {
  async *list() {},
  read() {
    throw new Error('There is no storage in this test');
  },
};

const noTls = async () => null;

/** Opens a source as the recorder does, and keeps all that comes from it. It is closed when the test ends. */
export async function openedSource(
  url: string,
  { senders = [], allowed = [], storage = empty, tls = noTls, opener, onPackets = () => undefined }: Given = {},
) {
  const parts: Buffer[] = [];
  const problems: (string | null)[] = [];
  const failures: unknown[] = [];
  const open =
    opener ?? sourceOpener({ check: sourceCheck({ allowed }), sandbox: () => findSandbox('auto'), storage, tls });
  const source = await open(
    { url, senders },
    {
      packets(bytes) {
        onPackets();
        parts.push(Buffer.from(bytes));
      },
      problem: (text) => problems.push(text),
      reading: (read) => read,
      failed: (error) => failures.push(error),
    },
  );
  let closing: Promise<void> | null = null;
  const close = () => {
    closing ??= source.close();
    return closing;
  };
  atEnd(close);
  const bytes = () => Buffer.concat(parts);
  return {
    ...source,
    close,
    parts,
    problems,
    failures,
    bytes,
    packets: () => Array.from({ length: bytes().length / 188 }, (_, n) => bytes().subarray(n * 188, n * 188 + 188)),
    size: () => parts.reduce((sum, part) => sum + part.length, 0),
    until: (size: number, timeout = 20_000) =>
      expect.poll(() => parts.reduce((sum, part) => sum + part.length, 0), { timeout }).toBeGreaterThanOrEqual(size),
  };
}
