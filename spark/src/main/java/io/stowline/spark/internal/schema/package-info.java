/**
 * The types of properties as types of columns, both ways, and schemas that are given or sampled. The rooms that read and write call it. It
 * calls the options, the clients and the public API of the client.
 */
@NullMarked
package io.stowline.spark.internal.schema;

import org.jspecify.annotations.NullMarked;
