import {
  Etag,
  FileSystem,
  HttpApiBuilder,
  type HttpMethod,
  HttpPlatform,
  HttpRouter,
  HttpServer,
  HttpServerError,
  HttpServerRequest,
  HttpServerResponse,
  Path
} from "@effect/platform"
import { Context, Effect, Layer, Scope } from "effect"
import { Api } from "./Api.js"
import { AnalyticsHttp } from "./analytics/AnalyticsHttp.js"
import { ApiKeysHttp } from "./apiKeys/ApiKeysHttp.js"
import { AttachmentsHttp } from "./attachments/AttachmentsHttp.js"
import { AuditedOperations } from "./audit/AuditedOperations.js"
import { AuditHttp } from "./audit/AuditHttp.js"
import { ConversationsHttp } from "./conversations/ConversationsHttp.js"
import { DraftsHttp } from "./drafts/DraftsHttp.js"
import { BlocksHttp } from "./email/blocks/BlocksHttp.js"
import { DomainsHttp } from "./email/domains/DomainsHttp.js"
import { ForwardingHttp } from "./email/forwarding/ForwardingHttp.js"
import { CatchAllHttp, ReceivingHttp } from "./email/receiving/ReceivingHttp.js"
import { EmailRecordsHttp, EmailStatsHttp } from "./email/records/EmailRecordsHttp.js"
import { EmailSendHttp, UnsubscribeHttp } from "./email/send/EmailSendHttp.js"
import { SenderConfirmationsHttp, SendersHttp } from "./email/senders/SendersHttp.js"
import { TemplatesHttp } from "./email/templates/TemplatesHttp.js"
import { ThreadsHttp } from "./email/threads/ThreadsHttp.js"
import { TrackingHttp } from "./email/tracking/TrackingHttp.js"
import { EventsHttp } from "./events/EventsHttp.js"
import { HandsetHttp } from "./handset/HandsetHttp.js"
import { AuthorizationHttp } from "./http/AuthorizationHttp.js"
import { acceptsHtml } from "./http/Compression.js"
import { serveRoutes } from "./http/ServeRoutes.js"
import { MailboxHttp } from "./mailbox/MailboxHttp.js"
import { MessagesHttp } from "./messages/MessagesHttp.js"
import { covers } from "./OperationRules.js"
import { ObjectsHttp } from "./objects/ObjectsHttp.js"
import { UploadsHttp } from "./objects/UploadsHttp.js"
import { DocumentHttp } from "./openapi/DocumentHttp.js"
import { PublicRoutes } from "./openapi/PublicRoutes.js"
import { OrganizationsHttp } from "./organizations/OrganizationsHttp.js"
import { ParticipantsHttp } from "./participants/ParticipantsHttp.js"
import { ProvidersHttp } from "./providers/ProvidersHttp.js"
import { ResendApi } from "./resend/ResendApi.js"
import { ResendApiKeysHttp } from "./resend/ResendApiKeysHttp.js"
import { ResendDocumentHttp } from "./resend/ResendDocument.js"
import { ResendDomainsHttp } from "./resend/ResendDomainsHttp.js"
import { ResendEmailsHttp } from "./resend/ResendEmailsHttp.js"
import { absentOperations } from "./resend/ResendError.js"
import { ResendReceivingHttp } from "./resend/ResendReceivingHttp.js"
import { ResendTemplatesHttp } from "./resend/ResendTemplatesHttp.js"
import { ResendWebhooksHttp } from "./resend/ResendWebhooksHttp.js"
import { OidcHttp } from "./sessions/OidcHttp.js"
import { SessionsHttp } from "./sessions/SessionsHttp.js"
import { NumbersHttp, OptOutsHttp } from "./sms/SmsHttp.js"
import { SystemHttp } from "./system/SystemHttp.js"
import { UsersHttp } from "./users/UsersHttp.js"
import { VoiceAgentsHttp } from "./voice/agents/VoiceAgentsHttp.js"
import { VoiceCallsHttp } from "./voice/calls/VoiceCallsHttp.js"
import { KnowledgeBasesHttp } from "./voice/knowledgeBases/KnowledgeBasesHttp.js"
import { VoiceWorkflowsHttp } from "./voice/workflows/VoiceWorkflowsHttp.js"
import { WebhookEndpointsHttp } from "./webhooks/WebhookEndpointsHttp.js"
import { ServiceWindowsHttp, WhatsAppStatsHttp } from "./whatsapp/WhatsAppHttp.js"

/** The page that `/` leads browsers to, relative to the base URL of the service. */
const startPage = "console/"

/** Redirects browsers from `/`. Other callers get 404, as for an unknown route. */
const StartPage = HttpApiBuilder.Router.use((router) =>
  router.get(
    "/",
    Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
      acceptsHtml(request.headers.accept)
        ? Effect.succeed(HttpServerResponse.redirect(startPage))
        : new HttpServerError.RouteNotFound({ request })
    )
  )
)

/** A method and a path of the router. Parameters of a path begin with a colon. */
interface Operation {
  readonly method: HttpMethod.HttpMethod
  readonly path: HttpRouter.PathInput
}

/** A path without the names of its parameters, which the router ignores. */
const shapeOf = (path: string) => path.replace(/:\w+/g, ":")

