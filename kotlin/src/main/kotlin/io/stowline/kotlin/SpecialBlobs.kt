package io.stowline.kotlin

import io.stowline.blob.AppendBlob
import io.stowline.blob.BlobInfo
import io.stowline.blob.BlobWriteResult
import io.stowline.blob.CachedContainer
import io.stowline.blob.DownloadSettings
import io.stowline.blob.PageBlob
import io.stowline.blob.PageBlobInfo
import io.stowline.blob.PageBlobSettings
import io.stowline.blob.PageRange
import io.stowline.blob.ReactiveBlobDownload
import io.stowline.caching.CachedRead
import io.stowline.outcome.WriteResult
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.reactive.asFlow
import kotlinx.coroutines.reactor.awaitSingle
import kotlinx.coroutines.reactor.awaitSingleOrNull
import java.io.OutputStream
import java.nio.file.Path

/** Creates the append blob, empty; see [AppendBlob.create]. */
public suspend fun AppendBlob.awaitCreate() {
    reactive().create().awaitSingleOrNull()
}

/** Creates the append blob unless it exists; see [AppendBlob.createIfMissing]. */
public suspend fun AppendBlob.awaitCreateIfMissing(): Boolean = reactive().createIfMissing().awaitSingle()

/** Appends bytes at the end; see [AppendBlob.append]. */
public suspend fun AppendBlob.awaitAppend(bytes: ByteArray): BlobWriteResult = reactive().append(bytes).awaitSingle()

/** Appends bytes if the blob ends at the [position]; see [AppendBlob.append]. */
public suspend fun AppendBlob.awaitAppend(bytes: ByteArray, position: Long): BlobWriteResult =
    reactive().append(bytes, position).awaitSingle()

/** Creates the page blob; see [PageBlob.create]. */
public suspend fun PageBlob.awaitCreate(size: Long, settings: PageBlobSettings.Builder.() -> Unit = {}) {
    reactive().create(size) { it.apply(settings) }.awaitSingleOrNull()
}

/** Creates the page blob unless it exists; see [PageBlob.createIfMissing]. */
public suspend fun PageBlob.awaitCreateIfMissing(
    size: Long,
    settings: PageBlobSettings.Builder.() -> Unit = {},
): Boolean = reactive().createIfMissing(size) { it.apply(settings) }.awaitSingle()

/** Returns the properties; see [PageBlob.info]. */
public suspend fun PageBlob.awaitInfo(): PageBlobInfo = reactive().info().awaitSingle()

/** Writes whole pages; see [PageBlob.write]. */
public suspend fun PageBlob.awaitWrite(offset: Long, bytes: ByteArray): WriteResult =
    reactive().write(offset, bytes).awaitSingle()

/** Clears whole pages; see [PageBlob.clear]. */
public suspend fun PageBlob.awaitClear(offset: Long, length: Long): WriteResult =
    reactive().clear(offset, length).awaitSingle()

/** Returns bytes; see [PageBlob.read]. */
public suspend fun PageBlob.awaitRead(offset: Long, length: Int): ByteArray =
    reactive().read(offset, length).awaitSingle()

/** Changes the size; see [PageBlob.resize]. */
public suspend fun PageBlob.awaitResize(size: Long): WriteResult = reactive().resize(size).awaitSingle()

/** Sets the sequence number; see [PageBlob.setSequenceNumber]. */
public suspend fun PageBlob.awaitSetSequenceNumber(number: Long): WriteResult =
    reactive().setSequenceNumber(number).awaitSingle()

/** Sets the sequence number unless it is greater; see [PageBlob.raiseSequenceNumber]. */
public suspend fun PageBlob.awaitRaiseSequenceNumber(number: Long): WriteResult =
    reactive().raiseSequenceNumber(number).awaitSingle()

/** Returns the ranges that have data as a flow; see [PageBlob.ranges]. */
public fun PageBlob.flowRanges(): Flow<PageRange> = reactive().ranges().asFlow()

/** Uploads a file without its empty pages; see [PageBlob.upload]. */
public suspend fun PageBlob.awaitUpload(
    file: Path,
    settings: PageBlobSettings.Builder.() -> Unit = {},
): PageBlobSettings.FileUpload = reactive().upload(file) { it.apply(settings) }.awaitSingle()

/** Reads the blob into a file without its empty pages; see [PageBlob.downloadTo]. */
public suspend fun PageBlob.awaitDownloadTo(target: Path): DownloadSettings.FileDownload =
    reactive().downloadTo(target).awaitSingle()

/** Reads the blob into a file without its empty pages; see [PageBlob.downloadTo]. */
public suspend fun PageBlob.awaitDownloadTo(
    target: Path,
    settings: DownloadSettings.Builder.() -> Unit,
): DownloadSettings.FileDownload = reactive().downloadTo(target) { it.apply(settings) }.awaitSingle()

/** Returns a blob of at most [limit] bytes from the cache, or reads it; see [CachedContainer.download]. */
public suspend fun CachedContainer.awaitDownload(
    name: String,
    limit: Int = DownloadSettings.defaults().limit(),
): CachedRead<ByteArray> = reactive().download(name, limit).awaitSingle()

/** Returns a part of a blob from the cache, or reads it; see [CachedContainer.range]. */
public suspend fun CachedContainer.awaitRange(name: String, offset: Long, count: Int): CachedRead<ByteArray> =
    reactive().range(name, offset, count).awaitSingle()

/** Opens a blob of the cache, or of the service; see [CachedContainer.openDownload]. */
public suspend fun CachedContainer.awaitOpenDownload(name: String): CachedRead<ReactiveBlobDownload> =
    reactive().openDownload(name).awaitSingle()

/** Opens a part of a blob of the cache, or of the service; see [CachedContainer.openDownload]. */
public suspend fun CachedContainer.awaitOpenDownload(
    name: String,
    offset: Long,
    count: Int,
): CachedRead<ReactiveBlobDownload> = reactive().openDownload(name, offset, count).awaitSingle()

/** Reads a blob of the cache, or of the service, into a file; see [CachedContainer.downloadTo]. */
public suspend fun CachedContainer.awaitDownloadTo(name: String, target: Path): CachedRead<BlobInfo> =
    reactive().downloadTo(name, target).awaitSingle()

/** Reads a blob of the cache, or of the service, into a stream; see [CachedContainer.downloadTo]. */
public suspend fun CachedContainer.awaitDownloadTo(name: String, target: OutputStream): CachedRead<BlobInfo> =
    reactive().downloadTo(name, target).awaitSingle()

/** Returns the properties of a blob from the cache, or reads them; see [CachedContainer.info]. */
public suspend fun CachedContainer.awaitInfo(name: String): CachedRead<BlobInfo> =
    reactive().info(name).awaitSingle()
