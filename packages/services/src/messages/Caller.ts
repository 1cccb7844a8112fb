import type { ApiKeyId } from "@switchboard/domain/apiKeys/ApiKey"
import type { ApiRequestMetadata } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"

/** The API key that sent a request. */
export interface Caller {
  readonly organizationId: OrganizationId
  readonly apiKeyId: ApiKeyId
  readonly request: ApiRequestMetadata
  /** The W3C trace context of the request, null when it is not traced. */
  readonly traceParent: string | null
}
