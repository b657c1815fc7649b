import { describe, expect, it } from 'vitest';
import { atEnd } from '../../test/cleanup.ts';
import type { FromGateway } from './protocol.ts';
import { gatewaySessions } from './sessions.ts';

/** Sessions of streams that never bring a picture: each waits, and has its place, until it is closed. */
function waitingRoom() {
  const watched: string[] = [];
  const sessions = gatewaySessions({
    recorder: {
      watch: (sensorId) => watched.push(sensorId),
      unwatch: (sensorId) => watched.splice(watched.indexOf(sensorId), 1),
    },
    reach: { ports: [47_000, 47_999], addresses: [], only: '127.0.0.1' },
    nowMs: () => 0,
    log: { warn: () => undefined },
  });
  const said: FromGateway[] = [];
  const open = (sensorId: string): string => {
    const session = crypto.randomUUID();
    const opening = sessions.open({ session, sensorId, offer: '' }, (message) => said.push(message));
    atEnd(async () => {
      sessions.close(session);
      await opening;
    });
    return session;
  };
  return { sessions, watched, said, open };
}

describe('the room for WebRTC sessions', () => {
  it('ends at 48 of one sensor with a sentence, and goes on with the next one that leaves', { tags: 'long' }, () => {
    const { sessions, said, open } = waitingRoom();
    const all = Array.from({ length: 48 }, () => open('one'));

    const refused = open('one');
    expect(said).toEqual([
      {
        ...{ kind: 'refused', session: refused },
        reason: 'So many watch this sensor by WebRTC now that there is no room for another.',
      },
    ]);
    sessions.close(all[0]!);
    open('one');

    expect(said.filter(({ kind }) => kind === 'refused')).toHaveLength(1);
    expect(sessions.count()).toBe(48);
  });

  it('ends at 60 of all sensors with a sentence', { tags: 'long' }, () => {
    const { sessions, watched, said, open } = waitingRoom();
    for (let n = 0; n < 60; n++) open(`sensor ${n % 3}`);

    open('another');

    expect(said.map((message) => message.kind === 'refused' && message.reason)).toEqual([
      'So many watch by WebRTC now that there is no room for another.',
    ]);
    expect(watched).toEqual(['sensor 0', 'sensor 1', 'sensor 2']);
    expect(sessions.count()).toBe(60);
  });
});
