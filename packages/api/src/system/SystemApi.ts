import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { SystemStatus } from "@switchboard/domain/system/SystemStatus"
import { Extension, Permission } from "../Annotations.js"
import { Authorization } from "../Authorization.js"

/** The state of the installation, for its operator. */
export class SystemApi extends HttpApiGroup.make("system")
  .add(
    HttpApiEndpoint.get("status", "/system")
      .addSuccess(SystemStatus)
      .annotate(Permission, "system.read")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Retrieve the state of the installation")
      .annotate(
        OpenApi.Description,
        [
          "Returns the release, the queues of all organizations, the relays or destinations, and the findings of `switchboard doctor`.",
          "",
          "- Only the first API key and keys of `switchboard keys create --system` have the permission `system.read`. `*` does not include it.",
          "- The checks are made at most once a minute in each process. The first request waits for them.",
          "- Each process has its own circuit breakers: `relays` and `destinations` are the state in the process that responds."
        ].join("\n")
      )
  )
  .middleware(Authorization)
  .annotate(OpenApi.Title, "System") {}
