import { AppError } from '@osprey/contract';
import { fill } from './format.ts';

const texts = {
  status: 'Server Error: {status} - {statusText}',
  noResponse: 'No response received from the server.',
  request: 'An error occurred while making the request.',
};

/** A call that ended without an answer of the contract's shape. */
export class TransportError extends Error {
  override name = 'TransportError';
  /** `status`: an answer without our error shape; `noResponse`: none at all; `request`: ours could not be made. */
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

/** Maximum number of causes in a message that disappears by itself. */
const FIELDS_MOST = 3;
/** Where a field is: of no use to who filled in a form. */
const PART = /^(?:body|query|params)\./;

/** The sentence to show for an error of a call; for refused fields, which and why. */
export function errorText(error: unknown): string {
  if (error instanceof AppError && error.code === 'invalid') return [error.message, ...refusedFields(error)].join(' ');
  if (error instanceof AppError || error instanceof TransportError) return error.message;
  return texts.request;
}

const refusedFields = ({ values }: AppError): string[] =>
  Object.entries(values)
    .slice(0, FIELDS_MOST)
    .map(([path, reason]) => `${path.replace(PART, '')}: ${reason}.`);

export const isCode = (error: unknown, code: AppError['code']): boolean =>
  error instanceof AppError && error.code === code;
