import { CopyButton } from "./CopyButton.js"

/** An id or another text to copy. */
export const Identifier = ({ label, value }: { readonly label: string; readonly value: string }) => (
  <span class="identifier">
    <code title={value}>{value}</code>
    <CopyButton text={value} label={`Copy the ${label}`} />
  </span>
)
