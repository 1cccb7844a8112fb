import { client } from "../app/Client.js"
import type { WebhookDelivery } from "../app/Types.js"
import { ActionButton } from "../components/Actions.js"
import { ScrollRegion } from "../components/DataTable.js"
import { Facts, Identifier, Status, Time } from "../components/Facts.js"
import { durationText } from "../components/Format.js"
import { CopyButton } from "../components/Notices.js"

type Attempt = WebhookDelivery["attempts"][number]

/** A body with line breaks if it is JSON, otherwise as it is. */
const bodyText = (body: string): string => {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

/** The result of an attempt: `responded 200 after 12 ms`. */
export const attemptResult = ({ durationMs, error, responseStatus }: Attempt): string => {
  const result = responseStatus === undefined ? (error ?? "no response") : `responded ${responseStatus}`
  return `${result} after ${durationText(durationMs / 1_000)}`
}

interface DeliveryItemProps {
  readonly delivery: WebhookDelivery
  readonly changed: (delivery: WebhookDelivery) => void
}

const Headers = ({ label, values }: { readonly label: string; readonly values: Attempt["requestHeaders"] }) =>
  values === undefined ? null : (
    <details class="headers">
      <summary>{label}</summary>
      <Facts facts={Object.entries(values).map(([name, value]) => [name, <code key={name}>{value}</code>])} />
    </details>
  )

const Body = ({ label, text = "" }: { readonly label: string; readonly text: string | undefined }) =>
  text === "" ? null : (
    <ScrollRegion class="body" label={label}>
      <pre class="mail-text">{bodyText(text)}</pre>
    </ScrollRegion>
  )

const AttemptItem = ({ attempt }: { readonly attempt: Attempt }) => (
  <li>
    <p>
      <strong>
        {attempt.attempt}. {attemptResult(attempt)}
      </strong>
      <span class="tag">{attempt.trigger}</span>
      <Time value={attempt.at} isComplete />
    </p>
    <Headers label="Request headers" values={attempt.requestHeaders} />
    <Headers label="Response headers" values={attempt.responseHeaders} />
    <Body label={`Response to attempt ${attempt.attempt}`} text={attempt.responseBody} />
  </li>
)

/** The delivery of an event. It opens to its attempts with the responses. */
export const DeliveryItem = ({ changed, delivery }: DeliveryItemProps) => {
  const { attempts, createdAt, endpointId, eventId, eventType, id, nextAttemptAt, requestBody, status } = delivery
  const last = attempts.at(-1)
  const isTest = attempts.some(({ trigger }) => trigger === "test")
  const retry = async () => {
    changed(await client.webhookEndpoints.retry({ path: { id: endpointId, deliveryId: id } }))
  }
  return (
    <details>
      <summary>
        <Status value={status} />
        <code>{eventType}</code>
        <span class="hint">
          {last === undefined ? "no attempt yet" : attemptResult(last)}
          {nextAttemptAt !== undefined && last !== undefined && (
            <>
              , next <Time value={nextAttemptAt} isUpcoming />
            </>
          )}
        </span>
        <Time value={createdAt} />
      </summary>
      <div class="delivery">
        <Facts
          facts={[
            ["Event", <Identifier key="event" label="id of the event" value={eventId} />],
            ["Delivery", <Identifier key="delivery" label="id of the delivery" value={id} />],
            ["Next attempt", nextAttemptAt]
          ]}
        />
        {requestBody !== undefined && (
          <section aria-label="Payload">
            <h3>
              Payload
              <CopyButton label="Copy the payload" text={requestBody} />
            </h3>
            <Body label="Body of the request" text={requestBody} />
          </section>
        )}
        {attempts.length > 0 && (
          <section aria-label="Attempts">
            <h3>Attempts</h3>
            <ol class="attempts">
              {attempts.map((attempt) => (
                <AttemptItem key={attempt.attempt} attempt={attempt} />
              ))}
            </ol>
          </section>
        )}
        {!isTest && (
          <div class="buttons">
            <ActionButton
              label="Retry"
              icon="refresh"
              permission="webhooks.write"
              action={retry}
              done="The delivery is tried again now"
            />
          </div>
        )}
      </div>
    </details>
  )
}
