// @vitest-environment jsdom
import { type Annotation, AppError } from '@osprey/contract';
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TransportError } from '../../base/transport-error.ts';
import { type Answers, fakeApi, missionOf, newId, refusing, usergroupOf } from '../../testing/fake-api.ts';
import { admin, sessionOf, show } from '../../testing/show.tsx';
import { drafts } from '../draft.ts';
import { OpenMission } from '../open-mission.ts';
import { failureText } from '../useSaveAnnotation.ts';
import { AnnotationDialog } from './AnnotationDialog.tsx';

// WebGL is not in jsdom.
vi.mock('../draw/start-map.ts', () => ({ startDrawMap: () => Promise.reject(new Error('no WebGL')) }));

const demo = usergroupOf({ name: 'Demo' });

const annotationOf = (fields: Partial<Annotation> = {}): Annotation => ({
  ...{ _id: newId(), title: 'Search area', description: '', annotationType: 'GeoJson', type: 'FeatureCollection' },
  ...{ securityClassification: 'UNCLASSIFIED', marked: true, restricted: false, usergroups: [], audience: 'everyone' },
  ...{ tags: [], geometries: 1, vertices: 1, author: 'ana', authorId: null, creationTime: 0 },
  ...{ missionId: null, startTime: null, endTime: null, revision: 3, deletedTime: null },
  features: [{ type: 'Feature', properties: {}, geometry: { type: 'Point', coordinates: [24, 37] } }],
  ...fields,
});

beforeEach(() => {
  // jsdom lays nothing out.
  Element.prototype.scrollIntoView = () => undefined;
  localStorage.clear();
  drafts.drop();
});
afterEach(cleanup);

function opened(answers: Answers, id: string | null = null, mission: ReturnType<typeof missionOf> | null = null) {
  const onClose = vi.fn();
  const fake = fakeApi({ 'GET /usergroups': () => [demo], 'GET /tags': () => [], ...answers });
  show(
    <OpenMission value={mission}>
      <AnnotationDialog id={id} onClose={onClose} />
    </OpenMission>,
    { api: fake.api },
  );
  return { ...fake, onClose };
}

