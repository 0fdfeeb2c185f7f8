package io.stowline.retry.internal.engine;

import io.stowline.retry.RetrySettings;
import io.stowline.retry.internal.timeout.Attempt;
import io.stowline.retry.internal.timeout.Deadline;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** A call whose parts are functions of a test. Immutable; its retries cost nothing by default. */
public final class ScriptedCall<T> extends RetryCall<T> {

    private record Limits(
            RetrySettings settings,
            Deadline deadline,
            RetryQuota quota,
            RetryQuota.ExhaustedPolicy whenEmpty,
            boolean untilDeadline) {}

    private record Bodies<T>(Consumer<? super T> discard, BooleanSupplier replayable, BooleanSupplier progressed) {}

    private final Limits given;
    private final Classifier<? super T> classifier;
    private final Function<? super Attempt, ? extends Mono<? extends T>> send;
    private final Bodies<T> bodies;

    private ScriptedCall(
            Limits given,
            Classifier<? super T> classifier,
            Function<? super Attempt, ? extends Mono<? extends T>> send,
            Bodies<T> bodies) {
        super(given.settings, given.deadline, given.quota, given.whenEmpty, given.untilDeadline);
        this.given = given;
        this.classifier = Objects.requireNonNull(classifier, "classifier");
        this.send = Objects.requireNonNull(send, "send");
        this.bodies = bodies;
    }

    public static <T> ScriptedCall<T> of(
            RetrySettings settings,
            Deadline deadline,
            Classifier<? super T> classifier,
            Function<? super Attempt, ? extends Mono<? extends T>> send) {
        Limits free = new Limits(settings, deadline, RetryQuota.unlimited(), RetryQuota.ExhaustedPolicy.REFUSE, false);
        return new ScriptedCall<>(free, classifier, send, new Bodies<>(result -> {}, () -> true, () -> false));
    }

    public ScriptedCall<T> discarding(Consumer<? super T> discard) {
        return with(new Bodies<>(discard, bodies.replayable, bodies.progressed));
    }

    public ScriptedCall<T> replayableWhile(BooleanSupplier replayable) {
        return with(new Bodies<>(bodies.discard, replayable, bodies.progressed));
    }

    public ScriptedCall<T> renewedBy(BooleanSupplier progressed) {
        return with(new Bodies<>(bodies.discard, bodies.replayable, progressed));
    }

    public ScriptedCall<T> within(RetryQuota quota, RetryQuota.ExhaustedPolicy whenEmpty) {
        return with(new Limits(given.settings, given.deadline, quota, whenEmpty, given.untilDeadline));
    }

    public ScriptedCall<T> untilDeadline() {
        return with(new Limits(given.settings, given.deadline, given.quota, given.whenEmpty, true));
    }

    private ScriptedCall<T> with(Bodies<T> others) {
        return new ScriptedCall<>(given, classifier, send, others);
    }

    private ScriptedCall<T> with(Limits others) {
        return new ScriptedCall<>(others, classifier, send, bodies);
    }

    @Override
    public Verdict classify(@Nullable T result, @Nullable Throwable error) {
        return classifier.classify(result, error);
    }

    @Override
    protected Mono<? extends T> send(Attempt attempt) {
        return send.apply(attempt);
    }

    @Override
    protected void discard(T result) {
        bodies.discard.accept(result);
    }

    @Override
    protected boolean replayable() {
        return bodies.replayable.getAsBoolean();
    }

    @Override
    protected boolean progressed() {
        return bodies.progressed.getAsBoolean();
    }
}
