package io.stowline.table.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import io.stowline.error.ConflictException;
import io.stowline.error.FailureDetails;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.ThrottledException;
import io.stowline.outcome.Evidence;
import io.stowline.outcome.WriteResult;
import io.stowline.table.internal.request.EntityVerb;
import io.stowline.transport.internal.account.Bench;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Faults that {@link WriterSimulationTest} would miss if these checks could not fail. */
class OracleTest {

    private static final SimulatedKey KEY = new SimulatedKey("p", "r");
    private static final Duration HORIZON = Duration.ofSeconds(35);

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final Trace trace = new Trace(time);
    private final SimulatedStore store = new SimulatedStore(time, Bench.START);
    private final Books books = new Books(trace);

    @ParameterizedTest
    @CsvSource({
        "FORGETS_WHAT_IT_CONFIRMS, OUTCOME-0: is confirmed, and was never carried out",
        "REFUSES_WHAT_IT_DOES, 'and was carried out: ['",
        "REPEATS_WHAT_IT_CONFIRMED, 'OUTCOME-9: was carried out more than once, and does not say so'",
        "LANDS_BEHIND_THE_HORIZON, BATCH-4: ",
        "HIDES_WHAT_IS_WRITTEN, 'and was carried out: ['"
    })
    void aServiceThatBreaksItsRulesIsNoticed(SimulatedService.Mutation mutation, String violation) {
        assertThat(LongStream.range(1, 60)
                        .mapToObj(seed -> new Play(seed, mutation).run().trace.violations())
                        .anyMatch(found -> found.stream().anyMatch(each -> each.contains(violation))))
                .isTrue();
    }

    private SimulatedOperation op(EntityVerb verb) {
        return op(verb, null);
    }

    private SimulatedOperation op(EntityVerb verb, @Nullable String ifMatch) {
        return books.open(
                new SimulatedOperation.Wish(verb, KEY, ifMatch, "", 0), SimulatedOperation.Way.OFFERED, "a writer");
    }

    private StoreChange change(SimulatedOperation op) {
        Map<String, JsonNode> properties =
                op.wish.verb() == EntityVerb.DELETE ? Map.of() : Map.of("op", IntNode.valueOf(op.id));
        return new StoreChange(op.wish.verb(), KEY, op.wish.ifMatch(), properties, op.id);
    }

    private SimulatedAttempt send(SimulatedOperation op) {
        SimulatedAttempt attempt =
                new SimulatedAttempt("request " + op.id, List.of(change(op)), store.now() + HORIZON.toNanos());
        books.sent(attempt, store.now());
        return attempt;
    }

    /** Carried out in truth. */
    private String apply(SimulatedOperation op) {
        time.advanceTimeBy(Duration.ofMillis(1));
        String etag = store.apply(List.of(change(op)), 0).get(0);
        List<Event> history = store.history(KEY);
        books.applied(history.get(history.size() - 1));
        return etag;
    }

    private void reported(SimulatedOperation op, WriteResult written) {
        op.ended(written, null, store.now());
    }

    private void reported(SimulatedOperation op, Throwable error) {
        op.ended(null, error, store.now());
    }

    private void check(String... violations) {
        new ResultCheck(trace, books, store).all();
        store.histories().forEach(new OrderCheck(trace, books)::of);
        assertThat(trace.violations()).hasSameSizeAs(violations);
        for (int i = 0; i < violations.length; i++) {
            assertThat(trace.violations().get(i)).contains(violations[i]);
        }
    }

    private static FailureDetails failure(int status, String code) {
        return new FailureDetails(
                "insert", "notes(p, r)", status, code, "text", 1, 0, Duration.ZERO, null, "id", null, "end");
    }

    @Test
    void whatIsTrueIsNotBlamed() {
        SimulatedOperation op = op(EntityVerb.INSERT);
        send(op).open = false;
        reported(op, WriteResult.confirmed(apply(op), false));
        check();
    }

    @Test
    @DisplayName("BATCH-1: no result, and two")
    void results() {
        SimulatedOperation none = op(EntityVerb.INSERT);
        SimulatedOperation twice = op(EntityVerb.DELETE, "*");
        twice.ended(null, new CancellationException(), 0);
        twice.ended(null, new CancellationException(), 0);
        check(none + ": BATCH-1: has 0 results", twice + ": BATCH-1: has 2 results");
    }

    @Test
    @DisplayName("OUTCOME-0: confirmed, and nothing was done; or the version is another's")
    void confirmed() {
        SimulatedOperation op = op(EntityVerb.INSERT);
        reported(op, WriteResult.confirmed("W/\"v1\"", false));
        SimulatedOperation other = op(EntityVerb.INSERT_OR_REPLACE);
        apply(other);
        reported(other, WriteResult.confirmed("W/\"v7\"", false));
        check("OUTCOME-0: is confirmed", "OUTCOME-0: is confirmed");
    }

