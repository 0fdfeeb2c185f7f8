/**
 * The sample of Stowline for Apache Spark: a program for {@code spark-submit} that loads cities into a table, joins, aggregates and writes
 * back. It starts an Azurite unless an account is given.
 */
@NullMarked
package io.stowline.examples.spark;

import org.jspecify.annotations.NullMarked;
