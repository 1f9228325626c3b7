// Line icons on a 16 px grid. Decoration only: the control that carries one brings the words.
import type { ReactNode } from 'react';

const PATHS = {
  plus: <path d="M8 3v10M3 8h10" />,
  flask: <path d="M6 2h4M6.5 2v4L3 12.2A1.2 1.2 0 0 0 4 14h8a1.2 1.2 0 0 0 1-1.8L9.5 6V2M5 10h6" />,
  rows: <path d="M2 4h12M2 8h12M2 12h12M5.5 2v12" />,
  trace: <path d="M1.5 11.5 4 7l2 3 2.5-7 2.5 9 1.5-4h2" />,
  cca: <path d="M2 13.5V11l4-6 3.5 4L14 3.5M14 3.5h-3.5M14 3.5V7" />,
  study: (
    <path d="M8 4.2C6.6 3 4.8 2.8 2 3v9.4c2.8-.2 4.6 0 6 1.2 1.4-1.2 3.2-1.4 6-1.2V3c-2.8-.2-4.6 0-6 1.2M8 4.2v9.2" />
  ),
  doctor: <path d="M4 2v3.5a3 3 0 0 0 6 0V2M7 8.5v2a3.5 3.5 0 0 0 7 0V9M14 9a1.4 1.4 0 1 0 0-2.8A1.4 1.4 0 0 0 14 9" />,
  upload: <path d="M8 10.5V2.5M5 5.5l3-3 3 3M2.5 10v2.5a1 1 0 0 0 1 1h9a1 1 0 0 0 1-1V10" />,
  download: <path d="M8 2.5v8M5 7.5l3 3 3-3M2.5 10v2.5a1 1 0 0 0 1 1h9a1 1 0 0 0 1-1V10" />,
  play: <path d="M4.5 2.8v10.4L13 8z" fill="currentColor" />,
  pause: <path d="M5 3v10M11 3v10" strokeWidth="2.2" />,
  stop: <rect x="3.5" y="3.5" width="9" height="9" rx="1" fill="currentColor" />,
  sampleBack: <path d="M11 3.5 5 8l6 4.5z" />,
  sampleOn: <path d="m5 3.5 6 4.5-6 4.5z" />,
  eventBack: <path d="M12.5 3.5 6.5 8l6 4.5zM3.5 3.5v9" fill="currentColor" />,
  eventOn: <path d="m3.5 3.5 6 4.5-6 4.5zM12.5 3.5v9" fill="currentColor" />,
  loop: <path d="M4 10.5a4 4 0 0 1 0-6h7M9 2l2.5 2.5L9 7M12 5.5a4 4 0 0 1 0 6H5M7 14l-2.5-2.5L7 9" />,
  retry: <path d="M13 8a5 5 0 1 1-1.5-3.6L13 6M13 2.5V6H9.5" />,
  share: (
    <path d="M6.5 9.5 9.5 6.5M7 4.5l1.2-1.2a3.2 3.2 0 0 1 4.5 4.5L11.5 9M9 11.5l-1.2 1.2a3.2 3.2 0 0 1-4.5-4.5L4.5 7" />
  ),
  gear: (
    <path d="M8 10.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4M8 1.5v2M8 12.5v2M1.5 8h2M12.5 8h2M3.4 3.4l1.4 1.4M11.2 11.2l1.4 1.4M3.4 12.6l1.4-1.4M11.2 4.8l1.4-1.4" />
  ),
  sliders: <path d="M2 4.5h6.5M11.5 4.5H14M2 11.5h2.5M7.5 11.5H14M10 3v3M6 10v3" />,
  close: <path d="m4 4 8 8M12 4l-8 8" />,
  check: <path d="m3 8.5 3.2 3.2L13 5" />,
  search: <path d="M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10M10.8 10.8 14 14" />,
  sun: (
    <path d="M8 10.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6M8 1v1.6M8 13.4V15M1 8h1.6M13.4 8H15M3 3l1.2 1.2M11.8 11.8 13 13M3 13l1.2-1.2M11.8 4.2 13 3" />
  ),
  moon: <path d="M13.5 9.7A6 6 0 0 1 6.3 2.5a6 6 0 1 0 7.2 7.2" />,
  auto: <path d="M8 2a6 6 0 1 0 0 12V2M8 2a6 6 0 0 1 0 12" />,
  chevron: <path d="m6 3.5 4.5 4.5L6 12.5" />,
  left: <path d="M10 3.5 5.5 8l4.5 4.5" />,
  up: <path d="m3.5 10 4.5-4.5 4.5 4.5" />,
  down: <path d="m3.5 6 4.5 4.5L12.5 6" />,
  warning: <path d="M8 2 1.5 13.5h13zM8 6.5v3.2M8 11.4v.4" />,
  info: <path d="M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12M8 7.3v3.6M8 5v.4" />,
  copy: (
    <path d="M5.5 5.5v-2a1 1 0 0 1 1-1h6a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1h-2M3.5 5.5h6a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1h-6a1 1 0 0 1-1-1v-6a1 1 0 0 1 1-1" />
  ),
  trash: <path d="M2.5 4.5h11M6 4.5V3h4v1.5M4 4.5l.6 9h6.8l.6-9" />,
  braces: (
    <path d="M6 2.5c-2 0-2 1-2 2.5s0 2.5-1.8 3C4 8.5 4 9.5 4 11s0 2.5 2 2.5M10 2.5c2 0 2 1 2 2.5s0 2.5 1.8 3c-1.8.5-1.8 1.5-1.8 3s0 2.5-2 2.5" />
  ),
  scissors: (
    <path d="M4 6.2a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6M4 13.4a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6M5.5 5.4 13.5 12M5.5 10.6 13.5 4" />
  ),
  star: <path d="m8 2 1.8 3.8 4.2.6-3 2.9.7 4.2L8 11.5l-3.7 2 .7-4.2-3-2.9 4.2-.6z" />,
  starred: <path d="m8 2 1.8 3.8 4.2.6-3 2.9.7 4.2L8 11.5l-3.7 2 .7-4.2-3-2.9 4.2-.6z" fill="currentColor" />,
  more: <path d="M3.5 8h.01M8 8h.01M12.5 8h.01" strokeWidth="2.4" />,
  tag: <path d="M2.5 7.5v-5h5l6 6-5 5zM5.3 5.3h.01" />,
  pencil: <path d="m3 13 .6-3L11 2.6 13.4 5 6 12.4zM9.5 4.1l2.4 2.4" />,
  lock: <path d="M3.5 7.5h9v6h-9zM5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5" />,
  archive: <path d="M2 3h12v3H2zM3 6v7.5h10V6M6.3 8.7h3.4" />,
  help: <path d="M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12M6.2 6.3a1.9 1.9 0 1 1 2.7 1.8c-.6.3-.9.6-.9 1.3M8 11.2v.3" />,
} as const satisfies Record<string, ReactNode>;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
      style={{ flex: 'none' }}
    >
      {PATHS[name]}
    </svg>
  );
}
