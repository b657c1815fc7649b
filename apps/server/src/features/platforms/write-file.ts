import { classificationOf, type platformConfig, platformTypes } from '@osprey/contract';
import { Document, isPair, isScalar, visit } from 'yaml';
import type { z } from 'zod';
import { isListening, shownAddress } from '../../recorder-wire/source-address.ts';
import type { StoredPlatform } from './stored.ts';

const HEAD = ` Platforms of this server. Passwords are shown as *** and stay as they are when the file is uploaded like that.
 usergroups are named; priority 1 is served first; schedule is in UTC, as "Mon-Fri 06:00-18:00".
 from names the addresses that may send; empty is any sender.`;

/** Returns the configuration of one platform: groups by name, secrets hidden. */
export function configOf(
  platform: StoredPlatform,
  groupName: (id: string) => string | undefined,
): z.input<typeof platformConfig> {
  return {
    name: platform.name,
    description: platform.description,
    type: platformTypes.find((one) => one === platform.type) ?? 'Plane',
    color: platform.color,
    // An unmarked platform gets no label in the file; without one, it is treated as having the highest label.
    ...(platform.marked ? { securityClassification: classificationOf(platform.classification) } : {}),
    audience: platform.audience,
    usergroups: platform.usergroups.flatMap((id) => groupName(id) ?? []),
    priority: platform.priority,
    autostart: platform.autostart,
    record: platform.record,
    sensors: platform.sensors.map(({ name, description, type, url, senders }) => ({
      name,
      description,
      type,
      url: shownAddress(url),
      from: senders,
    })),
  };
}

/** Writes the configuration as users edit it: plain values in the order of the documentation, secrets hidden. */
export function platformsYaml(
  platforms: readonly StoredPlatform[],
  groupName: (id: string) => string | undefined,
): string {
  const plain = platforms.map((platform) => configOf(platform, groupName));
  const document = new Document({ platforms: plain });
  document.commentBefore = HEAD;
  // Adds the comment "any sender" to listeners without allowed senders, so that an open port is not mistaken for a
  // closed one.
  visit(document, {
    Map(_key, map) {
      const url = map.get('url');
      const from = map.items.find((pair) => isPair(pair) && isScalar(pair.key) && pair.key.value === 'from');
      const isOpen = typeof url === 'string' && isListening(url) && map.getIn(['from', 0]) === undefined;
      if (isOpen && from?.value && typeof from.value === 'object')
        Object.assign(from.value, { comment: ' any sender' });
    },
  });
  return document.toString({ lineWidth: 120 });
}
