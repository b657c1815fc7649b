import { Box, Checkbox, FormControlLabel, FormGroup, MenuItem, Stack } from '@mui/material';
import {
  type Classification,
  classifications,
  DESCRIPTION_MAX,
  liveModes,
  type Usergroup,
  usergroupName,
} from '@osprey/contract';
import { fill } from '../base/format.ts';
import { Field } from '../ui/fields/Field.tsx';
import { texts } from './texts.ts';

export type GroupDraft = Pick<Usergroup, 'name' | 'description' | 'securityClassification' | 'liveModes'>;

type Props = {
  draft: GroupDraft;
  onChange: (change: Partial<GroupDraft>) => void;
  disabled?: boolean;
  nameProblem: string | undefined;
  autoFocus?: boolean;
};

const words = texts.detail;

export function nameProblemOf(name: string): string | undefined {
  if (name.trim() === '') return words.nameRequired;
  return usergroupName.safeParse(name).success ? undefined : words.nameBad;
}

export function GroupFields({ draft, onChange, disabled = false, nameProblem, autoFocus = false }: Props) {
  return (
    <Stack spacing={3}>
      <Field
        label={words.name}
        autoFocus={autoFocus}
        value={draft.name}
        disabled={disabled}
        problem={nameProblem}
        onChange={(event) => onChange({ name: event.target.value })}
        slotProps={{ htmlInput: { maxLength: 64 } }}
      />
      <Field
        label={words.description}
        value={draft.description}
        disabled={disabled}
        multiline
        minRows={2}
        onChange={(event) => onChange({ description: event.target.value })}
        slotProps={{ htmlInput: { maxLength: DESCRIPTION_MAX } }}
      />
      <Field
        select
        label={words.classification}
        value={draft.securityClassification}
        disabled={disabled}
        help={fill(words.classificationHelp, { label: draft.securityClassification })}
        onChange={(event) => onChange({ securityClassification: event.target.value as Classification })}
      >
        {classifications.map((label) => (
          <MenuItem key={label} value={label}>
            {label}
          </MenuItem>
        ))}
      </Field>
      <Box role="group" aria-label={words.liveModes}>
        <Box sx={{ fontSize: 12, fontWeight: 500, color: 'text.secondary' }}>{words.liveModes}</Box>
        <FormGroup row sx={{ gap: 4 }}>
          {liveModes.map((mode) => (
            <FormControlLabel
              key={mode}
              label={texts.liveModes[mode]}
              control={
                <Checkbox
                  checked={draft.liveModes.includes(mode)}
                  disabled={disabled}
                  onChange={(event) =>
                    onChange({
                      liveModes: liveModes.filter((one) =>
                        one === mode ? event.target.checked : draft.liveModes.includes(one),
                      ),
                    })
                  }
                />
              }
            />
          ))}
        </FormGroup>
        <Box sx={{ fontSize: 12, color: 'text.secondary' }}>{words.liveHelp}</Box>
      </Box>
    </Stack>
  );
}
