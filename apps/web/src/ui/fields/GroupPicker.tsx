import { Box, Checkbox, MenuItem } from '@mui/material';
import { type Classification, classificationRank, DEMO_GROUP, type Usergroup } from '@osprey/contract';
import { fill } from '../../base/format.ts';
import { Field } from './Field.tsx';
import { texts } from './sharing-texts.ts';

type Value = { everyone: boolean; usergroups: string[] };
type Props = {
  groups: readonly Usergroup[];
  label: Classification;
  value: Value;
  onChange: (value: Value) => void;
  /** Whether "everyone" is offered; only admins share with everyone. */
  mayEveryone: boolean;
  /** The group Demo cannot be deselected for UNCLASSIFIED items. */
  demoFixed: boolean;
  problem: string | undefined;
  /** Text of an empty selection, if an item may be shared with no group. */
  nobody?: string;
};

/** Maximum height of the menu, in px (specification 1, section 9). */
const MENU_HEIGHT_PX = 224;
const EVERYONE = 'everyone';
const words = texts.audience;

/**
 * Picker for the audience of an item: everyone, or some groups. A group whose ceiling is below the label could not see
 * the item and cannot be added.
 */
export function GroupPicker(props: Props) {
  const { groups, label, value, onChange, mayEveryone, demoFixed, problem, nobody = words.nobody } = props;
  const rank = classificationRank(label);
  const demo = groups.find(({ name }) => name === DEMO_GROUP)?._id;
  const isTooLow = (group: Usergroup) => classificationRank(group.securityClassification) < rank;
  const locked = (id: string) => demoFixed && id === demo && rank === 1;
  const shown = value.usergroups.filter((id) => !(id === demo && rank > 1));
  const chosen = value.everyone ? [EVERYONE, ...shown] : shown;

  function onPick(picked: string[]) {
    const everyone = picked.includes(EVERYONE);
    const usergroups = picked.filter((id) => id !== EVERYONE);
    // Above UNCLASSIFIED, the selection of Demo is retained, so that Demo is selected again when the label is lowered.
    const keepsDemo = demo !== undefined && value.usergroups.includes(demo) && (locked(demo) || rank > 1);
    onChange({ everyone, usergroups: keepsDemo ? [...new Set([demo, ...usergroups])] : usergroups });
  }

  function textOf(ids: string[]): string {
    if (ids.includes(EVERYONE)) return words.everyone;
    const names = groups.filter(({ _id }) => ids.includes(_id)).map(({ name }) => name);
    return names.length === 0 ? nobody : names.join(', ');
  }

  return (
    <Field
      select
      label={words.label}
      value={chosen}
      onChange={(event) => onPick(event.target.value as unknown as string[])}
      problem={problem}
      slotProps={{
        select: {
          multiple: true,
          displayEmpty: true,
          renderValue: (ids) => textOf(ids as string[]),
          MenuProps: { slotProps: { paper: { sx: { maxHeight: MENU_HEIGHT_PX } } } },
        },
      }}
    >
      {mayEveryone && (
        <MenuItem value={EVERYONE}>
          <Checkbox checked={value.everyone} tabIndex={-1} aria-hidden="true" sx={{ ml: -1, mr: 1 }} />
          {words.everyone}
        </MenuItem>
      )}
      {groups.map((group) => (
        <MenuItem
          key={group._id}
          value={group._id}
          disabled={value.everyone || locked(group._id) || (isTooLow(group) && !shown.includes(group._id))}
        >
          <Checkbox
            checked={!value.everyone && shown.includes(group._id)}
            tabIndex={-1}
            aria-hidden="true"
            sx={{ ml: -1, mr: 1 }}
          />
          {group.name}
          <Box component="span" sx={{ ml: 2, color: 'text.secondary', fontSize: 12 }}>
            {fill(words.ceiling, { label: group.securityClassification })}
          </Box>
        </MenuItem>
      ))}
    </Field>
  );
}
