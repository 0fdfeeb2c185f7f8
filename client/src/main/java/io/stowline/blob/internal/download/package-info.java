/**
 * Downloads in ranges of one version, into memory and streams. The public classes and the rooms of files, cache and appends use it. It
 * calls base, operations, request and transfer.
 */
@NullMarked
package io.stowline.blob.internal.download;

import org.jspecify.annotations.NullMarked;
