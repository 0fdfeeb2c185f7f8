package io.stowline.transport.internal.pipeline;

import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import io.stowline.error.StorageException;
import io.stowline.retry.RetryResult;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.concurrent.BlockingAwait.CancelledCalls;
import io.stowline.transport.internal.concurrent.FatalErrors;
import io.stowline.transport.internal.concurrent.InFlightRegistry;
import io.stowline.transport.internal.concurrent.OperationScope;
import io.stowline.transport.internal.error.Redaction;
import io.stowline.transport.internal.http.RelaySubscriber;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.observe.OperationObserver;
import io.stowline.transport.internal.pipeline.StoragePipeline.PipelineSettings;
import io.stowline.transport.internal.pipeline.StoragePipeline.PipelineSettings.RequestCompletionListener;
import io.stowline.transport.internal.request.ExtraHeaders;
import io.stowline.transport.internal.request.Operation;
import io.stowline.transport.internal.request.OperationType;
import io.stowline.transport.internal.request.Request;
import io.stowline.transport.internal.request.RequestCost;
import io.stowline.transport.internal.request.RequestIds;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoOperator;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * The outermost policy of our own pipelines. Sends the attempts of a request: one of ours, or one that an SDK client makes for an
 * operation of ours; what these fail with is a storage exception. A request of an SDK client that the application drives itself ends
 * in the SDK's own way.
 */
final class OperationPolicy implements HttpPipelinePolicy {

    private final AttemptRunner attempts;
    private final SdkRequests sdk;
    private final ExternalSdkCalls foreign;
    private final InFlightRegistry inFlight;
    private final OperationObserver observer;
    private final RequestCompletionListener ends;
    private final Service service;

    OperationPolicy(AttemptRunner attempts, SdkRequests sdk, InFlightRegistry inFlight, PipelineSettings settings) {
        this.attempts = attempts;
        this.sdk = sdk;
        this.foreign = new ExternalSdkCalls(settings.foreign(), false, settings.service());
        this.inFlight = inFlight;
        this.observer = settings.observer();
        this.ends = settings.ends();
        this.service = settings.service();
    }

