import type { SourceCheck } from '../../base/access/source-address.ts';
import type { Sandbox } from '../../base/ffmpeg/sandbox.ts';
import type { OpenSource } from '../parts.ts';
import { checkedHost, inUrl } from './checked-host.ts';
import { readProgram } from './program-source.ts';

const FFMPEG = '/usr/bin/ffmpeg';
const SILENT_MS = 8000;
const ANSWER_US = 5_000_000;

/**
 * Pulls from an RTSP server by ffmpeg, which makes a transport stream of it: pictures, sound and KLV as they are, over
 * TCP where the server can, else over UDP.
 *
 * The password is among ffmpeg's arguments, which other accounts of this machine can read.
 */
export function rtspOpener({ check, sandbox }: { check: SourceCheck; sandbox: () => Promise<Sandbox> }): OpenSource {
  return async ({ url }, sink) => {
    const target = new URL(url);
    const host = target.host;
    const address = await checkedHost(target.hostname, check);
    // URL keeps the host of schemes that it does not know as it is written.
    const resolved = url.replace(/^([a-z]+:\/\/(?:[^/?@]*@)?)(?:\[[^\]]*\]|[^:/?]*)/i, `$1${inUrl(address)}`);
    return readProgram(
      {
        sandbox: await sandbox(),
        program: FFMPEG,
        debianPackage: 'ffmpeg',
        args: rtspArguments(resolved),
        silence: { ms: SILENT_MS, text: `Nothing comes from ${host}` },
        whyEnded: ({ stderr }) => whyRtspEnded(host, stderr),
      },
      sink,
    );
  };
}

/** Only one word comes from users: the address, whose parameters were checked, after -i. */
function rtspArguments(url: string): string[] {
  return [
    ...['-hide_banner', '-loglevel', 'error', '-nostdin'],
    ...['-protocol_whitelist', 'rtsp,rtp,rtcp,udp,tcp,tls,crypto', '-rtsp_flags', 'prefer_tcp'],
    ...['-timeout', String(ANSWER_US), '-fflags', '+nobuffer', '-analyzeduration', '1000000', '-f', 'rtsp'],
    ...['-i', url],
    ...['-map', '0:v?', '-map', '0:a?', '-map', '0:d?', '-c', 'copy', '-copy_unknown'],
    ...['-muxdelay', '0', '-muxpreload', '0', '-flush_packets', '1', '-f', 'mpegts', 'pipe:1'],
  ];
}

/**
 * ffmpeg's output is not passed on: the address with its password may be in it. It holds other numbers too, of memory
 * (`[rtsp @ 0x7f4034]`) and of the port, so that only those count that follow the word of a refusal.
 */
export function whyRtspEnded(host: string, stderr: string): string {
  if (/(?:failed:|returned) 40[13]\b|nauthorized|orbidden/.test(stderr))
    return `${host} refuses the name or the password`;
  if (/(?:failed:|returned) 404\b|not found/i.test(stderr)) return `${host} knows no such stream`;
  if (/refused|timed out|no route|unreachable/i.test(stderr)) return `Nobody answers at ${host}`;
  return `The stream of ${host} ended`;
}
