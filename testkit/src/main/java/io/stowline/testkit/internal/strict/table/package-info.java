/** The checks of tables: names, keys, properties, filters and entity group transactions. The stage calls them. */
@NullMarked
package io.stowline.testkit.internal.strict.table;

import org.jspecify.annotations.NullMarked;
