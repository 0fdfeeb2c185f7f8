/**
 * Readers and writers of Spring Batch over tables: {@link io.stowline.spring.boot.batch.TableItemReader} reads a query and goes on at its
 * position after a restart, and {@link io.stowline.spring.boot.batch.TableItemWriter} writes each chunk by the table's writer.
 *
 * <pre>{@code
 * TableItemReader<Runner> reading = TableItemReader.of("runners", runners.query().partition("full").pageSize(100));
 * TableItemWriter<Runner> writing = TableItemWriter.of(runners);
 * }</pre>
 *
 * <p>A chunk is written when {@code write} returns, so that the commit of the step comes after its rows. This room uses the public API of the
 * client only, and of Spring Batch its infrastructure, which is optional.
 */
@NullMarked
package io.stowline.spring.boot.batch;

import org.jspecify.annotations.NullMarked;
