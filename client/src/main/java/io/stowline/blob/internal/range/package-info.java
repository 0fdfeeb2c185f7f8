/**
 * Verified ranges of one version of a blob: the source of all downloads, the attempts of a range, and the test of its responses. The rooms
 * of downloads, files, cache and appends use it. It calls base, operations, request and transfer.
 */
@NullMarked
package io.stowline.blob.internal.range;

import org.jspecify.annotations.NullMarked;
