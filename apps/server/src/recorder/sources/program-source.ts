import { existsSync } from 'node:fs';
import type { Finished, Sandbox } from '../../base/ffmpeg/sandbox.ts';
import type { OpenedSource, SourceSink } from '../components.ts';
import { readBytes } from './byte-source.ts';
import { SourceError } from './source-error.ts';

const MEMORY_BYTES = 1024 ** 3;
/** The longest delay of a Node timer; the program is restarted after it. */
const WALL_MS = 2 ** 31 - 1;

const UNBUFFERED = ['/usr/bin/stdbuf', '-o0'];

export type ProgramSource = {
  sandbox: Sandbox;
  /** Full path of the program and the Debian package that contains it. */
  program: string;
  debianPackage: string;
  /** True if the program writes its output at once, and not only when a block is full. */
  unbuffered?: boolean;
  /** True if the program leaves gaps where the network lost packets. */
  isLossy?: boolean;
  args: readonly string[];
  /** Message for the operator when no bytes came for `ms`. */
  silence: { ms: number; text: string };
  /** Message for the operator when the program ended, made from its output; it must not contain a secret. */
  whyEnded(finished: Finished): string;
};

/**
 * Runs a receiver program in the sandbox, with network access, and reads a transport stream from its standard output.
 */
export function readProgram(source: ProgramSource, sink: SourceSink): OpenedSource {
  const { sandbox, program, debianPackage, unbuffered = false, isLossy = false, args, silence, whyEnded } = source;
  if (!existsSync(program)) {
    throw new SourceError(`This kind of address needs ${debianPackage}: apt-get install ${debianPackage}`);
  }
  const [command = '', ...words] = [...(unbuffered ? UNBUFFERED : []), program, ...args];
  const child = sandbox.start(command, words, { memoryBytes: MEMORY_BYTES, wallMs: WALL_MS }, { network: true });
  child.stdin.end();
  const silent = setTimeout(() => sink.problem(silence.text), silence.ms);
  const watched: SourceSink = {
    reading: sink.reading,
    packets(bytes, arrivalUs) {
      clearTimeout(silent);
      sink.packets(bytes, arrivalUs);
    },
    problem: (text) => sink.problem(text),
    failed(error) {
      clearTimeout(silent);
      sink.failed(error);
    },
  };
  return readBytes(
    {
      readable: child.stdout,
      isLossy,
      async whyEnded() {
        clearTimeout(silent);
        return whyEnded(await child.finished);
      },
      async stop() {
        clearTimeout(silent);
        child.kill();
        await child.finished;
      },
    },
    watched,
  );
}
