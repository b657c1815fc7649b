// @vitest-environment jsdom
import { type Annotation, AppError } from '@osprey/contract';
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TransportError } from '../../base/transport-error.ts';
import { readMapProps, writeMapProps } from '../../map/map-storage.ts';
import { type Answers, fakeApi, missionOf, newId, refusing, usergroupOf } from '../../testing/fake-api.ts';
import { admin, sessionOf, show } from '../../testing/show.tsx';
import { drafts } from '../draft.ts';
import type { MapPlace } from '../draw/map-place.ts';
import { OpenMission } from '../open-mission.ts';
import { failureText } from '../useSaveAnnotation.ts';
import type { DrawnOnVideo } from '../video/drawing.ts';
import { AnnotationDialog } from './AnnotationDialog.tsx';

// Shows the dialog annotations/dialog/OpeningAnnotation.tsx FormDialog

// WebGL is not in jsdom: without a map of its own a test has none.
const noMap = () => Promise.reject(new Error('no WebGL'));
type MapOptions = { now: { current: { place: MapPlace; onPlace: (place: MapPlace) => void } } };
let startDrawMap: (options: MapOptions) => Promise<unknown> = noMap;
vi.mock('../draw/start-map.ts', () => ({ startDrawMap: (options: MapOptions) => startDrawMap(options) }));

const demo = usergroupOf({ name: 'Demo' });

const annotationOf = (fields: Partial<Annotation> = {}): Annotation => ({
  ...{ _id: newId(), title: 'Search area', description: '', annotationType: 'GeoJson', type: 'FeatureCollection' },
  ...{ securityClassification: 'UNCLASSIFIED', marked: true, restricted: false, usergroups: [], audience: 'everyone' },
  ...{ tags: [], geometries: 1, vertices: 1, author: 'ana', authorId: null, creationTime: 0 },
  ...{ missionId: null, startTime: null, endTime: null, frame: null, revision: 3, deletedTime: null },
  features: [{ type: 'Feature', properties: {}, geometry: { type: 'Point', coordinates: [24, 37] } }],
  ...fields,
});

beforeEach(() => {
  // jsdom lays nothing out.
  Element.prototype.scrollIntoView = () => undefined;
  localStorage.clear();
  drafts.drop();
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  startDrawMap = noMap;
});

function opened(
  answers: Answers,
  id: string | null = null,
  mission: ReturnType<typeof missionOf> | null = null,
  drawn?: DrawnOnVideo,
) {
  const onClose = vi.fn();
  const fake = fakeApi({ 'GET /usergroups': () => [demo], 'GET /tags': () => [], ...answers });
  show(
    <OpenMission value={mission}>
      <AnnotationDialog id={id} {...(drawn && { drawn })} onClose={onClose} />
    </OpenMission>,
    { api: fake.api },
  );
  return { ...fake, onClose };
}

