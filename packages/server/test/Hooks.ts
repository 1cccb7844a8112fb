import type { Received } from "@switchboard/channels/testing/webhooks/Receiver"
import { Webhook } from "standardwebhooks"

/** The event of a webhook request. */
export const eventOf = ({
  body
}: Received): { readonly id: string; readonly type: string; readonly data: { readonly id: string } } => JSON.parse(body)

/** Throws unless the request is signed with the secret, by the reference library. */
export const verified = (secret: string, { body, headers }: Received) =>
  new Webhook(secret).verify(body, {
    "webhook-id": String(headers["webhook-id"]),
    "webhook-timestamp": String(headers["webhook-timestamp"]),
    "webhook-signature": String(headers["webhook-signature"])
  })
