import { describe, expect, it } from 'vitest';
import { addressProblem, hideSecrets, sourceCheck, withHost } from './source-address.ts';

describe('the check of an address that the server calls', () => {
  it.each([
    ['http://127.0.0.1/live.ts', true],
    ['tcp://169.254.1.1:9000', true],
    ['rtsp://[::1]/cam', true],
    ['srt://camera.example:9000', true],
    ['http://[fd00:ec2::254]/latest', true],
    ['http://[::ffff:127.0.0.1]/live.ts', true],
    ['http://[::ffff:a9fe:a9fe]/live.ts', true],
    ['http://[::127.0.0.1]/live.ts', true],
    ['rtsp://[64:ff9b::127.0.0.1]/cam', true],
    ['rtsp://[64:ff9b::a9fe:a9fe]/cam', true],
    ['tcp://[2002:7f00:1::1]:9000', true],
    ['tcp://[2002:a9fe:a9fe::]:9000', true],
    ['tcp://[2002:c000:207::1]:9000', false],
    ['http://[::ffff:192.0.2.7]/live.ts', false],
    ['http://[64:ff9b::192.0.2.7]/live.ts', false],
    ['http://[2001:db8::7f00:1]/live.ts', false],
    ['http://[fd00:ec2::255]/live.ts', false],
    ['http://192.0.2.7/live.ts', false],
    ['srt://127.0.0.1:9000?mode=listener', false],
    ['udp://127.0.0.1:5000', false],
  ])('%s leads to the server itself: %s', async (url, isRefused) => {
    const check = sourceCheck({ allowed: [], resolve: async () => ['127.0.0.1'] });

    const { problem } = await check(url);

    expect(problem !== null).toBe(isRefused);
  });

  it('lets through what the operator allows', async () => {
    const check = sourceCheck({ allowed: ['127.0.0.0/8'] });

    expect(await check('http://127.0.0.1/live.ts')).toEqual({ problem: null, warning: null });
    expect(await check('http://[::ffff:127.0.0.1]/live.ts')).toEqual({ problem: null, warning: null });
    expect((await check('http://[::1]/live.ts')).problem).not.toBeNull();
  });
});

it.each([
  'udp://127.0.0.1:0',
  'tcp://camera:0',
  'http://camera:0/live.ts',
  'rtsp://camera:00/cam',
  'rtmp://10.0.0.7:0/live/k3y-of-64-kinds_abcdefgh',
])('port 0 is refused: %s', (url) => {
  expect(addressProblem(url)).toContain('Port 0');
});

it.each([
  ['udp://:5000', 'udp://127.0.0.1:5000'],
  ['udp://@:5000', 'udp://127.0.0.1:5000'],
  ['udp://@239.1.1.1:5000', 'udp://@239.1.1.1:5000'],
])('an address without a host listens on loopback: %s', (url, whole) => {
  expect(withHost(url)).toBe(whole);
});

it.each([
  ['rtsp://user:pa#ss@camera/stream', '# cannot stand in an address: write %23 in its place'],
  ['rtsp://user:d\u2019or@camera/stream', '\u2019 cannot stand in an address: write %E2%80%99 in its place'],
  ["http://camera/o'neil.ts", "' cannot stand in an address: write %27 in its place"],
  ['srt://host\u200b:9000', 'The address holds a character that cannot be seen (U+200B): type it again'],
  ['srt://host:9000\ud800', 'The address holds a character that cannot be seen (U+D800): type it again'],
  ['srt://host:9000\u00a0?latency=200', 'An address holds no spaces'],
  ['udp://:5000\nudp://:5001', 'An address holds no spaces'],
])('what was pasted into an address is told by its name: %j', (url, problem) => {
  expect(addressProblem(url)).toBe(problem);
});

describe('the address that an encoder pushes to', () => {
  it.each([
    ['rtmp://10.0.0.7:1935/live/k3y-of-64-kinds_abcdefgh', null],
    ['rtmps://[::]/a/b/k3y-of-64-kinds_abcdefgh', null],
    ['rtmp://10.0.0.7/live/***', null],
    ['rtmp://10.0.0.7/k3y-of-64-kinds_abcdefgh', 'ends with an app and a key'],
    ['rtmp://10.0.0.7/live/', 'needs 16 random letters and digits'],
    ['rtmp://10.0.0.7/live/stream-key-1', 'needs 16 random letters and digits'],
    ['rtmp://10.0.0.7/live/aaaaaaaaaaaaaaaaaaaaaaaa', 'needs 16 random letters and digits'],
    ['rtmp://encoder.example/live/k3y-of-64-kinds_abcdefgh', 'by its IP address'],
    ['rtmp://10.0.0.7/live/k3y-of-64-kinds_abcdefgh?listen=1', 'The parameter listen is not allowed'],
  ])('%s: %s', (url, problem) => {
    expect(addressProblem(url) ?? '').toContain(problem ?? '');
    expect(addressProblem(url) === null).toBe(problem === null);
  });

  it('hides its key', () => {
    expect(hideSecrets('rtmp://10.0.0.7:1935/live/k3y-of-64')).toEqual({
      shown: 'rtmp://10.0.0.7:1935/live/***',
      secrets: ['k3y-of-64'],
    });
  });
});
