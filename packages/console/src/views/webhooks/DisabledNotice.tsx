import { client } from "../../app/Client.js"
import { Icon } from "../../components/Icon.js"
import { Time } from "../../components/Time.js"
import { useLoad } from "../../components/UseLoad.js"

/** The status with which an endpoint says that it is gone (RFC 9110 section 15.5.11). */
const gone = 410

/** Why the service disabled an endpoint, and what to do next. */
export const DisabledNotice = ({ id }: { readonly id: string }) => {
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
    <div class="notice failed" role="status">
      <Icon name="alert" />
      <div>
        <p>
          {goneAt === undefined ? (
            "The service disabled this endpoint: all deliveries failed for five days."
          ) : (
            <>
              The service disabled this endpoint: it responded {gone} (gone), <Time value={goneAt} />.
            </>
          )}
        </p>
        <p class="hint">Mend the receiver, activate the endpoint, then recover its deliveries.</p>
      </div>
    </div>
  )
}
