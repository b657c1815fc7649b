import { execFile } from 'node:child_process';
import { open } from 'node:fs/promises';
import { ReadStream } from 'node:tty';
import { promisify } from 'node:util';
import type { OpenSource } from '../components.ts';
import { SourceError } from '../sources/source-error.ts';
import { readLines } from './read-lines.ts';

const STTY_MS = 5000;

export type SerialPort = { path: string; baud: number };

/**
 * Reads `serial:NAME`. OSPREY_SERIAL maps the name to a device, so that forms on the page never contain a path. The
 * system's `stty` configures the port.
 */
export function serialOpener(ports: ReadonlyMap<string, SerialPort>): OpenSource {
  return async ({ url }, sink) => {
    const name = url.slice('serial:'.length);
    const port = ports.get(name);
    if (port === undefined) throw new SourceError(`OSPREY_SERIAL of this machine names no serial port ${name}`);
    try {
      await promisify(execFile)(
        'stty',
        ['-F', port.path, String(port.baud), 'raw', '-echo', 'cs8', '-cstopb', '-parenb'],
        {
          timeout: STTY_MS,
        },
      );
      const file = await open(port.path, 'r');
      return readLines(new ReadStream(file.fd), `The serial port ${name} was closed`, sink);
    } catch (error) {
      throw new SourceError(`The serial port ${name} cannot be opened: is the receiver plugged in?`, { cause: error });
    }
  };
}
