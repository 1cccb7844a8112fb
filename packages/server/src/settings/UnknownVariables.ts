import { Effect } from "effect"
import { distance } from "fastest-levenshtein"
import { variablesOf } from "./Setting.js"
import { settingDocs } from "./Settings.js"

/** A name that differs in more characters is not a typing error. */
const maxDistance = 2

/** The variables of an environment that are no settings but differ little from one, with that setting's variable. */
export const unknownVariables = (
  environment: Readonly<Record<string, unknown>>,
  known: ReadonlyArray<string>
): ReadonlyArray<readonly [unknown: string, meant: string]> =>
  Object.keys(environment)
    // Names without "_", such as PORT and HOST, are short: others are often close to them.
    .filter((name) => name.includes("_") && !known.includes(name))
    .flatMap((name) => {
      const meant = known.find((one) => one.includes("_") && distance(name, one) <= maxDistance)
      return meant === undefined ? [] : [[name, meant] as const]
    })

/** Warns of variables whose names are probably settings with a typing error: their values have no effect. */
export const warnOfUnknownVariables = Effect.suspend(() =>
  Effect.forEach(
    unknownVariables(process.env, settingDocs.flatMap(variablesOf)),
    ([unknown, meant]) => Effect.logWarning(`${unknown} is not a setting: did you mean ${meant}?`),
    { discard: true }
  )
)
