import { Context } from "effect"

/** The release of the service. The program sets it. */
export class Version extends Context.Reference<Version>()("services/Version", { defaultValue: () => "unknown" }) {}
