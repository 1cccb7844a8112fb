import type { ApiRequestMetadata } from "@switchboard/domain/messages/Message"
import { type AddressedRequest, clientAddress } from "./ClientAddress.js"
import { pathOf, queryOf } from "./RequestTarget.js"

/** Whatever proves who somebody is stays out of what is stored. */
const secret = /key|auth|cookie|token|secret|csrf|password|signature/i

const longestValue = 500

/** A request, as far as something of it is kept. */
interface Asked extends AddressedRequest {
  readonly method: string
  readonly url: string
}

const cut = (entries: Iterable<readonly [string, string]>) =>
  Object.fromEntries(
    [...entries].filter(([name]) => !secret.test(name)).map(([name, value]) => [name, value.slice(0, longestValue)])
  )

/** What is kept of the request that made a message. */
export const requestMetadata = (request: Asked, isTrusted: (address: string) => boolean): ApiRequestMetadata => ({
  method: request.method,
  endpoint: pathOf(request.url),
  ipAddress: clientAddress(request, isTrusted),
  userAgent: (request.headers["user-agent"] ?? "").slice(0, longestValue),
  headers: cut(Object.entries(request.headers)),
  query: cut(queryOf(request.url))
})
