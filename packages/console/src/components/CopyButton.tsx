import { showDone, showFailed } from "../app/Toasts.js"
import { Icon } from "./Icon.js"

/** Copies a text to the clipboard. */
export const CopyButton = ({ label, text }: { readonly label: string; readonly text: string }) => {
  const copy = () => navigator.clipboard.writeText(text).then(() => showDone("Copied"), showFailed)
  return (
    <button type="button" class="icon-button" aria-label={label} title={label} onClick={() => void copy()}>
      <Icon name="copy" />
    </button>
  )
}
