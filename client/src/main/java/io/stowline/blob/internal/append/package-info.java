/**
 * Appends at a known position. The client room uses it. It calls base, recovery, operations and range.
 */
@NullMarked
package io.stowline.blob.internal.append;

import org.jspecify.annotations.NullMarked;
