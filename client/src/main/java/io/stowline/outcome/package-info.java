/**
 * The outcomes of writes: whether the service applied a write, and the evidence for it. {@link io.stowline.outcome.WriteResult} is the
 * entry: results of writes to tables are of this type.
 *
 * <pre>{@code
 * WriteResult result = runners.withMarkers(WriteMarkers.ALL).insert(runner);
 * if (result.outcome() == WriteOutcome.RECOVERED) {
 *     log.info("the response was lost, the write was not: {}", result.evidence());
 * }
 * if (result.mayHaveRepeated()) {
 *     log.info("the row may come back if another client removed it in between");
 * }
 * }</pre>
 *
 * <p>A response can be lost although the service applied the write. The client then reads back: {@link io.stowline.outcome.WriteOutcome}
 * has the finding, and {@link io.stowline.outcome.Evidence} names its proof. Without a proof the write fails with
 * {@link io.stowline.error.OutcomeUnknownException}; no outcome is a guess.
 *
 * <p>{@link io.stowline.outcome.WriteMarkers} choose which writes leave a marker, a property of about 60 bytes that proves whose write an
 * entity shows. Equal content proves a write only where two writers with one content do no harm.
 */
@NullMarked
package io.stowline.outcome;

import org.jspecify.annotations.NullMarked;
