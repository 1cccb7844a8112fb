import { client } from "../app/Client.js"
import { linkTo, paths } from "../app/Paths.js"
import { can } from "../app/SessionState.js"
import type { EmailSender, PhoneNumber } from "../app/Types.js"
import { mailboxText } from "../components/Format.js"
import { Icon } from "../components/Icon.js"
import { useLoad } from "../components/View.js"

interface SenderFieldProps {
  readonly value: string
  readonly change: (value: string) => void
  readonly senders: ReadonlyArray<string>
}

const loadSenders = async (signal: AbortSignal) => {
  if (!can("domains.read")) return []
  const { items } = await client.senders.list({ urlParams: { limit: 100 } }, { signal })
  return items.filter(({ isActive, verificationStatus }) => isActive && verificationStatus === "verified")
}

/** The senders that can send; none while they load, or without the permission to read them. */
export const useSenders = (): ReadonlyArray<EmailSender> => useLoad(loadSenders, []).value ?? []

const loadNumbers = async (signal: AbortSignal) =>
  can("messages.read") ? (await client.numbers.list({}, { signal })).items : undefined

/** The numbers of a channel, the default one first; undefined while they load, or without the permission to read them. */
export const useNumbers = (channel: PhoneNumber["channels"][number]): ReadonlyArray<string> | undefined =>
  useLoad(loadNumbers, [])
    .value?.filter(({ channels }) => channels.includes(channel))
    .map(({ number }) => number)

/** The choice of the sender. Without senders to choose from, the default one is used. */
export const SenderField = ({ change, senders, value }: SenderFieldProps) =>
  senders.length < 2 ? null : (
    <label class="field">
      <span>From</span>
      <select value={value} onChange={(event) => change(event.currentTarget.value)}>
        <option value="">Default sender</option>
        {senders.map((sender) => (
          <option key={sender}>{sender}</option>
        ))}
      </select>
    </label>
  )

/** The choice of the sender of an e-mail. */
export const MailSenderField = (props: Omit<SenderFieldProps, "senders">) => (
  <SenderField {...props} senders={useSenders().map(({ email, name }) => mailboxText(email, name))} />
)

/** A link to the form, for sessions that may send. */
export const SendLink = ({ channel }: { readonly channel?: "sms" }) =>
  can("messages.send") ? (
    <a class="button primary" href={linkTo(paths.send, {}, { tab: channel })}>
      <Icon name="send" />
      Send a message
    </a>
  ) : null
