import type { MessageId } from "@switchboard/domain/messages/Message"
import type { MessageStatus } from "@switchboard/domain/messages/state/MessageStatus"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { newUuid } from "@switchboard/services/NewId"

/** An event as a record for `json_to_recordset`. */
export interface EventRecord {
  readonly organization_id: OrganizationId
  readonly id: string
  readonly type: string
  readonly subject_id: string
  readonly data: unknown
  readonly created_at: string
}

/** The columns of `EventRecord` in a `json_to_recordset`. */
export const eventColumns =
  "organization_id uuid, id uuid, type text, subject_id uuid, data json, created_at timestamptz"

/**
 * An event of a message, with an id of its time, and with the status before it for rollups. Ids of the same millisecond
 * keep the order of the calls.
 */
export const messageEvent = (
  organizationId: OrganizationId,
  messageId: MessageId,
  type: string,
  data: { readonly timestamp: string; readonly before?: MessageStatus | undefined }
): EventRecord => ({
  organization_id: organizationId,
  id: newUuid(Date.parse(data.timestamp)),
  type,
  subject_id: messageId,
  data,
  created_at: data.timestamp
})
