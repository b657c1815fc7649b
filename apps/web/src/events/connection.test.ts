import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openConnection, type ServerState, waitMs } from './connection.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function fakeSocket() {
  const listeners = new Map<string, (payload: unknown) => void>();
  const socket = {
    auth: null as unknown,
    connects: 0,
    connect: () => {
      socket.connects += 1;
    },
    disconnect: () => undefined,
    emit: () => undefined,
    on: (name: string, listener: (payload: unknown) => void) => listeners.set(name, listener),
    onAny: (listener: (name: string, payload: unknown) => void) =>
      listeners.set('', (said) => listener(...(said as [string, unknown]))),
    say: (name: string, payload?: unknown) =>
      listeners.has(name) ? listeners.get(name)?.(payload) : listeners.get('')?.([name, payload]),
  };
  return socket;
}

function open(ticket = async () => 'ticket') {
  const socket = fakeSocket();
  const states: ServerState[] = [];
  const onConnected = vi.fn();
  const onReconnected = vi.fn();
  const onEvent = vi.fn();
  const connection = openConnection({
    ticket,
    createSocket: () => socket,
    onState: (state) => states.push(state),
    onEvent,
    onLost: () => undefined,
    onConnected,
    onReconnected,
    random: () => 0,
  });
  return { socket, states, onConnected, onReconnected, onEvent, connection };
}

const settle = () => vi.advanceTimersByTimeAsync(0);

it('waits from 1 s, doubling, never longer than 30 s', () => {
  expect([0, 1, 2, 3, 4, 5, 9].map((attempt) => waitMs(attempt, () => 0))).toEqual([
    1000, 2000, 4000, 8000, 16_000, 30_000, 30_000,
  ]);
  expect(waitMs(0, () => 1)).toBe(1000);
  expect(waitMs(9, () => 1)).toBe(22_500);
});

it('asks for a new ticket for each attempt and reads everything again after coming back', async () => {
  let tickets = 0;
  const { socket, states, onConnected, onReconnected } = open(async () => {
    tickets += 1;
    return `ticket ${tickets}`;
  });
  await settle();
  socket.say('connect');
  expect(states).toEqual(['Online']);
  expect(onConnected).toHaveBeenCalledOnce();
  expect(onReconnected).not.toHaveBeenCalled();

  socket.say('disconnect');
  await vi.advanceTimersByTimeAsync(1000);
  socket.say('connect');

  expect(socket.auth).toEqual({ ticket: 'ticket 2' });
  expect(states).toEqual(['Online', 'Offline', 'Reconnecting', 'Online']);
  expect(onReconnected).toHaveBeenCalledOnce();
  expect(onConnected).toHaveBeenCalledOnce();
});

it('goes on trying when no ticket is to be had', async () => {
  let refused = 0;
  const { socket } = open(async () => {
    refused += 1;
    if (refused < 3) throw new Error('gone');
    return 'ticket';
  });

  await vi.advanceTimersByTimeAsync(1000 + 2000);

  expect(socket.connects).toBe(1);
});

it('tries at once when asked to, and never after it was closed', async () => {
  const { socket, connection } = open();
  await settle();
  socket.say('connect_error');

  connection.tryNow();
  await settle();
  expect(socket.connects).toBe(2);

  socket.say('connect_error');
  connection.close();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(socket.connects).toBe(2);
});

it('hands events on by name', async () => {
  const { socket, onEvent } = open();
  await settle();

  socket.say('missions', { ids: [] });

  expect(onEvent).toHaveBeenCalledWith('missions', { ids: [] });
});
