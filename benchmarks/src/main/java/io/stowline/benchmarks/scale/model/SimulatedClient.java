package io.stowline.benchmarks.scale.model;

import io.stowline.benchmarks.scale.model.ComparedPolicy.PolicyLimits;
import io.stowline.benchmarks.scale.model.ModelResponse.ResponseKind;
import io.stowline.retry.AttemptEnd.ThrottleScope;
import io.stowline.retry.ParallelismSettings;
import io.stowline.retry.QuotaSettings;
import io.stowline.retry.StopReason;
import io.stowline.retry.internal.engine.RetryCall;
import io.stowline.retry.internal.engine.RetryEngine;
import io.stowline.retry.internal.engine.RetryQuota;
import io.stowline.retry.internal.engine.RetryResult;
import io.stowline.retry.internal.engine.Verdict;
import io.stowline.retry.internal.gate.Gate.PermitPriority;
import io.stowline.retry.internal.gate.PartitionedGate;
import io.stowline.retry.internal.gate.Permit;
import io.stowline.retry.internal.timeout.Attempt;
import io.stowline.retry.internal.timeout.Deadline;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;

/**
 * A process with one client of an account. The library's own retry engine runs each policy; Stowline's policies have the library's gates
 * and quota, too. Used by one thread.
 */
final class SimulatedClient {

    private static final String LATENCY_CLASS = "transaction";
    private static final Verdict ACCOUNT_BUSY = Verdict.retry("503 ServerBusy").asThrottling(ThrottleScope.ACCOUNT);
    private static final Verdict PARTITION_BUSY =
            Verdict.retry("503 ServerBusy").asThrottling(ThrottleScope.PARTITION);
    private static final Verdict LOST = Verdict.retry("500 or no response").asAmbiguous();
    private static final Verdict NOT_SENT = Verdict.never("no permit or rate before the deadline");

    private final EventClock clock;
    private final SimulatedAccount account;
    private final ComparedPolicy policy;
    private final RandomGenerator random;
    private final RetryEngine engine;
    private final RetryQuota quota;
    private final @Nullable PartitionedGate<Integer> gates;
    private final @Nullable ClientRates rates;
    private final int number;
    private final boolean writer;

    /**
     * Creates a client.
     *
     * @param rates its rate targets, which a policy without them does not use
     */
    SimulatedClient(
            EventClock clock,
            SimulatedAccount account,
            ComparedPolicy policy,
            RandomGenerator random,
            int number,
            ClientRates rates) {
        this.clock = clock;
        this.account = account;
        this.policy = policy;
        this.random = random;
        this.number = number;
        this.engine = new RetryEngine(clock, policy.jitter(random));
        this.writer = policy.limits() == PolicyLimits.WRITER;
        this.rates = policy.limits() == PolicyLimits.RATED_CALL ? rates : null;
        boolean limited = policy.limits() != PolicyLimits.LOOP && policy.limits() != PolicyLimits.COUNTED;
        ParallelismSettings parallelism = ParallelismSettings.adaptive();
        this.gates = limited ? PartitionedGate.of(parallelism, clock) : null;
        this.quota = limited
                ? RetryQuota.of(QuotaSettings.defaults().sizedFor(parallelism.max()), clock)
                : RetryQuota.unlimited();
    }

    /** Starts an operation of this size on a partition; its figures go to the last argument. */
    void start(int partition, int entities, RunFigures figures) {
        new SimulatedOperation(partition, entities, figures).start();
    }

    private static Verdict verdict(ResponseKind kind) {
        return switch (kind) {
            case DONE -> Verdict.success();
            case ACCOUNT_BUSY -> ACCOUNT_BUSY;
            case PARTITION_BUSY -> PARTITION_BUSY;
            case FAILED, RESET, TIMED_OUT -> LOST;
        };
    }

    private final class SimulatedOperation extends RetryCall<ModelResponse> {

        private final int partition;
        private final int entities;
        private final RunFigures figures;
        private final long began = clock.now();
        private int attempts;

        SimulatedOperation(int partition, int entities, RunFigures figures) {
            super(
                    policy.settings(),
                    Deadline.in(policy.settings().deadline(), clock),
                    quota,
                    writer ? RetryQuota.ExhaustedPolicy.PACE : RetryQuota.ExhaustedPolicy.REFUSE,
                    writer || policy.limits() == PolicyLimits.LOOP);
            this.partition = partition;
            this.entities = entities;
            this.figures = figures;
        }

