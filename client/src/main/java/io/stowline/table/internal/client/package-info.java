/**
 * The faces of a table that applications hold, with partial updates, cached reads and time series. {@code io.stowline} makes a
 * {@link io.stowline.table.internal.client.DefaultTable} for each call of {@code Stowline.table}. It calls all other rooms of tables.
 */
@NullMarked
package io.stowline.table.internal.client;

import org.jspecify.annotations.NullMarked;
