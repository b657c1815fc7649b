import { z } from 'zod';

type Issue = Parameters<z.core.$ZodErrorMap>[0];

/** Name of the counted unit, by the origin of zod's issue. */
const counted: Record<string, string> = { string: 'characters', array: 'entries', set: 'entries' };

const kinds: Record<string, string> = {
  string: 'Must be a text',
  number: 'Must be a number',
  int: 'Must be a whole number',
  boolean: 'Must be true or false',
  array: 'Must be a list',
  object: 'Must be an object',
  record: 'Must be an object',
};

/** Returns the error of a field as a sentence for users. An error text that the schema defines takes precedence. */
export function sentenceOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'Is missing' : (kinds[issue.expected] ?? 'Not valid');
    case 'too_big':
      return boundText('At most', issue.maximum, issue.origin);
    case 'too_small':
      if (issue.minimum === 1 && issue.origin in counted) return 'Must not be empty';
      return boundText('At least', issue.minimum, issue.origin);
    case 'invalid_value':
      if (issue.input === undefined) return 'Is missing';
      return `Must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`;
    case 'unrecognized_keys':
      return `Not known here: ${issue.keys.map((key) => `"${key}"`).join(', ')}`;
    default:
      return 'Not valid';
  }
}

function boundText(bound: 'At most' | 'At least', value: number | bigint, origin: string): string {
  const unit = counted[origin];
  return unit === undefined ? `${bound} ${value}` : `${bound} ${value} ${unit}`;
}

// Zod's default messages ("Too big: expected string to have <=64 characters") are for programmers, but users see the
// errors of forms, files and calls that are validated with these schemas.
z.config({ customError: sentenceOf });