const type = (label: RegExp | string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const ok = () => screen.getByRole<HTMLButtonElement>('button', { name: 'OK' });
const tab = (name: string) => fireEvent.click(screen.getByRole('tab', { name }));

/** Without a pointer: places are typed. */
function drawTyped(places: string) {
  tab('Map');
  fireEvent.click(screen.getByText('Type places', { selector: 'summary' }));
  type('Type places', places);
  fireEvent.click(screen.getByRole('button', { name: 'Add the shape' }));
}

it('is valid with a title and a shape, says what is wrong with each field, and saves what was typed', async () => {
  const { inputsOf, onClose } = opened({ 'POST /annotations': ({ body }) => annotationOf(body as unknown as object) });
  await screen.findByRole('dialog', { name: 'New annotation' });
  expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual(['General', 'Map', 'Import']);
  expect(ok().disabled).toBe(true);

  type(/^Title/, 'a/b');
  expect(screen.getByText('Title can only contain letters, numbers, spaces, underscores, and hyphens')).toBeDefined();
  type(/^Title/, 'x'.repeat(17));
  expect(screen.getByText('Title must be 16 characters or less')).toBeDefined();
  type(/^Title/, '');
  type(/^Title/, 'Lane 1');
  type('Description', 'y'.repeat(128));
  expect(screen.getByText('Description must be 127 characters or less')).toBeDefined();
  type('Description', 'Ferries');
  expect(ok().disabled).toBe(true);

  drawTyped('37.5 24.2\nnowhere');
  expect(screen.getByText('Line 2 is not a place.')).toBeDefined();
  drawTyped(`37.5 24.2\n37°36'00"N 24°12'00"E\n35SKB5612862213`);
  expect(ok().disabled).toBe(false);
  expect(screen.getByText('1 shape. A polygon may not cross itself.')).toBeDefined();
  type('Shape title', 'North');
  fireEvent.click(ok());

  await screen.findByText('Annotation Lane 1 created.');
  expect(onClose).toHaveBeenCalledOnce();
  const [{ body }] = inputsOf('POST /annotations') as unknown as [{ body: Annotation }];
  expect(body).toMatchObject({
    title: 'Lane 1',
    description: 'Ferries',
    annotationType: 'GeoJson',
    type: 'FeatureCollection',
  });
  expect(body).toMatchObject({ securityClassification: 'UNCLASSIFIED', usergroups: [demo._id], missionId: null });
  expect(body.features[0]!.properties).toMatchObject({ featureTitle: 'North', stroke: '#F2C14E', 'stroke-width': 3 });
  expect(JSON.parse(localStorage.getItem('lastAnnotationProperties') ?? '')).toMatchObject({
    style: { 'stroke-width': 3 },
  });
});

it('closes where saving failed, says why, and offers the drawing when it is opened again', async () => {
  const answers: Answers = {
    'POST /annotations': () => {
      throw new AppError('diskFull');
    },
  };
  const { onClose } = opened(answers);
  await screen.findByRole('dialog', { name: 'New annotation' });
  type(/^Title/, 'Lane');
  drawTyped('1 2\n3 4\n5 7');
  fireEvent.click(ok());
  await screen.findByText('Error creating annotation: There is not enough free disk space on the server.');
  expect(onClose).toHaveBeenCalledOnce();

  cleanup();
  opened(answers);
  fireEvent.click(await screen.findByRole('button', { name: 'Restore it' }));
  expect(screen.getByLabelText<HTMLInputElement>(/^Title/).value).toBe('Lane');
  expect(screen.getByText('1 shape. A polygon may not cross itself.')).toBeDefined();
  expect(ok().disabled).toBe(false);
});

it('says of a failure what the server said, its status, or that there was no answer', () => {
  expect(failureText(new AppError('forbidden'))).toBe('You do not have the rights for this.');
  expect(failureText(new TransportError('status', { status: 502, statusText: 'Bad Gateway' }))).toBe(
    'HTTP 502: Bad Gateway',
  );
  expect(failureText(new TransportError('noResponse'))).toBe(
    'No response received from server. Please check your network connection.',
  );
});

it('reads the annotation by its id before it is edited, has no tab Import then, and sends what changed', async () => {
  const row = annotationOf();
  const { inputsOf } = opened({ 'GET /annotations': () => row, 'PUT /annotations/:id': () => row }, row._id);
  await screen.findByRole('tab', { name: 'General' });
  expect(inputsOf('GET /annotations')[0]).toEqual({ query: { id: row._id } });
  expect(screen.queryByRole('tab', { name: 'Import' })).toBeNull();
  expect(ok().disabled).toBe(true);
  type('Description', 'Third pass');
  fireEvent.click(ok());

  await screen.findByText('Annotation Search area edited.');
  expect(inputsOf('PUT /annotations/:id')).toEqual([
    { params: { id: row._id }, body: { description: 'Third pass', revision: 3 } },
  ]);
});

it('says why an annotation could not be read, and is closed', async () => {
  const { onClose } = opened({ 'GET /annotations': refusing('notFound') }, annotationOf()._id);
  expect((await screen.findByRole('alert')).textContent).toMatch(/^The annotation could not be read: ./);
  fireEvent.click(screen.getByText('Close'));
  expect(onClose).toHaveBeenCalledTimes(1);
});

it('only shows a restricted annotation to those who may not change it', async () => {
  const row = annotationOf({ restricted: true });
  const fake = fakeApi({ 'GET /usergroups': () => [demo], 'GET /tags': () => [], 'GET /annotations': () => row });
  show(<AnnotationDialog id={row._id} onClose={() => undefined} />, {
    api: fake.api,
    session: sessionOf({ actor: { ...admin, role: 'user' } }),
  });
  await screen.findByText('This annotation is locked: only admins can change it.');
  expect(screen.queryByRole('button', { name: 'OK' })).toBeNull();
  expect(screen.getByLabelText<HTMLInputElement>(/^Title/).disabled).toBe(true);
});

it('begins with label and audience of the mission in view, names them as the floor, and takes a time span', async () => {
  const mission = missionOf({
    name: 'COAST',
    securityClassification: 'RESTRICTED',
    audience: 'everyone',
    usergroups: [],
  });
  const { inputsOf } = opened(
    { 'POST /annotations': ({ body }) => annotationOf(body as unknown as object) },
    null,
    mission,
  );
  await screen.findByText(
    'It belongs to mission COAST: its label is RESTRICTED or higher, and only people who may see the mission can see it.',
  );
  type(/^Title/, 'Lane');
  fireEvent.click(screen.getByRole('switch', { name: 'Only during a part of the mission' }));
  type('Shown from', '2026-11-04 14:52:07');
  type('Shown until', '2026-11-04 14:52:00');
  expect(screen.getByText('The end must be after the start.')).toBeDefined();
  type('Shown until', '2026-11-04 14:53');
  drawTyped('1 2\n3 4\n5 7');
  fireEvent.click(ok());
  await screen.findByText('Annotation Lane created.');

  expect(inputsOf('POST /annotations')[0]).toMatchObject({
    body: {
      ...{ missionId: mission._id, securityClassification: 'RESTRICTED', audience: 'everyone' },
      ...{ startTime: Date.UTC(2026, 10, 4, 14, 52, 7) * 1000, endTime: Date.UTC(2026, 10, 4, 14, 53) * 1000 },
    },
  });
  expect(within(document.body).queryByText(/^Error/)).toBeNull();
});
