import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { createElement } from "react"
import { type CreateTemplateOptions, Resend } from "resend"
import { publish } from "../email/domains/Zone.js"
import { ReceivingService } from "../email/ReceivingService.js"
import { LiveService, relayed } from "../LiveService.js"
import { dataOf, email, errorOf, resendSdk } from "./ResendSdk.js"

const invalid = (message: string) => ({ statusCode: 422, name: "validation_error", message })

layer(ReceivingService.Shared, { excludeTestServices: true })("The Resend SDK", (it) => {
  it.effect("adds, verifies, changes and removes a domain", () =>
    Effect.gen(function* () {
      const { domains } = yield* resendSdk
      const { zone } = yield* ReceivingService
      const created = yield* dataOf(() =>
        domains.create({
          name: "resend.test",
          region: "us-east-1",
          customReturnPath: "bounce",
          capabilities: { sending: "enabled", receiving: "disabled" },
          openTracking: true,
          trackingSubdomain: "links",
          tls: "opportunistic"
        })
      )
      const { id, records } = created
      assert.deepInclude(created, {
        name: "resend.test",
        status: "pending",
        region: "us-east-1",
        capabilities: { sending: "enabled", receiving: "disabled" },
        open_tracking: true,
        click_tracking: false,
        tracking_subdomain: "links"
      })
      assert.deepStrictEqual(
        records.map(({ name, record, status, type }) => [record, type, name, status].join(" ")),
        [
          "DKIM TXT _switchboard.resend.test not_started",
          "DKIM TXT sm1._domainkey.resend.test not_started",
          "DKIM TXT sm2._domainkey.resend.test not_started",
          "SPF MX bounce.resend.test not_started",
          "SPF TXT bounce.resend.test not_started",
          "Tracking CNAME links.resend.test not_started"
        ]
      )

      publish(
        zone,
        records.filter(({ name, type }) => type !== "CNAME" && !name.startsWith("sm2"))
      )
      assert.deepStrictEqual(yield* dataOf(() => domains.verify(id)), { object: "domain", id })
      const pending = yield* dataOf(() => domains.get(id))
      assert.deepInclude(pending, { object: "domain", id, status: "pending" })
      assert.deepStrictEqual(
        pending.records.map(({ status }) => status),
        ["verified", "verified", "pending", "verified", "verified", "pending"]
      )
      publish(
        zone,
        records.filter(({ type }) => type !== "CNAME")
      )
      yield* dataOf(() => domains.verify(id))
      assert.strictEqual((yield* dataOf(() => domains.get(id))).status, "verified")

      const change = { id, clickTracking: true, openTracking: false, trackingSubdomain: "go" }
      assert.deepStrictEqual(yield* dataOf(() => domains.update(change)), { object: "domain", id })
      yield* dataOf(() => domains.create({ name: "second.resend.test" }))
      const { call } = yield* LiveService
      yield* call("POST", "/v1/email/domains/enable-receiving", { domain: "resend.test", catchAll: false })
      const first = yield* dataOf(() => domains.list({ limit: 1 }))
      assert.isTrue(first.has_more)
      const { data, has_more } = yield* dataOf(() => domains.list({ limit: 1, after: first.data[0]?.id ?? "" }))
      assert.isFalse(has_more)
      assert.deepStrictEqual(data, [
        {
          id,
          name: "resend.test",
          status: "verified",
          created_at: created.created_at,
          region: "us-east-1",
          capabilities: { sending: "enabled", receiving: "enabled" },
          open_tracking: false,
          click_tracking: true,
          tracking_subdomain: "go"
        }
      ])
      assert.deepInclude((yield* dataOf(() => domains.get(id))).records.at(-2), {
        record: "Receiving",
        type: "MX",
        name: "resend.test",
        priority: 10
      })

      zone["sm1._domainkey.resend.test"] = "NXDOMAIN"
      yield* dataOf(() => domains.verify(id))
      const degraded = yield* dataOf(() => domains.get(id))
      assert.strictEqual(degraded.status, "partially_failed")
      assert.deepStrictEqual(
        degraded.records.map(({ status }) => status),
        ["verified", "temporary_failure", "verified", "verified", "verified", "temporary_failure", "temporary_failure"]
      )
      assert.deepStrictEqual(yield* dataOf(() => domains.remove(id)), { object: "domain", id, deleted: true })
      assert.deepInclude(yield* errorOf(() => domains.get(id)), { statusCode: 404, name: "not_found" })
    })
  )

  it.effect("gets the fields of a domain that this service does not have", () =>
    Effect.gen(function* () {
      const { domains } = yield* resendSdk
      const refused = (...[options]: Parameters<typeof domains.create>) => errorOf(() => domains.create(options))
      const name = "refused.test"
      assert.deepStrictEqual(
        yield* refused({
          name,
          region: "eu-west-1",
          customReturnPath: "send",
          tls: "enforced",
          capabilities: { sending: "disabled", receiving: "enabled" }
        }),
        invalid(
          [
            "The `region` field must be `us-east-1` or left out: this service has no regions.",
            "The `custom_return_path` field must be `bounce` or left out: the return path is always bounce.<domain>.",
            "The `capabilities.sending` field must be `enabled`: every domain sends.",
            "The `capabilities.receiving` field must be `disabled`: enable it for the verified domain with POST /v1/email/domains/enable-receiving.",
            "The `tls` field must be `opportunistic`: the setting MX_TLS requires TLS for all domains."
          ].join(" ")
        )
      )
      assert.include(yield* refused({ name: "no domain", trackingSubdomain: "a b" }), {
        name: "validation_error",
        statusCode: 422
      })
      assert.match(JSON.stringify(yield* refused({ name: "Bad Name" })), /The `name` field must be a domain/)
      // The use case refuses this host.
      assert.deepStrictEqual(
        yield* refused({ name, trackingSubdomain: "bounce" }),
        invalid("The `tracking_subdomain` field must not have other records: choose another name, for example links.")
      )
      const { id } = yield* dataOf(() => domains.create({ name }))
      const update = { id, capabilities: { receiving: "enabled" } } as const
      assert.deepStrictEqual(
        yield* errorOf(() => domains.update(update)),
        invalid("The `capabilities.receiving` field is not a known field.")
      )
      assert.deepInclude(yield* errorOf(() => domains.create({ name })), { name: "validation_error", statusCode: 422 })
      assert.deepInclude(yield* errorOf(() => domains.claims.create({ name })), { name: "not_implemented" })
      assert.deepInclude(yield* errorOf(() => domains.claims.get(id)), { name: "not_implemented" })
    })
  )

  it.effect("creates, changes, duplicates, sends and removes a template", () =>
    Effect.gen(function* () {
      const resend = yield* resendSdk
      const { templates } = resend
      const { sender } = yield* LiveService
      const name = "order-confirmation"
      const { id } = yield* dataOf(() =>
        templates.create({
          name,
          alias: name,
          subject: "Order {{{ORDER}}}",
          html: "<p>Hello {{{NAME}}}, {{{NOTE}}}</p>",
          variables: [
            { key: "ORDER", type: "string" },
            { key: "NAME", type: "string", fallbackValue: "there" }
          ]
        })
      )
      assert.deepStrictEqual(yield* dataOf(() => templates.publish(name)), { object: "template", id })
      const template = yield* dataOf(() => templates.get(id))
      const { created_at } = template
      assert.deepStrictEqual(template, {
        object: "template",
        id,
        name,
        alias: name,
        status: "published",
        subject: "Order {{{ORDER}}}",
        html: "<p>Hello {{{NAME}}}, {{{NOTE}}}</p>",
        text: null,
        from: null,
        reply_to: null,
        variables: [["ORDER", null] as const, ["NAME", "there"] as const, ["NOTE", null] as const].map(
          ([key, fallback_value]) => ({
            ...{ key, type: "string" as const, fallback_value },
            ...{ created_at, updated_at: created_at }
          })
        ),
        created_at,
        updated_at: created_at,
        published_at: created_at,
        has_unpublished_versions: false,
        current_version_id: "1"
      })

      const order = randomUUID()
      const send = { from: sender, to: "ada@example.com" }
      const variables = { ORDER: order, NOTE: "<b>thanks</b>" }
      yield* dataOf(() => resend.emails.send({ ...send, template: { id: name, variables } }))
      const mail = yield* relayed(({ parsed }) => parsed.subject === `Order ${order}`)
      assert.include(mail.parsed.html, "<p>Hello there, <b>thanks</b></p>")
      const [batched] = (yield* dataOf(() =>
        resend.batch.send([{ ...send, template: { id, variables: { ...variables, ORDER: 1815 } } }])
      )).data
      assert.strictEqual((yield* dataOf(() => resend.emails.get(batched?.id ?? ""))).subject, "Order 1815")
      assert.deepStrictEqual(
        yield* errorOf(() => resend.emails.send({ ...send, template: { id, variables: { ORDER: order } } })),
        { statusCode: 422, name: "missing_required_field", message: "Missing `template.variables.NOTE` field." }
      )
      assert.deepStrictEqual(yield* errorOf(() => resend.emails.send({ ...send, template: { id: "absent" } })), {
        statusCode: 404,
        name: "not_found",
        message: "The template does not exist: absent"
      })

      const copy = yield* dataOf(() => templates.duplicate(name))
      assert.deepInclude(yield* dataOf(() => templates.get(`Copy of ${name}`)), {
        id: copy.id,
        name: `Copy of ${name}`,
        html: template.html
      })
      const change = { subject: "Your order {{{ORDER}}}", text: "Order {{{ORDER}}}", variables: [] }
      assert.deepStrictEqual(yield* dataOf(() => templates.update(id, change)), { object: "template", id })
      assert.deepInclude(yield* dataOf(() => templates.get(id)), {
        subject: change.subject,
        text: change.text,
        current_version_id: "2"
      })
      const { data } = yield* dataOf(() => templates.list())
      assert.deepStrictEqual(
        data.map(({ alias, id, status }) => [alias, id, status]),
        [
          [`Copy of ${name}`, copy.id, "published"],
          [name, id, "published"]
        ]
      )
      assert.deepStrictEqual(yield* dataOf(() => templates.remove(name)), { object: "template", id, deleted: true })
      assert.deepInclude(yield* errorOf(() => templates.get(name)), { statusCode: 404, name: "not_found" })
    })
  )

  it.effect("gets the reason why a template can't be translated", () =>
    Effect.gen(function* () {
      const { templates } = yield* resendSdk
      const { call } = yield* LiveService
      const base = { name: "refused", subject: "Hello", html: "<p>{{{NAME}}}</p>" }
      const refused = (options: Partial<CreateTemplateOptions>) =>
        errorOf(() => templates.create({ ...base, ...options }))
      assert.deepStrictEqual(
        yield* refused({ from: "a@example.com", replyTo: "b@example.com", html: "<p>{{{NAME|there}}}</p>" }),
        {
          statusCode: 422,
          name: "invalid_from_address",
          message: [
            "The `html` field must have no fallback in a tag like `{{{NAME|there}}}`: give the variable a `fallback_value`.",
            "The `from` field is not stored in a template: give it to each send.",
            "The `reply_to` field is not stored in a template: give it to each send."
          ].join(" ")
        }
      )
      assert.deepStrictEqual(
        yield* refused({ alias: "other" }),
        invalid("The `alias` field must be the same as `name`, or left out: a template is found by its id or its name.")
      )
      assert.deepStrictEqual(
        yield* refused({
          variables: [
            { key: "NAME", type: "string" },
            { key: "UNUSED", type: "string", fallbackValue: "1" }
          ]
        }),
        invalid("The `variables.1.key` field is not used by the template.")
      )
      const number: CreateTemplateOptions = {
        ...base,
        name: "number",
        variables: [{ key: "NAME", type: "number", fallbackValue: 1.5 }]
      }
      const { id } = yield* dataOf(() => templates.create(number))
      const { variables } = yield* dataOf(() => templates.get(id))
      assert.deepInclude(variables?.[0], { key: "NAME", type: "string", fallback_value: "1.5" })
      assert.deepInclude(yield* refused({ html: "<p>{{> partial}}</p>" }), { name: "validation_error" })
      const { body } = yield* call("POST", "/v1/email/templates", { name: "Text", channel: "sms", text: "Hello" })
      assert.deepInclude(yield* errorOf(() => templates.get(body.id)), { statusCode: 404, name: "not_found" })
      assert.isEmpty((yield* dataOf(() => templates.list())).data.filter(({ id }) => id === body.id))
    })
  )

  it.effect("creates, changes, rotates and removes a webhook", () =>
    Effect.gen(function* () {
      const { webhooks } = yield* resendSdk
      const { call } = yield* LiveService
      const endpoint = "https://hooks.example.com/resend?a=b"
      const created = yield* dataOf(() =>
        webhooks.create({ endpoint, events: ["email.sent", "email.failed", "domain.updated"] })
      )
      const { id } = created
      assert.match(created.signing_secret, /^whsec_/)
      const { body } = yield* call("GET", `/v1/webhook-endpoints/${id}`)
      assert.deepInclude(body, { name: "hooks.example.com", filters: '{"channels":["email"]}' })
      assert.deepStrictEqual(body.configuration, {
        url: endpoint,
        events: [
          "message.sent",
          "message.failed",
          "email_domain.verified",
          "email_domain.degraded",
          "email_domain.failed"
        ]
      })
      const { created_at, ...webhook } = yield* dataOf(() => webhooks.get(id))
      assert.strictEqual(created_at, body.createdAt)
      assert.deepStrictEqual(webhook, {
        object: "webhook",
        id,
        endpoint,
        status: "enabled",
        events: ["email.sent", "email.failed", "email.suppressed", "domain.updated"],
        signing_secret: ""
      })
      assert.deepStrictEqual(
        yield* dataOf(() => webhooks.update(id, { events: ["email.received"], status: "disabled" })),
        { object: "webhook", id }
      )
      const every = yield* call("POST", "/v1/webhook-endpoints", { name: "All", url: endpoint, events: ["message.*"] })
      const { data } = yield* dataOf(() => webhooks.list())
      assert.deepStrictEqual(
        data.map(({ events, id, status }) => [id, status, events?.length]),
        [
          [every.body.id, "enabled", 11],
          [id, "disabled", 1]
        ]
      )
      const rotated = yield* dataOf(() => webhooks.rotateSigningSecret(id))
      assert.match(rotated.signing_secret, /^whsec_/)
      assert.notStrictEqual(rotated.signing_secret, created.signing_secret)
      assert.deepStrictEqual(
        yield* errorOf(() => webhooks.create({ endpoint, events: ["email.sent", "contact.created"] })),
        invalid("The `events.1` field must be an event that this service has: contact.created is not.")
      )
      assert.match(
        JSON.stringify(yield* errorOf(() => webhooks.update(id, { endpoint: "ftp://example.com" }))),
        /"The `endpoint` field must/
      )
      assert.deepInclude(yield* errorOf(() => webhooks.events.list({ webhookId: id })), { name: "not_implemented" })
      assert.deepStrictEqual(yield* dataOf(() => webhooks.remove(id)), { object: "webhook", id, deleted: true })
      assert.deepInclude(yield* errorOf(() => webhooks.get(id)), { statusCode: 404, name: "not_found" })
    })
  )

  it.effect("renders a React component before it sends", () =>
    Effect.gen(function* () {
      const resend = yield* resendSdk
      const { html: _, ...send } = yield* email
      const react = createElement("p", { style: { color: "red" } }, "Hello ", createElement("b", null, "<Ada>"))
      const { id } = yield* dataOf(() => resend.emails.send({ ...send, react }))
      const mail = yield* relayed(({ parsed }) => parsed.subject === send.subject)
      assert.include(mail.parsed.html, '<p style="color:red">Hello <b>&lt;Ada&gt;</b></p>')
      assert.include(mail.parsed.text, "Hello <Ada>")
      assert.include((yield* dataOf(() => resend.emails.get(id))).html, "<b>&lt;Ada&gt;</b>")
    })
  )

  it.effect("is refused with a key that lacks the permission", () =>
    Effect.gen(function* () {
      const { baseUrl, call } = yield* LiveService
      const { body } = yield* call("POST", "/v1/api-keys", { name: "reader", permissions: { messages: ["read"] } })
      const { domains, templates, webhooks } = new Resend(body.key, { baseUrl: `${baseUrl}/resend` })
      for (const [request, permission] of [
        [() => domains.list(), "domains.read"],
        [() => domains.verify(randomUUID()), "domains.write"],
        [() => templates.publish("name"), "templates.write"],
        [() => webhooks.rotateSigningSecret(randomUUID()), "webhooks.write"]
      ] as const) {
        assert.deepStrictEqual(yield* errorOf<unknown>(request), {
          statusCode: 401,
          name: "restricted_api_key",
          message: `The API key lacks the permission ${permission}`
        })
      }
    })
  )
})
