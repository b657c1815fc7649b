import { Box, Typography } from '@mui/material';
import { type Classification, DESCRIPTION_MAX, isAdmin, missionName } from '@osprey/contract';
import { useActor } from '../../api/session.ts';
import { useTags } from '../../api/useTags.ts';
import { useUsergroups } from '../../api/useUsergroups.ts';
import { FormDialog } from '../../ui/dialog/FormDialog.tsx';
import { Field } from '../../ui/fields/Field.tsx';
import { GroupPicker } from '../../ui/fields/GroupPicker.tsx';
import { LabelField } from '../../ui/fields/LabelField.tsx';
import { groupsFor } from '../../ui/fields/sharing.ts';
import { TagsField } from '../../ui/fields/TagsField.tsx';
import { LabelMark } from '../../ui/label/LabelMark.tsx';
import type { RecordForm } from './mission-form.ts';
import { texts } from './texts.ts';

type Props = {
  title: string;
  lead: string;
  /** Text of the button that sends the form. */
  submit: string;
  marked?: boolean | undefined;
  dirty: boolean;
  busy: boolean;
  onSubmit: () => void;
  onClose: () => void;
  form: RecordForm;
  onChange: (part: Partial<RecordForm>) => void;
  nameProblem: string | undefined;
  /** Reason why the name cannot be changed. */
  nameFixed?: string | undefined;
  labels: readonly Classification[];
  shareProblem: string | null;
};

const { fields, tagsHelp } = texts.mission;

/** Returns the schema's error message for an invalid name. */
export const brokenName = (name: string): string | undefined => missionName.safeParse(name).error?.issues[0]?.message;

/** Dialog for name, description, label, audience and tags of a mission that is or will be recorded. */
export function RecordFormDialog(props: Props) {
  const { title, lead, submit, marked, dirty, busy, onSubmit, onClose } = props;
  const { form, onChange, nameProblem, nameFixed, labels, shareProblem } = props;
  const actor = useActor();
  const groups = useUsergroups();
  const tags = useTags();
  return (
    <FormDialog
      title={title}
      mark={<LabelMark label={form.label} marked={marked ?? true} />}
      width={640}
      dirty={dirty}
      onClose={onClose}
      onSubmit={onSubmit}
      submitLabel={submit}
      canSubmit={nameProblem === undefined && shareProblem === null && !busy}
    >
      <Typography variant="body2" sx={{ color: 'text.secondary', mb: 4 }}>
        {lead}
      </Typography>
      <Box sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, gap: 4, alignItems: 'start' }}>
        <Field
          autoFocus={nameFixed === undefined}
          required
          disabled={nameFixed !== undefined}
          label={fields.name}
          value={form.name}
          problem={nameProblem}
          help={nameFixed}
          onChange={(event) => onChange({ name: event.target.value })}
          sx={{ gridColumn: { sm: '1 / -1' } }}
        />
        <Field
          autoFocus={nameFixed !== undefined}
          label={fields.description}
          multiline
          minRows={2}
          maxRows={6}
          value={form.description}
          onChange={(event) => onChange({ description: event.target.value })}
          slotProps={{ htmlInput: { maxLength: DESCRIPTION_MAX } }}
          sx={{ gridColumn: { sm: '1 / -1' } }}
        />
        <LabelField
          label={fields.label}
          value={form.label}
          labels={[...labels]}
          onChange={(label) => onChange({ label })}
        />
        <GroupPicker
          groups={groupsFor(actor, groups)}
          label={form.label}
          value={form}
          onChange={onChange}
          mayEveryone={isAdmin(actor)}
          demoFixed={false}
          problem={shareProblem ?? undefined}
        />
        <Box sx={{ gridColumn: { sm: '1 / -1' } }}>
          <TagsField
            label={fields.tags}
            help={tagsHelp}
            existing={tags}
            value={form.tags}
            onChange={(picked) => onChange({ tags: picked })}
          />
        </Box>
      </Box>
    </FormDialog>
  );
}
