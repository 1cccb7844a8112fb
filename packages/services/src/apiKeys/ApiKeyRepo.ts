import type { ApiKeyId, ApiKeyIdentity, ApiKeySummary } from "@switchboard/domain/apiKeys/ApiKey"
import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { Context, type DateTime, type Effect, type Option } from "effect"

/** Where API keys are kept, by their hash alone. */
export class ApiKeyRepo extends Context.Tag("services/ApiKeyRepo")<
  ApiKeyRepo,
  {
    /** Who the key with this SHA-256 (hex) speaks for, if it exists, is active and has not expired by the database's clock. */
    readonly findActive: (hash: string) => Effect.Effect<Option.Option<ApiKeyIdentity>, ServiceUnavailableError>
    readonly insert: (key: ApiKeySummary, hash: string) => Effect.Effect<void, ServiceUnavailableError>
    /** Newest first, of all organizations. */
    readonly list: Effect.Effect<ReadonlyArray<ApiKeySummary>, ServiceUnavailableError>
    /** Makes a key inactive for good; whether it existed. */
    readonly revoke: (id: ApiKeyId) => Effect.Effect<boolean, ServiceUnavailableError>
    /** Remembers when keys were last used. */
    readonly touch: (
      used: ReadonlyArray<{ readonly id: ApiKeyId; readonly at: DateTime.Utc }>
    ) => Effect.Effect<void, ServiceUnavailableError>
  }
>() {}
