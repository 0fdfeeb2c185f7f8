package io.stowline.transport.internal.sdk;

import com.azure.core.exception.HttpResponseException;
import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpPipeline;
import com.azure.core.http.HttpPipelineBuilder;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.transport.ReadOrigin;
import io.stowline.transport.internal.concurrent.Lazy;
import io.stowline.transport.internal.error.Redaction;
import io.stowline.transport.internal.observe.OperationObserver;
import io.stowline.transport.internal.outcome.UnresolvedAttempts;
import io.stowline.transport.internal.pipeline.DirectCalls;
import io.stowline.transport.internal.pipeline.StoragePipeline;
import io.stowline.transport.internal.pipeline.ViewSettings;
import io.stowline.transport.internal.request.ExtraHeaders;
import io.stowline.transport.internal.request.Operation;
import io.stowline.transport.internal.request.ServiceVersion;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * The operations that asynchronous clients of the Azure SDK carry out: they are built on {@link #pipeline()}, without
 * own retries, and each call is described by {@link #one}. Failures are {@link io.stowline.error.StorageException}s
 * then. Thread-safe.
 */
public final class SdkCalls {

    private final StoragePipeline pipeline;
    private final Lazy<HttpPipeline> http;
    private final OperationObserver observer;
    private final ViewSettings view;

    private SdkCalls(StoragePipeline pipeline, Lazy<HttpPipeline> http, OperationObserver observer, ViewSettings view) {
        this.pipeline = pipeline;
        this.http = http;
        this.observer = observer;
        this.view = view;
    }

    /** Returns the calls that one view makes through the pipeline. */
    public static SdkCalls of(StoragePipeline pipeline, ViewSettings view) {
        return new SdkCalls(pipeline, new Lazy<>(() -> SdkRequestPolicy.of(pipeline)), pipeline.observer(), view);
    }

    /** Returns the calls of another view. */
    public SdkCalls with(ViewSettings other) {
        return new SdkCalls(pipeline, http, observer, other);
    }

    /** Returns the settings of the view that makes the calls. */
    public ViewSettings view() {
        return view;
    }

    /** Observes work as one operation, which has not failed where the work takes failures of its calls for a result. */
    public <A> Mono<A> asOperation(Operation operation, Mono<A> work) {
        return observer.operation(operation.name(), operation::resource, work);
    }

    /**
     * Observes work of several calls that a thread drives as one operation.
     *
     * @param name the caller's verb
     * @param seen the Reactor context of the caller; empty in a blocking call
     * @param work the work, by the calls that it is given
     */
    public <A> A driven(String name, Supplier<String> resource, ContextView seen, Function<SdkCalls, A> work) {
        return observer.driven(name, resource, seen, part -> work.apply(new SdkCalls(pipeline, http, part, view)));
    }

    /** Returns the calls of the same operations for requests that no SDK client makes. */
    public DirectCalls direct() {
        return new DirectCalls(pipeline, observer);
    }

    /** Returns the version that all requests name. */
    public ServiceVersion version() {
        return pipeline.version();
    }

    /**
     * Returns the pipeline of the requests, credentials and retries included.
     *
     * @return the pipeline for the builder of an SDK client
     */
    public HttpPipeline pipeline() {
        return http.get();
    }

    /**
     * Returns the pipeline behind the policies that SDK clients look for before they send anything.
     *
     * @param before their policies
     * @return the pipeline for the builder of an SDK client
     */
    public HttpPipeline pipeline(List<HttpPipelinePolicy> before) {
        return before.isEmpty()
                ? pipeline()
                : new HttpPipelineBuilder()
                        .policies(before.toArray(HttpPipelinePolicy[]::new))
                        .httpClient(new Onwards(pipeline()))
                        .build();
    }

    /** A pipeline at the end of another one. */
    private record Onwards(HttpPipeline pipeline) implements HttpClient {

        @Override
        public Mono<HttpResponse> send(HttpRequest request) {
            return pipeline.send(request);
        }

        @Override
        public Mono<HttpResponse> send(HttpRequest request, com.azure.core.util.Context context) {
            return pipeline.send(request, context);
        }
    }

    /**
     * Runs a call with at most one result.
     *
     * @param call makes the call; called for every subscription
     * @return the result, on an I/O or timer thread
     */
    public <A> Mono<A> one(Operation operation, Supplier<Mono<A>> call) {
        Mono<A> work = Mono.defer(() -> {
            ExtraHeaders headers = view.headersOf(operation.type(), operation.resource());
            return Mono.defer(call)
                    .onErrorMap(HttpResponseException.class, Redaction::of)
                    .contextWrite(known -> with(operation, headers, known));
        });
        return observer.operation(operation.name(), operation::resource, work);
    }

    /**
     * Runs a read whose one result names its place.
     *
     * @param operation the operation, with its routing
     * @param call makes the call; called for every subscription
     * @param result makes the result of the call's own and of the place that sent it
     * @param <A> the call's own result
     * @return the result, on an I/O or timer thread
     */
    public <A, R> Mono<R> located(
            Operation operation, Supplier<Mono<A>> call, BiFunction<? super A, ReadOrigin, R> result) {
        Mono<R> work = Mono.defer(() -> {
            AtomicReference<ReadOrigin> origin = new AtomicReference<>(ReadOrigin.primary());
            SdkCallTracker exchanges = new SdkCallTracker(origin::set);
            return one(operation, call)
                    .contextWrite(known -> known.put(SdkCallTracker.KEY, exchanges))
                    .map(own -> result.apply(own, origin.get()))
                    .onErrorMap(exchanges::meaning);
        });
        return observer.operation(operation.name(), operation::resource, work);
    }

    /**
     * Runs a call with one result whose responses the SDK reads whole. An unreadable response is a
     * {@link io.stowline.error.ProtocolException}.
     *
     * @param call makes the call; called for every subscription
     * @param result makes the result of the call's own, and of its unresolved attempts
     * @param <A> the call's own result
     * @return the result, on an I/O or timer thread
     */
    public <A, R> Mono<R> observed(
            Operation operation, Supplier<Mono<A>> call, BiFunction<? super A, UnresolvedAttempts, R> result) {
        return settled(operation, call, result, (unknown, unresolved) -> Mono.error(unknown));
    }

    /**
     * Runs a write whose outcome can be found after a lost response.
     *
     * @param call makes the call; called for every subscription
     * @param result makes the result of the call's own, and of its unresolved attempts
     * @param settle finds the outcome of a write that ended as unknown
     * @param <A> the call's own result
     * @return the result, on an I/O or timer thread
     */
    public <A, R> Mono<R> settled(
            Operation operation,
            Supplier<Mono<A>> call,
            BiFunction<? super A, UnresolvedAttempts, R> result,
            BiFunction<OutcomeUnknownException, UnresolvedAttempts, Mono<R>> settle) {
        Mono<R> work = Mono.defer(() -> {
            SdkCallTracker exchanges = new SdkCallTracker(origin -> {});
            return one(operation, call)
                    .contextWrite(known -> known.put(SdkCallTracker.KEY, exchanges))
                    .map(own -> result.apply(own, exchanges.unresolved()))
                    .onErrorMap(exchanges::meaning)
                    .onErrorResume(
                            // Closing may end a call before its request has: a read-back is impossible then.
                            e -> e instanceof OutcomeUnknownException && exchanges.ended(),
                            e -> settle.apply((OutcomeUnknownException) e, exchanges.unresolved()));
        });
        return observer.operation(operation.name(), operation::resource, work);
    }

    private static Context with(Operation operation, ExtraHeaders headers, Context known) {
        Context own = known.put(Operation.KEY, operation);
        return headers.isEmpty() ? own : own.put(ExtraHeaders.KEY, headers);
    }
}