const type = (label: RegExp | string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const ok = () => screen.getByRole<HTMLButtonElement>('button', { name: /^(?:Create|Save)$/ });
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

it('says on the other tabs which field of General keeps it from being saved', async () => {
  opened({});
  await screen.findByRole('dialog', { name: 'New annotation' });
  drawTyped('1 2\n3 4\n5 7');
  expect(screen.getByText('Tab General: Title is required')).toBeDefined();
  type(/^Title/, 'A title that is too long');
  expect(screen.getByText('Tab General: Title must be 16 characters or less')).toBeDefined();
  type(/^Title/, 'Lane');
  expect(screen.getByText('1 shape. A polygon may not cross itself.')).toBeDefined();
});

it('makes a rectangle, range rings and a sector of typed places', async () => {
  const { inputsOf } = opened({ 'POST /annotations': ({ body }) => annotationOf(body as unknown as object) });
  await screen.findByRole('dialog', { name: 'New annotation' });
  type(/^Title/, 'Typed');
  tab('Map');
  const choose = (kind: string) => {
    fireEvent.mouseDown(screen.getByRole('combobox', { name: 'Shape' }));
    fireEvent.click(screen.getByRole('option', { name: kind }));
  };
  fireEvent.click(screen.getByText('Type places', { selector: 'summary' }));
  const add = (kind: string, places: string) => {
    choose(kind);
    type('Type places', places);
    fireEvent.click(screen.getByRole('button', { name: 'Add the shape' }));
  };
  add('Rectangle', '1 2\n3 4\n5 6');
  expect(screen.getByText('A rectangle needs two places, its opposite corners.')).toBeDefined();
  add('Rectangle', '37 24\n38 25');
  add('Range rings', '37 24');
  add('Sector', '37 24');
  fireEvent.click(ok());
  await screen.findByText('Annotation Typed created.');

  const [{ body }] = inputsOf('POST /annotations') as unknown as [{ body: Annotation }];
  expect(body.features.map(({ properties: { shape, radius } }) => [shape, radius])).toEqual([
    ['rectangle', undefined],
    ['rings', 1852],
    ['sector', 1852],
  ]);
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
  expect(screen.queryByRole('button', { name: /^(?:Create|Save)$/ })).toBeNull();
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

it('keeps what was drawn on video with its frame, and says which picture that is', async () => {
  const mission = missionOf({ name: 'Kea', audience: 'everyone' });
  const sensorId = mission.sensors[0]!._id;
  const timeUs = Date.UTC(2026, 10, 4, 14, 52, 7, 480) * 1000;
  const feature: Annotation['features'][number] = {
    ...{ type: 'Feature', properties: {}, geometry: { type: 'Point', coordinates: [24, 37] } },
  };
  const { inputsOf } = opened(
    { 'POST /annotations': ({ body }) => annotationOf({ ...(body as unknown as object), frame: null }) },
    null,
    mission,
    { feature, sensorId, timeUs },
  );
  await screen.findByText(/^Drawn on the picture of EO\/IR at .*14:52:07\.480 Z/);
  type(/^Title/, 'Wake');
  fireEvent.click(ok());
  await screen.findByText('Annotation Wake created.');
  expect(inputsOf('POST /annotations')[0]).toMatchObject({
    body: { missionId: mission._id, frame: { sensorId, time: timeUs }, startTime: Math.floor(timeUs / 1e6) * 1e6 },
  });
});

it('gives a shape its stroke and fill, with widths of 1 to 20 and opacities of 0 to 1 in steps of 0.1', async () => {
  const { inputsOf } = opened({ 'POST /annotations': ({ body }) => annotationOf(body as unknown as object) });
  await screen.findByRole('dialog', { name: 'New annotation' });
  type(/^Title/, 'Lane');
  drawTyped('1 2\n3 4\n5 7');
  const slide = (name: string, value: string) => {
    const slider = screen.getByRole<HTMLInputElement>('slider', { name });
    fireEvent.change(slider, { target: { value } });
    return [slider.min, slider.max, slider.step, slider.value];
  };
  expect(slide('Stroke width', '20')).toEqual(['1', '20', '1', '20']);
  expect(slide('Stroke opacity', '0.7')).toEqual(['0', '1', '0.1', '0.7']);
  expect(slide('Fill opacity', '0.4')).toEqual(['0', '1', '0.1', '0.4']);
  const swatch = (name: string) =>
    screen.getAllByLabelText<HTMLInputElement>(name).find((input) => input.type === 'color')!;
  fireEvent.change(swatch('Stroke colour'), { target: { value: '#112233' } });
  fireEvent.change(swatch('Fill colour'), { target: { value: '#aabbcc' } });
  fireEvent.click(ok());
  await screen.findByText('Annotation Lane created.');

  const [{ body }] = inputsOf('POST /annotations') as unknown as [{ body: Annotation }];
  expect(body.features[0]!.properties).toMatchObject({
    ...{ stroke: '#112233', 'stroke-width': 20, 'stroke-opacity': 0.7 },
    ...{ 'fill-color': '#AABBCC', 'fill-opacity': 0.4 },
  });
});

it('takes its map to where the main map is', async () => {
  const map = { jumpTo: vi.fn(), resize: vi.fn(), getCenter: () => ({ lng: 0, lat: 0 }) };
  startDrawMap = async () => ({ map, drawing: { setUnit: () => undefined }, end: () => undefined });
  writeMapProps({ ...readMapProps(), center: [24, 37], zoom: 9, moved: true });
  opened({});
  await screen.findByRole('dialog', { name: 'New annotation' });
  tab('Map');
  const sync = screen.getByRole<HTMLButtonElement>('button', { name: 'Sync to centre' });
  await vi.waitFor(() => expect(sync.disabled).toBe(false));
  fireEvent.click(sync);
  expect(map.jumpTo).toHaveBeenCalledExactlyOnceWith({ center: [24, 37], zoom: 9 });
});

it('keeps style, place and zoom of the map for the next annotation', async () => {
  const map = { jumpTo: vi.fn(), resize: vi.fn(), getCenter: () => ({ lng: 0, lat: 0 }) };
  startDrawMap = async ({ now }) => {
    const { place, onPlace } = now.current;
    onPlace({ ...place, center: [24.25, 37.5], zoom: 11 });
    return { map, drawing: { setUnit: () => undefined }, show: () => undefined, end: () => undefined };
  };
  opened({ 'POST /annotations': ({ body }) => annotationOf(body as unknown as object) });
  await screen.findByRole('dialog', { name: 'New annotation' });
  type(/^Title/, 'Lane 1');
  tab('Map');
  const sync = screen.getByRole<HTMLButtonElement>('button', { name: 'Sync to centre' });
  await vi.waitFor(() => expect(sync.disabled).toBe(false));
  drawTyped('37.5 24.2\n37.6 24.2\n37.6 24.3');
  fireEvent.click(ok());

  await screen.findByText('Annotation Lane 1 created.');
  expect(JSON.parse(localStorage.getItem('lastAnnotationProperties') ?? '')).toMatchObject({
    ...{ style: { 'stroke-width': 3 }, center: [24.25, 37.5], zoom: 11 },
  }); // S2-384 S2-540
});

it('imports one file, shows how much of it is sent, says what is no JSON, and draws what is', async () => {
  vi.stubGlobal('XMLHttpRequest', SentRequest);
  opened({});
  await screen.findByRole('dialog', { name: 'New annotation' });
  tab('Import');
  const choose = (...names: string[]) =>
    fireEvent.change(screen.getByTestId('files-Import'), {
      target: { files: names.map((name) => new File(['x'], name)) },
    });
  expect(screen.getByText('Drop a JSON or GeoJSON file', { exact: false })).toBeDefined();
  expect(screen.getByTestId<HTMLInputElement>('files-Import').accept).toMatch(/^\.json,\.geojson,/);
  choose('a.json', 'b.geojson');
  await screen.findByText('Only one file can be imported at a time.');
  cleanup();

  opened({});
  await screen.findByRole('dialog', { name: 'New annotation' });
  tab('Import');
  choose('lane.geojson');
  const bar = screen.getByRole('progressbar', { name: 'Reading lane.geojson' });
  act(() => lastSent().progress(50, 200));
  expect(bar.getAttribute('aria-valuenow')).toBe('25');
  act(() => lastSent().answer(422, { code: 'badFile', values: { reason: 'it is not valid JSON' } }));
  await screen.findByText('Not a valid JSON file.');

  choose('lane.geojson');
  const { features } = annotationOf();
  const parts = [{ title: 'Lane', features }];
  const securityClassification = 'CONFIDENTIAL';
  const count = { moreRemarks: 0, vertices: 1, keptVertices: 1 };
  act(() => lastSent().answer(200, { format: 'geojson', securityClassification, parts, remarks: [], ...count }));
  await screen.findByText(/added\. The file states the label CONFIDENTIAL\.$/);
  expect(screen.getByRole('combobox', { name: /^Security classification/, hidden: true }).textContent).toBe(
    'CONFIDENTIAL',
  );
  // The usergroup that a new annotation begins with does not reach it.
  await screen.findByText(/^Tab General: /);
  expect(screen.getByRole('tab', { name: 'Map' }).getAttribute('aria-selected')).toBe('true');
  expect(screen.getByLabelText<HTMLInputElement>(/^Title/).value).toBe('lane');
});

/** A request that is answered by the test. */
class SentRequest extends EventTarget {
  static last: SentRequest | null = null;
  upload = new EventTarget();
  status = 0;
  statusText = '';
  responseText = '';
  open() {
    SentRequest.last = this;
  }
  setRequestHeader() {}
  send() {}
  abort() {}
  progress(loaded: number, total: number) {
    this.upload.dispatchEvent(new ProgressEvent('progress', { loaded, total }));
  }
  answer(status: number, body: object) {
    Object.assign(this, { status, responseText: JSON.stringify(body) });
    this.dispatchEvent(new Event('load'));
  }
}
const lastSent = () => SentRequest.last!;
