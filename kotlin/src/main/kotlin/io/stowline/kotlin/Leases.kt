package io.stowline.kotlin

import io.stowline.blob.BlobContainer
import io.stowline.blob.BlobWriteResult
import io.stowline.blob.LeaderTerm
import io.stowline.blob.LeaseLostException
import io.stowline.blob.ReactiveBlobLease
import io.stowline.blob.ReactiveFencedBlob
import io.stowline.blob.ReactiveLeaderElection
import io.stowline.blob.UploadSettings
import kotlinx.coroutines.reactor.awaitSingle
import kotlinx.coroutines.reactor.awaitSingleOrNull
import java.time.Duration
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext

/** Takes the lease of a blob; see [BlobContainer.lease]. [awaitClose] ends it. */
public suspend fun BlobContainer.awaitLease(name: String, duration: Duration): ReactiveBlobLease =
    reactive().lease(name, duration).awaitSingle()

/** Takes the lease of the container; see [BlobContainer.lease]. [awaitClose] ends it. */
public suspend fun BlobContainer.awaitLease(duration: Duration): ReactiveBlobLease =
    reactive().lease(duration).awaitSingle()

/** Breaks the lease of a blob, and returns the time until it ends; see [BlobContainer.breakLease]. */
public suspend fun BlobContainer.awaitBreakLease(name: String, period: Duration): Duration =
    reactive().breakLease(name, period).awaitSingle()

/** Breaks the lease of the container, and returns the time until it ends; see [BlobContainer.breakLease]. */
public suspend fun BlobContainer.awaitBreakLease(period: Duration): Duration =
    reactive().breakLease(period).awaitSingle()

/** Gives the lease a new id; see [ReactiveBlobLease.change]. */
public suspend fun ReactiveBlobLease.awaitChange() {
    change().awaitSingleOrNull()
}

/** Releases the lease; see [ReactiveBlobLease.release]. */
public suspend fun ReactiveBlobLease.awaitRelease() {
    release().awaitSingleOrNull()
}

/** Ends the lease, be it lost or not; see [ReactiveBlobLease.close]. */
public suspend fun ReactiveBlobLease.awaitClose() {
    close().awaitSingleOrNull()
}

/** Calls a [block] with this lease and ends it, after a failure and a cancellation too. */
public suspend fun <R> ReactiveBlobLease.useSuspending(block: suspend (ReactiveBlobLease) -> R): R =
    closing({ awaitClose() }) { block(this) }

/**
 * Becomes the leader, waiting if need be, runs a [work], and gives up the term; see [ReactiveLeaderElection.whileLeading].
 *
 * @param context where the work runs; `Dispatchers.Default` unless it names another dispatcher
 * @throws IllegalArgumentException if the context has a `Job`
 */
public suspend fun ReactiveLeaderElection.awaitWhileLeading(
    context: CoroutineContext = EmptyCoroutineContext,
    work: suspend (LeaderTerm) -> Unit,
) {
    whileLeading(coroutines(context, work)).awaitSingleOrNull()
}

/**
 * Runs a [work] if this process can become the leader at once; see [ReactiveLeaderElection.tryLeading].
 *
 * @param context where the work runs; `Dispatchers.Default` unless it names another dispatcher
 * @return whether it ran
 * @throws IllegalArgumentException if the context has a `Job`
 */
public suspend fun ReactiveLeaderElection.awaitTryLeading(
    context: CoroutineContext = EmptyCoroutineContext,
    work: suspend (LeaderTerm) -> Unit,
): Boolean = tryLeading(coroutines(context, work)).awaitSingle()

/** Returns a blob that only the present leader can write; see [LeaderTerm.fence]. */
public suspend fun LeaderTerm.awaitFence(container: BlobContainer, name: String): ReactiveFencedBlob =
    fence(container.reactive(), name).awaitSingle()

/** Writes the blob unless a later leader has written it; see [ReactiveFencedBlob.upload]. */
public suspend fun ReactiveFencedBlob.awaitUpload(
    content: ByteArray,
    settings: UploadSettings.Builder.() -> Unit = {},
): BlobWriteResult = upload(content) { it.apply(settings) }.awaitSingle()
