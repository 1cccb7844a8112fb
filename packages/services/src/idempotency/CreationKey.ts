import { canonical } from "@switchboard/domain/messages/RequestIdentity"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Effect, FiberRef, GlobalValue } from "effect"
import { hashIdentity, sha256 } from "./RequestHash.js"

/** The idempotency key of a request that creates a resource. Sends have their own records (`SendIdentity`). */
export interface CreationKey {
  readonly organizationId: OrganizationId
  /** SHA-256 (hex) of the operation and the caller's key: each operation has its own keys. */
  readonly hash: string
  /** SHA-256 (hex) of the request. */
  readonly fingerprint: string
}

/** A request with an idempotency key. */
interface KeyedRequest {
  readonly organizationId: OrganizationId
  /** The name of the operation, without a line break. */
  readonly operation: string
  readonly key: string
  /** The decoded request. The order of fields and absent optional fields make no difference. */
  readonly request: unknown
}

/** The stored form of an idempotency key. It contains no personal data. */
export const makeCreationKey = ({
  key,
  operation,
  organizationId,
  request
}: KeyedRequest): Effect.Effect<CreationKey> =>
  Effect.map(
    hashIdentity((fileText) => canonical(request, fileText)),
    (fingerprint) => ({ organizationId, hash: sha256(`${operation}\n${key}`), fingerprint })
  )

/**
 * The key of the current request. The transaction that stores the new resource also stores the key. Null: the request
 * has none.
 */
export const currentCreationKey: FiberRef.FiberRef<CreationKey | null> = GlobalValue.globalValue(
  "services/CreationKey",
  () => FiberRef.unsafeMake<CreationKey | null>(null)
)
