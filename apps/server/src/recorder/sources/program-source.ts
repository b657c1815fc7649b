import { existsSync } from 'node:fs';
import type { Finished, Sandbox } from '../../base/ffmpeg/sandbox.ts';
import type { OpenedSource, SourceSink } from '../components.ts';
import { readBytes } from './byte-source.ts';
import { SourceError } from './source-error.ts';

const MEMORY_BYTES = 1024 ** 3;
/** Maximum delay of a Node timer. The program is restarted when this time has passed. */
const WALL_MS = 2 ** 31 - 1;

const UNBUFFERED = ['/usr/bin/stdbuf', '-o0'];

export type ProgramSource = {
  sandbox: Sandbox;
  /** Absolute path of the program. `debianPackage`: Debian package that contains it. */
  program: string;
  debianPackage: string;
  /** True if the program already writes its output immediately, instead of in full blocks. */
  unbuffered?: boolean;
  /** True if the program leaves gaps where the network lost packets. */
  isLossy?: boolean;
  args: readonly string[];
  /** Time in milliseconds without bytes after which the operator is notified, and the message text. */
  silence: { ms: number; text: string };
  /**
   * Returns the message for the operator when the program has ended, based on its output. It must not contain a secret.
   */
  whyEnded(finished: Finished): string;
};

/**
 * Runs a receiver program with network access in the sandbox, and reads a transport stream from its standard output.
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
