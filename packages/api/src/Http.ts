import { Etag, FileSystem, HttpApiBuilder, HttpPlatform, type HttpRouter, HttpServer, Path } from "@effect/platform"
import { Context, Effect, Layer, Scope } from "effect"
import { Api } from "./Api.js"
import { AnalyticsHttp } from "./analytics/AnalyticsHttp.js"
import { ApiKeysHttp } from "./apiKeys/ApiKeysHttp.js"
import { AttachmentsHttp } from "./attachments/AttachmentsHttp.js"
import { ConversationsHttp } from "./conversations/ConversationsHttp.js"
import { DraftsHttp } from "./drafts/DraftsHttp.js"
import { BlocksHttp } from "./email/blocks/BlocksHttp.js"
import { DomainsHttp } from "./email/domains/DomainsHttp.js"
import { ForwardingHttp } from "./email/forwarding/ForwardingHttp.js"
import { OpenPixelHttp } from "./email/opens/OpenPixelHttp.js"
import { CatchAllHttp, ReceivingHttp } from "./email/receiving/ReceivingHttp.js"
import { EmailRecordsHttp, EmailStatsHttp } from "./email/records/EmailRecordsHttp.js"
import { EmailSendHttp, UnsubscribeHttp } from "./email/send/EmailSendHttp.js"
import { SenderConfirmationsHttp, SendersHttp } from "./email/senders/SendersHttp.js"
import { TemplatesHttp } from "./email/templates/TemplatesHttp.js"
import { ThreadsHttp } from "./email/threads/ThreadsHttp.js"
import { EventsHttp } from "./events/EventsHttp.js"
import { AuthorizationHttp } from "./http/AuthorizationHttp.js"
import { serveRoutes } from "./http/ServeRoutes.js"
import { StartPage } from "./http/StartPage.js"
import { UnsupportedMethods } from "./http/UnsupportedMethods.js"
import { MailboxHttp } from "./mailbox/MailboxHttp.js"
import { MessagesHttp } from "./messages/MessagesHttp.js"
import { ObjectsHttp } from "./objects/ObjectsHttp.js"
import { DocumentHttp } from "./openapi/DocumentHttp.js"
import { PublicRoutes } from "./openapi/PublicRoutes.js"
import { OrganizationsHttp } from "./organizations/OrganizationsHttp.js"
import { ParticipantsHttp } from "./participants/ParticipantsHttp.js"
import { SessionsHttp } from "./sessions/SessionsHttp.js"
import { SystemHttp } from "./system/SystemHttp.js"
import { VoiceAgentsHttp } from "./voice/agents/VoiceAgentsHttp.js"
import { VoiceCallsHttp } from "./voice/calls/VoiceCallsHttp.js"
import { KnowledgeBasesHttp } from "./voice/knowledgeBases/KnowledgeBasesHttp.js"
import { UploadsHttp } from "./voice/knowledgeBases/UploadsHttp.js"
import { VoiceWorkflowsHttp } from "./voice/workflows/VoiceWorkflowsHttp.js"
import { WebhookEndpointsHttp } from "./webhooks/WebhookEndpointsHttp.js"
import { ServiceWindowsHttp, WhatsAppStatsHttp } from "./whatsapp/WhatsAppHttp.js"

const Handlers = Layer.discard(HttpApiBuilder.api(Api)).pipe(
  Layer.provide(
    Layer.mergeAll(
      MessagesHttp,
      MailboxHttp,
      SystemHttp,
      OrganizationsHttp,
      SessionsHttp,
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
      WhatsAppStatsHttp,
      ServiceWindowsHttp,
      DraftsHttp,
      AttachmentsHttp,
      EventsHttp
    )
  ),
  Layer.provide(AuthorizationHttp)
)

/** Requires handlers for all public routes. The server provides those of `health`. */
const PublicHandlers = Layer.discard(HttpApiBuilder.api(PublicRoutes)).pipe(
  Layer.provide(Layer.mergeAll(DocumentHttp, ObjectsHttp, OpenPixelHttp, UnsubscribeHttp, UploadsHttp))
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
  Layer.provide(Layer.mergeAll(StartPage, UnsupportedMethods, PublicHandlers)),
  Layer.provide(Handlers),
  Layer.provide(HttpApiBuilder.Router.Live)
)
