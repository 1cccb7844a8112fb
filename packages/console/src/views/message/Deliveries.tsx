import type { Message } from "../../app/Types.js"
import { Status } from "../../components/Status.js"
import { Time } from "../../components/Time.js"
import { failureSentences } from "./FailureSentence.js"

/** Each recipient of a sent message with its status and the last reply of the relay. */
export const Deliveries = ({ message }: { readonly message: Message }) => {
  const deliveries = message.emailMetadata?.deliveries ?? []
  if (message.direction === "inbound" || deliveries.length === 0) return null
  return (
    <section class="card deliveries" aria-labelledby="deliveries">
      <h2 id="deliveries">Recipients</h2>
      <ul>
        {deliveries.map(({ at, reason, recipient, response, smtpCode, status }) => (
          <li key={recipient}>
            <strong>{recipient}</strong>
            <Status value={status} />
            <Time value={at} />
            {reason !== undefined && <span>{failureSentences[reason]}</span>}
            {(response !== undefined || smtpCode !== undefined) && (
              <code>{response?.startsWith(String(smtpCode)) ? response : `${smtpCode ?? ""} ${response ?? ""}`}</code>
            )}
          </li>
        ))}
      </ul>
      {message.lastError !== null && <p class="last-error">{message.lastError}</p>}
    </section>
  )
}
