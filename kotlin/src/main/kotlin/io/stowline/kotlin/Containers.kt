package io.stowline.kotlin

import io.stowline.blob.BlobContainer
import io.stowline.blob.BlobInfo
import io.stowline.blob.BlobReplicas
import io.stowline.blob.BlobTagFilter
import io.stowline.blob.BlobTree
import io.stowline.blob.ContainerInfo
import io.stowline.blob.CopySettings
import io.stowline.blob.DirectorySettings
import io.stowline.blob.DownloadSettings
import io.stowline.blob.ReactiveBlobDownload
import io.stowline.blob.ReplicaReport
import io.stowline.blob.Transfer
import io.stowline.blob.TransferReport
import io.stowline.outcome.WriteResult
import com.azure.storage.blob.models.AccessTier
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.reactive.asFlow
import kotlinx.coroutines.reactor.awaitSingle
import kotlinx.coroutines.reactor.awaitSingleOrNull
import java.nio.ByteBuffer
import java.nio.file.Path

/** Creates the container; see [BlobContainer.create]. */
public suspend fun BlobContainer.awaitCreate() {
    reactive().create().awaitSingleOrNull()
}

/** Creates the container unless it exists; see [BlobContainer.createIfMissing]. */
public suspend fun BlobContainer.awaitCreateIfMissing(): Boolean = reactive().createIfMissing().awaitSingle()

/** Deletes the container with all blobs; see [BlobContainer.drop]. */
public suspend fun BlobContainer.awaitDrop() {
    reactive().drop().awaitSingleOrNull()
}

/** Deletes the container if it exists; see [BlobContainer.dropIfExists]. */
public suspend fun BlobContainer.awaitDropIfExists(): Boolean = reactive().dropIfExists().awaitSingle()

/** Returns whether the container exists; see [BlobContainer.exists]. */
public suspend fun BlobContainer.awaitExists(): Boolean = reactive().exists().awaitSingle()

/** Returns the container's properties; see [BlobContainer.info]. */
public suspend fun BlobContainer.awaitInfo(): ContainerInfo = reactive().info().awaitSingle()

/** Replaces the container's metadata; see [BlobContainer.setMetadata]. */
public suspend fun BlobContainer.awaitSetMetadata(metadata: Map<String, String>): WriteResult =
    reactive().setMetadata(metadata).awaitSingle()

/** Returns the blobs whose names begin with a [prefix] as a flow, in the order of their names; see [BlobContainer.stream]. */
public fun BlobContainer.flowBlobs(prefix: String = ""): Flow<BlobInfo> = reactive().stream(prefix).asFlow()

/** Returns the blobs whose names begin with one of the [prefixes], listed in parallel; see [BlobContainer.stream]. */
public fun BlobContainer.flowBlobs(prefixes: Collection<String>, parallelism: Int = 8): Flow<BlobInfo> =
    reactive().stream(prefixes, parallelism).asFlow()

/** Returns the blobs and folders of one level; see [io.stowline.blob.ReactiveBlobContainer.entries]. */
public fun BlobContainer.flowEntries(prefix: String, delimiter: String = "/"): Flow<BlobTree.Entry> =
    reactive().entries(prefix, delimiter).asFlow()

/** Returns the blobs and folders of all levels that the walk goes [into]; see [io.stowline.blob.ReactiveBlobContainer.walk]. */
public fun BlobContainer.flowWalk(
    prefix: String,
    delimiter: String = "/",
    into: (BlobTree.Entry) -> Boolean = { true },
): Flow<BlobTree.Entry> = reactive().walk(prefix, delimiter, into).asFlow()

/** Returns the blobs whose tags pass the [filter]; see [BlobContainer.findByTags]. */
public fun BlobContainer.flowByTags(filter: BlobTagFilter): Flow<BlobTagFilter.Match> =
    reactive().findByTags(filter).asFlow()

/** Deletes blobs; see [BlobContainer.deleteAll]. */
public suspend fun BlobContainer.awaitDeleteAll(names: Collection<String>): List<TransferReport.Item> =
    reactive().deleteAll(names).awaitSingle()

/** Deletes blobs and their snapshots; see [BlobContainer.deleteAllWithSnapshots]. */
public suspend fun BlobContainer.awaitDeleteAllWithSnapshots(names: Collection<String>): List<TransferReport.Item> =
    reactive().deleteAllWithSnapshots(names).awaitSingle()

