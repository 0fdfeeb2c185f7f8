/**
 * Operations on blobs and containers that carry no content, and listings. The public classes and the transfer rooms use it. It calls base
 * and recovery.
 */
@NullMarked
package io.stowline.blob.internal.operations;

import org.jspecify.annotations.NullMarked;
