import { showDone, showFailed } from "../app/Toasts.js"
import { Icon } from "./Icon.js"

interface CopyButtonProps {
  readonly label: string
  readonly text: string
  /** Whether the label is shown beside the icon. */
  readonly isLabelled?: boolean
}

/** Copies a text to the clipboard. */
export const CopyButton = ({ isLabelled = false, label, text }: CopyButtonProps) => {
  const copy = () => navigator.clipboard.writeText(text).then(() => showDone("Copied"), showFailed)
  return (
    <button
      type="button"
      class={isLabelled ? "button" : "icon-button"}
      aria-label={label}
      title={label}
      onClick={() => void copy()}
    >
      <Icon name="copy" />
      {isLabelled && label}
    </button>
  )
}
