import { parse } from 'node:path';
import { flyTraffic, recordTraffic } from './ais/fly-traffic.ts';
import { TrafficError } from './ais/options.ts';
import { isAddress } from './ais/traffic-output.ts';
import { CommandError, helpText, inFlags, readCommand } from './command-line.ts';
import { EncoderError } from './encoder.ts';
import { flyNow, untilSignal } from './fly-now.ts';
import { OutputError } from './live-output.ts';
import { OptionError } from './options.ts';
import { resolveOptions } from './resolve-options.ts';
import { simulateToFile } from './simulate.ts';

/** Number of frames between two lines of progress on a terminal. */
const PROGRESS_EVERY = 50;

const print = (text: string) => process.stdout.write(`${text}\n`);

async function main(args: readonly string[]): Promise<void> {
  const command = readCommand(args);
  if (command.kind === 'help') {
    print(helpText());
    return;
  }
  if (command.kind === 'live') {
    await flyNow(command, print);
    return;
  }
  if (command.kind === 'ais') {
    if (!isAddress(command.ais.to)) {
      print(await recordTraffic(command.ais, command.options));
      return;
    }
    const stop = untilSignal();
    print(`Sending AIS to ${command.ais.to}; Ctrl-C ends`);
    print(await flyTraffic(command.ais, { ...command.options, startUs: Date.now() * 1000 }, stop));
    return;
  }
  const { options, sensors, out, ffmpeg, ais } = command;
  if (ais !== undefined) print(await recordTraffic(ais, options));
  for (let sensor = 1; sensor <= sensors; sensor += 1) {
    const own = { ...options, sensor };
    const path =
      sensors === 1 ? out : pathOf(out, `${resolveOptions(own).spectrum}${sensor > 2 ? Math.ceil(sensor / 2) : ''}`);
    const begun = performance.now();
    const result = await simulateToFile(own, path, {
      ...(ffmpeg === undefined ? {} : { ffmpeg }),
      onProgress: (frames, of) => {
        if (process.stdout.isTTY && frames % PROGRESS_EVERY === 0)
          process.stdout.write(`\r${path}: ${frames}/${of} frames`);
      },
    });
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    if (process.stdout.isTTY) process.stdout.write('\r');
    print(`${path}: ${result.frames} frames, ${result.klvPackets} KLV packets, ${result.bytes} bytes in ${seconds} s`);
  }
}

function pathOf(out: string, sensor: string): string {
  const { dir, name, ext } = parse(out);
  return `${dir === '' ? '' : `${dir}/`}${name}-${sensor}${ext || '.ts'}`;
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  const isKnown = [CommandError, EncoderError, OutputError, TrafficError].some((known) => error instanceof known);
  const isFile = error instanceof Error && 'syscall' in error && 'path' in error;
  if (error instanceof OptionError) process.stderr.write(`${inFlags(error)}\n`);
  else if (isKnown || isFile) process.stderr.write(`${(error as Error).message}\n`);
  else throw error;
  process.exitCode = 1;
}
