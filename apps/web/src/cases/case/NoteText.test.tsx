// @vitest-environment jsdom
import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { casePartOf } from '../../testing/cases.ts';
import { NoteText } from './NoteText.tsx';

afterEach(cleanup);

const snapshot = casePartOf({ kind: 'snapshot', title: 'Stern', thumbnailUrl: '/api/documents/thumbnails/a.webp' });
const drawn = (text: string, parts = [snapshot]) => render(<NoteText text={text} parts={parts} />).container;

it('T-094 draws Markdown, and nothing of HTML or of a link that could be followed', () => {
  const note = drawn(
    [
      '# Course',
      '**Two** crates, <b onclick="alert(1)">one</b> <script>alert(1)</script>',
      '',
      '<iframe src="https://example.org"></iframe>',
      '',
      '- [the report](https://example.org/a?b)',
      '- [click](javascript:alert(1))',
      '- <https://example.org/auto>',
    ].join('\n'),
  );
  expect(note.querySelector('h4')?.textContent).toBe('Course');
  expect(note.querySelector('strong')?.textContent).toBe('Two');
  expect(note.querySelectorAll('a, script, iframe, b, [onclick], [href]')).toHaveLength(0);
  expect(note.textContent).toContain('<script>alert(1)</script>');
  expect(note.textContent).toContain('the report (https://example.org/a?b)');
  expect(note.querySelectorAll('li')[2]?.textContent).toBe('https://example.org/auto');
});

it('shows pictures of parts of the case, and of nothing else', () => {
  const note = drawn(
    [
      `![At the mole](part:${snapshot._id})`,
      '![out](https://example.org/pixel.png)',
      '![data](data:image/png;base64,AAAA)',
      '![own](/api/documents/thumbnails/other.webp)',
      '![hidden](part:00000000-0000-4000-8000-ffffffffffff)',
    ].join('\n\n'),
  );
  const images = [...note.querySelectorAll('img')];
  expect(images.map(({ alt }) => alt)).toEqual(['At the mole']);
  expect(images[0]?.getAttribute('src')).toBe('/api/documents/thumbnails/a.webp');
  for (const text of ['out', 'own', 'hidden']) expect(note.textContent).toContain(`[picture not shown here: ${text}]`);
});

it('draws lists, tables, quotations and code, also of broken text', () => {
  const note = drawn(
    '> quote\n\n| a | b |\n|---|---|\n| 1 | `2` |\n\n```\n<b>\n```\n\n1. one\n   - in\n\n[unfinished](',
    [],
  );
  expect(
    [...note.querySelectorAll('blockquote, td, pre, ol > li')].map(({ textContent }) => textContent?.trim()),
  ).toEqual(['quote', '1', '2', '<b>', 'onein']);
  expect(note.textContent).toContain('[unfinished](');
});
