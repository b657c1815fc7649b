import { describe, expect, it } from 'vitest';
import { createUsergroup } from '../index.ts';

const textsOf = (body: object) =>
  createUsergroup.input.safeParse({ body }).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);

describe('what is wrong with a field', () => {
  it.each([
    [{ name: 'x'.repeat(65) }, 'body.name: At most 64 characters'],
    [{}, 'body.name: Is missing'],
    [{ name: 7 }, 'body.name: Must be a text'],
    [{ name: 'Kea', liveModes: ['Radio'] }, 'body.liveModes.0: Must be one of Preview, WebRtc'],
    [{ name: 'Kea', liveModes: 'Preview' }, 'body.liveModes: Must be a list'],
  ])('is told in words for people: %j', (body, text) => {
    expect(textsOf(body)).toEqual([text]);
  });

  it('keeps the words of a rule that has its own', () => {
    expect(textsOf({ name: '' })).toEqual(['body.name: Empty usergroup name']);
  });
});
