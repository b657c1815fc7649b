// @vitest-environment jsdom
import { licencePayload, productOptions } from '@osprey/contract';
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
  fireEvent.change(await screen.findByTestId('files-licence file'), { target: { files } });

  expect(await screen.findByText(/^License upload error - ./)).toBeDefined();
});

it('lists the features that the product has, and no other that a licence file may name', async () => {
  const use = { now: 0, limit: null };
  const options = productOptions.map((option) => ({ option, on: true }));
  const details = { state: 'open', node: '0000', issued: null, expires: null, users: use, platforms: use, options };
  const { api } = fakeApi({ 'GET /licenseInfo': () => ({ valid: true, message: 'OK', company: null, details }) });
  show(<LicenceDialog onClose={() => undefined} />, { api });
  await userEvent.click(await screen.findByRole('tab', { name: 'Options' }));

  await screen.findByText('Export of missions and clips');
  expect(screen.getByText('Live streams')).toBeDefined();
  expect(screen.queryByText(/AIS|Conference/)).toBeNull();
  expect(licencePayload.shape.options.parse(['ais', 'conference'])).toEqual(['ais', 'conference']);
});
