/**
 * The formats: the bytes of records, and records from bytes that may be cut off anywhere. All other rooms call it. It calls none of
 * them.
 */
@NullMarked
package io.stowline.records.internal.format;

import org.jspecify.annotations.NullMarked;
