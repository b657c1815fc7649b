// @vitest-environment jsdom
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { fakeApi } from '../testing/fake-api.ts';
import { show } from '../testing/show.tsx';
import { EntryPage } from './EntryPage.tsx';

afterEach(cleanup);

it('does not leave for a file that is dropped on it', () => {
  show(
    <EntryPage title="Register" lead="">
      Form
    </EntryPage>,
    { api: fakeApi({}).api },
  );
  const files = { dataTransfer: { types: ['Files'], dropEffect: 'copy' } };
  const place = screen.getByText('Form');

  expect(fireEvent.dragOver(place, files)).toBe(false);
  expect(fireEvent.drop(place, files)).toBe(false);
});
