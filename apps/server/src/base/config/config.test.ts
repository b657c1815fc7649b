import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError, helpText, readConfig } from './config.ts';
import { options } from './options.ts';

const refusal = (env: Record<string, string>, args: string[] = []): string => {
  try {
    readConfig(env, args);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'taken';
};

describe('readConfig', () => {
  it('keeps the audit for five years, for other days, or for ever', () => {
    expect(readConfig({}).auditKeepDays).toBe(1826);
    expect(readConfig({ OSPREY_AUDIT_KEEP: '90' }).auditKeepDays).toBe(90);
    expect(readConfig({ OSPREY_AUDIT_KEEP: 'off' }).auditKeepDays).toBeNull();
    expect(() => readConfig({ OSPREY_AUDIT_KEEP: '7' })).toThrow(/OSPREY_AUDIT_KEEP/);
  });

  it('listens on loopback with an own database when nothing is set', () => {
    expect(readConfig({})).toMatchObject({ host: '127.0.0.1', port: 8080, databaseUrl: null, guest: null });
  });

  it('keeps its data in the checkout when nothing is set', () => {
    expect(readConfig({}).dataDir).toBe(resolve(import.meta.dirname, '../../../../../data'));
  });

  it('names each option with its variable and its flag in the help', () => {
    const lines = helpText().split('\n');
    for (const { name } of options) {
      expect(
        lines.some((line) => line.includes(`OSPREY_${name}`)),
        name,
      ).toBe(true);
      expect(helpText()).toContain(`--${name.toLowerCase().replaceAll('_', '-')}`);
    }
  });

  it('shows a default as it may be given', () => {
    for (const [, allowed, reported] of helpText().matchAll(/allowed: (0 or 1); default: (.*)/g)) {
      expect(['0', '1', 'none'], allowed).toContain(reported);
    }
  });

  it('shows ranges and lists as they may be given, and none where there is nothing', () => {
    expect(helpText()).toContain('default: 47000-47999');
    expect(helpText()).toMatch(/--serial <ports> .*\n.*default: none/);
    expect(helpText()).not.toContain('[object');
    for (const { name, fallback, parse } of options) {
      const shown = new RegExp(`OSPREY_${name}\n.*default: (.*)`).exec(helpText())?.[1] ?? '';
      if (!Array.isArray(fallback) || shown === 'none') continue;
      expect(parse(shown), name).toEqual(fallback);
    }
  });

  it('prefers a flag to its variable, and takes an empty variable for none', () => {
    const config = readConfig({ OSPREY_PORT: '1', OSPREY_GUEST: '' }, ['--port=2', '--samples', '--guest', '0']);

    expect(config).toMatchObject({ port: 2, samples: true, guest: false });
  });

  it('takes sizes in bytes or with a suffix', () => {
    const quota = (text: string) => readConfig({ OSPREY_USER_QUOTA: text }).userQuotaBytes;

    expect(['1000', '2K', '1.5M', '500G', '2 TB', '1GiB'].map(quota)).toEqual([
      1000,
      2048,
      1.5 * 1024 ** 2,
      500 * 1024 ** 3,
      2 * 1024 ** 4,
      1024 ** 3,
    ]);
    expect(readConfig({}).userQuotaBytes).toBeNull();
    expect(helpText()).toMatch(/--user-quota <bytes> +OSPREY_USER_QUOTA\n +what the uploads of one user may take/);
  });

  it('keeps ten minutes of live video by default', () => {
    const minutes = (env: Record<string, string>) => readConfig(env).dvrMinutes;

    expect([minutes({}), minutes({ OSPREY_DVR_MINUTES: '0' }), minutes({ OSPREY_DVR_MINUTES: '90' })]).toEqual([
      10, 0, 90,
    ]);
    expect(refusal({ OSPREY_DVR_MINUTES: '-1' })).toContain('allowed is a number of minutes from 0 to 1440');
  });

  it('shifts no telemetry against its pictures by default, and by ten seconds at most', () => {
    const delay = (value: string) => readConfig({ OSPREY_PLAYBACK_DATA_DELAY: value }).playbackDataDelay;

    expect([readConfig({}).playbackDataDelay, delay('250'), delay('-10000')]).toEqual([0, 250, -10_000]);
    for (const wrong of ['10001', '0.5', 'soon'])
      expect(refusal({ OSPREY_PLAYBACK_DATA_DELAY: wrong })).toContain('from -10000 to 10000');
  });

  it('takes a range of ports for WebRTC, and the addresses at which browsers reach them', () => {
    const { webRtcPorts, webRtcAddresses } = readConfig({
      OSPREY_WEBRTC_PORTS: '50000-50099',
      OSPREY_WEBRTC_ADDRESS: '203.0.113.7, 10.0.0.7',
    });

    expect(webRtcPorts).toEqual([50_000, 50_099]);
    expect(webRtcAddresses).toEqual(['203.0.113.7', '10.0.0.7']);
    for (const ports of ['50000', '50099-50000', '80-90', '1-2-3', 'a-b']) {
      expect(refusal({ OSPREY_WEBRTC_PORTS: ports })).toContain('allowed is two ports from 1024 to 65535');
    }
    expect(refusal({ OSPREY_WEBRTC_ADDRESS: 'fmv.example' })).toContain('allowed is IP addresses');
  });

  it.each([
    [{ OSPREY_USER_QUOTA: '0' }, [], 'OSPREY_USER_QUOTA is "0"; allowed is a number of bytes, also with K, M, G or T'],
    [{ OSPREY_USER_QUOTA: '5 apples' }, [], 'OSPREY_USER_QUOTA is "5 apples"; allowed is'],
    [{ OSPREY_PORT: 'http' }, [], 'OSPREY_PORT is "http"; allowed is a number from 0 to 65535.'],
    [{ OSPREY_TLS_CERT: '/no/such' }, [], 'OSPREY_TLS_CERT is "/no/such"; allowed is a file that is there.'],
    [{ OSPREY_REGISTRATION: 'yes' }, [], 'OSPREY_REGISTRATION is "yes"; allowed is off, approval or open.'],
    [{ OSPREY_TRUSTED_PROXY: '10.0.0.0/99' }, [], 'OSPREY_TRUSTED_PROXY is "10.0.0.0/99"; allowed is'],
    [{ OSPREY_DATABASE_URL: 'http://u:secret@h/d' }, [], 'OSPREY_DATABASE_URL is (hidden); allowed is postgres://'],
    [{ OSPREY_WATCH: 'drop' }, [], 'OSPREY_WATCH is "drop"; allowed is absolute paths'],
    [{ OSPREY_WATCH: '/drop;label=COSMIC' }, [], 'allowed is absolute paths'],
    [{ OSPREY_OIDC_ISSUER: 'http://id.example.org' }, [], 'allowed is an https address, or http on loopback'],
    [{ OSPREY_OIDC_ISSUER: 'https://id.example.org' }, [], 'OSPREY_OIDC_CLIENT_ID belong together'],
    [{ OSPREY_OIDC_ROLES: 'root=superAdmin' }, [], 'allowed is value=admin, value=groupAdmin or value=user'],
    [{ OSPREY_OIDC_CLEARANCES: 'high=6' }, [], 'allowed is value=1 (UNCLASSIFIED) to value=5 (TOP SECRET)'],
    [{ OSPREY_SECOND_FACTOR: 'admin,boss' }, [], 'OSPREY_SECOND_FACTOR is "admin,boss"; allowed is roles'],
    [{}, ['--colour', 'red'], 'Unknown option --colour'],
    [{}, ['--port'], '--port needs a value'],
  ])('refuses %j %j', (env, args, text) => {
    expect(refusal(env as Record<string, string>, args)).toContain(text);
  });

  it.each(['osprey@db/o', 'osprey:@db/o', 'osprey:secret@db/o', 'osprey:Osprey@db/o', 'fmv:FMV@db/o'])(
    'T-116 refuses postgres://%s, whose password nobody chose',
    (address) => {
      expect(refusal({ OSPREY_DATABASE_URL: `postgres://${address}` })).toContain(
        'OSPREY_DATABASE_URL is (hidden); allowed is postgres://user:password@host:port/database, with a password',
      );
    },
  );

  it('shows live video by WebRTC and HLS by default, and takes STUN servers', () => {
    const live = (env: Record<string, string>) => {
      const { liveLowLatency, liveWebRtc, liveHls, iceServers } = readConfig(env);
      return { liveLowLatency, liveWebRtc, liveHls, iceServers };
    };

    expect(live({})).toEqual({ liveLowLatency: false, liveWebRtc: true, liveHls: true, iceServers: [] });
    expect(
      live({
        ...{ OSPREY_LIVE_LOW_LATENCY: '1', OSPREY_LIVE_WEBRTC: '0', OSPREY_LIVE_HLS: '0' },
        OSPREY_ICE_SERVERS: 'stun:stun.example.org:3478, stun:10.0.0.1',
      }),
    ).toEqual({
      ...{ liveLowLatency: true, liveWebRtc: false, liveHls: false },
      iceServers: ['stun:stun.example.org:3478', 'stun:10.0.0.1'],
    });
    expect(refusal({ OSPREY_ICE_SERVERS: 'turn:10.0.0.1' })).toContain('allowed is stun:host:port');
  });

  it('takes a LiveKit server with its key and its secret, which no refusal repeats, and a page only with these', () => {
    const secret = 'a-secret-of-at-least-32-characters';
    const env = { OSPREY_LIVEKIT_URL: 'wss://lk.example.org', OSPREY_LIVEKIT_KEY: 'osprey' };
    const page = { OSPREY_CONFERENCE_URL: 'https://meet.example.org/custom' };

    expect(readConfig({ ...env, ...page, OSPREY_LIVEKIT_SECRET: secret })).toMatchObject({ livekitSecret: secret });
    expect(refusal(env)).toContain('belong together');
    expect(refusal(page)).toContain('OSPREY_CONFERENCE_URL needs');
    expect(refusal({ ...env, OSPREY_LIVEKIT_SECRET: 'short-secret' })).not.toContain('short-secret');
    expect(refusal({ OSPREY_LIVEKIT_URL: 'ws://lk.example.org' })).toContain('allowed is wss://host');
    expect(refusal({ OSPREY_CONFERENCE_URL: 'https://meet.example.org/#x' })).toContain('without a fragment');
  });

  it('takes TURN servers with their secret only, which no refusal repeats', () => {
    const env = { OSPREY_TURN_SERVERS: 'turn:10.0.0.1:3478?transport=udp, turns:turn.example.org' };
    const { turnServers, turnSecret } = readConfig({ ...env, OSPREY_TURN_SECRET: 'between-two-servers' });

    expect(turnServers).toEqual(['turn:10.0.0.1:3478?transport=udp', 'turns:turn.example.org']);
    expect(turnSecret).toBe('between-two-servers');
    expect(refusal(env)).toContain('OSPREY_TURN_SERVERS and OSPREY_TURN_SECRET belong together');
    expect(refusal({ OSPREY_TURN_SECRET: 'between-two-servers' })).toContain('belong together');
    expect(refusal({ ...env, OSPREY_TURN_SECRET: 'short-secret' })).not.toContain('short-secret');
    expect(refusal({ OSPREY_TURN_SERVERS: 'stun:10.0.0.1' })).toContain('allowed is turn:host:port');
  });

  it('reads watched folders with label, groups and platform', () => {
    const { watch } = readConfig({ OSPREY_WATCH: '/a;label=TOP SECRET;groups=North|South;platform=Heron, /b' });

    expect(watch).toEqual([
      { path: '/a', label: 5, groups: ['North', 'South'], platform: 'Heron' },
      { path: '/b', label: null, groups: [], platform: null },
    ]);
  });

  it('T-015 refuses another address than loopback without TLS or a declared proxy', () => {
    expect(refusal({ OSPREY_HOST: '0.0.0.0' })).toContain('OSPREY_HOST is "0.0.0.0"');
    expect(refusal({ OSPREY_HOST: '0.0.0.0', OSPREY_TRUSTED_PROXY: '10.0.0.1' })).toBe('taken');
    expect(readConfig({ OSPREY_TRUSTED_PROXY: '10.0.0.1' }).trustedProxies).toEqual(['10.0.0.1']);
    expect(refusal({ OSPREY_HOST: '0.0.0.0', OSPREY_TLS_SELF_SIGNED: '1' })).toBe('taken');
    expect(refusal({ OSPREY_HOST: '127.0.0.1' })).toBe('taken');
  });
});

it('A page about a ship outside is http or https with {mmsi} once after its host', () => {
  const linkOf = (value: string) => readConfig({ OSPREY_SHIP_LINK: value }).shipLink;
  expect(readConfig({}).shipLink).toBeNull();
  for (const good of ['https://ships.test/{mmsi}', 'http://10.0.0.1:8080/?ship={mmsi}&x=1'])
    expect(linkOf(good)).toBe(good);
  for (const bad of [
    ...[
      'https://ships.test/',
      'https://{mmsi}.test/',
      'https://ships.test/{mmsi}/{mmsi}',
      'https://ships.test/{mmsi}?n={name}',
    ],
    ...['javascript:alert({mmsi})', 'ftp://ships.test/{mmsi}', 'https://a:b@ships.test/{mmsi}', '//ships.test/{mmsi}'],
  ]) {
    expect(() => linkOf(bad), bad).toThrow(/SHIP_LINK/);
  }
});
