/**
 * Readers of blobs over their verified ranges: into memory, as streams and as a channel. The client room and the rooms of files and
 * cache use it. It calls base, range, gzip and transfer.
 */
@NullMarked
package io.stowline.blob.internal.download;

import org.jspecify.annotations.NullMarked;
