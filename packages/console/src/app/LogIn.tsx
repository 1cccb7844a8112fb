import { useRef } from "preact/hooks"
import { useAction } from "../components/Actions.js"
import { Brand } from "../components/Icon.js"
import { ErrorNotice } from "../components/Notices.js"
import { useTitle } from "../components/View.js"
import { logIn } from "./Session.js"

/** The log-in page. The key is sent once and not stored: the session has its own cookie. */
export const LogIn = ({ reason }: { readonly reason: string | undefined }) => {
  useTitle("Log in")
  const input = useRef<HTMLInputElement>(null)
  const { busy, error, run } = useAction(async () => {
    await logIn(input.current?.value.trim() ?? "")
  })
  const submit = (event: Event) => {
    event.preventDefault()
    void run()
  }
  return (
    <main class="alone">
      <form class="log-in card" onSubmit={submit}>
        <h1>
          <Brand />
        </h1>
        {reason !== undefined && <p role="status">{reason}</p>}
        <label class="field">
          <span>API key</span>
          <input
            ref={input}
            type="password"
            name="api-key"
            autocomplete="off"
            spellcheck={false}
            placeholder="sk_sm_…"
            required
          />
        </label>
        {error !== undefined && <ErrorNotice error={error} />}
        <button class="button primary" type="submit" disabled={busy}>
          Log in
        </button>
        <p class="hint">
          Without the key, on the host of the service: <code>npx switchboard login-link</code> prints a link to this
          page.
        </p>
      </form>
    </main>
  )
}
