import type { PauseTarget } from "@switchboard/services/queues/PauseRepo"
import { Effect } from "effect"
import { slugOf } from "../organizations/NamedOrganization.js"

/** The target of a pause for operators, and the option of "switchboard queues" that names it. */
export const nameTarget = Effect.fnUntraced(function* (target: PauseTarget) {
  if (target._tag === "Channel") return { name: target.channel, option: `--channel ${target.channel}` }
  const slug = yield* slugOf(target.organizationId)
  return { name: `organization ${slug}`, option: `--organization ${slug}` }
})
