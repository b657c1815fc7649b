import { describe, expect, it } from 'vitest';
import { formatTimeSeconds } from '../base/format.ts';
import { actionChoices, actionText, detailText, resultText, type SentenceFacts, whoText } from './sentences.ts';

const ID = 'a9636470-20ca-459e-a6ae-978e0c1b2a3d';
const row = (fields: Partial<SentenceFacts>): SentenceFacts => ({
  ...{ action: 'mission.read', item: null, sensorName: null, outcome: 'allowed', result: null },
  ...fields,
});
const admin = { _id: ID, name: 'admin' };
const refused = (result: string, item: SentenceFacts['item'] = admin) =>
  row({ action: 'login', outcome: 'refused', result, item });

it('shows an action that it does not know by its own name', () => {
  expect(actionText('case.dissolve', {})).toBe('case.dissolve');
});

it('shows whose pictures of how long a time were viewed', () => {
  const viewed = (seconds: number) =>
    row({ action: 'sheet.read', sensorName: 'EO', result: `sensor ${ID}; ${seconds} s` });

  expect(resultText(viewed(600))).toBe('Viewed the pictures of EO, 10 min');
  expect(resultText({ ...viewed(30), sensorName: null })).toBe('Viewed the pictures of a sensor, 30 s');
  expect(actionText('sheet.read', {})).toBe('Viewed pictures');
});

it('shows moments with their seconds', () => {
  expect(formatTimeSeconds(Date.UTC(2026, 5, 1, 9, 0, 22) * 1000)).toBe('Jun 01 2026, 09:00:22');
});

describe('what was refused', () => {
  it('is never reported as done', () => {
    expect(actionText('login', {}, 'refused')).toBe('Log-in refused');
    expect(actionText('mission.delete', {}, 'refused')).toBe('Refused: deleted the mission');
    expect(resultText(row({ outcome: 'refused', result: 'forbidden' }))).toBe('Not allowed');
    expect(resultText(row({ outcome: 'refused', result: 'GET /users' }))).toBe('');
  });

  it.each([
    ['wrongPassword', 'Log-in refused for admin: wrong password'],
    ['disabled', 'Log-in refused for admin: the account is disabled'],
    ['secondFactorNeeded', 'Log-in refused for admin: a second factor is needed'],
    ['tooManyUsers', 'Log-in refused for admin: too many users for the licence'],
    ['singleSignOn', 'Log-in refused for admin: single sign-on failed'],
  ])('at a log-in with %s says who was named, and why', (result, text) => {
    expect(resultText(refused(result))).toBe(text);
  });

  it('at a log-in of a name that no account has says no name', () => {
    expect(resultText(refused('unknownUser', null))).toBe('Log-in refused for an unknown user');
    expect(resultText(refused('singleSignOn', null))).toBe('Log-in refused: single sign-on failed');
  });

  it('is shown sensibly as earlier versions wrote it: as the guest, without account and reason', () => {
    const old = refused('unauthorized', null);
    expect(resultText(old)).toBe('Log-in refused: reason not recorded');
    expect(whoText({ ...old, username: 'guest', role: 'guest' })).toEqual({ name: 'Nobody signed in', known: false });
  });
});

it('names at a refused log-in the account that was tried, and marks that the account did not act', () => {
  const attempted = { ...refused('wrongPassword'), username: null, role: null };
  expect(whoText(attempted)).toEqual({ name: 'admin (not logged in)', known: false });
  expect(whoText({ ...refused('unknownUser', null), username: null, role: null }).name).toBe('An unknown user');
  expect(whoText({ ...refused('wrongPassword'), username: 'Berit', role: 'user' })).toEqual({
    name: 'Berit',
    known: true,
  });
  expect(whoText({ ...row({ item: admin }), username: null, role: null }).name).toBe('Nobody signed in');
});

describe('a viewing', () => {
  const times = '2026-06-01T09:00:00.000Z/2026-06-01T09:00:22.500Z';
  const end = (result: string, sensorName: string | null = 'EO') =>
    resultText(row({ action: 'media.end', sensorName, result }));

  it('is a sentence with sensor, times and size', () => {
    expect(end(`sensor ${ID}; 3700000 bytes; ${times}`)).toBe('Watched EO, 09:00:00 to 09:00:22, 3.7 MB');
    expect(resultText(row({ action: 'media.begin', sensorName: 'EO', result: `sensor ${ID}` }))).toBe('EO');
  });

  it('goes without the name of a sensor that the reader may not see, and without unknown times', () => {
    expect(end(`sensor ${ID}; 3700000 bytes; ${times}`, null)).toBe('Watched a sensor, 09:00:00 to 09:00:22, 3.7 MB');
    expect(end(`sensor ${ID}; 0 bytes`)).toBe('Watched EO, 0 B');
  });

  it('over midnight has its dates', () => {
    expect(end(`sensor ${ID}; 1000 bytes; 2026-06-01T23:59:58.000Z/2026-06-02T00:00:04.000Z`)).toBe(
      'Watched EO, Jun 01 2026, 23:59:58 to Jun 02 2026, 00:00:04, 1.0 kB',
    );
  });
});

it('leaves calls and ids to the details, which have them as they were written', () => {
  const call = 'POST /missions/upload/:mission/:sensor';
  expect(resultText(row({ result: call }))).toBe('');
  expect(resultText(row({ result: `${call} interrupted` }))).toBe('Interrupted');
  expect(resultText(row({ result: `session ${ID}` }))).toBe('');
  expect(resultText(row({ result: `sensor ${ID} file ${ID}`, sensorName: 'EO' }))).toBe('EO');
  expect(resultText(row({ result: 'label=SECRET, audience' }))).toBe('label=SECRET, audience');
  expect(detailText({ ...refused('wrongPassword'), node: 'api', seq: 7, reason: null })).toBe(
    `Action: login\nResult: wrongPassword\nObject: ${ID}\nRow: api 7`,
  );
});

it('offers actions in words, with their names only where words are shared', () => {
  expect(actionChoices(['user.create', 'document.read', 'document.open', 'login'], {})).toEqual([
    { id: 'user.create', name: 'Added the user' },
    { id: 'login', name: 'Logged in' },
    { id: 'document.open', name: 'Opened the document (document.open)' },
    { id: 'document.read', name: 'Opened the document (document.read)' },
  ]);
});