        void start() {
            engine.execute(this).subscribe(this::ended);
        }

        @Override
        protected Mono<ModelResponse> send(Attempt attempt) {
            attempts = attempt.number();
            return new SimulatedAttempt(this, attempt);
        }

        @Override
        public Verdict classify(@Nullable ModelResponse response, @Nullable Throwable error) {
            if (response == null) {
                return NOT_SENT;
            }
            Verdict verdict = verdict(response.kind());
            Duration delay =
                    verdict.kind() == Verdict.VerdictKind.SUCCESS ? Duration.ZERO : policy.ruledDelay(attempts, random);
            return delay.isZero() ? verdict : verdict.withHint(delay);
        }

        private void ended(RetryResult<ModelResponse> result) {
            if (result.stop() == StopReason.SUCCEEDED) {
                figures.done(clock.seconds(), (clock.now() - began) / 1e9, number);
            } else {
                figures.failed(clock.seconds());
            }
        }
    }

    /** One attempt: its permit, its request and its end. */
    private final class SimulatedAttempt extends Mono<ModelResponse> implements Subscription {

        private static final long SILENT_AFTER = 1_000_000_000;

        private final SimulatedOperation operation;
        private final Attempt attempt;
        private @Nullable CoreSubscriber<? super ModelResponse> actual;
        private @Nullable Permit permit;

        SimulatedAttempt(SimulatedOperation operation, Attempt attempt) {
            this.operation = operation;
            this.attempt = attempt;
        }

        @Override
        public void subscribe(CoreSubscriber<? super ModelResponse> subscriber) {
            actual = subscriber;
            subscriber.onSubscribe(this);
        }

        @Override
        public void request(long n) {
            if (rates == null) {
                admit();
                return;
            }
            ClientRates.RateCharge charge = rates.charge(operation.partition, operation.entities);
            charge.acquire(attempt.startBy()).subscribe(nothing -> {}, error -> refuse(charge, error), this::admit);
        }

        private void refuse(ClientRates.RateCharge charge, Throwable error) {
            charge.giveBack();
            failed(error);
        }

        private void admit() {
            if (gates == null) {
                send();
                return;
            }
            permit = gates.tryAcquire(operation.partition, PermitPriority.NORMAL);
            if (permit != null) {
                send();
            } else {
                gates.acquire(operation.partition, PermitPriority.NORMAL, attempt.startBy(), clock)
                        .subscribe(this::granted, this::failed);
            }
        }

        @Override
        public void cancel() {
            throw new UnsupportedOperationException("a simulated operation is not cancelled");
        }

        private void granted(Permit given) {
            permit = given;
            send();
        }

        private void send() {
            operation.figures.sent(clock.seconds());
            ModelResponse response = account.send(operation.partition, operation.entities);
            if (response.kind() == ResponseKind.RESET) {
                response = silent(response.at());
            }
            ModelResponse end = response;
            clock.at(end.at(), () -> end(end));
        }

        /** A writer gives its place to other requests after a second without a response. */
        private ModelResponse silent(long reset) {
            long timeout = clock.now() + attempt.clientTimeout().toNanos();
            Permit granted = permit;
            if (writer && gates != null && granted != null) {
                clock.at(clock.now() + SILENT_AFTER, () -> gates.fallSilent(granted, operation.partition));
            }
            return timeout < reset
                    ? new ModelResponse(ResponseKind.TIMED_OUT, timeout)
                    : new ModelResponse(ResponseKind.RESET, reset);
        }

        private void end(ModelResponse response) {
            if (response.refused()) {
                operation.figures.refused(clock.seconds());
            }
            if (gates != null && permit != null) {
                settle(gates, permit, response);
            }
            if (actual != null) {
                actual.onNext(response);
                actual.onComplete();
            }
        }

        /** Gives the permit back with the lesson that an attempt of the client gives. */
        private void settle(PartitionedGate<Integer> limits, Permit granted, ModelResponse response) {
            if (response.responded()) {
                limits.responded(operation.partition);
            }
            if (response.refused()) {
                limits.throttled(
                        granted, operation.partition, verdict(response.kind()).throttling());
            } else if (response.kind() == ResponseKind.DONE) {
                granted.responded(LATENCY_CLASS);
            } else {
                granted.release();
            }
        }

        private void failed(Throwable error) {
            if (actual != null) {
                actual.onError(error);
            }
        }
    }
}
