import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { firstThose, native, tags } from './vitest.native.ts';

/** Streams in real time, whose losses are counted: at most two of these run at a time. They need no database. */
const alone = [
  'apps/server/src/recorder/recordings/{all-killed,faults,kills,outages,power-cut,soak}.test.ts',
  'apps/server/src/compose/recorder-flood.test.ts',
];

/** Measures how long an answer takes while a program will not end: nothing else may run. */
const timed = ['apps/server/src/base/ffmpeg/sandbox-beside.test.ts'];

/** These have no clock and need no server: they run after the streams. */
const pure = ['{packages,scripts,tools}/**/*.test.ts'];
/** Of the tools, those that send in real time. */
const paced = ['tools/simulator/src/live.test.ts', 'tools/test-support/live-support.test.ts'];

/**
 * Packages of the web client that component tests load as one piece: some thousand small files, read anew for each test
 * file, took longer than the tests. All that import React are among them, so that there is one React.
 */
const bundled = [
  ...['react', 'react/jsx-runtime', 'react/jsx-dev-runtime', 'react-dom', 'react-dom/client'],
  ...['@emotion/cache', '@emotion/react', '@emotion/styled'],
  ...['@mui/material', '@mui/material/styles', '@mui/material/Menu', '@mui/material/Popover'],
  ...['@tanstack/react-query', '@tanstack/react-virtual', 'react-hook-form', 'react-rnd'],
  ...['react-router', 'react-router/dom', 'zod'],
  ...['@testing-library/react', '@testing-library/user-event'],
];

/** These put other modules in the place of some, so that each file needs its own. */
const replacing = globSync('{apps,packages,tools}/**/*.test.{ts,tsx}', {
  cwd: import.meta.dirname,
  exclude: (name) => name.endsWith('node_modules'),
}).filter((file) => /^ *vi\.(?:mock|doMock)\(/m.test(readFileSync(join(import.meta.dirname, file), 'utf8')));

/**
 * Components are tested as they are shipped, with production builds of what they are made of, which also take a third less
 * of the processors' time. Vite goes by this variable.
 */
process.env.NODE_ENV = 'production';
const compiled = react({ compiler: true });
const standIn = (name: string) => join(import.meta.dirname, 'tools/test-support/react', name);
const [act, scheduler] = [standIn('act.ts'), standIn('scheduler.ts')];
const resolve = {
  alias: [
    { find: 'react-dom/test-utils', replacement: act },
    { find: /^scheduler$/, replacement: scheduler },
  ],
};
/** Vite's cache of packages depends on the names of its plugins: this one changes with the text of the stand-ins. */
const version = createHash('sha256').update(readFileSync(act)).update(readFileSync(scheduler)).digest('hex');
const plugins = [compiled, { name: `stand-ins-${version}` }];

const shared = {
  setupFiles: 'tools/test-support/patience.ts',
  // Facts are waited for, not guessed at: a busy machine takes its time.
  expect: { poll: { timeout: 60_000 } },
  // Component tests ask for jsdom on their first line; everything else runs in plain Node.
  environment: 'node',
  testTimeout: 90_000,
  hookTimeout: 120_000,
} as const;

/** A worker ends, with all that it has read and compiled, where the next file wants another environment than its own. */
const sequencer = firstThose((text) => text.startsWith('// @vitest-environment jsdom'));

const components = {
  maxWorkers: 2,
  sequence: { groupOrder: 4 },
  deps: { optimizer: { client: { enabled: true, include: bundled } } },
};
const elsewhere = ['**/node_modules/**', ...alone, ...timed];

export default defineConfig({
  test: {
    globalSetup: 'apps/server/test/postgres.ts',
    tags,
    sequence: { sequencer },
    projects: [
      { test: { ...shared, ...native, name: 'alone', include: alone, maxWorkers: 2, sequence: { groupOrder: 0 } } },
      { test: { ...shared, ...native, name: 'timed', include: timed, maxWorkers: 1, sequence: { groupOrder: 1 } } },
      {
        test: {
          ...shared,
          ...native,
          name: 'server',
          // Some of the time goes into waiting for processes and disks: two files at a time would leave a core idle.
          maxWorkers: 3,
          sequence: { groupOrder: 2 },
          // Reading the modules anew took each file a second of a processor: what a test changes in one it puts back.
          isolate: false,
          include: ['apps/server/**/*.test.ts', ...paced],
          exclude: [...elsewhere, ...replacing],
        },
      },
      {
        test: {
          ...shared,
          ...native,
          name: 'packages',
          // As in the tests of the server.
          isolate: false,
          include: pure,
          exclude: [...elsewhere, ...paced],
          maxWorkers: 2,
          sequence: { groupOrder: 3 },
        },
      },
      {
        plugins,
        resolve,
        test: {
          ...shared,
          ...components,
          name: 'page',
          // As in the tests of the server: half of the processors' time went into reading the same modules again.
          isolate: false,
          setupFiles: [shared.setupFiles, 'tools/test-support/fresh-globals.ts'],
          include: ['apps/web/**/*.test.{ts,tsx}'],
          exclude: [...elsewhere, ...replacing],
        },
      },
      {
        plugins,
        resolve,
        test: { ...shared, ...components, name: 'replacing', include: replacing, exclude: elsewhere },
      },
    ],
  },
});
