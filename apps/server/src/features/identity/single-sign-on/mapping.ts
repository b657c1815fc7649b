import { type Classification, classificationOf, type Role, roleNumber } from '@osprey/contract';

/** Roles that an identity provider may grant. The role superAdmin can only be granted on this server. */
const MAPPABLE: readonly Role[] = ['admin', 'groupAdmin', 'user'];

/** Parses the entries `value=meaning` of the configuration. */
const pairsOf = (entries: readonly string[]): Map<string, string> =>
  new Map(
    entries.map((entry) => {
      const at = entry.indexOf('=');
      return [entry.slice(0, at).trim(), entry.slice(at + 1).trim()];
    }),
  );

export type MappingOptions = {
  /** Names of claims; a dot selects a property of an object (`realm_access.roles`). */
  claims: { role: string; groups: string; clearance: string };
  /** Entries `claim value=admin`, or groupAdmin or user after the sign. */
  roles: readonly string[];
  /** Entries `claim value=name of a usergroup`. */
  groups: readonly string[];
  /** Entries `claim value=1`, up to 5. */
  clearances: readonly string[];
};

export type MappedRights = { role: Role; clearance: Classification; groups: string[] };

type Claims = Readonly<Record<string, unknown>>;

/**
 * Derives the rights from the claims of a sign-in. Unmapped claims grant the minimum: role user, UNCLASSIFIED, no
 * group. If several roles or clearances are given, the highest counts.
 */
export function rightsMapping({ claims: names, roles, groups, clearances }: MappingOptions) {
  const [roleOf, groupOf, clearanceOf] = [pairsOf(roles), pairsOf(groups), pairsOf(clearances)];

  const meant = (claims: Claims, name: string, meanings: Map<string, string>): string[] =>
    valuesOf(claims, name).flatMap((value) => meanings.get(value) ?? []);

  return (claims: Claims): MappedRights => {
    const requested = meant(claims, names.role, roleOf);
    const byRank = MAPPABLE.filter((role) => requested.includes(role)).sort((a, b) => roleNumber(a) - roleNumber(b));
    const ranks = meant(claims, names.clearance, clearanceOf).map(Number);
    return {
      role: byRank[0] ?? 'user',
      clearance: classificationOf(Math.max(1, ...ranks)),
      groups: [...new Set(meant(claims, names.groups, groupOf))],
    };
  };
}

function valuesOf(claims: Claims, name: string): string[] {
  let found: unknown = Object.hasOwn(claims, name) ? claims[name] : undefined;
  if (found === undefined) {
    found = claims;
    for (const part of name.split('.')) {
      const isInside = typeof found === 'object' && found !== null && Object.hasOwn(found, part);
      found = isInside ? (found as Record<string, unknown>)[part] : undefined;
    }
  }
  const values = Array.isArray(found) ? found : [found];
  return values.filter((value) => typeof value === 'string' || typeof value === 'number').map(String);
}

/** Returns a display name from the claims that providers usually send; characters not allowed in names are replaced. */
export function nameOf(claims: Claims, subject: string): string {
  const given = [claims.preferred_username, claims.email, subject].find(
    (value): value is string => typeof value === 'string' && value.trim() !== '',
  );
  const clean = (given ?? subject).replace(/[,:\p{C}]/gu, '-').trim();
  return clean.slice(0, 60) || 'user';
}
