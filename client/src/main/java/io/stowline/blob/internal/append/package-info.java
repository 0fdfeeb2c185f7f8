/**
 * Appends at a known position. The public classes use it. It calls base, recovery, operations and range.
 */
@NullMarked
package io.stowline.blob.internal.append;

import org.jspecify.annotations.NullMarked;