    @Override
    public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
        if (context.getData(Exchange.KEY).isPresent()) {
            return ours(context, next);
        }
        Operation operation = (Operation) context.getData(Operation.KEY).orElse(null);
        return bySdkClient(context, next, operation);
    }

    private Mono<HttpResponse> ours(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
        Exchange<Object> exchange = Exchange.in(context);
        HttpRequest request = context.getHttpRequest();
        Mono<RetryResult<HttpResponse>> ended = attempts.run(exchange, url -> {
            request.setUrl(url);
            exchange.setHeaders(request.getHeaders());
            return next.clone().process();
        });
        return counted(exchange, settled(exchange, ended));
    }

    private Mono<HttpResponse> bySdkClient(
            HttpPipelineCallContext context, HttpPipelineNextPolicy next, @Nullable Operation operation) {
        HttpRequest request = context.getHttpRequest();
        Exchange<Object> exchange = operation == null ? foreign.exchange(context) : exchange(operation, request);
        request.setHeader(StorageResponse.CLIENT_REQUEST_ID, exchange.clientRequestId());
        context.getData(ExtraHeaders.KEY).ifPresent(more -> ((ExtraHeaders) more).addTo(request.getHeaders()));
        Mono<RetryResult<HttpResponse>> ended =
                sdk.send(context, exchange, () -> next.clone().process());
        Mono<HttpResponse> response = operation == null
                ? ended.flatMap(ExternalSdkCalls::settle)
                        .map(Redaction::of)
                        .onErrorMap(error -> Redaction.of(error, exchange.secrets()))
                : settled(exchange, ended);
        return counted(exchange, response).map(whole -> sdk.handOver(context, whole));
    }

    private Exchange<Object> exchange(Operation operation, HttpRequest request) {
        Request made = Request.bySdkClient(
                operation, request, SdkRequests.replayable(request), true, RequestCost.bySdkClient(service, request));
        return Exchange.of(operation, made, RequestIds.next());
    }

    private Mono<HttpResponse> counted(Exchange<Object> exchange, Mono<HttpResponse> response) {
        return new InFlightMono(response, inFlight, exchange, ends);
    }

    private Mono<HttpResponse> settled(Exchange<Object> exchange, Mono<RetryResult<HttpResponse>> ended) {
        return new SettledMono(ended, observer, exchange);
    }

    /** The response of the attempt that settled a request, or the error of all. Reactor's own operator would restore thread-locals each time. */
    private static final class SettledMono extends Mono<HttpResponse> {

        private final Mono<RetryResult<HttpResponse>> ended;
        private final OperationObserver observer;
        private final Exchange<Object> exchange;

        SettledMono(Mono<RetryResult<HttpResponse>> ended, OperationObserver observer, Exchange<Object> exchange) {
            this.ended = ended;
            this.observer = observer;
            this.exchange = exchange;
        }

        @Override
        public void subscribe(CoreSubscriber<? super HttpResponse> actual) {
            ended.subscribe(new Settlement(this, actual));
        }

        /** One subscriber's request. */
        private static final class Settlement extends RelaySubscriber<RetryResult<HttpResponse>, HttpResponse> {

            private final SettledMono parent;
            private boolean failed;

            Settlement(SettledMono parent, CoreSubscriber<? super HttpResponse> actual) {
                super(actual);
                this.parent = parent;
            }

            @Override
            public void onNext(RetryResult<HttpResponse> end) {
                Throwable error;
                try {
                    parent.observer.attempted(currentContext(), parent.exchange.clientRequestId(), end);
                    error = end.succeeded() ? null : ErrorMapper.of(parent.exchange, end);
                } catch (Throwable thrown) {
                    upstream().cancel();
                    error = Exceptions.isFatal(thrown) ? FatalErrors.carrier(thrown) : thrown;
                }
                if (error == null) {
                    actual.onNext(Objects.requireNonNull(end.value()));
                } else {
                    failed = true;
                    actual.onError(error);
                }
            }

            @Override
            public void onComplete() {
                if (!failed) {
                    actual.onComplete();
                }
            }
        }
    }

    /**
     * A request that counts as in flight until its subscriber knows its end. Refused once this client is closed, unless it is a part of an
     * operation in flight. One operator instead of several, since every request goes through it.
     */
    static final class InFlightMono extends MonoOperator<HttpResponse, HttpResponse> {

        private final InFlightRegistry inFlight;
        private final Exchange<?> exchange;
        private final RequestCompletionListener ends;

        InFlightMono(
                Mono<HttpResponse> source,
                InFlightRegistry inFlight,
                Exchange<?> exchange,
                RequestCompletionListener ends) {
            super(source);
            this.inFlight = inFlight;
            this.exchange = exchange;
            this.ends = ends;
        }

        @Override
        public void subscribe(CoreSubscriber<? super HttpResponse> actual) {
            Context context = actual.currentContext();
            try {
                inFlight.enter(context);
            } catch (IllegalStateException closed) {
                exchange.releaseUnused();
                Operators.error(actual, closed);
                return;
            }
            new Run(this, announced(context), actual).begin(source);
        }

        /** The operation that keeps the facts of this request beyond its end; null where there is nothing to keep. */
        private @Nullable OperationScope announced(ContextView context) {
            OperationScope operation = OperationScope.in(context);
            if (operation == null || exchange.request().type() == OperationType.READ) {
                return null;
            }
            exchange.inStep(StagedStep.proof(context));
            if (exchange.withoutEffect() != null) {
                return null;
            }
            operation.writing(exchange);
            return operation;
        }

        /** One subscriber's request. */
        private static final class Run extends InFlightRegistry.InFlightEntry<HttpResponse> {

            private final InFlightMono parent;
            private final @Nullable OperationScope writer;

            Run(InFlightMono parent, @Nullable OperationScope writer, CoreSubscriber<? super HttpResponse> actual) {
                super(parent.inFlight, false, actual);
                this.parent = parent;
                this.writer = writer;
            }

            private void over() {
                if (writer != null) {
                    writer.wrote(parent.exchange);
                }
                parent.ends.ended(parent.exchange);
            }

            @Override
            protected void succeeded(@Nullable HttpResponse response) {
                over();
            }

            @Override
            protected void failed(Throwable error) {
                if (parent.exchange.unanswered() > 0) {
                    noteInterrupted();
                }
                over();
            }

            @Override
            protected void cancelled() {
                stop();
                noteInterrupted();
                over();
            }

            @Override
            protected Throwable abandoned() {
                over();
                StorageException closed = ErrorMapper.closed(parent.exchange);
                OperationScope operation = OperationScope.in(currentContext());
                if (operation != null) {
                    // The operation may not hear of this end before closing ends it, too.
                    operation.cut(closed);
                }
                return closed;
            }

            @Override
            protected void discard(HttpResponse late) {
                late.close();
            }

            @Override
            protected void leaving() {
                parent.exchange.releaseUnused();
            }

            private void noteInterrupted() {
                CancelledCalls.note(currentContext(), () -> ErrorMapper.interrupted(parent.exchange));
            }
        }
    }
}
