import type * as Client from "@switchboard/client"
import type { PlainValue } from "@switchboard/client/promise"

/* The resources as the client with promises returns them: times are `Date`. */

export type Message = PlainValue<Client.Message>
export type EmailContent = Extract<Message["content"], { readonly subject: string }>
export type WhatsAppContent = Exclude<Message["content"], { readonly subject: string } | { readonly encoding: string }>
export type MessageTimeline = PlainValue<Client.MessageTimeline>
export type MailboxMail = PlainValue<Client.MailboxMail>
export type MailboxMailSummary = PlainValue<Client.MailboxMailSummary>
export type Delivery = NonNullable<Message["emailMetadata"]>["deliveries"][number]
export type Template = PlainValue<Client.Template>
export type TemplateVersion = PlainValue<Client.TemplateVersion>
export type RenderedTemplate = PlainValue<Client.RenderedTemplate>
export type User = PlainValue<Client.User>
export type UserInvitation = PlainValue<Client.UserInvitation>
export type SessionDetails = PlainValue<Client.SessionDetails>
export type EmailDomain = PlainValue<Client.EmailDomain>
export type DomainReport = PlainValue<Client.DomainReport>
export type MailReports = PlainValue<Client.MailReports>
export type DetectedRegistrar = PlainValue<Client.DetectedRegistrar>
export type PhoneNumber = PlainValue<Client.SmsNumber>
export type OptOut = PlainValue<Client.OptOut>
export type HandsetText = PlainValue<Client.HandsetText>
export type EmailSender = PlainValue<Client.EmailSender>
export type Block = PlainValue<Client.Block>
export type BlockLog = PlainValue<Client.BlockLog>
export type BlockImport = PlainValue<Client.BlockImport>
export type BlockCheck = PlainValue<Client.BlockCheck>
export type ForwardingRule = PlainValue<Client.ForwardingRule>
export type ForwardingLog = PlainValue<Client.ForwardingLog>
export type WebhookEndpoint = PlainValue<Client.WebhookEndpoint>
export type WebhookDelivery = PlainValue<Client.WebhookDelivery>
export type ApiKey = PlainValue<Client.ApiKey>
export type ApiKeyActivity = PlainValue<Client.ApiKeyActivity>
export type ApiKeyStats = PlainValue<Client.ApiKeyStats>
export type AuditEntry = PlainValue<Client.AuditEntry>
export type Thread = PlainValue<Client.Thread>
export type Conversation = PlainValue<Client.Conversation>
export type Participant = PlainValue<Client.Participant>
export type Draft = PlainValue<Client.Draft>
export type Organization = PlainValue<Client.Organization>
export type SystemStatus = PlainValue<Client.SystemStatus>
export type AnalyticsStats = PlainValue<Client.AnalyticsStats>
export type VoiceAgent = PlainValue<Client.VoiceAgent>
export type VoiceCall = PlainValue<Client.VoiceCall>
export type VoiceWorkflow = PlainValue<Client.VoiceWorkflow>
