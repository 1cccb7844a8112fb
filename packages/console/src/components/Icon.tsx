/** The paths of the icons, drawn with lines on a grid of 24 by 24. */
const paths = {
  alert: "M12 8v5M12 16.5v.01M10.3 3.9 2.4 17.6A2 2 0 0 0 4.1 20.6h15.8a2 2 0 0 0 1.7-3L13.7 3.9a2 2 0 0 0-3.4 0Z",
  back: "m15 5-7 7 7 7",
  chart: "M4 20V10M10 20V4M16 20v-8M21 20H3",
  check: "m5 12.5 4.5 4.5L19 7.5",
  clock: "M12 7v5l3 2M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Z",
  close: "m6 6 12 12M18 6 6 18",
  contacts:
    "M8.5 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM2 20a6.5 6.5 0 0 1 13 0M16 4.3a3.5 3.5 0 0 1 0 6.5M18 14.2a6.5 6.5 0 0 1 4 5.8",
  copy: "M9 9h10v10a1 1 0 0 1-1 1H9a1 1 0 0 1-1-1V10a1 1 0 0 1 1-1ZM16 9V5a1 1 0 0 0-1-1H5a1 1 0 0 0-1 1v10a1 1 0 0 0 1 1h3",
  download: "M12 4v11m-4.500-4L12 15.500l4.500-4.500M4 19.500h16",
  forward: "m14 6 6 5.5-6 5.5M20 11.5H10a6 6 0 0 0-6 6V19",
  globe: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM3.3 9.5h17.4M3.3 14.5h17.4M12 3c-5 5.5-5 12.5 0 18 5-5.5 5-12.5 0-18Z",
  inbox: "M3 13h5l1.5 3h5L16 13h5M5.5 5h13L21 13v5a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1v-5Z",
  key: "M14.5 9.5h.01M15 15a6 6 0 1 0-5.700-4.100L3 17.200V21h3.800v-2.5h2.5V16l1.300-1.300A6 6 0 0 0 15 15Z",
  logout: "M14 4H6a1 1 0 0 0-1 1v14a1 1 0 0 0 1 1h8M10 12h11m-4-4 4 4-4 4",
  mail: "M4 5.5h16a1 1 0 0 1 1 1v11a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1v-11a1 1 0 0 1 1-1Zm-.700 1.300L12 13l8.700-6.200",
  menu: "M4 6.5h16M4 12h16M4 17.5h16",
  phone: "M5 4h4l1.5 5L8 10.5a12 12 0 0 0 5.5 5.5L15 13.5l5 1.5v4a1 1 0 0 1-1 1A15.5 15.5 0 0 1 4 5a1 1 0 0 1 1-1Z",
  refresh: "M20 11A8 8 0 0 0 5.5 7.5L3 10m0-6v6h6M4 13a8 8 0 0 0 14.5 3.5L21 14m0 6v-6h-6",
  reply: "M9 6 3.5 11.5 9 17m-5-5.5h10a6 6 0 0 1 6 6V19",
  search: "m20 20-4.5-4.5M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13Z",
  send: "M21 3 10 14M21 3l-7 18-4-7-7-4Z",
  server: "M4 4h16v7H4zM4 13h16v7H4zM7.5 7.5v.01M7.5 16.5v.01",
  settings:
    "M4 7h9M17 7h3M4 17h3M11 17h9M15 9.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM9 19.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z",
  shield: "M12 3 5 6v5c0 4.5 2.800 8.200 7 10 4.200-1.800 7-5.5 7-10V6Z",
  template: "M5 4h14a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1ZM4 9h16M10 9v11",
  thread: "M4 5h16v11H9l-4 4v-4H4ZM8 9h8M8 12h5",
  user: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM5 20a7 7 0 0 1 14 0",
  webhook:
    "M9 7a3.5 3.5 0 1 1 5.5 2.900l2.5 4.600M12 7l-3.5 6.5M17 14a3.5 3.5 0 1 1-3.400 4.5H8M5.5 13a3.5 3.5 0 1 0 3 5.300",
  workflow: "M4 4h6v5H4zM14 15h6v5h-6zM7 9v8.5h7M17 15V6.5h-7"
} as const

export type IconName = keyof typeof paths

/** An icon in the colour of the text. It is decoration: the text beside it or a label has its meaning. */
export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
)

/** The sign and the name of the service. */
export const Brand = () => (
  <span class="brand">
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <path
        d="M9 10.5h6c5 0 3 11 8 11M9 21.5h5M18 10.5h5"
        fill="none"
        stroke="#fff"
        stroke-width="2.6"
        stroke-linecap="round"
      />
      <g fill="#fff">
        <circle cx="9" cy="10.5" r="2.6" />
        <circle cx="9" cy="21.5" r="2.6" />
        <circle cx="23" cy="10.5" r="2.6" />
        <circle cx="23" cy="21.5" r="2.6" />
      </g>
    </svg>
    Switchboard
  </span>
)

interface IconButtonProps {
  readonly icon: IconName
  /** The name of the button, also its tooltip unless that is another or empty. */
  readonly label: string
  readonly title?: string
  readonly press: () => unknown
}

/** A button that shows an icon. */
export const IconButton = ({ icon, label, press, title = label }: IconButtonProps) => (
  <button
    type="button"
    class="icon-button"
    aria-label={label}
    title={title === "" ? undefined : title}
    onClick={() => void press()}
  >
    <Icon name={icon} />
  </button>
)
