/**
 * Uploads of any length, in one request or in blocks. The client room uses it. It calls base, recovery, operations and gzip.
 */
@NullMarked
package io.stowline.blob.internal.upload;

import org.jspecify.annotations.NullMarked;
