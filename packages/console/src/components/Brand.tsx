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
