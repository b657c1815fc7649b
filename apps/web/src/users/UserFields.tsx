import { Box, MenuItem } from '@mui/material';
import {
  type Actor,
  type Classification,
  classificationRank,
  classifications,
  type Role,
  roleNumber,
  roles,
} from '@osprey/contract';
import { fill } from '../base/format.ts';
import { texts as shell } from '../base/texts.ts';
import { CountryPicker } from '../ui/fields/CountryPicker.tsx';
import { allCountries } from '../ui/fields/countries.ts';
import { Field } from '../ui/fields/Field.tsx';
import { texts } from './texts.ts';

/** Values of the fields of an account while they are edited. */
export type Draft = {
  firstName: string;
  lastName: string;
  company: string;
  email: string;
  country: string;
  authorizationRole: Role;
  securityClearance: Classification;
  usergroups: readonly string[];
  usergroupsAdmin: readonly string[];
};

type Props = {
  actor: Actor;
  draft: Draft;
  onChange: (change: Partial<Draft>) => void;
  mayEdit: boolean;
  mayGiveRights: boolean;
  emailProblem: string | undefined;
};

const words = texts.detail;

/** Fields for names, company, address, role and clearance. Rights that the user may not grant are not offered. */
export function UserFields({ actor, draft, onChange, mayEdit, mayGiveRights, emailProblem }: Props) {
  const text = (key: 'firstName' | 'lastName' | 'company', autoComplete: string) => (
    <Field
      label={words[key]}
      value={draft[key]}
      disabled={!mayEdit}
      onChange={(event) => onChange({ [key]: event.target.value })}
      slotProps={{ htmlInput: { maxLength: 100, autoComplete } }}
    />
  );
  const givenRoles = roles.filter((role) => role !== 'guest' && roleNumber(role) > roleNumber(actor.role));
  const roleChoices = roles.filter((role) => givenRoles.includes(role) || role === draft.authorizationRole);
  const labels = classifications.filter(
    (label) => classificationRank(label) <= classificationRank(actor.clearance) || label === draft.securityClearance,
  );
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, gap: 3, alignItems: 'start' }}>
      {text('firstName', 'off')}
      {text('lastName', 'off')}
      {text('company', 'off')}
      <Field
        label={words.email}
        type="email"
        value={draft.email}
        disabled={!mayEdit}
        problem={emailProblem}
        onChange={(event) => onChange({ email: event.target.value })}
        slotProps={{ htmlInput: { maxLength: 254, autoComplete: 'off' } }}
      />
      {mayEdit ? (
        <CountryPicker
          label={words.country}
          countries={allCountries}
          value={
            allCountries.find(({ name, code }) => name === draft.country || code === draft.country.toUpperCase()) ??
            null
          }
          onChange={(country) => onChange({ country: country?.name ?? '' })}
        />
      ) : (
        <Field label={words.country} value={draft.country} disabled />
      )}
      <Field
        select
        label={words.role}
        value={draft.authorizationRole}
        disabled={!mayGiveRights}
        onChange={(event) => onChange({ authorizationRole: event.target.value as Role })}
      >
        {roleChoices.map((role) => (
          <MenuItem key={role} value={role}>
            {shell.roles[role]}
          </MenuItem>
        ))}
      </Field>
      <Field
        select
        label={words.clearance}
        value={draft.securityClearance}
        disabled={!mayGiveRights}
        help={fill(words.clearanceHelp, { label: draft.securityClearance })}
        onChange={(event) => onChange({ securityClearance: event.target.value as Classification })}
      >
        {labels.map((label) => (
          <MenuItem key={label} value={label}>
            {label}
          </MenuItem>
        ))}
      </Field>
    </Box>
  );
}
