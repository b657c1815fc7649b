// Runs before anything is painted, while the code of the client is on its way.

const files = JSON.parse(document.querySelector('meta[name="osprey-code"]')?.content ?? '{}');
const entry = files.first?.at(-1);

/** In the place of the words that say that it is coming. */
function tellMissing(error) {
  // Readers who see only the picture must get the message too.
  document.getElementById('first-sight')?.remove();
  document.documentElement.dataset.frame = 'entry';
  document.getElementById('coming').lastChild.textContent = 'Osprey could not be loaded. Reload the page.';
  throw error;
}

/** A picture that is not there by then is not waited for. Milliseconds. */
const PICTURE_MS = 700;
/** The picture that a link was opened for; drawing the page around it would hold it up. */
let picture = null;

// First: the client comes whatever fails below, as a storage that is full or forbidden.
if (entry) {
  addEventListener('DOMContentLoaded', async () => {
    await Promise.race([picture, new Promise((late) => setTimeout(late, PICTURE_MS))]);
    import(entry).catch(tellMissing);
  });
}

// Nobody who chose light sees a dark page first. Material UI keeps the choice.
const chosen = localStorage.getItem('mui-mode');
const asSystem = chosen === 'system' && matchMedia('(prefers-color-scheme: light)').matches;
document.documentElement.dataset.scheme = chosen === 'light' || asSystem ? 'light' : 'dark';

const isMissions = location.pathname === '/missions';
const link = new URLSearchParams(location.search);

// Whose layout the first paint has: that of its page, so that nothing moves when it comes (index.html, pages/PageComing.tsx).
const FRAMES = [
  [/^\/(?:login|register|reset|setup|help)/, 'entry'],
  [/^\/(?:missions)?$/, link.has('mission') ? 'mission' : 'places'],
  [/^\/live/, 'view'],
  [/^\/(?:map|find)/, 'map'],
  [/^\/(?:admin|storage|stsupervisor|about|backups)/, 'cards'],
];
document.documentElement.dataset.frame = FRAMES.find(([path]) => path.test(location.pathname))?.[1] ?? 'table';

// The first requests of the client are sent now; src/api/early.ts hands the answers out.
const username = localStorage.getItem('username');
const credential = localStorage.getItem('password');
const early = new Map();
globalThis.ospreyEarly = early;

function ask(path, query = {}) {
  const search = new URLSearchParams(query).toString();
  const address = `/api${path}${search && `?${search}`}`;
  const bytes = new TextEncoder().encode(`${username}:${credential}`);
  const authorization = `Basic ${btoa(String.fromCharCode(...bytes))}`;
  const answer = fetch(address, { headers: { accept: 'application/json', authorization }, credentials: 'same-origin' });
  // The reader of the answer sees a failure; one that nobody reads must not stop the page.
  answer.catch(() => undefined);
  early.set(address, { authorization, atMs: performance.now(), answer });
  return answer;
}

/** Asked for at once: a copy can be taken only before the client, which takes the answer later, has read it. */
function read(answer) {
  const value = answer.then((response) => {
    if (!response.ok) throw new Error(`Answered ${response.status}`);
    return response.clone().json();
  });
  // The reader of the answer sees a failure; one that nobody reads must not stop the page.
  value.catch(() => undefined);
  return value;
}

async function askForMission(id, info) {
  const mission = read(ask(`/missions/${encodeURIComponent(id)}`));
  const sensors = await read(ask('/sensors', { missionIdOrName: id }));
  const played = sensors.filter(({ hlsProps }) => hlsProps);
  const leader = link.has('sensor') ? played.find(({ _id }) => _id === link.get('sensor')) : played[0];
  let timeline;
  for (const sensor of played) {
    const answer = ask(`/sensors/timeline/${sensor.missionId}/${sensor._id}`);
    if (sensor === leader) timeline = read(answer);
  }
  if (!leader || !files.player || !isMissions) return;
  const { begin } = await import(files.player[0]);
  const answers = [mission, timeline, info];
  await begin({ sensors, leader, link, answers, ask: (path, query) => read(ask(path, query)) });
}

/** Code that the build names in the page: asked for one by one, each would wait for the file that imports it. */
function load(files) {
  for (const href of files) {
    const hint = document.createElement('link');
    const isStyle = href.endsWith('.css');
    hint.rel = isStyle ? 'preload' : globalThis.ospreyCodeRel;
    hint.as = isStyle ? 'style' : 'script';
    hint.crossOrigin = '';
    hint.href = href;
    document.head.append(hint);
  }
}

/** So many visits of the same build, this one included. */
function countVisits(build) {
  const [known, count] = localStorage.getItem('codeVisits')?.split(' ') ?? [];
  const visits = known === build ? Number(count) + 1 : 1;
  localStorage.setItem('codeVisits', `${build} ${visits}`);
  return visits;
}

// Code fetched as a module is compiled while it comes. But Chromium, which keeps compiled code from the second visit
// on, takes it up again only where it was fetched as a script.
globalThis.ospreyCodeRel = entry && countVisits(entry) > 2 ? 'preload' : 'modulepreload';
load(files.first ?? []);

const mission = link.get('mission');
if (username && credential) {
  const [, , info] = ['/users/authenticated', '/users/groups', '/info'].map((path) => ask(path));
  if (mission) picture = askForMission(mission, read(info)).catch(() => undefined);
}
if (isMissions) {
  load(files.missions ?? []);
  if (mission) load([...(files.player ?? []), ...(files.mission ?? [])]);
}
