import { signal } from "@preact/signals"
import { errorText } from "../components/ErrorText.js"
import { Icon } from "../components/Icon.js"

interface Toast {
  readonly id: number
  readonly text: string
  readonly isError: boolean
}

const toasts = signal<ReadonlyArray<Toast>>([])
let lastId = 0

/** Adds a notice. A failure that is shown already is not shown again. */
const add = (text: string, isError: boolean) => {
  if (isError && toasts.peek().some((toast) => toast.isError && toast.text === text)) return
  lastId += 1
  toasts.value = [...toasts.peek(), { id: lastId, text, isError }]
}

const remove = (id: number) => {
  toasts.value = toasts.peek().filter((toast) => toast.id !== id)
}

/** Shows for some seconds that an action succeeded. */
export const showDone = (text: string): void => add(text, false)

/** Shows until it is closed that an action failed. */
export const showFailed = (error: unknown): void => add(errorText(error), true)

/** The notices of actions, which screen readers read out. The end of the animation removes a notice of success. */
export const Toasts = () => (
  <div class="toasts" role="status" aria-live="polite">
    {toasts.value.map(({ id, isError, text }) => (
      <div key={id} class={isError ? "toast failed" : "toast"} onAnimationEnd={() => !isError && remove(id)}>
        <Icon name={isError ? "alert" : "check"} />
        <span>{text}</span>
        <button type="button" class="icon-button" aria-label="Close" onClick={() => remove(id)}>
          <Icon name="close" />
        </button>
      </div>
    ))}
  </div>
)
