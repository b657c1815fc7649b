// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { StreamVideo } from './StreamVideo.tsx';
import { texts } from './texts.ts';

it('says that a video cannot be played where the browser takes no stream, and that it can be downloaded', async () => {
  render(<StreamVideo documentId="1" label="Video flight" />);

  expect(await screen.findByText(texts.viewer.unplayable, {}, { timeout: 20_000 })).toBeTruthy();
  expect(screen.getByText(texts.viewer.noneHint)).toBeTruthy();
});
