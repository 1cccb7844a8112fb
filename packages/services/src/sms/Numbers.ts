import type { ServiceUnavailableError, ValidationError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Context, type Effect } from "effect"
export class Numbers extends Context.Tag("services/Numbers")<
  Numbers,
  {
    readonly resolve: (
      organization: OrganizationId,
      channel: "sms",
      from: string | undefined
    ) => Effect.Effect<string, ServiceUnavailableError | ValidationError>
  }
>() {}
