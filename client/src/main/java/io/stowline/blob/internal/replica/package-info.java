/**
 * Copies of a hot blob in several containers: their publication, their markers, and reads that choose one of them. The faces of containers call it.
 * It calls copies by the service, downloads, files, the operations on blobs and base.
 */
@NullMarked
package io.stowline.blob.internal.replica;

import org.jspecify.annotations.NullMarked;
