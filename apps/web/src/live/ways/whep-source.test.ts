// @vitest-environment jsdom
import { AppError } from '@osprey/contract';
import { beforeEach, expect, it, vi } from 'vitest';
import { TransportError } from '../../base/transport-error.ts';
import { fakeApi, WithHeaders } from '../../testing/fake-api.ts';
import { info } from '../../testing/show.tsx';
import type { LiveProblem } from './live-source.ts';
import { openWhepSource } from './whep-source.ts';

const SENSOR = '00000000-0000-4000-8000-000000000001';
const SESSION = '00000000-0000-4000-8000-000000000002';

/** In the order in which it happened: what the server was asked, what the connection did. */
let events: string[] = [];
/** Number of requests for ICE servers, whose passwords expire. */
let asked = 0;

class FakeConnection {
  static made: FakeConnection[] = [];
  connectionState = 'new';
  iceGatheringState = 'complete';
  localDescription = { sdp: 'v=0' };
  onconnectionstatechange: (() => void) | null = null;
  constructor() {
    FakeConnection.made.push(this);
  }
  addTransceiver() {}
  configuration: RTCConfiguration | null = null;
  setConfiguration(configuration: RTCConfiguration) {
    this.configuration = configuration;
  }
  async setLocalDescription() {}
  async setRemoteDescription() {
    events.push('answered');
  }
  close() {
    events.push('closed');
  }
  become(state: string) {
    this.connectionState = state;
    this.onconnectionstatechange?.();
  }
}

beforeEach(() => {
  events = [];
  asked = 0;
  FakeConnection.made.length = 0;
  vi.stubGlobal('RTCPeerConnection', FakeConnection);
});

function open() {
  const problems: LiveProblem[] = [];
  const onConnected = vi.fn();
  const opening = Promise.withResolvers<WithHeaders>();
  const leaving = Promise.withResolvers<{ message: string }>();
  const { api } = fakeApi({
    'GET /info': () => ({ ...info, iceServers: [{ urls: 'turn:10.0.0.1', username: `${++asked}`, credential: 'x' }] }),
    'POST /live/:sensor/whep': () => {
      events.push('opening');
      return opening.promise;
    },
    'DELETE /live/:sensor/whep/:session': ({ params }) => {
      events.push(`leaving ${params?.session}`);
      return leaving.promise;
    },
  });
  const source = openWhepSource({
    ...{ api, video: document.createElement('video'), sensorId: SENSOR, onConnected },
    onProblem: (problem) => problems.push(problem),
  });
  const answer = () => opening.resolve(new WithHeaders('v=0', { location: `/api/live/${SENSOR}/whep/${SESSION}` }));
  const refuse = (error: unknown) => opening.reject(error);
  return { source, problems, onConnected, answer, refuse, left: () => leaving.resolve({ message: 'Ended.' }) };
}

it('notifies the server that it leaves, and closes the connection after its answer', async () => {
  const { source, answer, left } = open();
  answer();
  await vi.waitFor(() => expect(events).toEqual(['opening', 'answered']));

  source.end();
  await vi.waitFor(() => expect(events.at(-1)).toBe(`leaving ${SESSION}`));
  left();

  await vi.waitFor(() => expect(events.at(-1)).toBe('closed'));
});

it('gives back a session that the server opened after it was left', async () => {
  const { source, answer, left } = open();
  await vi.waitFor(() => expect(events).toEqual(['opening']));

  source.end();
  answer();
  left();

  await vi.waitFor(() => expect(events).toContain(`leaving ${SESSION}`));
  expect(events).not.toContain('answered');
});

it('waits for a picture once the connection is up, and reports it as lost when it breaks', async () => {
  const { problems, onConnected, answer } = open();
  answer();
  await vi.waitFor(() => expect(events).toContain('answered'));
  const [connection] = FakeConnection.made;

  connection!.become('connected');
  expect(onConnected).toHaveBeenCalledTimes(1);
  connection!.become('disconnected');

  expect(problems).toEqual([{ kind: 'lost' }]);
});

it('is tried again where it could not be opened now, and given up where the server refuses it', async () => {
  const reported: LiveProblem[] = [];
  const refused = new AppError('ruleRefused', { reason: 'The stream has B-frames.' });
  const noAnswer = new TransportError('noResponse');
  for (const error of [new AppError('liveStarting'), new AppError('unavailable'), noAnswer, refused]) {
    const { problems, refuse } = open();
    refuse(error);
    await vi.waitFor(() => expect(problems).toHaveLength(1));
    reported.push(...problems);
  }

  expect(reported).toEqual([
    { kind: 'starting' },
    { kind: 'lost' },
    { kind: 'lost' },
    { kind: 'impossible', reason: 'The stream has B-frames.' },
  ]);
});

it('opens a connection that a relay ended after its password with a new one', async () => {
  const first = open();
  first.answer();
  await vi.waitFor(() => expect(events).toEqual(['opening', 'answered']));
  FakeConnection.made[0]!.become('disconnected');

  open().answer();
  await vi.waitFor(() => expect(events).toEqual(['opening', 'answered', 'opening', 'answered']));

  expect(first.problems).toEqual([{ kind: 'lost' }]);
  const names = FakeConnection.made.map(({ configuration }) => configuration?.iceServers?.[0]?.username);
  expect(names).toEqual(['1', '2']);
});
