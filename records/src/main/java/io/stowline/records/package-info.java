/**
 * Many small records in few large blobs, such as the activities of an application: none lost, none doubled.
 * {@link io.stowline.records.RecordBlobs} is the entry.
 *
 * <pre>{@code
 * record Activity(Instant at, String user, String page) {}
 *
 * void store(Stowline storage, Activity activity, Instant from, Instant to) {
 *     RecordBlobs activities = RecordBlobs.in(storage.container("ads"), "activities/");
 *     RecordFormat<Activity> format = RecordFormat.json(Activity.class).gzip();
 *     try (Journal journal = Journal.open(Path.of("activities-journal"));
 *             RecordWriter<Activity> writer = activities.writer(format, w -> w.journal(journal).every(Duration.ofMinutes(5)))) {
 *         writer.write(activity);
 *     }
 *     try (RecordStream<Activity> span = activities.read(format, from, to)) {
 *         span.forEach(read -> System.out.println(read.page()));
 *     }
 * }
 * }</pre>
 *
 * <p>A {@link io.stowline.records.RecordWriter} collects records into chunks of one interval of time and puts each chunk into a blob, or
 * behind what an append blob has. With a journal an accepted record is in a blob exactly once, whatever is killed. A
 * {@link io.stowline.records.RecordStream} reads the records of a span of time, and goes on from a position.
 *
 * <p>Calls the client's API and the journal, and nothing else of the library.
 */
@NullMarked
package io.stowline.records;

import org.jspecify.annotations.NullMarked;
