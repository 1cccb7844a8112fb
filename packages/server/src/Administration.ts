import { ApiKeys } from "@switchboard/services/apiKeys/ApiKeys"
import { Organizations } from "@switchboard/services/organizations/Organizations"
import { Layer } from "effect"

/** API keys and organizations, for the API and for the commands. */
export const Administration = Layer.merge(Organizations.Default, ApiKeys.Default)