/** Prefixes of paths that are no paths themselves: `/things/all` if there is only `/things/all/stop`. */
const prefixesOf = (paths: ReadonlyArray<HttpRouter.PathInput>): ReadonlyArray<HttpRouter.PathInput> => {
  const known = new Set(paths.map(shapeOf))
  return paths.flatMap((path) => {
    const names = path.split("/").slice(1)
    return names.flatMap((name, at) => {
      const prefix: HttpRouter.PathInput = `/${names.slice(0, at + 1).join("/")}`
      return name.startsWith(":") || known.has(shapeOf(prefix)) ? [] : [prefix]
    })
  })
}

/**
 * Routes for methods that a path does not have, and that the router would match with a parameter of another path:
 * `GET /things/send` would match `GET /things/:id` if `/things/send` has only `POST`.
 */
export const unsupportedMethods = (operations: ReadonlyArray<Operation>): ReadonlyArray<Operation> => {
  const paths = operations.map(({ path }) => path)
  const known = operations.map(({ method, path }) => ({ method, shape: shapeOf(path), segments: path.split("/") }))
  return [...new Set([...paths, ...prefixesOf(paths)])].flatMap((path) => {
    const shape = shapeOf(path)
    const segments = path.split("/")
    const supported = new Set(known.filter((one) => one.shape === shape).map(({ method }) => method))
    const matched = new Set(known.filter((one) => covers(one.segments, segments)).map(({ method }) => method))
    return [...matched].filter((method) => !supported.has(method)).map((method) => ({ method, path }))
  })
}

const declared = [Api, ResendApi].flatMap(({ groups }) =>
  Object.values(groups).flatMap((group): ReadonlyArray<Operation> => Object.values(group.endpoints))
)

const unknown = Effect.flatMap(
  HttpServerRequest.HttpServerRequest,
  (request) => new HttpServerError.RouteNotFound({ request })
)

/** Responds with an unknown route to an unsupported method of a known path, without authentication. */
const UnsupportedMethods = HttpApiBuilder.Router.use((router) =>
  Effect.forEach(
    [...unsupportedMethods(declared), ...absentOperations],
    ({ method, path }) => router.addRoute(HttpRouter.makeRoute(method, path, unknown)),
    { discard: true }
  )
)

const Handlers = Layer.discard(HttpApiBuilder.api(Api)).pipe(
  Layer.provide(
    Layer.mergeAll(
      MessagesHttp,
      MailboxHttp,
      HandsetHttp,
      SystemHttp,
      OrganizationsHttp,
      SessionsHttp,
      UsersHttp,
      ApiKeysHttp,
      WebhookEndpointsHttp,
      BlocksHttp,
      DomainsHttp,
      ReceivingHttp,
      CatchAllHttp,
      ForwardingHttp,
      SendersHttp,
      SenderConfirmationsHttp,
      TemplatesHttp,
      EmailSendHttp,
      ThreadsHttp,
      EmailRecordsHttp,
      EmailStatsHttp,
      ConversationsHttp,
      ParticipantsHttp,
      VoiceAgentsHttp,
      VoiceWorkflowsHttp,
      VoiceCallsHttp,
      KnowledgeBasesHttp,
      AnalyticsHttp,
      NumbersHttp,
      OptOutsHttp,
      ProvidersHttp,
      WhatsAppStatsHttp,
      ServiceWindowsHttp,
      DraftsHttp,
      AttachmentsHttp,
      EventsHttp,
      AuditHttp
    )
  ),
  Layer.provide(AuthorizationHttp)
)

const ResendHandlers = Layer.discard(HttpApiBuilder.api(ResendApi)).pipe(
  Layer.provide(
    Layer.mergeAll(
      ResendEmailsHttp,
      ResendReceivingHttp,
      ResendDomainsHttp,
      ResendTemplatesHttp,
      ResendWebhooksHttp,
      ResendApiKeysHttp,
      ResendDocumentHttp
    )
  ),
  Layer.provide(AuthorizationHttp)
)

/** Requires handlers for all public routes. The server provides those of `health`. */
const PublicHandlers = Layer.discard(HttpApiBuilder.api(PublicRoutes)).pipe(
  Layer.provide(Layer.mergeAll(DocumentHttp, ObjectsHttp, OidcHttp, TrackingHttp, UnsubscribeHttp, UploadsHttp))
)

type PlatformServices = HttpServer.HttpServer | HttpRouter.HttpRouter.DefaultServices | Scope.Scope

/** Reduces the context of a request to platform services, because the platform copies it several times. */
const platformServices = (context: Context.Context<PlatformServices>): Context.Context<PlatformServices> =>
  Context.pick(
    HttpServer.HttpServer,
    HttpPlatform.HttpPlatform,
    Etag.Generator,
    FileSystem.FileSystem,
    Path.Path,
    Scope.Scope
  )(context)

/** The HTTP interface, served on an `HttpServer`. */
export const Http = Layer.scopedDiscard(
  Effect.flatMap(serveRoutes, (httpApp) => Effect.mapInputContext(HttpServer.serveEffect(httpApp), platformServices))
).pipe(
  Layer.provide(Layer.mergeAll(StartPage, UnsupportedMethods, PublicHandlers, ResendHandlers)),
  Layer.provide(Handlers),
  Layer.provide(AuditedOperations.Default),
  Layer.provide(HttpApiBuilder.Router.Live)
)
