import type { Sandbox } from '../../base/ffmpeg/sandbox.ts';
import type { SourceCheck } from '../../recorder-wire/source-address.ts';
import { isListening, withHost } from '../../recorder-wire/source-address.ts';
import type { OpenedSource, OpenSource, SourceSink } from '../components.ts';
import { checkedHost, inUrl } from './checked-host.ts';
import { type DatagramGate, datagramGate } from './datagram-gate.ts';
import { type ProgramSource, readProgram } from './program-source.ts';
import { senderList } from './sender-list.ts';

const PROGRAM = '/usr/bin/srt-live-transmit';
const PARAMETERS = ['latency', 'passphrase', 'pbkeylen', 'streamid'];
const SILENT_MS = 5000;

/**
 * Receives over SRT, as listener or caller, with Debian's srt-live-transmit. This program passes bytes on unchanged,
 * and continues to listen or call after the other side was away or had the wrong passphrase. It accepts every caller;
 * if senders are listed, it therefore listens on loopback behind a datagram gate that admits only these.
 *
 * The passphrase is among the program's arguments, which other accounts of this machine can read.
 */
export function srtOpener({ check, sandbox }: { check: SourceCheck; sandbox: () => Promise<Sandbox> }): OpenSource {
  return async ({ url, senders }, sink) => {
    const { hostname, port, searchParams } = new URL(withHost(url));
    const listens = isListening(url);
    const bare = hostname.replace(/^\[|\]$/g, '');
    const host = listens ? bare.replace(/^localhost$/i, '127.0.0.1') : await checkedHost(hostname, check);
    const parameters = new URLSearchParams({ mode: listens ? 'listener' : 'caller', transtype: 'live' });
    for (const name of PARAMETERS) {
      const value = searchParams.get(name);
      if (value !== null) parameters.set(name, value);
    }
    const address = `${bare}, port ${port}`;
    const isGated = listens && senders.length > 0;
    const isolation = await sandbox();
    const gate = isGated ? await datagramGate({ host, port: Number(port), maySend: senderList(senders) }) : null;
    const at = gate === null ? `${inUrl(host)}:${port}` : `127.0.0.1:${gate.innerPort}`;
    const program: ProgramSource = {
      sandbox: isolation,
      program: PROGRAM,
      debianPackage: 'srt-tools',
      unbuffered: true,
      isLossy: true,
      args: ['-q', '-ll:fatal', `srt://${at}?${parameters}`, 'file://con'],
      silence: {
        ms: SILENT_MS,
        text: listens
          ? `Nobody${isGated ? ' who may' : ''} sends over SRT to ${address}, or with another passphrase`
          : `Nothing comes over SRT from ${address}: nobody answers, or the passphrase is wrong`,
      },
      whyEnded: () => `SRT cannot be received at ${address}: the port may be taken`,
    };
    return gate === null ? readProgram(program, sink) : readGated(program, sink, gate);
  };
}

async function readGated(program: ProgramSource, sink: SourceSink, gate: DatagramGate): Promise<OpenedSource> {
  try {
    const opened = readProgram(program, sink);
    return {
      ...opened,
      counts: () => ({ ...opened.counts(), refused: gate.refused() }),
      async close() {
        await opened.close();
        await gate.close();
      },
    };
  } catch (error) {
    await gate.close();
    throw error;
  }
}
