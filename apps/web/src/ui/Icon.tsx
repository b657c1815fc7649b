import { SvgIcon, type SvgIconProps } from '@mui/material';

type Props = Omit<SvgIconProps, 'children'> & { path: string };

/** One path of the icon set; hidden from screen readers, the control around it has the name. */
export function Icon({ path, ...rest }: Props) {
  return (
    <SvgIcon {...rest}>
      <path d={path} />
    </SvgIcon>
  );
}
