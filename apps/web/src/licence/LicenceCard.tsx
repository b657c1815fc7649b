import { mdiLicense } from '@mdi/js';
import { Button } from '@mui/material';
import { can, type LicenceInfo } from '@osprey/contract';
import { useState } from 'react';
import { useActor } from '../api/session.ts';
import { formatDate, NONE } from '../base/format.ts';
import { Card } from '../ui/Card.tsx';
import { laterDialog } from '../ui/dialog/later-dialog.tsx';
import { StateDot } from '../ui/StateDot.tsx';
import { texts as ui } from '../ui/texts.ts';
import { texts } from './texts.ts';
import { usageText } from './usage.ts';
import { useLicence } from './useLicence.ts';

const LicenceDialog = laterDialog(async () => (await import('./LicenceDialog.tsx')).LicenceDialog);
const LicenceViewer = laterDialog(async () => (await import('./LicenceViewer.tsx')).LicenceViewer);

const words = texts.card;

/**
 * Card of the dashboard with the licence: its state (OK or Demo), its holder, its limits next to the current use, and
 * actions.
 */
export function LicenceCard() {
  const { licence, failed, again } = useLicence();
  const [open, setOpen] = useState<'update' | 'show' | null>(null);
  const mayManage = can(useActor(), 'license.manage').allowed;
  const close = () => setOpen(null);
  const state = licence && (
    <>
      <StateDot state={licence.valid ? 'online' : 'lost'} />
      {licence.valid ? words.ok : words.demo}
    </>
  );
  const figure = failed
    ? { value: NONE, text: words.failed }
    : { value: licence?.message ?? NONE, text: licence ? (licence.company ?? words.open) : '' };

  return (
    <>
      <Card
        title={words.title}
        icon={mdiLicense}
        badge={state}
        figure={figure}
        facts={licence ? factsOf(licence.details) : mayManage ? unknownFacts : []}
      >
        {failed && <Button onClick={again}>{ui.tryAgain}</Button>}
        {mayManage && (
          <>
            <Button variant="text" onClick={() => setOpen('show')}>
              {words.show}
            </Button>
            <Button variant="text" onClick={() => setOpen('update')}>
              {words.update}
            </Button>
          </>
        )}
      </Card>
      {open === 'update' && <LicenceDialog onClose={close} />}
      {open === 'show' && <LicenceViewer onClose={close} />}
    </>
  );
}

type Details = NonNullable<LicenceInfo['details']>;

/** Placeholder lines shown until the values are loaded, so that the buttons below do not move under the pointer. */
const unknownFacts = [words.until, words.node, words.users, words.platforms, words.off].map(
  (name) => [name, NONE] as const,
);

function factsOf(details: Details | undefined) {
  if (!details) return [];
  const { expires, node, users, platforms, options } = details;
  const off = options.filter(({ on }) => !on).map(({ option }) => texts.options[option]);
  return [
    [words.until, expires === null ? words.forEver : formatDate(expires)],
    [words.node, node],
    [words.users, usageText(users)],
    [words.platforms, usageText(platforms)],
    [words.off, off.length === 0 ? words.nothing : off.join(', ')],
  ] as const;
}
