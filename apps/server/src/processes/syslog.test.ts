import { execFile } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { atEnd } from '../../test/cleanup.ts';
import { createLog } from './log.ts';
import { readSyslogTarget, syslogMessage } from './syslog.ts';

const form = /^<(\d+)>1 \d{4}-\d\d-\d\dT[\d:.]+Z \S+ osprey api-\d+ - - (\{.*\})$/;

describe('syslog', () => {
  it('takes udp, tcp and tls with host and port, and nothing else', () => {
    expect(readSyslogTarget('udp://10.0.0.1:514')).toEqual({ scheme: 'udp', host: '10.0.0.1', port: 514 });
    expect(readSyslogTarget('tls://[fe80::1]:6514')).toEqual({ scheme: 'tls', host: 'fe80::1', port: 6514 });
    for (const text of ['http://a:1', 'udp://a', 'udp://a:70000', 'udp://a b:1']) {
      expect(readSyslogTarget(text)).toBeUndefined();
    }
  });

  it('writes messages of RFC 5424 with the severity of the line', () => {
    const line = '{"level":40,"time":0,"msg":"continuity gap"}\n';

    expect(syslogMessage(line, { host: 'kea', process: 'api-7' })).toBe(
      '<132>1 1970-01-01T00:00:00.000Z kea osprey api-7 - - {"level":40,"time":0,"msg":"continuity gap"}',
    );
  });

  it('reaches a collector over UDP', async () => {
    const collector = createSocket('udp4');
    collector.bind(0, '127.0.0.1');
    await once(collector, 'listening');
    const received = once(collector, 'message');

    createLog('info', { target: `udp://127.0.0.1:${collector.address().port}`, role: 'api' }).warn({ lost: 3 }, 'gap');

    const [message] = (await received) as [Buffer];
    collector.close();
    const [, priority, text] = form.exec(message.toString()) ?? [];
    expect([priority, JSON.parse(text ?? '{}')]).toMatchObject(['132', { lost: 3, msg: 'gap' }]);
  });

  it('reaches a collector over TCP in counted frames, also one that comes later, and never sends a password', async () => {
    const spare = createServer().listen(0, '127.0.0.1');
    await once(spare, 'listening');
    const { port } = spare.address() as AddressInfo;
    spare.close();
    const log = createLog('info', { target: `tcp://127.0.0.1:${port}`, role: 'api' });
    log.error({ user: { password: 'hush' } }, 'first');
    let received = '';
    const collector = createServer((socket) => socket.on('data', (chunk) => (received += chunk))).listen(
      port,
      '127.0.0.1',
    );
    log.error('second');

    await vi.waitFor(() => expect(received).toContain('second'));
    collector.close();
    const [length = ''] = received.split(' ');
    const first = received.slice(length.length + 1, length.length + 1 + Number(length));
    expect(JSON.parse(form.exec(first)?.[2] ?? '{}')).toMatchObject({ msg: 'first', user: { password: '[Redacted]' } });
    expect(received).not.toContain('hush');
  });

  it('gives nothing to a collector over TLS with an untrusted certificate, and all to a known one', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'osprey-syslog-'));
    const known = getCACertificates('default');
    atEnd(async () => {
      setDefaultCACertificates(known);
      await rm(folder, { recursive: true, force: true });
    });
    const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    const subject = ['-subj', '/CN=collector', '-addext', 'subjectAltName=IP:127.0.0.1'];
    const made = ['req', '-x509', '-nodes', '-newkey', 'rsa:2048', '-days', '2', '-keyout', keyFile, '-out', certFile];
    await promisify(execFile)('openssl', [...made, ...subject]);
    const [cert, key] = await Promise.all([certFile, keyFile].map((path) => readFile(path, 'utf8')));
    let received = '';
    const collector = createTlsServer({ cert, key }, (socket) => {
      // The stranger that refuses it may go away in the middle of the handshake.
      socket.on('error', () => undefined);
      socket.on('data', (chunk) => (received += chunk));
    }).listen(0, '127.0.0.1');
    atEnd(() => collector.close());
    await once(collector, 'listening');
    const refused = once(collector, 'tlsClientError');
    const { port } = collector.address() as AddressInfo;
    const log = createLog('info', { target: `tls://127.0.0.1:${port}`, role: 'api' });

    log.error('first');
    await refused;
    expect(received).toBe('');
    setDefaultCACertificates([...known, cert!]);
    log.error('second');

    await vi.waitFor(() => expect(received).toContain('second'));
    expect(received.indexOf('first')).toBeGreaterThan(0);
    expect(received.indexOf('first')).toBeLessThan(received.indexOf('second'));
  });
});
