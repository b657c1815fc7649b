import { z } from 'zod';
import { classificationWord } from './access/labels.ts';
import { defineCall, done, id, micros } from './core/call.ts';
import { NAME_MAX } from './core/limits.ts';
import { usergroupName } from './usergroups.ts';

/** Idle time after which a room is removed, in seconds: at least 5 minutes, at most a week. */
export const EMPTY_TIMEOUT_MIN_S = 300;
export const EMPTY_TIMEOUT_MAX_S = 7 * 24 * 3600;
/** Most participants without a conference server: each browser sends to every other, too much for an ordinary line. */
export const BUILT_IN_PARTICIPANTS_MAX = 6;
/** Most participants with a conference server. */
export const PARTICIPANTS_MAX = 100;
/** Validity of a token for its room, milliseconds. */
export const CONFERENCE_TOKEN_MS = 60_000;

/** Commas and slashes would make it unreadable in addresses. */
export const roomName = z
  .string()
  .trim()
  .min(1, 'Empty room name')
  .max(NAME_MAX)
  .regex(/^[^,/\p{C}]*$/u, 'Commas, slashes and control characters are not allowed');

/** POST conference/rooms. The dialog and the server check with this same schema. */
export const newRoom = z.strictObject({
  name: roomName,
  /** Names, as the specification has it. */
  usergroups: z
    .array(usergroupName)
    .min(1, 'Choose at least one usergroup')
    .max(200)
    .transform((names) => [...new Set(names)]),
  emptyTimeout: z
    .int()
    .min(EMPTY_TIMEOUT_MIN_S, 'The idle timeout must be at least 5 minutes')
    .max(EMPTY_TIMEOUT_MAX_S, 'The idle timeout must be at most a week'),
  maxParticipants: z
    .int()
    .min(1, 'There must be room for at least 1 participant')
    .max(PARTICIPANTS_MAX, `At most ${PARTICIPANTS_MAX} participants`),
});
export type NewRoom = z.output<typeof newRoom>;

export const room = z.object({
  _id: id,
  name: z.string(),
  /** Names; only those that the caller may know of. */
  usergroups: z.array(z.string()),
  /** Seconds after the last one left until the room is removed. */
  emptyTimeout: z.int(),
  maxParticipants: z.int(),
  /** The lowest ceiling of its usergroups: nothing above it may be shown in the room. */
  securityClassification: classificationWord,
  /** Username; null where the account is gone. */
  maker: z.string().nullable(),
  created: micros,
  /** People in it now. */
  participants: z.int(),
  /** Whether the caller may delete it. */
  mayDelete: z.boolean(),
});
export type Room = z.output<typeof room>;

/** The name, or the id where two rooms have the same name. */
const params = z.object({ name: z.string().min(1).max(256) });

export const listRooms = defineCall({
  method: 'GET',
  path: '/conference/rooms',
  summary: 'Lists the conference rooms that the caller may join, by name',
  action: 'room.list',
  input: z.object({}),
  answer: z.array(room),
  errors: ['notSignedIn', 'forbidden', 'conferenceOff'],
});

export const createRoom = defineCall({
  method: 'POST',
  path: '/conference/rooms',
  summary: 'Creates a conference room for usergroups (names). Its label is the lowest ceiling of these',
  action: 'room.create',
  input: z.object({ body: newRoom }),
  answer: room,
  errors: ['invalid', 'notSignedIn', 'forbidden', 'unknownUsergroup', 'roomNameTaken', 'ruleRefused', 'conferenceOff'],
});

export const deleteRoom = defineCall({
  method: 'DELETE',
  path: '/conference/rooms/:name',
  summary: 'Deletes a conference room. Its members leave at once',
  action: 'room.delete',
  input: z.object({ params }),
  answer: done,
  errors: ['notSignedIn', 'forbidden', 'notFound', 'roomNameAmbiguous', 'conferenceOff'],
});

export const createConferenceToken = defineCall({
  method: 'POST',
  path: '/conference/token',
  lasting: true,
  summary:
    'Creates a token to join a room, valid once and for 60 s. Others see the username of the account, not ' +
    'participantName',
  action: 'room.join',
  input: z.object({ body: z.strictObject({ name: params.shape.name, participantName: z.string().min(1).max(256) }) }),
  answer: z.object({ token: z.string(), room: id }),
  errors: ['invalid', 'notSignedIn', 'forbidden', 'notFound', 'roomFull', 'conferenceOff'],
});

/** Where the socket of conferences is, below the origin of the page. */
export const CONFERENCE_SOCKET_PATH = '/api/conference/socket';

/** A public key of ECDH on P-256: the uncompressed point of 65 bytes in base64url. */
const publicKey = z.string().regex(/^B[A-Za-z0-9_-]{86}$/);

/** First message of a client: text, JSON. The key is made for this joining alone. */
export const conferenceHello = z.strictObject({ token: z.string().max(256), key: publicKey });

/** Any further message of a client: bytes that only the one named can open. The server passes them on and keeps none. */
export const conferenceRelay = z.strictObject({
  to: id,
  data: z
    .string()
    .min(1)
    .max(48 * 1024),
});

const member = z.object({
  /** Id of this visit; joining again gives another one. */
  id,
  /** Username of the account. */
  name: z.string(),
  key: publicKey,
});
export type ConferenceMember = z.output<typeof member>;

/** `elsewhere`: the same account joined in another window. */
export const leaveReasons = ['left', 'removed', 'elsewhere'] as const;

/** Messages of the server: text, JSON. Members are in the order in which they joined. */
export const conferenceMessage = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('welcome'),
    self: id,
    room: z.object({ _id: id, name: z.string(), securityClassification: classificationWord }),
    members: z.array(member),
    /**
     * The conference server that carries sound and pictures, with a token for it (60 s); null: from browser to browser.
     * `page`: a page of the site that is opened in place of ours.
     */
    media: z.object({ url: z.string(), token: z.string(), page: z.string().nullable() }).nullable(),
  }),
  z.object({ kind: z.literal('joined'), member }),
  z.object({ kind: z.literal('left'), id, reason: z.enum(leaveReasons) }),
  z.object({ kind: z.literal('relay'), from: id, data: z.string() }),
  z.object({
    kind: z.literal('end'),
    /** A whole sentence. */
    text: z.string(),
    /** `again`: another token may open the room. */
    reason: z.enum(['elsewhere', 'removed', 'refused', 'again']),
  }),
]);
export type ConferenceMessage = z.output<typeof conferenceMessage>;
