import { client } from "../app/Client.js"
import { linkTo, paths } from "../app/Paths.js"
import { can } from "../app/SessionState.js"
import type { EmailSender } from "../app/Types.js"
import { mailboxText } from "../components/Format.js"
import { Icon } from "../components/Icon.js"
import { useLoad } from "../components/View.js"

interface SenderFieldProps {
  readonly value: string
  readonly change: (value: string) => void
}

const loadSenders = async (signal: AbortSignal) => {
  if (!can("domains.read")) return []
  const { items } = await client.senders.list({ urlParams: { limit: 100 } }, { signal })
  return items.filter(({ isActive, verificationStatus }) => isActive && verificationStatus === "verified")
}

/** The senders that can send; none while they load, or without the permission to read them. */
export const useSenders = (): ReadonlyArray<EmailSender> => useLoad(loadSenders, []).value ?? []

/** The choice of the sender. Without senders to choose from, the default one is used. */
export const SenderField = ({ change, value }: SenderFieldProps) => {
  const senders = useSenders()
  if (senders.length < 2) return null
  return (
    <label class="field">
      <span>From</span>
      <select value={value} onChange={(event) => change(event.currentTarget.value)}>
        <option value="">Default sender</option>
        {senders.map(({ email, id, name }) => (
          <option key={id}>{mailboxText(email, name)}</option>
        ))}
      </select>
    </label>
  )
}

/** A link to the form, for sessions that may send. */
export const SendLink = () =>
  can("messages.send") ? (
    <a class="button primary" href={linkTo(paths.send, {})}>
      <Icon name="send" />
      Send a message
    </a>
  ) : null
