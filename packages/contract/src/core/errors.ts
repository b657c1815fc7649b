/**
 * All errors that a user or a program can encounter: code, HTTP status, and the sentence shown. `{name}` in a text is
 * replaced from the error's `values`; translations use the code as their key.
 */
export const errorCatalogue = {
  invalid: { status: 400, text: 'Some fields are not valid.' },
  passwordTooShort: { status: 400, text: 'The password needs at least {minimum} characters.' },
  passwordTooCommon: { status: 400, text: 'This password is too common. Please choose another one.' },
  plainHttp: { status: 400, text: 'Passwords are accepted over https only.' },
  unauthorized: { status: 401, text: 'Username / password not valid' },
  notSignedIn: { status: 401, text: 'Please log in.' },
  secondFactorNeeded: { status: 401, text: 'Please enter the code from your authenticator too.' },
  secondFactorSetUpNeeded: {
    status: 401,
    text: 'Your role needs a second factor. Please set it up on the login page.',
  },
  wrongSecondFactor: { status: 401, text: 'The code is not valid, or was already used.' },
  wrongSetupCode: { status: 403, text: 'The set-up code is not valid. You will find it in the console of the server.' },
  caseExportRevoked: {
    status: 403,
    text: 'You lost the right to export this case or to read one of its parts.',
  },
  exportRevoked: { status: 403, text: 'You lost the right to export one of these missions.' },
  forbidden: { status: 403, text: 'You do not have the rights for this.' },
  guestDownload: { status: 403, text: 'Guest users do not have permission to download the video.' },
  notFound: { status: 404, text: 'Not found, or not visible to you.' },
  fileMissing: { status: 404, text: 'The file is missing on the server. Please tell an administrator.' },
  fileDamaged: {
    status: 410,
    text: 'The file is damaged on the server: some of its bytes are missing. Please tell an administrator.',
  },
  linkNotGood: {
    status: 404,
    text: 'This link is no longer valid. Please ask an administrator for a new one.',
  },
  bodyTooSlow: { status: 408, text: 'The request took too long to arrive. Please try again.' },
  missionNameTaken: { status: 409, text: 'Mission name {name} already exists' },
  missionNameAmbiguous: { status: 409, text: 'Two missions have the name {name}. Please use the id.' },
  missionRenamed: { status: 409, text: 'The mission was renamed from {name}. Please use the id.' },
  userNameTaken: { status: 409, text: 'User {name} already exists' },
  usergroupNameTaken: { status: 409, text: 'Usergroup {name} already exists' },
  sensorNameTaken: { status: 409, text: 'Sensor name {name} already exists in this mission' },
  roomNameTaken: { status: 409, text: 'Room {name} already exists' },
  roomNameAmbiguous: { status: 409, text: 'Two rooms have the name {name}. Please use the id.' },
  roomFull: {
    status: 409,
    text: 'Room {name} is full: {count} people are in it. Please try again when somebody has left.',
  },
  conferenceOff: { status: 404, text: 'This server offers no conferences.' },
  usergroupInUse: {
    status: 409,
    text: 'Usergroup {name} is the only audience of {count} items. Confirm to hide them from everybody.',
  },
  backupRunning: { status: 409, text: 'A backup is being made or verified right now. Please wait until it has ended.' },
  revisionConflict: { status: 409, text: 'Somebody else changed this meanwhile. Please reload and try again.' },
  partThere: { status: 409, text: '{title} is already in the case.' },
  wouldLockOut: { status: 409, text: 'This makes the case {label}: some of its readers could no longer read it.' },
  uploadMoved: { status: 409, text: 'Upload offset mismatch. Ask for the current offset and resume there.' },
  alreadySetUp: { status: 409, text: 'The server is already set up.' },
  uploadProtocol: { status: 412, text: 'Uploads use tus 1.0.0.' },
  secondFactorThere: { status: 409, text: 'The account already has a second factor.' },
  secondFactorDemanded: { status: 409, text: 'Your role needs a second factor: it cannot be removed.' },
  bodyTooLarge: { status: 413, text: 'The request is too large.' },
  unsupportedMediaType: { status: 415, text: 'This content type is not accepted here.' },
  emptyFile: { status: 415, text: 'The file is empty.' },
  unsupportedFile: { status: 415, text: 'This file cannot be used: {reason}.' },
  rangeNotSatisfiable: { status: 416, text: 'The requested range is outside the file.' },
  labelAboveGroup: { status: 422, text: 'The label {label} is above the ceiling of the usergroups {groups}.' },
  hidesFromMaker: {
    status: 422,
    text: 'With this label and these usergroups you could not see the item yourself. Please add one of your groups.',
  },
  unknownUsergroup: { status: 422, text: 'Unknown usergroup.' },
  labelBelowMission: {
    status: 422,
    text: 'It belongs to mission {mission}, which is {label}: its label must be {label} or higher.',
  },
  widerThanMission: {
    status: 422,
    text: 'It belongs to mission {mission}: it can only be shared with usergroups that the mission is shared with.',
  },
  reasonNeeded: {
    status: 422,
    text: 'Lowering a label or widening an audience needs a reason of at least 10 characters.',
  },
  aisSpanTooLong: {
    status: 422,
    text: 'The last positions of a time that is over are looked for in 24 hours at most, and in fewer where very many ships were heard. Choose a shorter time range, or mode All.',
  },
  missionHeld: { status: 422, text: 'Mission {name} is on hold: neither it nor its files can be deleted.' },
  caseHeld: { status: 422, text: '{held}: {name} cannot be deleted.' },
  holdReasonNeeded: { status: 422, text: 'Releasing a hold needs a reason of at least 10 characters.' },
  badArchive: { status: 422, text: 'The archive was refused: {reason}.' },
  badManifest: { status: 422, text: 'The manifest was refused: {reason}.' },
  badFile: { status: 422, text: 'The file was refused: {reason}.' },
  notConverted: { status: 422, text: '{reason}. The file is kept, without pictures to play.' },
  ruleRefused: { status: 422, text: '{reason}' },
  tooManyRequests: { status: 429, text: 'Too many requests. Please wait {seconds} s and try again.' },
  tooManyUsers: { status: 429, text: 'The licence allows no more concurrent users.' },
  headersTooLarge: { status: 431, text: 'The request headers are too large.' },
  checksumMismatch: { status: 460, text: 'The bytes do not match the checksum that came with them.' },
  serverFault: { status: 500, text: 'The server failed. Please try again.' },
  unavailable: { status: 503, text: 'The server cannot do this right now. Please try again in a moment.' },
  indexDamaged: {
    status: 503,
    text: 'The index of this recording is damaged. It is being made again from the original.',
  },
  decoderMissing: {
    status: 503,
    text: 'ffmpeg is missing on the server: without it MP4, MOV and Matroska recordings cannot be read. Please ask an administrator to install it, then try again under Activity.',
  },
  renditionMissing: {
    status: 503,
    text: 'The playable copy of this recording is missing. It is being made again from the original: please try again in a moment.',
  },
  liveStarting: { status: 503, text: 'This stream is just starting. Please try again in a moment.' },
  singleSignOnDown: {
    status: 503,
    text: 'The identity provider does not answer. Please try again, or use a password.',
  },
  conferenceServerDown: {
    status: 503,
    text: 'The conference server does not answer. Please tell an administrator.',
  },
  notSetUp: { status: 503, text: 'not set up' },
  quotaReached: {
    status: 507,
    text:
      'You may store {quota} on this server, and your recordings already take {used}. Delete recordings that you ' +
      'uploaded and no longer need, or ask an administrator for more room.',
  },
  diskFull: { status: 507, text: 'There is not enough free disk space on the server.' },
} as const;

export type ErrorCode = keyof typeof errorCatalogue;

/** An error with a message for the user. Any other thrown error is a bug. */
export class AppError extends Error {
  override name = 'AppError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly values: Record<string, string>;

  constructor(code: ErrorCode, values: Record<string, string> = {}, cause?: unknown) {
    const { status, text } = errorCatalogue[code];
    super(
      text.replace(/\{(\w+)\}/g, (_all, key: string) => values[key] ?? key),
      { cause },
    );
    this.code = code;
    this.status = status;
    this.values = values;
  }

  /** Error as sent to clients: `text` is a fallback for clients without a translation. */
  toJSON() {
    return { code: this.code, status: this.status, text: this.message, values: this.values };
  }
}