/** Sets the access tier of blobs; see [BlobContainer.setTierOfAll]. */
public suspend fun BlobContainer.awaitSetTierOfAll(
    names: Collection<String>,
    tier: AccessTier,
): List<TransferReport.Item> = reactive().setTierOfAll(names, tier).awaitSingle()

/** Starts the upload of a directory; see [BlobContainer.uploadDirectory]. The transfer outlives the coroutine; [awaitEnd] waits for it. */
public suspend fun BlobContainer.awaitUploadDirectory(
    directory: Path,
    prefix: String,
    settings: DirectorySettings.Builder.() -> Unit = {},
): Transfer = reactive().uploadDirectory(directory, prefix) { it.apply(settings) }.awaitSingle()

/** Starts the download of a directory; see [BlobContainer.downloadDirectory]. The transfer outlives the coroutine; [awaitEnd] waits for it. */
public suspend fun BlobContainer.awaitDownloadDirectory(
    prefix: String,
    directory: Path,
    settings: DirectorySettings.Builder.() -> Unit = {},
): Transfer = reactive().downloadDirectory(prefix, directory) { it.apply(settings) }.awaitSingle()

/** Starts the copy of a directory; see [BlobContainer.copyDirectory]. The transfer outlives the coroutine; [awaitEnd] waits for it. */
public suspend fun BlobContainer.awaitCopyDirectory(
    prefix: String,
    target: BlobContainer,
    newPrefix: String,
    settings: DirectorySettings.Builder.() -> Unit = {},
): Transfer = reactive().copyDirectory(prefix, target.reactive(), newPrefix) { it.apply(settings) }.awaitSingle()

/** Starts the deletion of a directory; see [BlobContainer.deleteDirectory]. The transfer outlives the coroutine; [awaitEnd] waits for it. */
public suspend fun BlobContainer.awaitDeleteDirectory(
    prefix: String,
    settings: DirectorySettings.Builder.() -> Unit = {},
): Transfer = reactive().deleteDirectory(prefix) { it.apply(settings) }.awaitSingle()

/** Waits for the end of a transfer, which a cancellation of the coroutine cancels; see [Transfer.whenComplete]. */
public suspend fun Transfer.awaitEnd(): TransferReport = whenComplete().doOnCancel { cancel() }.awaitSingle()

/** Copies a blob into all containers; see [BlobReplicas.publish]. */
public suspend fun BlobReplicas.awaitPublish(
    name: String,
    settings: CopySettings.Builder.() -> Unit = {},
): ReplicaReport = reactive().publish(name) { it.apply(settings) }.awaitSingle()

/** Deletes a blob in all containers; see [BlobReplicas.remove]. */
public suspend fun BlobReplicas.awaitRemove(name: String): ReplicaReport = reactive().remove(name).awaitSingle()

/** Returns the content of a blob from one of the containers; see [BlobReplicas.download]. */
public suspend fun BlobReplicas.awaitDownload(
    name: String,
    settings: DownloadSettings.Builder.() -> Unit = {},
): ByteArray = reactive().download(name) { it.apply(settings) }.awaitSingle()

/** Reads a blob from one of the containers into a file; see [BlobReplicas.downloadTo]. */
public suspend fun BlobReplicas.awaitDownloadTo(
    name: String,
    target: Path,
    settings: DownloadSettings.Builder.() -> Unit = {},
): DownloadSettings.FileDownload = reactive().downloadTo(name, target) { it.apply(settings) }.awaitSingle()

/** Returns the content of a blob from one of the containers as a flow of buffers, at the pace of its collector; see [BlobReplicas.open]. */
public fun BlobReplicas.flowContent(
    name: String,
    settings: DownloadSettings.Builder.() -> Unit = {},
): Flow<ByteBuffer> = reactive().open(name) { it.apply(settings) }.asContent()

/** Opens a blob of one of the containers, whose properties are known before its first byte; see [BlobReplicas.openDownload]. */
public suspend fun BlobReplicas.awaitOpenDownload(
    name: String,
    settings: DownloadSettings.Builder.() -> Unit = {},
): ReactiveBlobDownload = reactive().openDownload(name) { it.apply(settings) }.awaitSingle()
