import { AppError } from '@osprey/contract';
import { fill } from './format.ts';

const texts = {
  status: 'Server Error: {status} - {statusText}',
  noResponse: 'No response received from the server.',
  request: 'An error occurred while making the request.',
};

/** Thrown when a call ended without a response in the format of the contract. */
export class TransportError extends Error {
  override name = 'TransportError';
  /**
   * `status`: the response had an error status but not the error format of the contract; `noResponse`: there was no
   * response; `request`: the request could not be made.
   */
  readonly kind: 'status' | 'noResponse' | 'request';
  readonly status: number | null;

  constructor(kind: 'noResponse' | 'request', cause?: unknown);
  constructor(kind: 'status', cause: { status: number; statusText: string });
  constructor(kind: 'status' | 'noResponse' | 'request', cause?: unknown) {
    const answer = kind === 'status' ? (cause as { status: number; statusText: string }) : null;
    super(answer ? fill(texts.status, answer) : texts[kind], { cause });
    this.kind = kind;
    this.status = answer?.status ?? null;
  }
}

/** Maximum number of reasons in a message that disappears automatically. */
const FIELDS_MAX = 3;
/** Matches the prefix that says which part of the request a field is in, which means nothing to a user of a form. */
const PART = /^(?:body|query|params)\./;

/** Returns the message to show for an error of a call. For refused fields it names the fields and the reasons. */
export function errorText(error: unknown): string {
  if (error instanceof AppError && error.code === 'invalid') return [error.message, ...refusedFields(error)].join(' ');
  if (error instanceof AppError || error instanceof TransportError) return error.message;
  return texts.request;
}

const refusedFields = ({ values }: AppError): string[] =>
  Object.entries(values)
    .slice(0, FIELDS_MAX)
    .map(([path, reason]) => `${path.replace(PART, '')}: ${reason}.`);

export const isCode = (error: unknown, code: AppError['code']): boolean =>
  error instanceof AppError && error.code === code;
