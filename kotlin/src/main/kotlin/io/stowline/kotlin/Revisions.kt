package io.stowline.kotlin

import io.stowline.blob.BlobContainer
import io.stowline.blob.BlobCopy
import io.stowline.blob.BlobInfo
import io.stowline.blob.BlobRevision
import io.stowline.blob.BlobWriteResult
import io.stowline.blob.CopyProgress
import io.stowline.blob.CopySettings
import io.stowline.blob.DownloadSettings
import io.stowline.blob.ReactiveBlobCopy
import io.stowline.outcome.WriteResult
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.reactive.asFlow
import kotlinx.coroutines.reactor.awaitSingle
import kotlinx.coroutines.reactor.awaitSingleOrNull
import java.io.OutputStream
import java.net.URI
import java.nio.ByteBuffer
import java.nio.file.Path
import java.time.Duration

/** Makes a snapshot; see [BlobContainer.snapshot]. */
public suspend fun BlobContainer.awaitSnapshot(name: String): BlobRevision =
    reactive().snapshot(name).awaitSingle().let { snapshotOf(name, it.id()) }

/** Deletes a blob and its snapshots; see [BlobContainer.deleteWithSnapshots]. */
public suspend fun BlobContainer.awaitDeleteWithSnapshots(name: String): WriteResult =
    reactive().deleteWithSnapshots(name).awaitSingle()

/** Deletes the snapshots of a blob; see [BlobContainer.deleteSnapshots]. */
public suspend fun BlobContainer.awaitDeleteSnapshots(name: String): WriteResult =
    reactive().deleteSnapshots(name).awaitSingle()

/** Restores a blob that was deleted softly; see [BlobContainer.undelete]. */
public suspend fun BlobContainer.awaitUndelete(name: String) {
    reactive().undelete(name).awaitSingleOrNull()
}

/** Returns the properties; see [BlobRevision.info]. */
public suspend fun BlobRevision.awaitInfo(): BlobInfo = reactive().info().awaitSingle()

/** Returns the tags; see [BlobRevision.tags]. */
public suspend fun BlobRevision.awaitTags(): Map<String, String> = reactive().tags().awaitSingle()

/** Returns the content, or a part of it; see [BlobRevision.download]. */
public suspend fun BlobRevision.awaitDownload(settings: DownloadSettings.Builder.() -> Unit = {}): ByteArray =
    reactive().download { it.apply(settings) }.awaitSingle()

/** Reads the content into a file; see [BlobRevision.downloadTo]. */
public suspend fun BlobRevision.awaitDownloadTo(
    target: Path,
    settings: DownloadSettings.Builder.() -> Unit = {},
): DownloadSettings.FileDownload = reactive().downloadTo(target) { it.apply(settings) }.awaitSingle()

/** Reads the content into a stream; see [BlobRevision.downloadTo]. */
public suspend fun BlobRevision.awaitDownloadTo(target: OutputStream): BlobInfo =
    reactive().downloadTo(target).awaitSingle()

/** Returns the content as a flow of buffers, at the pace of its collector; see [BlobRevision.open]. */
public fun BlobRevision.flowContent(): Flow<ByteBuffer> = reactive().open().asContent()

/** Makes it the present content of the blob; see [BlobRevision.promote]. */
public suspend fun BlobRevision.awaitPromote() {
    reactive().promote().awaitSingleOrNull()
}

/** Deletes it; see [BlobRevision.delete]. */
public suspend fun BlobRevision.awaitDelete(): WriteResult = reactive().delete().awaitSingle()

/** Copies a blob of a container of this library, and waits for the end; see [BlobContainer.copyFrom]. */
public suspend fun BlobContainer.awaitCopyFrom(
    source: BlobContainer,
    sourceName: String,
    name: String,
    settings: CopySettings.Builder.() -> Unit = {},
): BlobWriteResult = reactive().copyFrom(source.reactive(), sourceName, name) { it.apply(settings) }.awaitSingle()

/** Copies what a URL has, and waits for the end; see [BlobContainer.copyFrom]. */
public suspend fun BlobContainer.awaitCopyFrom(
    source: URI,
    name: String,
    settings: CopySettings.Builder.() -> Unit = {},
): BlobWriteResult = reactive().copyFrom(source, name) { it.apply(settings) }.awaitSingle()

/** Starts a copy of a blob of a container of this library by the service; see [BlobContainer.startCopy]. */
public suspend fun BlobContainer.awaitStartCopy(
    source: BlobContainer,
    sourceName: String,
    name: String,
    settings: CopySettings.Builder.() -> Unit = {},
): ReactiveBlobCopy = reactive().startCopy(source.reactive(), sourceName, name) { it.apply(settings) }.awaitSingle()

/** Starts a copy of what a URL has by the service; see [BlobContainer.startCopy]. */
public suspend fun BlobContainer.awaitStartCopy(
    source: URI,
    name: String,
    settings: CopySettings.Builder.() -> Unit = {},
): ReactiveBlobCopy = reactive().startCopy(source, name) { it.apply(settings) }.awaitSingle()

/** Returns how far the copy is; see [BlobCopy.progress]. */
public suspend fun ReactiveBlobCopy.awaitProgress(): CopyProgress = progress().awaitSingle()

/** Waits for the end of the copy, which goes on when the coroutine is cancelled; see [BlobCopy.join]. */
public suspend fun ReactiveBlobCopy.awaitJoin(): BlobInfo = join().awaitSingle()

/** Waits for the end of the copy for some time, then returns null; see [BlobCopy.join]. */
public suspend fun ReactiveBlobCopy.awaitJoin(atMost: Duration): BlobInfo? = join(atMost).awaitSingleOrNull()

/** Aborts the copy; see [BlobCopy.abort]. */
public suspend fun ReactiveBlobCopy.awaitAbort(): Boolean = abort().awaitSingle()

/** Returns the snapshots and versions of a blob as a flow; see [BlobContainer.revisions]. */
public fun BlobContainer.flowRevisions(name: String): Flow<BlobRevision> = reactive().revisions(name).asFlow()
    .map { if (it.isSnapshot) snapshotOf(name, it.id()) else versionOf(name, it.id()) }
