package io.stowline.service.internal;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.StorageException;
import io.stowline.outcome.Evidence;
import io.stowline.outcome.WriteResult;
import io.stowline.retry.RetrySettings;
import io.stowline.service.ServiceInfo;
import io.stowline.service.ServiceType;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.outcome.ReadBackResult;
import io.stowline.transport.internal.outcome.UnresolvedAttempts;
import io.stowline.transport.internal.pipeline.DirectCalls;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.pipeline.OutcomeResolver;
import io.stowline.transport.internal.pipeline.StoragePipeline;
import io.stowline.transport.internal.request.DocumentedStatus;
import io.stowline.transport.internal.request.OperationType;
import io.stowline.transport.internal.request.Request;
import io.stowline.transport.internal.request.ResponseParser;
import io.stowline.transport.internal.request.ResponseParser.ParseResult;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import reactor.core.publisher.Mono;

/** The operations on the properties of one service. What they give arrives on an I/O thread. Thread-safe. */
public final class ServicePropertyOperations {

    private static final String XML = "application/xml";

    private static final ResponseParser<ServiceInfo> PROPERTIES = DocumentedStatus.status(200)
            .parser(
                    response -> ServicePropertiesXml.read(response.body()),
                    e -> new ParseResult.Unreadable<>(
                            "the properties cannot be parsed (" + ParseResult.Unreadable.reason(e) + ")"));

    private static final DocumentedStatus ACCEPTED = DocumentedStatus.status(202);

    private final ServiceType service;
    private final DirectCalls calls;
    private final String url;
    private final RetrySettings retry;

    /**
     * Stands on the pipeline of the service.
     *
     * @param service the service, whose name errors show
     * @param pipeline the way of its requests
     * @param root the address of the service
     * @param retry how operations are tried
     */
    public ServicePropertyOperations(ServiceType service, StoragePipeline pipeline, URI root, RetrySettings retry) {
        this.service = service;
        this.calls = DirectCalls.of(pipeline);
        this.url = root + "/?restype=service&comp=properties";
        this.retry = retry;
    }

    ServiceType service() {
        return service;
    }

    private String resource() {
        return service.name().toLowerCase(Locale.ROOT) + " service";
    }

    /** Reads all properties. */
    Mono<ServiceInfo> read(String verb) {
        return calls.observed(verb, this::resource, () -> reading(verb, retry), (info, exchange) -> info);
    }

    private Exchange<ServiceInfo> reading(String verb, RetrySettings settings) {
        Request request = Request.of(verb, resource(), OperationType.READ, HttpMethod.GET, url)
                .addHeader(HttpHeaderName.ACCEPT, XML);
        return Exchange.of(request, settings, PROPERTIES);
    }

    /** Sets one property, and keeps all others (ACCESS-3). */
    Mono<WriteResult> set(PropertyChange change) {
        return calls.settled(
                change.verb(),
                this::resource,
                () -> writing(change),
                (done, exchange) -> WriteResult.confirmed(
                        "", calls.pipeline().unresolved(exchange).mayRepeat(Evidence.RESPONSE)),
                (end, unresolved) -> settle(change, end, unresolved));
    }

    private Exchange<StorageResponse> writing(PropertyChange change) {
        Request request = Request.of(change.verb(), resource(), OperationType.WRITE, HttpMethod.PUT, url)
                .body(XML, change.xml().getBytes(StandardCharsets.UTF_8));
        return Exchange.of(request, retry, ACCEPTED::read);
    }

    private Mono<WriteResult> settle(
            PropertyChange change, OutcomeUnknownException end, UnresolvedAttempts unresolved) {
        RetrySettings settings = retry.forReadBack();
        Mono<ReadBackResult<WriteResult>> once = Mono.defer(() -> calls.pipeline()
                        .send(reading(change.verb(), settings).with(options -> options.within(unresolved.deadline()))))
                .map(info -> judged(change, info, unresolved))
                .onErrorResume(StorageException.class, e -> Mono.just(OutcomeResolver.unseen(e)));
        return OutcomeResolver.readBack(once, unresolved, settings.minAttempt())
                .flatMap(last -> OutcomeResolver.resolved(end, last));
    }

    /** Another value proves nothing for good: it may have been set by another client since. */
    private static ReadBackResult<WriteResult> judged(
            PropertyChange change, ServiceInfo info, UnresolvedAttempts unresolved) {
        if (change.stored().test(info)) {
            return new ReadBackResult.ProvenDone<>(
                    WriteResult.recovered("", Evidence.CONTENT, unresolved.mayRepeat(Evidence.CONTENT)));
        }
        return unresolved.isOver()
                ? new ReadBackResult.Unproven<>("the service has another value of the " + change.property()
                        + ", which may have been set since, or before")
                : new ReadBackResult.Open<>();
    }
}
