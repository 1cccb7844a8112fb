import { useState } from "preact/hooks"
import { client } from "../../app/Client.js"
import { linkTo, paths } from "../../app/Paths.js"
import { can } from "../../app/SessionState.js"
import type { RenderedTemplate } from "../../app/Types.js"
import { ErrorNotice } from "../../components/ErrorNotice.js"
import { Icon } from "../../components/Icon.js"
import { useAction } from "../../components/UseAction.js"
import { useLoad } from "../../components/UseLoad.js"
import { testAddress } from "../send/Content.js"

/** The key in the storage of the tab of the address that was used last. */
const storageKey = "test-address"

/** The address that was used last, or else that of the default sender. */
const loadAddress = async (signal: AbortSignal) => {
  const stored = sessionStorage.getItem(storageKey)
  if (stored !== null || !can("email.read")) return stored ?? testAddress
  const { items } = await client.senders.list({ urlParams: { limit: 100 } }, { signal })
  return items.find(({ isDefault }) => isDefault)?.email ?? testAddress
}

/** Sends what the preview shows to one address. */
export const TestSend = ({ rendered }: { readonly rendered: RenderedTemplate | undefined }) => {
  const { error: loadError, value: suggested = "" } = useLoad(loadAddress, [])
  const [entered, setEntered] = useState<string>()
  const [messageId, setMessageId] = useState<string>()
  const address = entered ?? suggested
  const { busy, error, run } = useAction(async () => {
    if (rendered === undefined) return
    const { html, subject, text } = rendered
    setMessageId(undefined)
    const { id } = await client.messages.send({
      payload: {
        channel: "email",
        to: [{ email: address }],
        email: { subject, html, text },
        isTest: true,
        // Without a key, an equal send within a minute is the same message.
        idempotencyKey: `console test ${Date.now()} ${Math.random()}`
      }
    })
    sessionStorage.setItem(storageKey, address)
    setMessageId(id)
  })
  return (
    <form
      class="test-send"
      onSubmit={(event) => {
        event.preventDefault()
        void run()
      }}
    >
      <label class="field">
        <span>Send a test to</span>
        <input
          required
          type="email"
          autocomplete="off"
          value={address}
          onInput={(event) => setEntered(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="button" disabled={busy || rendered === undefined}>
        <Icon name="send" />
        Send test
      </button>
      <p role="status">
        {messageId !== undefined && (
          <>
            The test is sent.{" "}
            <a href={linkTo(paths.message, { id: messageId })} target="_blank" rel="noreferrer">
              Show the message in a new tab
            </a>
          </>
        )}
      </p>
      {(error ?? loadError) !== undefined && <ErrorNotice error={error ?? loadError} />}
    </form>
  )
}
