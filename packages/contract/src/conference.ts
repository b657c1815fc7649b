import { z } from 'zod';
import { classificationWord } from './access/labels.ts';
import { defineCall, done, id, micros } from './core/call.ts';
import { NAME_MAX } from './core/limits.ts';
import { usergroupName } from './usergroups.ts';

/** Minimum and maximum idle time after which a room is removed, in seconds: 5 minutes and a week. */
export const EMPTY_TIMEOUT_MIN_S = 300;
export const EMPTY_TIMEOUT_MAX_S = 7 * 24 * 3600;
/**
 * Maximum number of participants without a conference server. Each browser then sends to every other one, which needs
 * too much bandwidth for more.
 */
export const BUILT_IN_PARTICIPANTS_MAX = 6;
/** Maximum number of participants with a conference server. */
export const PARTICIPANTS_MAX = 100;
/** Validity of a token for its room, in milliseconds. */
export const CONFERENCE_TOKEN_MS = 60_000;

/** Name of a room. Commas and slashes are forbidden, since they would be ambiguous in addresses. */
export const roomName = z
  .string()
  .trim()
  .min(1, 'Empty room name')
  .max(NAME_MAX)
  .regex(/^[^,/\p{C}]*$/u, 'Commas, slashes and control characters are not allowed');

/** Body of POST conference/rooms. The dialog and the server validate with this same schema. */
export const newRoom = z.strictObject({
  name: roomName,
  /** Names of user groups, according to the specification. */
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
  /** Names of user groups, only those that the caller may know of. */
  usergroups: z.array(z.string()),
  /** Time in seconds from the departure of the last participant until the room is removed. */
  emptyTimeout: z.int(),
  maxParticipants: z.int(),
  /** Lowest ceiling of its user groups. Nothing with a higher label may be shown in the room. */
  securityClassification: classificationWord,
  /** Username of the account that created it; null if that account was deleted. */
  maker: z.string().nullable(),
  created: micros,
  /** Number of people currently in the room. */
  participants: z.int(),
  /** Whether the caller may delete it. */
  mayDelete: z.boolean(),
});
export type Room = z.output<typeof room>;

/** Name of the room, or its id if two rooms have the same name. */
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

/** Path of the conference socket, relative to the origin of the page. */
export const CONFERENCE_SOCKET_PATH = '/api/conference/socket';

/** A public key of ECDH on P-256: the uncompressed point of 65 bytes in base64url. */
const publicKey = z.string().regex(/^B[A-Za-z0-9_-]{86}$/);

/** First message of a client, as JSON text. The key is generated for this visit only. */
export const conferenceHello = z.strictObject({ token: z.string().max(256), key: publicKey });

/**
 * Any further message of a client: bytes that only the named recipient can decrypt. The server forwards them and does
 * not store them.
 */
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

/** Reasons for leaving. `elsewhere`: the same account joined in another window. */
export const leaveReasons = ['left', 'removed', 'elsewhere'] as const;

/** Messages of the server, as JSON text. Members are listed in the order in which they joined. */
export const conferenceMessage = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('welcome'),
    self: id,
    room: z.object({ _id: id, name: z.string(), securityClassification: classificationWord }),
    members: z.array(member),
    /**
     * Conference server that transmits sound and pictures, with a token for it (60 s); null if they are sent from
     * browser to browser. `page`: a page of the site that is opened instead of the built-in one.
     */
    media: z.object({ url: z.string(), token: z.string(), page: z.string().nullable() }).nullable(),
  }),
  z.object({ kind: z.literal('joined'), member }),
  z.object({ kind: z.literal('left'), id, reason: z.enum(leaveReasons) }),
  z.object({ kind: z.literal('relay'), from: id, data: z.string() }),
  z.object({
    kind: z.literal('end'),
    /** Complete sentence. */
    text: z.string(),
    /** `again`: joining with a new token may succeed. */
    reason: z.enum(['elsewhere', 'removed', 'refused', 'again']),
  }),
]);
export type ConferenceMessage = z.output<typeof conferenceMessage>;
