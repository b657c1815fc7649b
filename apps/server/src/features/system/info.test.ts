import { expect, it } from 'vitest';
import { askAs } from '../../../test/recordings.ts';
import { testServer } from '../../../test/server.ts';

const infoWith = async (config: Parameters<typeof testServer>[0]) =>
  (await askAs(await testServer(config), 'U0').get<Record<string, unknown>>('/api/info')).body;

it('GET info says how live video is shown, under the names of the specification', async () => {
  const usual = await infoWith({});
  const other = await infoWith({
    config: { liveWebRtc: false, liveHls: false, liveLowLatency: true, iceServers: ['stun:10.0.0.1:3478'] },
  });

  // Players ask this server itself, by WHEP: there is no other one to name.
  const ownServer = { webrtc_server_url: null, webrtc_service: 'whep' };
  expect(usual).toMatchObject({
    ...{ useWebRtcVideo: true, useLiveRtspHls: true, useLiveLowLatency: false, iceServers: [], ...ownServer },
  });
  expect(other).toMatchObject({
    ...{ useWebRtcVideo: false, useLiveRtspHls: false, useLiveLowLatency: true },
    ...{ iceServers: [{ urls: 'stun:10.0.0.1:3478' }], webrtc_server_url: null, webrtc_service: null },
  });
});

it('GET info says, under the names of the specification, whether ships are shown', async () => {
  expect(await infoWith({ config: { ais: false } })).toMatchObject({ useAis: false });
  expect(await infoWith({})).toMatchObject({ useAis: true });
});

it('GET info says, under the names of the specification, that there are no conferences', async () => {
  expect(await infoWith({ config: { conference: false } })).toMatchObject({
    useConference: false,
    ...{ conferenceServerUrl: null, conferenceServerPort: null, lk_url: null, custom_conference_server_url: null },
  });
});

it('GET info says where conferences are', async () => {
  expect(await infoWith({ config: { conferenceCreate: 'groupAdmins' } })).toMatchObject({
    ...{ useConference: true, conferenceCreate: 'groupAdmins', conferenceServerUrl: '/conference' },
    ...{ conferenceServerPort: null, lk_url: null, custom_conference_server_url: null },
  });
});

it('GET info names the conference server of the site, a page of its own before it', async () => {
  const lk_url = 'wss://lk.example.org:7443';
  const livekit = { livekitUrl: lk_url, livekitKey: 'osprey', livekitSecret: 'a secret of at least 32 characters' };
  const custom_conference_server_url = 'https://meet.example.org/custom';

  expect(await infoWith({ config: livekit })).toMatchObject({
    ...{ conferenceServerUrl: lk_url, conferenceServerPort: 7443, lk_url, custom_conference_server_url: null },
  });
  expect(await infoWith({ config: { ...livekit, conferenceUrl: custom_conference_server_url } })).toMatchObject({
    ...{ conferenceServerUrl: custom_conference_server_url, conferenceServerPort: 443 },
    ...{ lk_url, custom_conference_server_url },
  });
});
