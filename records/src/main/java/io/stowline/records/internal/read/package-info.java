/**
 * Reading back: it lists, orders and streams the blobs of a span of time. The public readers call it. It calls formats and names.
 */
@NullMarked
package io.stowline.records.internal.read;

import org.jspecify.annotations.NullMarked;
