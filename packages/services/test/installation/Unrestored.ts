import { InstallationRepo } from "@switchboard/services/installation/InstallationRepo"
import { Restoration } from "@switchboard/services/installation/Restoration"
import { Effect, Layer, Option } from "effect"

/** A database that was never restored. */
export const Unrestored = Layer.provide(
  Restoration.Default,
  Layer.mock(InstallationRepo, { restoration: Effect.succeed({ isHeld: false, endedBefore: Option.none() }) })
)
