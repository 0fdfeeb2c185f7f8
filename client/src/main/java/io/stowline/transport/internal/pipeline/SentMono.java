package io.stowline.transport.internal.pipeline;

import com.azure.core.http.HttpResponse;
import io.stowline.transport.internal.http.BufferedResponse;
import io.stowline.transport.internal.http.RelaySubscriber;
import io.stowline.transport.internal.http.StrayResponseException;
import io.stowline.transport.internal.http.WriteTracker;
import io.stowline.transport.internal.pipeline.RequestExecutor.AttemptSender;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Scheduler;

/**
 * An admitted attempt, which is authorized and sent at the subscription. A cancel reaches the write tracker before the HTTP client, which would
 * close the connection in an orderly way. One operator instead of two, since every attempt goes through it.
 */
final class SentMono extends Mono<HttpResponse> {

    private final RequestAttempt attempt;
    private final AttemptSender sender;
    private final Scheduler timer;

    SentMono(RequestAttempt attempt, AttemptSender sender, Scheduler timer) {
        this.attempt = attempt;
        this.sender = sender;
        this.timer = timer;
    }

    @Override
    public void subscribe(CoreSubscriber<? super HttpResponse> actual) {
        Mono<HttpResponse> sent;
        try {
            sent = sent();
        } catch (Throwable thrown) {
            Operators.error(actual, thrown);
            return;
        }
        sent.subscribe(new Sending(attempt.tracker(), actual));
    }

    private Mono<HttpResponse> sent() {
        WriteTracker tracker = attempt.tracker();
        Mono<HttpResponse> response = sender.send(attempt, attempt.start(timer));
        Mono<HttpResponse> own = tracker.ours() ? response : response.flatMap(SentMono::unlessStray);
        return tracker.feed() == null ? own : own.flatMap(BufferedResponse::fed);
    }

    /** The library's HTTP client has checked already, while the connection was the request's. */
    private static Mono<HttpResponse> unlessStray(HttpResponse response) {
        StrayResponseException stray = StrayResponseException.against(response);
        if (stray == null) {
            return Mono.just(response);
        }
        response.close();
        return Mono.error(stray);
    }

    /** One subscriber's sending of an attempt. */
    private static final class Sending extends RelaySubscriber<HttpResponse, HttpResponse> {

        private final WriteTracker tracker;

        Sending(WriteTracker tracker, CoreSubscriber<? super HttpResponse> actual) {
            super(actual);
            this.tracker = tracker;
        }

        @Override
        public void cancel() {
            try {
                tracker.abandon();
            } finally {
                upstream().cancel();
            }
        }

        @Override
        public void onNext(HttpResponse response) {
            actual.onNext(response);
        }
    }
}
