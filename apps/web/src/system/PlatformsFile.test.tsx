// @vitest-environment jsdom
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { fakeApi, refusing } from '../testing/fake-api.ts';
import { show } from '../testing/show.tsx';
import { PlatformsFile } from './PlatformsFile.tsx';

afterEach(cleanup);

it('says in the words of the specification that a configuration could not be sent', async () => {
  const { api } = fakeApi({
    'GET /platformsConfig/versions': () => [],
    'POST /upload/platformsConfig': refusing('unavailable'),
  });
  show(<PlatformsFile onClose={() => undefined} />, { api });

  const files = [new File(['platforms: []'], 'platforms.yml')];
  fireEvent.change(await screen.findByTestId('files-the configuration'), { target: { files } });

  expect(await screen.findByText(/^File upload error - ./)).toBeDefined();
});
