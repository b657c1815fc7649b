// @vitest-environment jsdom

import { TAG_MAX, tag } from '@osprey/contract';
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { TagsField } from './TagsField.tsx';

afterEach(cleanup);

function showField() {
  const onChange = vi.fn();
  function Form() {
    const [tags, setTags] = useState<string[]>([]);
    onChange(tags);
    return <TagsField label="Tags" help="" existing={[]} value={tags} onChange={setTags} />;
  }
  render(<Form />);
  return onChange;
}

it('parts pasted text at commas and tabs, and leaves out invisible characters', async () => {
  const onChange = showField();

  await userEvent.click(screen.getByLabelText('Tags'));
  await userEvent.paste('ferry\tnorth, co\u200Bast,\u200E');
  await userEvent.keyboard('{Enter}');

  expect(onChange).toHaveBeenLastCalledWith(['ferry', 'north', 'coast']);
  expect(['ferry', 'north', 'coast'].every((text) => tag.safeParse(text).success)).toBe(true);
});

it('takes each line of a pasted column for a tag, of its whole length', async () => {
  const onChange = showField();
  const longest = 'a'.repeat(TAG_MAX);

  await userEvent.click(screen.getByLabelText('Tags'));
  await userEvent.paste(`ferry\r\nnorth coast\n${longest}\n`);
  expect(onChange).toHaveBeenLastCalledWith(['ferry', 'north coast', longest]);

  await userEvent.paste(`pier, ${longest.replaceAll('a', 'b')}`);
  await userEvent.keyboard('{Enter}');
  expect(onChange).toHaveBeenLastCalledWith(['ferry', 'north coast', longest, 'pier', 'b'.repeat(TAG_MAX)]);
});
