/**
 * Leases of blobs and containers: their requests, their renewal until a loss, terms of leaders, and blobs that a term fences. The faces of
 * containers call it. It calls the operations on blobs, uploads and base.
 */
@NullMarked
package io.stowline.blob.internal.lease;

import org.jspecify.annotations.NullMarked;
