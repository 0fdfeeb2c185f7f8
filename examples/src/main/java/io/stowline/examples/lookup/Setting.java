package io.stowline.examples.lookup;

import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;

/**
 * A setting of an application.
 *
 * @param application the application
 * @param name the setting's name
 * @param value its value
 * @param version how often it was changed
 */
record Setting(@PartitionKey String application, @RowKey String name, String value, int version) {}
