import { assert, describe, it } from "@effect/vitest"
import { Api } from "@switchboard/api"
import { ForbiddenError, InvalidResponseError } from "@switchboard/client"
import { Effect, Predicate, SchemaAST, Stream } from "effect"
import { clientOf, json } from "../FakeService.js"
import { mail, pagination } from "../promise/Serving.js"

/** A page with a mail, and its header `Link`. */
const page = (number: number, link?: string) =>
  json({ items: [mail(number)], pagination }, 200, link === undefined ? {} : { link })

/** A client of a service with these responses, and the URLs that it requests. */
const responding = (responses: ReadonlyArray<Response>, baseUrl = "http://switchboard.test") =>
  Effect.map(
    clientOf((earlier) => responses[earlier] ?? Response.error(), { baseUrl }),
    ({ requests, switchboard }) => ({ switchboard, urls: () => requests.map(({ url }) => url.href) })
  )

/** The subjects of the mails until the end of the list or an error, and the error. */
const read = <E>(mails: Stream.Stream<{ readonly subject: string }, E>) =>
  Effect.gen(function* () {
    const subjects: Array<string> = []
    const error = yield* Stream.runForEach(mails, ({ subject }) => Effect.sync(() => void subjects.push(subject))).pipe(
      Effect.match({ onFailure: (failure): E | null => failure, onSuccess: () => null })
    )
    return { subjects, error }
  })

const next = "/v1/mailbox?limit=100&after=MiAw"

describe("all items of a list", () => {
  it.effect("are read page after page by the Link of each response", () =>
    Effect.gen(function* () {
      const { switchboard, urls } = yield* responding([
        page(1, `<${next}>; rel="next"`),
        page(2, `</v1/mailbox?page=1>; rel=prev; title="a, <b>", <?after=Mw>; title=x; REL="last Next"`),
        page(3, `</v1/mailbox>; rel="first"`)
      ])
      const { error, subjects } = yield* read(switchboard.mailbox.list.all())
      assert.isNull(error)
      assert.deepStrictEqual(subjects, ["Mail 1", "Mail 2", "Mail 3"])
      assert.deepStrictEqual(urls(), [
        "http://switchboard.test/v1/mailbox?limit=100",
        "http://switchboard.test/v1/mailbox?limit=100&after=MiAw",
        "http://switchboard.test/v1/mailbox?after=Mw"
      ])
    })
  )

  it.effect("begin at the page of the request, with its page size", () =>
    Effect.gen(function* () {
      const { switchboard, urls } = yield* responding([page(1)])
      yield* Stream.runDrain(switchboard.mailbox.list.all({ urlParams: { limit: 7, page: 3 } }))
      assert.deepStrictEqual(urls(), ["http://switchboard.test/v1/mailbox?page=3&limit=7"])
    })
  )

  it.effect("are read from the path of the base URL, which a proxy removes from the path of the Link", () =>
    Effect.gen(function* () {
      const { switchboard, urls } = yield* responding(
        [page(1, `<${next}>; rel="next"`), page(2)],
        "https://example.com/switchboard/"
      )
      yield* Stream.runDrain(switchboard.mailbox.list.all())
      assert.strictEqual(urls()[1], `https://example.com/switchboard${next}`)
    })
  )

  it.effect("end with InvalidResponseError after a Link that is malformed, or not of the list", () =>
    Effect.gen(function* () {
      for (const link of [
        next,
        `<${next}`,
        `<${next}>; rel="next`,
        `<${next}> rel="next" <x>`,
        `<http://[>; rel="next"`,
        `<https://switchboard.test${next}>; rel="next"`,
        `<http://switchboard.test:8080${next}>; rel="next"`,
        `<//elsewhere.test${next}>; rel="next"`,
        `<http://elsewhere.test${next}>; rel="next"`,
        `</v1/api-keys?after=MiAw>; rel="next"`,
        `</v1/mailbox?limit=100>; rel="next"`
      ]) {
        const { switchboard, urls } = yield* responding([page(1, link), page(2)])
        const { error, subjects } = yield* read(switchboard.mailbox.list.all())
        assert.instanceOf(error, InvalidResponseError, link)
        assert.include(error?.message, link)
        assert.deepStrictEqual(subjects, ["Mail 1"])
        assert.lengthOf(urls(), 1)
      }
    })
  )

  it.effect("end with the error of a page", () =>
    Effect.gen(function* () {
      const forbidden = json({ _tag: "ForbiddenError", message: "No" }, 403)
      const { switchboard } = yield* responding([page(1, `<${next}>; rel="next"`), forbidden])
      const { error, subjects } = yield* read(switchboard.mailbox.list.all())
      assert.deepStrictEqual(error, new ForbiddenError({ message: "No" }))
      assert.deepStrictEqual(subjects, ["Mail 1"])
    })
  )

  it.effect("are available of every operation that returns a page", () =>
    Effect.gen(function* () {
      const { switchboard } = yield* responding([])
      const names = Object.entries(Api.groups).flatMap(([group, { endpoints }]) =>
        Object.entries(endpoints).flatMap(([name, { successSchema }]) =>
          SchemaAST.getPropertySignatures(successSchema.ast).some((field) => field.name === "pagination")
            ? [`${group}.${name}`]
            : []
        )
      )
      const lists = Object.entries(switchboard).flatMap(([group, operations]) =>
        Object.entries(operations).flatMap(([name, operation]) =>
          Predicate.hasProperty(operation, "all") ? [`${group}.${name}`] : []
        )
      )
      assert.deepStrictEqual(lists.sort(), names.sort())
      assert.isAbove(names.length, 20)
    })
  )
})
