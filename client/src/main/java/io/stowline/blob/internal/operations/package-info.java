/**
 * Operations on blobs and containers that carry no content, and listings. The client, directory, upload, range and append rooms
 * use it. It calls base, gzip, recovery and request.
 */
@NullMarked
package io.stowline.blob.internal.operations;

import org.jspecify.annotations.NullMarked;
