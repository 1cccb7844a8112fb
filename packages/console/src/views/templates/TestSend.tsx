import { useState } from "preact/hooks"
import { client } from "../../app/Client.js"
import { linkTo, paths } from "../../app/Paths.js"
import type { RenderedTemplate } from "../../app/Types.js"
import { ErrorNotice } from "../../components/ErrorNotice.js"
import { Icon } from "../../components/Icon.js"
import { useAction } from "../../components/UseAction.js"
import { testAddress } from "../send/Content.js"
import { useSenders } from "../send/SenderField.js"

/** The key of the address that was used last, in the storage of the tab. It replaces that of the default sender. */
const storageKey = "test-address"

/** Sends what the preview shows to one address. */
export const TestSend = ({ rendered }: { readonly rendered: RenderedTemplate | undefined }) => {
  const defaultSender = useSenders().find(({ isDefault }) => isDefault)
  const [entered, setEntered] = useState<string>()
  const [messageId, setMessageId] = useState<string>()
  const address = entered ?? sessionStorage.getItem(storageKey) ?? defaultSender?.email ?? testAddress
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
      {error !== undefined && <ErrorNotice error={error} />}
    </form>
  )
}
