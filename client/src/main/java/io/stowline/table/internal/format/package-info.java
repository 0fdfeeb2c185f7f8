/**
 * Table files: entities as JSON Lines or CSV, their rows, manifests, checksums and the sort of files in any order. The transfer room uses it.
 * It calls the codec and json rooms.
 */
@NullMarked
package io.stowline.table.internal.format;

import org.jspecify.annotations.NullMarked;
