/**
 * Stowline for Apache Spark: Azure tables as DataFrames. {@link io.stowline.spark.AzureTableSource} is the entry, which Spark finds by the
 * format {@code azuretable}.
 *
 * <pre>{@code
 * Dataset<Row> people = spark.read()
 *         .format("azuretable")
 *         .option("table", "people")
 *         .option("connectionStringEnv", "STORAGE_SECRET")
 *         .load();
 * }</pre>
 *
 * <p>Options name the place of a secret and never hold one: an environment variable, a file, or a class that implements
 * {@link io.stowline.spark.TableCredentials}. Each executor has one client for an account, which its tasks share.
 *
 * <p>A read is no snapshot, since the service has none of a live table. All other types are internal.
 */
@NullMarked
package io.stowline.spark;

import org.jspecify.annotations.NullMarked;
