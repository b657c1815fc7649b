import { SvgIcon, type SvgIconProps } from '@mui/material';

type Props = Omit<SvgIconProps, 'children'> & { path: string };

/** Icon made of one SVG path. Hidden from screen readers, since the control around it has the name. */
export function Icon({ path, ...rest }: Props) {
  return (
    <SvgIcon {...rest}>
      <path d={path} />
    </SvgIcon>
  );
}
