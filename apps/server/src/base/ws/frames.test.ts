import { randomBytes, randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createApiCredential } from '@osprey/contract';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { readyDataFolder } from '../../../test/running-server.ts';
import { authorization, pidsOf, startWithAdmin } from '../../../test/running-uploads.ts';
import { basicOf } from '../../../test/server.ts';

const FRAMES = Number(process.env.OSPREY_FRAMES ?? 4000);
const GROWTH_MAX_MIB = 128;
/** Messages that a socket may send in a second, including the one with its ticket. */
const ALLOWED = 20;

const server = await startWithAdmin(await readyDataFolder());

type Frame = string | Buffer;

const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const pick = <Value>(values: readonly Value[]): Value => values[randomInt(values.length)]!;

const event = (text: string) => `42${text}`;

/**
 * Messages that no page sends; the server reads them and goes on: wrong types, deep nesting, unknown names and answers.
 */
const odd: readonly (() => Frame)[] = [
  () => event(`["UpdateConnectedUser",${deep(randomInt(1, 5000))}]`),
  () => event(`["UpdateConnectedUser",${'{"status":'.repeat(2000)}1${'}'.repeat(2000)}]`),
  () => event(`["UpdateConnectedUser",${pick(['null', '7', '[]', '{"status":{}}', '{"role":"superAdmin"}'])}]`),
  () => event(`["UpdateConnectedUser",${JSON.stringify({ status: randomBytes(60_000 / 4).toString('base64') })}]`),
  () => event(`["LiveStreamEvents",{"command":"subscribe","channel":${pick(['null', '1', '""', '["*"]', '{}'])}}]`),
  () => event(`${randomInt(1e9)}["LiveStreamEvents",{"command":"${pick(['subscribe', 'toString', ''])}"},1,null,[]]`),
  () => event(`["${pick(['__proto__', 'constructor', 'toString', 'nobody', ''])}",{"__proto__":{"x":1}}]`),
  () => event(`[${randomInt(1e9)},{}]`),
  () => `43${randomInt(1e9)}[1]`,
];
/**
 * Messages that end the connection: no packets at all, placeholders of binary data that never comes, reserved names.
 */
const broken: readonly (() => Frame)[] = [
  () => randomBytes(randomInt(1, 200)),
  () => randomBytes(randomInt(1, 200)).toString('latin1'),
  () => event(deep(randomInt(1, 5000))),
  () => event(`["${pick(['disconnect', 'connect', 'connect_error', 'newListener', 'removeListener'])}",1]`),
  () => `4${pick(['0', '1', '4', '5', '6', '7', '9'])}${pick(['', '{}', '[]', '/admin,', '"x"'])}`,
  () => `45${randomInt(1, 1e6)}-["UpdateConnectedUser",{"_placeholder":true,"num":${randomInt(-5, 1e6)}}]`,
  () => pick(['', '0', '1', '2', '5', '6', '4', '42', '42[', '42["', '40{"ticket":', '\u0000', '\ud83d']),
  () => 'x'.repeat(1024 * 1024),
];

/** A program's credential: the check of a password fills tens of MiB by itself. */
const made = await fetch(`${server.address}/api/credentials`, {
  method: 'POST',
  headers: { authorization, 'content-type': 'application/json' },
  body: JSON.stringify({ name: 'frames', days: 1 }),
});
const { username, credential } = createApiCredential.answer.parse(await made.json());
const own = { authorization: basicOf(username, credential) };

async function ticketOf(): Promise<string> {
  const answer = await fetch(`${server.address}/api/tickets`, { method: 'POST', headers: own });
  return ((await answer.json()) as { ticket: string }).ticket;
}

/** A socket with or without a ticket. `complaints`: how many of its messages the server did not understand. */
async function open(ticket: string | null) {
  const address = `${server.address.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`;
  const socket = new WebSocket(address, { perMessageDeflate: false });
  socket.on('error', () => undefined);
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  const received = { complaints: 0 };
  const answer = () => new Promise((resolve) => socket.once('message', resolve));
  await Promise.race([answer(), closed]);
  socket.on('message', (text) => {
    if (String(text).startsWith('42["error"')) received.complaints += 1;
  });
  if (ticket !== null) {
    socket.send(`40${JSON.stringify({ ticket })}`);
    await Promise.race([answer(), closed]);
  }
  return { socket, closed, received };
}

/** Sends all of it as fast as it can, and waits for the end; the closing handshake says that all was read. */
async function send(frames: readonly Frame[], ticket: string | null): Promise<number> {
  const { socket, closed, received } = await open(ticket);
  for (const frame of frames) if (socket.readyState === WebSocket.OPEN) socket.send(frame);
  socket.close();
  await closed;
  return received.complaints;
}

const memoryMib = (pid: number, field: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

it('T-075 that no page sends end no process and fill no memory', async () => {
  const { api } = pidsOf(server);
  // The frame with the ticket counts as one of the allowed, and a broken one ends the batch.
  const batch = () => [...Array.from({ length: ALLOWED - 2 }, () => pick(odd)()), pick(broken)()];
  await send(batch(), await ticketOf());
  const before = memoryMib(api, 'VmRSS');
  let sent = 0;
  let complaints = 0;
  while (sent < FRAMES) {
    const batches = Array.from({ length: 5 }, batch);
    // The last of them has no ticket.
    const reported = await Promise.all(batches.map(async (one, i) => send(one, i === 4 ? null : await ticketOf())));
    sent += batches.reduce((sum, { length }) => sum + length, 0);
    complaints += reported.reduce((sum, one) => sum + one, 0);
  }
  const growthMib = memoryMib(api, 'VmHWM') - before;

  process.stdout.write(
    `T-075: ${sent} frames, ${complaints} answered by a complaint, memory grew by ${growthMib.toFixed(0)} MiB\n`,
  );
  // The server did read the hostile frames, so the memory limit below was tested with them.
  expect(complaints).toBeGreaterThan(sent / 20);
  expect(growthMib).toBeLessThan(GROWTH_MAX_MIB);
  expect(pidsOf(server).api).toBe(api);
  expect((await fetch(`${server.address}/api/health`)).status).toBe(200);
}, 600_000);

it.each([
  ['a message that is understood', '42["UpdateConnectedUser",{"status":"x"}]'],
  ['a message that is not', '42["UpdateConnectedUser",7]'],
  ['the answer to a heartbeat', '3'],
])('T-075 cut their sender where %s comes more than 20 times in a second', async (_what, frame) => {
  const { socket, closed, received } = await open(await ticketOf());

  for (let i = 0; i < 10 * ALLOWED; i++) socket.send(frame);

  // We never close it ourselves. 1005: a closing frame came before the end, 1006: none did.
  expect([1005, 1006]).toContain(await closed);
  expect(received.complaints).toBeLessThanOrEqual(2 * ALLOWED);
});
