import { SvgIcon, type SvgIconProps } from '@mui/material';

/** The product's own logo, used if the licence does not provide one. */
export function Logo(props: SvgIconProps) {
  return (
    <SvgIcon {...props} sx={{ color: 'primary.main', fontSize: 22, ...props.sx }}>
      <path d="M1 6.5c4.2.2 7.600 2.400 9.300 6.200L12 16.500l1.700-3.800C15.400 8.900 18.800 6.700 23 6.500c-.6 4.300-3 7.300-6.700 8.600L12 21l-4.300-5.900C4 13.800 1.600 10.800 1 6.500z" />
      <circle cx="12" cy="6" r="2.400" />
    </SvgIcon>
  );
}
