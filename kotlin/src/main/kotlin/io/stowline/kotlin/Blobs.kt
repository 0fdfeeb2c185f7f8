package io.stowline.kotlin

import com.azure.storage.blob.models.AccessTier
import io.stowline.blob.BlobContainer
import io.stowline.blob.BlobHeaders
import io.stowline.blob.BlobInfo
import io.stowline.blob.BlobTagFilter
import io.stowline.blob.BlobWriteResult
import io.stowline.blob.DownloadSettings
import io.stowline.blob.ReactiveBlobDownload
import io.stowline.blob.UploadSettings
import io.stowline.outcome.WriteResult
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.reactor.asFlux
import kotlinx.coroutines.reactor.awaitSingle
import kotlinx.coroutines.reactor.awaitSingleOrNull
import java.io.InputStream
import java.io.OutputStream
import java.nio.ByteBuffer
import java.nio.file.Path

/** Uploads bytes as a blob, which must not exist unless the [settings] allow it; see [BlobContainer.upload]. */
public suspend fun BlobContainer.awaitUpload(
    content: ByteArray,
    name: String,
    settings: UploadSettings.Builder.() -> Unit = {},
): BlobWriteResult = reactive().upload(content, name) { it.apply(settings) }.awaitSingle()

/** Uploads a file; see [BlobContainer.upload]. */
public suspend fun BlobContainer.awaitUpload(
    file: Path,
    name: String,
    settings: UploadSettings.Builder.() -> Unit = {},
): BlobWriteResult = reactive().upload(file, name) { it.apply(settings) }.awaitSingle()

/** Uploads a stream, which threads of the library read; see [BlobContainer.upload]. */
public suspend fun BlobContainer.awaitUpload(
    content: InputStream,
    name: String,
    settings: UploadSettings.Builder.() -> Unit = {},
): BlobWriteResult = reactive().upload(content, name) { it.apply(settings) }.awaitSingle()

/** Uploads the buffers of a flow, which is collected as far as there is memory for it; see [BlobContainer.upload]. */
public suspend fun BlobContainer.awaitUpload(
    content: Flow<ByteBuffer>,
    name: String,
    settings: UploadSettings.Builder.() -> Unit = {},
): BlobWriteResult = reactive().upload(content.asFlux(), name) { it.apply(settings) }.awaitSingle()

/** Returns the content of a blob, or of a part of it; see [BlobContainer.download]. */
public suspend fun BlobContainer.awaitDownload(
    name: String,
    settings: DownloadSettings.Builder.() -> Unit = {},
): ByteArray = reactive().download(name) { it.apply(settings) }.awaitSingle()

/** Returns the content of a blob of at most [limit] bytes; see [BlobContainer.download]. */
public suspend fun BlobContainer.awaitDownload(name: String, limit: Int): ByteArray =
    reactive().download(name, limit).awaitSingle()

/** Reads a blob into a file; see [BlobContainer.downloadTo]. */
public suspend fun BlobContainer.awaitDownloadTo(
    name: String,
    target: Path,
    settings: DownloadSettings.Builder.() -> Unit = {},
): DownloadSettings.FileDownload = reactive().downloadTo(name, target) { it.apply(settings) }.awaitSingle()

/** Reads a blob into a stream, which threads of the library write; see [BlobContainer.downloadTo]. */
public suspend fun BlobContainer.awaitDownloadTo(
    name: String,
    target: OutputStream,
    settings: DownloadSettings.Builder.() -> Unit = {},
): BlobInfo = reactive().downloadTo(name, target) { it.apply(settings) }.awaitSingle()

/** Returns the content of a blob, or of a part of it, as a flow of buffers, at the pace of its collector; see [BlobContainer.open]. */
public fun BlobContainer.flowContent(
    name: String,
    settings: DownloadSettings.Builder.() -> Unit = {},
): Flow<ByteBuffer> = reactive().open(name) { it.apply(settings) }.asContent()

