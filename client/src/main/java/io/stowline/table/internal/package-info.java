/** The table service's wire: the JSON codec, keys in URLs, batches and their answers, pages, and the lanes' sender. */
@NullMarked
package io.stowline.table.internal;

import org.jspecify.annotations.NullMarked;
