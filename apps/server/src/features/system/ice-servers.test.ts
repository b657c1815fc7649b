import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { iceServersOf } from './ice-servers.ts';

const NOW_US = 1_700_000_000_500_000;
const config = {
  iceServers: ['stun:10.0.0.1'],
  turnServers: ['turn:10.0.0.1:3478', 'turns:10.0.0.1'],
  turnSecret: 'between-two-servers',
};

describe('the servers that a browser asks for its way', () => {
  it('gives each user a name with an end and the password that coturn makes of it', () => {
    const [stun, turn, turns] = iceServersOf(config, 'u-1', NOW_US);
    const username = `${1_700_000_000 + 10 * 60}:u-1`;
    const hmac = ['dgst', '-sha1', '-hmac', config.turnSecret, '-binary'];

    expect(stun).toEqual({ urls: 'stun:10.0.0.1' });
    expect(turn).toEqual({
      urls: 'turn:10.0.0.1:3478',
      username,
      credential: execFileSync('openssl', hmac, { input: username }).toString('base64'),
    });
    expect(turns).toEqual({ ...turn, urls: 'turns:10.0.0.1' });
  });

  it('gives another user another password, and the same one a new password later', () => {
    const passwords = [
      iceServersOf(config, 'u-1', NOW_US),
      iceServersOf(config, 'u-2', NOW_US),
      iceServersOf(config, 'u-1', NOW_US + 1e6),
    ].map((servers) => servers[1]!.credential);

    expect(new Set(passwords).size).toBe(3);
  });

  it('names no TURN server without a secret', () => {
    expect(iceServersOf({ ...config, turnServers: [], turnSecret: null }, 'u-1', NOW_US)).toEqual([
      { urls: 'stun:10.0.0.1' },
    ]);
  });
});
