/** Java types to properties: records, filters and keys. */
@NullMarked
package io.stowline.projection;

import org.jspecify.annotations.NullMarked;
