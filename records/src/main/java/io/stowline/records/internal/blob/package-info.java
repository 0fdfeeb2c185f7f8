/**
 * The blobs that take chunks exactly once: block blobs and append blobs. The engine calls it. It calls the client, and chunks, formats
 * and names.
 */
@NullMarked
package io.stowline.records.internal.blob;

import org.jspecify.annotations.NullMarked;
