import { AppError } from '@osprey/contract';
import { expect, it } from 'vitest';
import { errorText, TransportError } from './transport-error.ts';

it('says which fields were refused and why, three at most', () => {
  const refused = { 'body.name': 'Too long', 'query.after': 'Not a cursor', host: 'Unknown', 'body.tags.0': 'Empty' };

  expect(errorText(new AppError('invalid', refused))).toBe(
    'Some fields are not valid. name: Too long. after: Not a cursor. host: Unknown.',
  );
  expect(errorText(new AppError('invalid'))).toBe('Some fields are not valid.');
});

it('says what the server says, and what became of a call that it did not answer', () => {
  expect(errorText(new AppError('userNameTaken', { name: 'Ada' }))).toBe('User Ada already exists');
  expect(errorText(new TransportError('status', { status: 502, statusText: 'Bad Gateway' }))).toBe(
    'Server Error: 502 - Bad Gateway',
  );
  expect(errorText(new TypeError('anything'))).toBe('An error occurred while making the request.');
});
