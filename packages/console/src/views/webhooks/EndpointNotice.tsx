import type { ComponentChildren } from "preact"
import { client } from "../../app/Client.js"
import type { WebhookEndpoint } from "../../app/Types.js"
import { Icon } from "../../components/Icon.js"
import { Time } from "../../components/Time.js"
import { useLoad } from "../../components/UseLoad.js"
import { metricsOf } from "./EndpointState.js"

/** The status with which an endpoint says that it is gone (RFC 9110 section 15.5.11). */
const gone = 410

interface NoticeProps {
  /** The next step. */
  readonly hint: string
  readonly children: ComponentChildren
}

const Notice = ({ children, hint }: NoticeProps) => (
  <div class="notice failed" role="status">
    <Icon name="alert" />
    <div>
      <p>{children}</p>
      <p class="hint">{hint}</p>
    </div>
  </div>
)

/** That every attempt to an active endpoint fails. */
const FailingNotice = ({ since }: { readonly since: string }) => (
  <Notice hint="The deliveries show the responses. The service disables an endpoint that fails for five days.">
    Every attempt has failed since <Time value={since} isComplete />.
  </Notice>
)

/** Why the service disabled an endpoint. */
const DisabledNotice = ({ id }: { readonly id: string }) => {
  const { value } = useLoad(
    (signal) =>
      client.webhookEndpoints.logs(
        { path: { id }, urlParams: { filters: { status: "failed" }, limit: 20 } },
        { signal }
      ),
    [id]
  )
  const goneAt = value?.items
    .flatMap(({ attempts }) => attempts)
    .find(({ responseStatus }) => responseStatus === gone)?.at
  return (
    <Notice hint="Repair the receiver, activate the endpoint, then recover its deliveries.">
      {goneAt === undefined ? (
        "The service disabled this endpoint: every attempt failed for five days."
      ) : (
        <>
          The service disabled this endpoint: it responded {gone} (gone), <Time value={goneAt} />.
        </>
      )}
    </Notice>
  )
}

/** The problem of an endpoint that fails, and the next step. */
export const EndpointNotice = ({ endpoint }: { readonly endpoint: WebhookEndpoint }) => {
  const { failingSince } = metricsOf(endpoint)
  if (endpoint.status === "disabled") return <DisabledNotice id={endpoint.id} />
  return endpoint.status === "active" && failingSince !== undefined ? <FailingNotice since={failingSince} /> : null
}
