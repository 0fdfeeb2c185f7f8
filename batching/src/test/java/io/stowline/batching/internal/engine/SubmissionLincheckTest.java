package io.stowline.batching.internal.engine;

import java.util.concurrent.ConcurrentLinkedQueue;
import org.jetbrains.kotlinx.lincheck.LinChecker;
import org.jetbrains.kotlinx.lincheck.Options;
import org.jetbrains.kotlinx.lincheck.annotations.Operation;
import org.jetbrains.kotlinx.lincheck.annotations.Validate;
import org.jetbrains.kotlinx.lincheck.strategy.managed.modelchecking.ModelCheckingOptions;
import org.jetbrains.kotlinx.lincheck.strategy.stress.StressOptions;
import org.jetbrains.kotlinx.lincheck.verifier.EpsilonVerifier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import reactor.core.publisher.Mono;

/** Listeners that come while the outcome does: each is called once, with the outcome that counts. */
@EnabledForJreRange(max = JRE.JAVA_22, disabledReason = "Lincheck 2.39 reads no newer class files")
@SuppressWarnings({"exports", "missing-explicit-ctor"}) // Lincheck wants a public class, and the module exports no test
public class SubmissionLincheckTest {

    /** The factor of an exploring run. */
    private static final int DEPTH = Integer.getInteger("stowline.explore", 1);

    private static final EngineBatcher<String, Item, String> BATCHER = batcher();

    private final EngineSubmission<String> submission = new EngineSubmission<>(BATCHER);
    private final ConcurrentLinkedQueue<RecordingListener> listeners = new ConcurrentLinkedQueue<>();
    private final Object lock = new Object();
    private @Nullable Object outcome;

    /** Has a separate watch, which leads Lincheck to no writer of another test. */
    private static EngineBatcher<String, Item, String> batcher() {
        BatchingEngine.Builder<String, Item, String> builder = TestEngine.<String, Item, String>builder(
                        new Item.Descriptor(), batch -> Mono.never())
                .callbacks(TestCallbacks.on(Runnable::run));
        builder.warning = new OpenWriterWarning(hook -> {}, hook -> {}, warning -> {}, notice -> {});
        return (EngineBatcher<String, Item, String>)
                builder.build().batcher(TestSettings.builder().warnAtExit(false).build());
    }

    @Operation
    public void listen() {
        RecordingListener reported = new RecordingListener();
        listeners.add(reported);
        submission.whenComplete((value, error) -> reported.add(value));
    }

    @Operation
    public void response() {
        publish("answered");
    }

    @Operation
    public void cancel() {
        publish("cancelled");
    }

    /** The engine does so: the outcome is set under its lock, and announced outside it. */
    private void publish(String given) {
        boolean announce;
        synchronized (lock) {
            if (outcome == null) {
                outcome = given;
            }
            announce = submission.publish(given);
        }
        if (announce) {
            submission.announce();
        }
    }

    @Validate
    public void eachIsReportedOnce() {
        publish("at the end");
        for (RecordingListener reported : listeners) {
            if (reported.times != 1 || !reported.last.equals(outcome)) {
                throw new IllegalStateException("told " + reported.times + " times, last " + reported.last);
            }
        }
    }

    /** The results that one listener received. */
    private static final class RecordingListener {

        private volatile int times;
        private volatile String last = "nothing";

        private synchronized void add(String value) {
            times++;
            last = value;
        }
    }

    @Tag("nightly")
    @Test
    @DisplayName("BATCH-1: a listener that races with the outcome is called once, explored")
    void explored() {
        check(new ModelCheckingOptions()
                .threads(2)
                .actorsPerThread(1)
                .actorsBefore(0)
                .actorsAfter(0)
                .iterations(4 * DEPTH)
                .invocationsPerIteration(60));
    }

    @Test
    @DisplayName("BATCH-1: a listener that races with the outcome is called once, under stress")
    void stressed() {
        check(new StressOptions().threads(3).actorsPerThread(3).iterations(10).invocationsPerIteration(200));
    }

    private void check(Options<?, ?> options) {
        LinChecker.check(getClass(), options.verifier(EpsilonVerifier.class));
    }
}
