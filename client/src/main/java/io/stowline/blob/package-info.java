/**
 * Blobs: uploads and downloads of any size, directories, properties, listings, append and page blobs.
 * {@link io.stowline.blob.BlobContainer} is the entry, and {@code Stowline.container} makes one.
 *
 * <pre>{@code
 * BlobContainer photos = storage.container("photos");
 * photos.createIfMissing();
 * BlobWriteResult first = photos.upload(path, "2026/start.jpg", with -> with.contentType("image/jpeg"));
 * photos.upload(stream, "2026/start.jpg", with -> with.ifMatch(first.etag()));
 * photos.downloadTo("2026/start.jpg", Path.of("start.jpg"));
 * }</pre>
 *
 * <p>An upload refuses a name that is taken unless {@link io.stowline.blob.UploadSettings} allow it, and becomes the blob only when all
 * of it has arrived. A download is of one version, checked by MD5 where the service has one, and a target file is complete or absent.
 * Interrupted uploads of files and downloads to files go on where they stood.
 *
 * <p>{@code uploadDirectory}, {@code downloadDirectory} and {@code copyDirectory} compare both sides, need no job file, and run as a
 * {@link io.stowline.blob.Transfer} that shows progress and can be cancelled. All transfers of a client share one bound of memory.
 *
 * <p>{@link io.stowline.blob.BlobInfo} has the facts of a blob, {@link io.stowline.blob.BlobRevision} is a snapshot or a version,
 * {@link io.stowline.blob.BlobTree} lists by levels, {@link io.stowline.blob.BlobTagFilter} finds by tags, and
 * {@link io.stowline.blob.AppendBlob} appends without repeating an append. {@link io.stowline.blob.PageBlob} writes at any position.
 * {@link io.stowline.blob.CachedContainer} reads through the
 * client's cache, and {@link io.stowline.blob.BlobReplicas} spreads the reads of a hot blob over copies.
 */
@NullMarked
package io.stowline.blob;

import org.jspecify.annotations.NullMarked;
