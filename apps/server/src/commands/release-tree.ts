import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { Packed } from '../features/updates/pack.ts';
import type { Component } from './bill-of-materials.ts';

/** Our files that the built server runs from. Children that read untrusted files are started from their sources. */
const OWN = [
  'package.json',
  'package-lock.json',
  'README.md',
  'CHANGELOG.md',
  'dist/server',
  'dist/server.stamp',
  'dist/web',
  'dist/web.stamp',
  'apps/server/package.json',
  'apps/server/src',
  'packages',
  'tools/simulator',
  'scripts',
  'docs/manual',
];
const EXCLUDED = /\.test\.tsx?$/;
/** Names the lockfile that the packages were installed from, so that commands in a release install nothing. */
const LOCK_STAMP = 'node_modules/.osprey-lock-sha256';
const NODE = 'node_modules/.bin/node';
const LINKS = 'node_modules/@osprey';

/** Patterns of keys and passwords, which must never be in a release: PEM blocks, and credentials of common services. */
const SECRETS = [
  /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----\s*[A-Za-z0-9+/=]{40}/,
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/,
  /\bgh[pousr]_[A-Za-z0-9]{36}\b/,
  /\bxox[abprs]-[A-Za-z0-9-]{20,}/,
  /\bnpm_[A-Za-z0-9]{36}\b/,
  /_authToken\s*=\s*\S{16,}/,
];

export const holdsSecret = (text: string): boolean => SECRETS.some((pattern) => pattern.test(text));

/** The tree cannot become a release; the message gives the reason. */
export class NotAReleaseTree extends Error {
  override name = 'NotAReleaseTree';
}

/**
 * Files and links of a release, sorted by path.
 *
 * @throws NotAReleaseTree if one of our files holds a secret
 */
export async function* releaseTree(root: string, components: readonly Component[]): AsyncGenerator<Packed> {
  const paths: string[] = [];
  for (const top of [...OWN, ...components.map(({ path }) => path), LOCK_STAMP, NODE]) {
    for await (const path of walk(root, top))
      if (!EXCLUDED.test(path) || path.startsWith('node_modules/')) paths.push(path);
  }
  const links = await linksOfOurs(root);
  for (const path of [...paths, ...links].sort()) yield pack(root, path);
}

/** Links to folders that are in the release; the client is in it as built. */
async function linksOfOurs(root: string): Promise<string[]> {
  const names = await readdir(join(root, LINKS));
  const targets = await Promise.all(
    names.map(async (name) => ({ path: `${LINKS}/${name}`, target: await readlink(join(root, LINKS, name)) })),
  );
  return targets.flatMap(({ path, target }) => {
    const to = posix.join(posix.dirname(path), target);
    return OWN.some((top) => to === top || to.startsWith(`${top}/`) || top.startsWith(`${to}/`)) && to !== 'apps/web'
      ? [path]
      : [];
  });
}

async function pack(root: string, path: string): Promise<Packed> {
  const from = join(root, path);
  if ((await lstat(from)).isSymbolicLink()) return { path, target: await readlink(from) };
  // Packages of others are included as published, without a check for secrets.
  if (!path.startsWith('node_modules/') && holdsSecret(await readFile(from, 'latin1'))) {
    throw new NotAReleaseTree(`${path} holds what looks like a key or a password. Take it out of the tree first.`);
  }
  return { path, from };
}

/** Files and links below a folder, without nested packages: these have entries of their own in the lockfile. */
async function* walk(root: string, path: string): AsyncGenerator<string> {
  const found = await lstat(join(root, path));
  if (!found.isDirectory()) {
    yield path;
    return;
  }
  for (const { name } of await readdir(join(root, path), { withFileTypes: true })) {
    if (name !== 'node_modules') yield* walk(root, `${path}/${name}`);
  }
}
