/**
 * The clients of this JVM, one for each account, that the tasks of an executor share, and the counts of a task. The rooms that read and write call it.
 * It calls the public API of the client.
 */
@NullMarked
package io.stowline.spark.internal.account;

import org.jspecify.annotations.NullMarked;
