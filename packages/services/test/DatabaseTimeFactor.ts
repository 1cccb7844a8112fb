import { GlobalValue } from "effect"
import { inject } from "vitest"

// Before the modules of the service are imported: they compute their limits from it.
GlobalValue.globalValue("services/databaseTimeFactor", () => inject("machineFactor"))
