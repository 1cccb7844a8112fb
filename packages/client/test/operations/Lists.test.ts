import { HttpClient, HttpClientResponse } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Api } from "@switchboard/api"
import { ForbiddenError, InvalidResponseError, make } from "@switchboard/client"
import { Effect, Predicate, Redacted, SchemaAST, Stream } from "effect"

const mail = (number: number) => ({
  id: `00000000-0000-7000-8000-${String(number).padStart(12, "0")}`,
  messageId: `<${number}@example.com>`,
  mailFrom: "",
  rcptTo: ["ada@example.com"],
  size: 1_000,
  receivedAt: "2030-01-01T00:00:00.000Z",
  from: "shop@example.com",
  to: ["ada@example.com"],
  subject: `Mail ${number}`
})

/** A page with a mail, and its header `Link`. */
const page = (number: number, link?: string) =>
  new Response(JSON.stringify({ items: [mail(number)], pagination: { page: 1, limit: 1, total: 3, totalPages: 3 } }), {
    headers: { "content-type": "application/json", ...(link === undefined ? {} : { link }) }
  })

/** A client of a service with these responses, and the URLs that it requests. */
const responding = (responses: ReadonlyArray<Response>, baseUrl = "http://switchboard.test") =>
  Effect.gen(function* () {
    const urls: Array<string> = []
    const service = HttpClient.make((request, url) =>
      Effect.sync(() => HttpClientResponse.fromWeb(request, responses[urls.push(url.href) - 1] ?? Response.error()))
    )
    const switchboard = yield* Effect.provideService(
      make({ baseUrl, apiKey: Redacted.make("key") }),
      HttpClient.HttpClient,
      service
    )
    return { switchboard, urls }
  })

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
      assert.deepStrictEqual(urls, [
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
      assert.deepStrictEqual(urls, ["http://switchboard.test/v1/mailbox?page=3&limit=7"])
    })
  )

  it.effect("are read from the path of the base URL, which a proxy removes from the path of the Link", () =>
    Effect.gen(function* () {
      const { switchboard, urls } = yield* responding(
        [page(1, `<${next}>; rel="next"`), page(2)],
        "https://example.com/switchboard/"
      )
      yield* Stream.runDrain(switchboard.mailbox.list.all())
      assert.strictEqual(urls[1], `https://example.com/switchboard${next}`)
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
        assert.lengthOf(urls, 1)
      }
    })
  )

  it.effect("end with the error of a page", () =>
    Effect.gen(function* () {
      const forbidden = new Response(JSON.stringify({ _tag: "ForbiddenError", message: "No" }), {
        status: 403,
        headers: { "content-type": "application/json" }
      })
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
