import { client, serviceUrl } from "../../app/Client.js"
import type { ApiKeyActivity } from "../../app/Types.js"
import { durationText } from "../../components/Duration.js"
import { EmptyState } from "../../components/EmptyState.js"
import { feedStep, useFeed } from "../../components/Feed.js"
import { FeedList } from "../../components/FeedList.js"
import { Icon } from "../../components/Icon.js"
import { Time } from "../../components/Time.js"

/** A request with its number in the list: requests have no ids. */
interface NumberedRequest {
  readonly number: number
  readonly request: ApiKeyActivity
}

async function* requestsOf(id: string, signal: AbortSignal): AsyncGenerator<NumberedRequest, void, undefined> {
  let number = 0
  for await (const request of client.apiKeys.activity.all(
    { path: { id }, urlParams: { limit: feedStep } },
    { signal }
  )) {
    number += 1
    yield { number, request }
  }
}

const keyOf = ({ number }: NumberedRequest) => String(number)

const row = ({ request: { at, ipAddress, latencyMs, method, path, status } }: NumberedRequest) => (
  <>
    <code>{method}</code>
    <code class="secondary" title={path}>
      {path}
    </code>
    <span class={status >= 400 ? "status bad" : "status good"}>{status}</span>
    <span class="count">{durationText(latencyMs / 1_000)}</span>
    <span class="count">{ipAddress}</span>
    <Time value={at} />
  </>
)

interface KeyRequestsProps {
  readonly id: string
  /** The number of times that the list was refreshed. */
  readonly round: number
  readonly refresh: () => void
}

/** The requests of the last 30 days with a key, newest first. */
export const KeyRequests = ({ id, refresh, round }: KeyRequestsProps) => {
  const feed = useFeed(`${id} ${round}`, keyOf, (signal) => requestsOf(id, signal))
  return (
    <section aria-labelledby="requests">
      <div class="section-header">
        <h2 id="requests">Requests</h2>
        <button type="button" class="button" onClick={refresh}>
          <Icon name="refresh" />
          Refresh
        </button>
      </div>
      <FeedList
        label="Requests"
        columns="requests"
        feed={feed}
        keyOf={keyOf}
        row={row}
        empty={
          <EmptyState
            title="No requests yet"
            text="A request appears one or two seconds after it ended. To make one:"
            command={`curl ${serviceUrl}/v1/messages -H "X-API-Key: $KEY"`}
          />
        }
      />
    </section>
  )
}
