// @vitest-environment jsdom
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { fakeApi, refusing } from '../testing/fake-api.ts';
import { show } from '../testing/show.tsx';
import { LicenceDialog } from './LicenceDialog.tsx';

afterEach(cleanup);

it('says in the words of the specification that a license could not be sent', async () => {
  const { api } = fakeApi({ 'POST /upload/license': refusing('unavailable') });
  show(<LicenceDialog onClose={() => undefined} />, { api });
  await userEvent.click(await screen.findByRole('tab', { name: 'Upload' }));

  const files = [new File(['a.b.c'], 'site.license')];
  fireEvent.change(await screen.findByTestId('files-license file'), { target: { files } });

  expect(await screen.findByText(/^License upload error - ./)).toBeDefined();
});
