/** Tables: entities in partitions, point operations, queries, automatic and explicit entity group transactions. */
@NullMarked
package io.stowline.table;

import org.jspecify.annotations.NullMarked;
