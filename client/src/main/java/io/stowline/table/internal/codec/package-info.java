/**
 * Entities as JSON: codecs for mapped types and for any properties, and the row that a response holds. The request, write and query rooms
 * use it. It calls json.
 */
@NullMarked
package io.stowline.table.internal.codec;

import org.jspecify.annotations.NullMarked;
