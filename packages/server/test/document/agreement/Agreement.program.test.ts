import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { inject } from "vitest"
import { makeFixtures } from "../Fixtures.js"
import { Installation } from "../Installation.js"
import { bodyProblems } from "./BodyAgreement.js"
import { parameterProblems } from "./ParameterAgreement.js"

/** For what hangs, with the default number of requests. */
const testTimeout = 600_000 * inject("machineFactor")

const { AGREEMENT_COUNT, AGREEMENT_SEED = "1" } = process.env

layer(Installation.Live, { excludeTestServices: true })("Document and service agree", (it) => {
  // The bodies are the last: they send mail that delays later mail.
  it.effect.each([
    { inputs: "query parameters", problemsOf: parameterProblems, defaultCount: 12 },
    { inputs: "bodies", problemsOf: bodyProblems, defaultCount: 30 }
  ])(
    "on the $inputs of every operation",
    ({ defaultCount, inputs, problemsOf }) =>
      Effect.gen(function* () {
        const installation = yield* Installation
        const fixtures = yield* makeFixtures(installation, installation.owner, inputs)
        yield* fixtures.everything
        const selection = { count: Number(AGREEMENT_COUNT ?? defaultCount), seed: Number(AGREEMENT_SEED) }
        const found = yield* Effect.forEach(
          installation.operations,
          (operation) => problemsOf(installation, operation, fixtures, selection),
          { concurrency: 4 }
        )
        const problems = found.flat()
        assert.deepStrictEqual(problems.slice(0, 20), [], `${problems.length} with AGREEMENT_SEED=${AGREEMENT_SEED}`)
      }),
    testTimeout
  )
})
