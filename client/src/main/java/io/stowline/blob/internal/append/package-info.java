/**
 * Appends at a known position. The public classes use it. It calls base, recovery, operations and download.
 */
@NullMarked
package io.stowline.blob.internal.append;

import org.jspecify.annotations.NullMarked;
