import type { ApiRequestMetadata } from "@switchboard/domain/messages/Message"
import { type AddressedRequest, clientAddress } from "./ClientAddress.js"
import { pathOf, queryOf } from "./RequestTarget.js"

/** Names of headers and parameters with credentials. They are not stored. */
const secret = /key|auth|cookie|token|secret|csrf|password|signature/i

const maxValueLength = 500

/** The parts of a request that are stored. */
interface StoredRequest extends AddressedRequest {
  readonly method: string
  readonly url: string
}

const withoutSecrets = (entries: Iterable<readonly [string, string]>) =>
  Object.fromEntries(
    [...entries].filter(([name]) => !secret.test(name)).map(([name, value]) => [name, value.slice(0, maxValueLength)])
  )

/** The metadata of a request that is stored with its message. Values are cut after 500 characters. */
export const requestMetadata = (
  request: StoredRequest,
  isTrusted: (address: string) => boolean
): ApiRequestMetadata => ({
  method: request.method,
  endpoint: pathOf(request.url),
  ipAddress: clientAddress(request, isTrusted),
  userAgent: (request.headers["user-agent"] ?? "").slice(0, maxValueLength),
  headers: withoutSecrets(Object.entries(request.headers)),
  query: withoutSecrets(queryOf(request.url))
})
