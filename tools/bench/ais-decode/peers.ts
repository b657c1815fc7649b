import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const VERSIONS = { ggencoder: '1.0.10', 'ais-stream-decoder': '2.1.2', 'ais-decoder': '1.3.5' };
const FOLDER = join(import.meta.dirname, '../../../node_modules/.cache/osprey/ais-peers');

export type Peer = {
  name: string;
  /** Decodes all lines. @returns the number of messages decoded */
  decode: (lines: readonly string[]) => number;
};

type Decoded = { valid: boolean };
type DecodeClass = new (line: string, session: object) => Decoded;
type StreamDecoder = { on: (event: string, listener: () => void) => void; write: (line: string) => void };

/**
 * Returns the JavaScript decoders to compare with. They are not dependencies of the project, but are installed into its
 * cache folder at the first run.
 */
export function npmPeers(): Peer[] {
  if (!existsSync(join(FOLDER, 'node_modules/ais-decoder'))) install();
  const require = createRequire(join(FOLDER, 'package.json'));
  const classPeer = (name: 'ggencoder' | 'ais-decoder'): Peer => {
    const { AisDecode } = require(name) as { AisDecode: DecodeClass };
    return {
      name,
      decode(lines) {
        const session = {};
        let messages = 0;
        for (const line of lines) if (new AisDecode(line, session).valid) messages++;
        return messages;
      },
    };
  };
  const name = 'ais-stream-decoder';
  const { default: AisStream } = require(name) as { default: new (options: object) => StreamDecoder };
  const streamPeer: Peer = {
    name,
    decode(lines) {
      const stream = new AisStream({ silent: true });
      let messages = 0;
      stream.on('data', () => messages++);
      stream.on('error', () => {});
      for (const line of lines) stream.write(line);
      return messages;
    },
  };
  return [classPeer('ggencoder'), classPeer('ais-decoder'), streamPeer];
}

function install() {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, 'package.json'), JSON.stringify({ private: true, dependencies: VERSIONS }));
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: FOLDER, stdio: 'ignore' });
}
