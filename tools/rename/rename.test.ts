import { expect, it } from 'vitest';
import { renamed, returning } from './rename.ts';

const path = 'server/x.ts';
const told = { from: 'told', to: 'notified' };

it('renames variables, and leaves members of objects and types as they are', () => {
  const text = "const told = row.told;\ntype Row = { told: string };\nsay('told', { told }, told);\n";
  expect(renamed(path, text, [told])).toBe(
    "const notified = row.told;\ntype Row = { told: string };\nsay('told', { told: notified }, notified);\n",
  );
});

it('renames members too where the table says so', () => {
  const text = 'const { told } = row;\nrow.told = { told: 1 };\nimport { told } from "./b.ts";\n';
  expect(renamed(path, text, [{ ...told, all: true }])).toBe(
    'const { notified } = row;\nrow.notified = { notified: 1 };\nimport { notified } from "./b.ts";\n',
  );
});

it('renames members that literal types name', () => {
  const text = "type A = Pick<Row, 'told' | 'kept'> & { told: Row['told'] };\nconst a = read<'told'>('told');\n";
  expect(renamed(path, text, [{ ...told, all: true }])).toBe(
    "type A = Pick<Row, 'notified' | 'kept'> & { notified: Row['notified'] };\nconst a = read<'told'>('told');\n",
  );
});

it('keeps types and default values of parameters', () => {
  const text = 'function f(told: string, { kept = 1 }: Row) { return told + kept; }\n';
  expect(renamed(path, text, [told, { from: 'kept', to: 'retained' }])).toBe(
    'function f(notified: string, { kept: retained = 1 }: Row) { return notified + retained; }\n',
  );
});

it('renames in the files that a line of the table names', () => {
  const text = 'const told = 1;\n';
  expect(renamed(path, text, [{ ...told, in: /^apps\/web\// }])).toBe(text);
  expect(renamed(path, text, [{ ...told, notIn: /^server\// }])).toBe(text);
});

it('renames members of the variables that a line names', () => {
  const line = { ...told, all: true, of: /^row$/ } as const;
  expect(renamed(path, "say(row.told, told, { told: other.told } as Row['told']);\n", [line])).toBe(
    "say(row.notified, told, { told: other.told } as Row['told']);\n",
  );
});

it('takes the later of two lines for a file', () => {
  const lines = [told, { from: 'told', to: 'verdicts', in: /^server\// }];
  expect(renamed(path, 'const told = 1;\n', lines)).toBe('const verdicts = 1;\n');
});

it('renames in quotes of comments, and not in text with a tag', () => {
  const text = '/** `told` is new. */\nconst told = sql`told`;\n';
  expect(renamed(path, text, [told])).toBe('/** `notified` is new. */\nconst notified = sql`told`;\n');
});

it('refuses a name that is in use in the file', () => {
  expect(() => renamed(path, 'const told = notified;\n', [told])).toThrow('the name notified is in use there');
});

it('says that functions return, in comments alone', () => {
  expect(returning('/** Answers the id. Answers of rows stay. */\nconst a = "Answers the id";\n')).toBe(
    '/** Returns the id. Answers of rows stay. */\nconst a = "Answers the id";\n',
  );
});
