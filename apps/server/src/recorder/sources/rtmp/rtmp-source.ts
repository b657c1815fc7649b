import { addressProblem, withHost } from '../../../recorder-wire/source-address.ts';
import type { OpenSource } from '../../components.ts';
import { senderList } from '../sender-list.ts';
import { SourceError } from '../source-error.ts';
import { flvRemuxer } from './flv-remuxer.ts';
import type { Refusal } from './rtmp-port.ts';
import { type FindTls, sharedPorts } from './shared-ports.ts';

const DEFAULT_PORT = 1935;
const SILENT_MS = 5000;

/** Messages for the operator. They never contain the key, nor a wrong key that was sent. */
const REFUSALS: Record<Refusal, string | null> = {
  key: 'Somebody pushes with a key that is not known here',
  sender: 'An encoder was refused: its address is not among those that may send',
  inUse: null,
  protocol: null,
};

/**
 * Waits for encoders that push H.264 and AAC over RTMP, and remuxes these into a transport stream. Several sensors may
 * share a port; the key determines the sensor before any picture is read.
 */
export function rtmpOpener({ tls }: { tls: FindTls }): OpenSource {
  const enter = sharedPorts(tls);
  return async ({ url, senders }, sink) => {
    const wrong = addressProblem(url);
    if (wrong !== null) throw new SourceError(wrong);
    const { protocol, hostname, port: written, pathname } = new URL(withHost(url));
    const host = hostname.replace(/^\[|\]$/g, '').replace(/^localhost$/i, '127.0.0.1');
    const number = Number(written || DEFAULT_PORT);
    const { port, leave } = await enter({ host, port: number, secure: protocol === 'rtmps:' });

    let refused = 0;
    let made = 0;
    let isPushed = false;
    const remuxer = flvRemuxer({
      write(bytes) {
        made += bytes.length;
        sink.packets(bytes, Date.now() * 1000);
      },
      problem: (text) => sink.problem(text),
    });
    const silent = setTimeout(() => sink.problem(`Nobody pushes to ${host}, port ${number}`), SILENT_MS);
    const remove = port.add(pathname, {
      maySend: senderList(senders),
      begin() {
        clearTimeout(silent);
        isPushed = true;
        remuxer.begin();
      },
      take(tag) {
        made = 0;
        remuxer.take(tag);
        return made;
      },
      end() {
        isPushed = false;
        sink.problem('The encoder that pushed went away');
      },
      refused(why) {
        refused += 1;
        const text = REFUSALS[why];
        if (isPushed || text === null) return;
        clearTimeout(silent);
        sink.problem(text);
      },
    });
    if (remove === null) {
      clearTimeout(silent);
      await leave();
      throw new SourceError('Another sensor has this app and key');
    }

    let whenClosed = () => {};
    const ended = new Promise<void>((resolve) => {
      whenClosed = resolve;
    });
    return {
      counts: () => ({ lost: 0, reordered: 0, refused: refused + remuxer.refused(), jitterMs: null }),
      ended,
      async close() {
        clearTimeout(silent);
        remove();
        await leave();
        whenClosed();
      },
    };
  };
}
