import { Box, Checkbox, Tooltip, Typography } from '@mui/material';
import { DEMO_GROUP, type Role, type Usergroup } from '@osprey/contract';
import { fill } from '../base/format.ts';
import { LabelMark } from '../ui/label/LabelMark.tsx';
import { texts } from './texts.ts';
import type { Ticks } from './ticks.ts';

type Props = {
  /** Name of the account, for accessible names. */
  name: string;
  role: Role;
  groups: readonly Usergroup[];
  member: readonly string[];
  controls: readonly string[];
  onMember: (change: Ticks) => void;
  onControls: (change: Ticks) => void;
  mayChange: boolean;
  /** Whether the groups that the account controls can be changed, which only admins may do. */
  mayControl: boolean;
};

const words = texts.detail;

/**
 * Groups of an account with their ceilings. For a super admin and a group admin, "All" is shown instead of a choice.
 */
export function GroupTable(props: Props) {
  const { name, role, groups, member, controls, onMember, onControls, mayChange, mayControl } = props;
  const all = role === 'superAdmin' || role === 'groupAdmin';
  const showsControls = role === 'groupAdmin';
  const columns = `${all ? '' : '40px '}minmax(0, 1fr) 130px${showsControls ? ' 72px' : ''}`;
  const listed = role === 'superAdmin' ? [] : groups;
  // Every account is in Demo: that is no choice, and is not counted.
  const chosen = groups.filter(({ name }) => name !== DEMO_GROUP);
  return (
    <Box>
      <Box sx={{ display: 'flex', alignItems: 'baseline', gap: 2, mb: 2 }}>
        <Typography variant="h3">{words.groups}</Typography>
        {all ? (
          <Tooltip title={role === 'superAdmin' ? words.allSuper : words.allGroupAdmin}>
            <Box component="span">{texts.all}</Box>
          </Tooltip>
        ) : (
          <Box component="span" sx={{ color: 'text.secondary' }}>
            {fill(words.groupsOf, {
              count: chosen.filter(({ _id }) => member.includes(_id)).length,
              all: chosen.length,
            })}
          </Box>
        )}
      </Box>
      {all && (
        <Typography variant="caption" component="p" sx={{ color: 'text.secondary', mb: 2 }}>
          {role === 'superAdmin' ? words.allSuper : words.allGroupAdmin}
        </Typography>
      )}
      {listed.length > 0 && (
        <Box role="table" aria-label={words.groups}>
          <Box role="row" sx={{ ...rowSx, gridTemplateColumns: columns, color: 'text.secondary', fontSize: 12 }}>
            {!all && <Box role="columnheader" aria-label={words.groups} />}
            <Box role="columnheader" aria-label={texts.columns.groups} />
            <Box role="columnheader">{words.groupLabel}</Box>
            {showsControls && (
              <Box role="columnheader" sx={{ textAlign: 'center' }}>
                {words.controls}
              </Box>
            )}
          </Box>
          {listed.map((group) => {
            const { _id: id } = group;
            const fixed = group.name === DEMO_GROUP;
            const isMember = fixed || member.includes(id);
            return (
              <Box key={id} role="row" sx={{ ...rowSx, gridTemplateColumns: columns }}>
                {!all && (
                  <Box role="cell">
                    <Checkbox
                      checked={isMember}
                      disabled={fixed || !mayChange}
                      onChange={(event) => onMember({ [id]: event.target.checked })}
                      slotProps={{ input: { 'aria-label': fill(words.groupOf, { name, group: group.name }) } }}
                    />
                  </Box>
                )}
                <Box role="cell" sx={{ fontWeight: isMember ? 600 : 400, overflowWrap: 'anywhere' }}>
                  {group.name}
                  {fixed && (
                    <Box component="span" sx={{ ml: 2, fontWeight: 400, fontSize: 12, color: 'text.secondary' }}>
                      {words.always}
                    </Box>
                  )}
                </Box>
                <Box role="cell">
                  <LabelMark label={group.securityClassification} />
                </Box>
                {showsControls && (
                  <Box role="cell" sx={{ textAlign: 'center' }}>
                    <Checkbox
                      checked={controls.includes(id)}
                      disabled={!mayControl}
                      onChange={(event) => onControls({ [id]: event.target.checked })}
                      slotProps={{ input: { 'aria-label': fill(words.controlOf, { name, group: group.name }) } }}
                    />
                  </Box>
                )}
              </Box>
            );
          })}
        </Box>
      )}
    </Box>
  );
}

const rowSx = {
  display: 'grid',
  alignItems: 'center',
  minHeight: 32,
  borderBottom: 1,
  borderColor: 'divider',
} as const;
