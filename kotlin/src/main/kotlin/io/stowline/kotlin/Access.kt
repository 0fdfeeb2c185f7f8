package io.stowline.kotlin

import io.stowline.Stowline
import io.stowline.access.AccessPolicy
import io.stowline.access.AccountSasBuilder
import io.stowline.access.BlobSasBuilder
import io.stowline.access.ContainerSasBuilder
import io.stowline.access.QueueSasBuilder
import io.stowline.access.ReactiveAccessPolicies
import io.stowline.access.SasBuilder
import io.stowline.access.SharedAccessSignature
import io.stowline.access.TableSasBuilder
import io.stowline.blob.BlobContainer
import io.stowline.blob.BlobRevision
import io.stowline.outcome.WriteResult
import io.stowline.queue.MessageQueue
import io.stowline.service.AnalyticsLogging
import io.stowline.service.AnalyticsMetrics
import io.stowline.service.Cors
import io.stowline.service.CorsRule
import io.stowline.service.ServiceInfo
import io.stowline.service.ServiceProperties
import io.stowline.service.SoftDelete
import io.stowline.service.StaticWebsite
import io.stowline.table.Table
import kotlinx.coroutines.reactor.awaitSingle
import reactor.core.publisher.Mono

/** Signs a URL of the account; see [Stowline.sas]. */
public suspend fun Stowline.awaitSas(
    settings: AccountSasBuilder<Mono<SharedAccessSignature>>.() -> Unit,
): SharedAccessSignature = reactive().sas().apply(settings).sign().awaitSingle()

/** Signs a URL of the table; see [Table.sas]. */
public suspend fun Table<*>.awaitSas(
    settings: TableSasBuilder<Mono<SharedAccessSignature>>.() -> Unit,
): SharedAccessSignature = reactive().sas().apply(settings).sign().awaitSingle()

/** Signs a URL of the queue; see [MessageQueue.sas]. */
public suspend fun MessageQueue<*>.awaitSas(
    settings: QueueSasBuilder<Mono<SharedAccessSignature>>.() -> Unit,
): SharedAccessSignature = reactive().sas().apply(settings).sign().awaitSingle()

/** Signs a URL of the container; see [BlobContainer.sas]. */
public suspend fun BlobContainer.awaitSas(
    settings: ContainerSasBuilder<Mono<SharedAccessSignature>>.() -> Unit,
): SharedAccessSignature = reactive().sas().apply(settings).sign().awaitSingle()

/** Signs a URL of a blob; see [BlobContainer.sas]. */
public suspend fun BlobContainer.awaitSas(
    name: String,
    settings: BlobSasBuilder<Mono<SharedAccessSignature>>.() -> Unit,
): SharedAccessSignature = reactive().sas(name).apply(settings).sign().awaitSingle()

/** Signs a URL of a snapshot or version; see [BlobRevision.sas]. */
public suspend fun BlobRevision.awaitSas(
    settings: BlobSasBuilder<Mono<SharedAccessSignature>>.() -> Unit,
): SharedAccessSignature = reactive().sas().apply(settings).sign().awaitSingle()

/** Returns the stored access policies; see [io.stowline.access.AccessPolicies.list]. */
public suspend fun ReactiveAccessPolicies<*>.awaitList(): List<AccessPolicy> = list().awaitSingle()

/** Adds or changes one stored access policy; see [io.stowline.access.AccessPolicies.set]. */
public suspend fun ReactiveAccessPolicies<*>.awaitSet(policy: AccessPolicy): WriteResult = set(policy).awaitSingle()

/** Adds or changes the stored access policy [id]; see [io.stowline.access.AccessPolicies.set]. */
public suspend fun <B : SasBuilder<*, *>> ReactiveAccessPolicies<B>.awaitSet(
    id: String,
    settings: B.() -> Unit,
): WriteResult = set(id) { it.apply(settings) }.awaitSingle()

/** Removes one stored access policy; see [io.stowline.access.AccessPolicies.remove]. */
public suspend fun ReactiveAccessPolicies<*>.awaitRemove(id: String): Boolean = remove(id).awaitSingle()

/** Replaces all stored access policies; see [io.stowline.access.AccessPolicies.replaceAll]. */
public suspend fun ReactiveAccessPolicies<*>.awaitReplaceAll(policies: List<AccessPolicy>): WriteResult =
    replaceAll(policies).awaitSingle()

/** Returns the CORS rules of the service; see [Cors.rules]. */
public suspend fun Cors.awaitRules(): List<CorsRule> = reactive().rules().awaitSingle()

/** Replaces the CORS rules of the service; see [Cors.set]. */
public suspend fun Cors.awaitSet(rules: List<CorsRule>): WriteResult = reactive().set(rules).awaitSingle()

/** Replaces the CORS rules of the service by one [rule]; see [Cors.set]. */
public suspend fun Cors.awaitSet(rule: CorsRule.Builder.() -> Unit): WriteResult =
    reactive().set { it.apply(rule) }.awaitSingle()

/** Removes the CORS rules of the service; see [Cors.clear]. */
public suspend fun Cors.awaitClear(): WriteResult = reactive().clear().awaitSingle()

/** Returns the properties of the service; see [ServiceProperties.info]. */
public suspend fun ServiceProperties.awaitInfo(): ServiceInfo = reactive().info().awaitSingle()

/** Sets the time that deleted blobs are kept; see [ServiceProperties.setSoftDelete]. */
public suspend fun ServiceProperties.awaitSetSoftDelete(softDelete: SoftDelete): WriteResult =
    reactive().setSoftDelete(softDelete).awaitSingle()

/** Sets the static website; see [ServiceProperties.setStaticWebsite]. */
public suspend fun ServiceProperties.awaitSetStaticWebsite(website: StaticWebsite): WriteResult =
    reactive().setStaticWebsite(website).awaitSingle()

/** Sets the version of requests that name none; see [ServiceProperties.setDefaultVersion]. */
public suspend fun ServiceProperties.awaitSetDefaultVersion(version: String): WriteResult =
    reactive().setDefaultVersion(version).awaitSingle()

/** Sets the logging of the service; see [ServiceProperties.setLogging]. */
public suspend fun ServiceProperties.awaitSetLogging(logging: AnalyticsLogging): WriteResult =
    reactive().setLogging(logging).awaitSingle()

/** Sets the hourly metrics of the service; see [ServiceProperties.setHourMetrics]. */
public suspend fun ServiceProperties.awaitSetHourMetrics(metrics: AnalyticsMetrics): WriteResult =
    reactive().setHourMetrics(metrics).awaitSingle()

/** Sets the metrics of the service by minutes; see [ServiceProperties.setMinuteMetrics]. */
public suspend fun ServiceProperties.awaitSetMinuteMetrics(metrics: AnalyticsMetrics): WriteResult =
    reactive().setMinuteMetrics(metrics).awaitSingle()
