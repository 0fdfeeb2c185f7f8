/**
 * A journal as applications see it: a folder of records that outlive the process until they are done.
 * {@link io.stowline.journal.Journal} is the entry.
 *
 * <pre>{@code
 * try (Journal journal = Journal.open(Path.of("runners-journal"));
 *         TableWriter<Runner> durable = runners.writer(WriterJournal.of(journal), settings -> settings)) {
 *     durable.insertOrReplace(runner);
 * }
 * }</pre>
 *
 * <p>A writer with a journal accepts an operation once its record is written. After a crash the next process that opens the folder
 * sends what was not done. {@link io.stowline.journal.JournalSettings} choose whether records survive the process or the machine.
 *
 * <p>A journal serves one writer of one table, or of the blobs under one prefix, and one process at a time. Its folder must not be writable by others, because a replay
 * sends its content with the credentials of the process. A folder in use, foreign or unreadable is a
 * {@link io.stowline.journal.JournalException}.
 *
 * <p>Operations belong to {@code internal.store}, which {@code stowline-client} calls, and streams to {@code internal.spool}, which
 * {@code stowline-records} calls.
 */
@NullMarked
package io.stowline.journal;

import org.jspecify.annotations.NullMarked;
