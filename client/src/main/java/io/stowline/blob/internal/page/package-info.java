/**
 * Page blobs: their creation, writes and clears with the proof of lost ones, uploads of sparse files, channels, and the holes of downloads.
 * The client room uses it. It calls base, operations, recovery, request, range, download, file, upload and transfer.
 */
@NullMarked
package io.stowline.blob.internal.page;

import org.jspecify.annotations.NullMarked;
