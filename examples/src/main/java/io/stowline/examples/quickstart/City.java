package io.stowline.examples.quickstart;

import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;

/**
 * A city as the table has it: its country is the partition, its name and place are the row key.
 *
 * <p>The place has to be in the key, since hundreds of cities share country, regions and name with another. The name comes first, for
 * prefix queries.
 *
 * @param country the ISO 3166-1 code
 * @param key the name, the latitude and the longitude
 * @param name the name
 * @param lat degrees north
 * @param lng degrees east
 */
record City(@PartitionKey String country, @RowKey String key, String name, double lat, double lng) {}