/** Opens a blob whose properties are known before its first byte; see [BlobContainer.openDownload]. */
public suspend fun BlobContainer.awaitOpenDownload(
    name: String,
    settings: DownloadSettings.Builder.() -> Unit = {},
): ReactiveBlobDownload = reactive().openDownload(name) { it.apply(settings) }.awaitSingle()

/** Returns the content as a flow of buffers, at the pace of its collector; see [ReactiveBlobDownload.stream]. */
public fun ReactiveBlobDownload.flow(): Flow<ByteBuffer> = stream().asContent()

/** Returns whether a blob exists; see [BlobContainer.exists]. */
public suspend fun BlobContainer.awaitExists(name: String): Boolean = reactive().exists(name).awaitSingle()

/** Returns the properties of a blob, which must exist; see [BlobContainer.info]. */
public suspend fun BlobContainer.awaitInfo(name: String): BlobInfo = reactive().info(name).awaitSingle()

/** Returns the properties of a blob, or null; see [BlobContainer.find]. */
public suspend fun BlobContainer.awaitFind(name: String): BlobInfo? = reactive().find(name).awaitSingleOrNull()

/** Replaces the metadata of a blob, of one version if there is an [etag]; see [BlobContainer.setMetadata]. */
public suspend fun BlobContainer.awaitSetMetadata(
    name: String,
    metadata: Map<String, String>,
    etag: String? = null,
): WriteResult =
    (if (etag == null) reactive().setMetadata(name, metadata) else reactive().setMetadata(name, metadata, etag))
        .awaitSingle()

/** Replaces the metadata of a blob by the components of a value, of one version if there is an [etag]; see [BlobContainer.setMetadataOf]. */
public suspend fun BlobContainer.awaitSetMetadataOf(name: String, metadata: Any, etag: String? = null): WriteResult =
    (if (etag == null) reactive().setMetadataOf(name, metadata) else reactive().setMetadataOf(name, metadata, etag))
        .awaitSingle()

/** Returns the tags of a blob; see [BlobContainer.tags]. */
public suspend fun BlobContainer.awaitTags(name: String): Map<String, String> = reactive().tags(name).awaitSingle()

/** Replaces the tags of a blob, if the present ones pass the [condition]; see [BlobContainer.setTags]. */
public suspend fun BlobContainer.awaitSetTags(
    name: String,
    tags: Map<String, String>,
    condition: BlobTagFilter? = null,
): WriteResult =
    (if (condition == null) reactive().setTags(name, tags) else reactive().setTags(name, tags, condition)).awaitSingle()

/** Sets the access tier of a blob; see [BlobContainer.setTier]. */
public suspend fun BlobContainer.awaitSetTier(name: String, tier: AccessTier): WriteResult =
    reactive().setTier(name, tier).awaitSingle()

/** Changes the headers of a blob; see [BlobContainer.setHeaders]. */
public suspend fun BlobContainer.awaitSetHeaders(name: String, change: BlobHeaders.Builder.() -> Unit): WriteResult =
    reactive().setHeaders(name) { it.apply(change) }.awaitSingle()

/** Deletes a blob; see [BlobContainer.delete]. */
public suspend fun BlobContainer.awaitDelete(name: String): WriteResult = reactive().delete(name).awaitSingle()

/** Deletes one version of a blob; see [BlobContainer.delete]. */
public suspend fun BlobContainer.awaitDelete(name: String, etag: String): WriteResult =
    reactive().delete(name, etag).awaitSingle()

/** Deletes a blob if its tags pass the [condition]; see [BlobContainer.delete]. */
public suspend fun BlobContainer.awaitDelete(name: String, condition: BlobTagFilter): WriteResult =
    reactive().delete(name, condition).awaitSingle()

/** Deletes a blob if it exists; see [BlobContainer.deleteIfExists]. */
public suspend fun BlobContainer.awaitDeleteIfExists(name: String): Boolean =
    reactive().deleteIfExists(name).awaitSingle()
