/**
 * Reads of blobs through the cache of a client. The client room uses it. It calls base, operations, download, gzip,
 * range, transfer and file.
 */
@NullMarked
package io.stowline.blob.internal.cache;

import org.jspecify.annotations.NullMarked;