    @Test
    @DisplayName("OUTCOME-0: failed, and was done")
    void failedAndDone() {
        SimulatedOperation op = op(EntityVerb.INSERT);
        apply(op);
        reported(op, new ThrottledException(failure(503, "ServerBusy"), null));
        check("OUTCOME-0: failed with");
    }

    @Test
    @DisplayName("BATCH-5: failed with what the service has said of another")
    void failedForAnother() {
        SimulatedOperation op = op(EntityVerb.INSERT);
        reported(op, new ConflictException(failure(409, "EntityAlreadyExists"), null));
        check("BATCH-5: failed with 409");
    }

    @Test
    @DisplayName("OUTCOME-0: unknown, though every attempt was answered")
    void unknown() {
        SimulatedOperation op = op(EntityVerb.INSERT);
        send(op).open = false;
        reported(
                op,
                new OutcomeUnknownException(
                        failure(0, "none"), "nothing", new ThrottledException(failure(503, "ServerBusy"), null)));
        check("OUTCOME-0: is unknown");
    }

    @Test
    @DisplayName("OUTCOME-8: recovered, and nothing of it was ever there; or with the version of another")
    void recovered() {
        SimulatedOperation op = op(EntityVerb.INSERT);
        reported(op, WriteResult.recovered("", Evidence.CONTENT, false));
        SimulatedOperation other = op(EntityVerb.INSERT_OR_REPLACE);
        apply(other);
        reported(other, WriteResult.recovered("W/\"v7\"", Evidence.MARKER, false));
        check("OUTCOME-8: is recovered", "OUTCOME-8: has the version");
    }

    @Test
    @DisplayName("OUTCOME-3: absent, and it was there all the time")
    void absent() {
        apply(op(EntityVerb.INSERT));
        SimulatedOperation insert = books.ops().get(0);
        reported(insert, WriteResult.confirmed("W/\"v1\"", false));
        SimulatedOperation delete = op(EntityVerb.DELETE, "*");
        delete.handedOver = store.now() + 1;
        reported(delete, WriteResult.absent(Evidence.CONTENT, true));
        check("OUTCOME-3: was never absent");
    }

    @Test
    @DisplayName("OUTCOME-9: done twice, and not told")
    void repeated() {
        SimulatedOperation op = op(EntityVerb.INSERT_OR_REPLACE);
        apply(op);
        reported(op, WriteResult.confirmed(apply(op), false));
        check("OUTCOME-9: was carried out more than once");
    }

    @Test
    @DisplayName("BATCH-7: refused for want of room, where there is some")
    void refusedWithRoom() {
        SimulatedOperation held = op(EntityVerb.INSERT);
        SimulatedOperation refused = op(EntityVerb.INSERT);
        RefusalCheck.of(trace, 1, refused, List.of(held), false, store.now());
        assertThat(trace.violations()).isEmpty();
        reported(held, new CancellationException());
        held.neverFrom = store.now();
        time.advanceTimeBy(Duration.ofSeconds(1));
        RefusalCheck.of(trace, 1, refused, List.of(held, refused), true, store.now());
        assertThat(trace.violations()).isEmpty();
        RefusalCheck.of(trace, 1, refused, List.of(held, refused), false, store.now());
        assertThat(trace.violations()).singleElement().asString().contains("at most 0 of 1 operations are held");
    }

    @Test
    @DisplayName("BATCH-10: given back, and sent")
    void cancelled() {
        SimulatedOperation op = op(EntityVerb.INSERT);
        op.neverFrom = 0;
        send(op);
        reported(op, new CancellationException());
        check("was cancelled as never to be sent, and sent");
    }

    @Test
    @DisplayName("BATCH-4: an older one lands on a newer one")
    void order() {
        SimulatedOperation older = op(EntityVerb.INSERT_OR_REPLACE);
        SimulatedOperation newer = op(EntityVerb.INSERT_OR_REPLACE);
        reported(newer, WriteResult.confirmed(apply(newer), false));
        reported(older, WriteResult.confirmed(apply(older), false));
        check(
                "BATCH-4: " + older + " was carried out after " + newer,
                "BATCH-4: " + older + " was carried out after " + newer);
    }

    @Test
    @DisplayName("BATCH-4 BATCH-6: an entity goes out while another request has it, or may still change it")
    void reserved() {
        SimulatedAttempt first = send(op(EntityVerb.INSERT));
        send(op(EntityVerb.INSERT_OR_REPLACE)).open = false;
        first.open = false;
        first.lost = true;
        send(op(EntityVerb.INSERT_OR_MERGE)).open = false;
        assertThat(trace.violations())
                .hasSize(2)
                .satisfiesExactly(one -> assertThat(one).startsWith("BATCH-6: "), two -> assertThat(two)
                        .startsWith("BATCH-4: "));

        time.advanceTimeBy(HORIZON);
        send(op(EntityVerb.INSERT_OR_MERGE)).open = false;
        assertThat(trace.violations()).hasSize(2);
    }
}
