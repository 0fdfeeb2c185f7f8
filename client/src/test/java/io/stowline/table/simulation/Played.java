package io.stowline.table.simulation;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import io.stowline.transport.internal.http.SimulatedConnection;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.MonoSink;

/** One request on its way to the service, there, and back. */
final class Played {

    private final SimulatedService service;
    private final HttpRequest request;
    private final SimulatedConnection.Line line;
    private final MonoSink<HttpResponse> sink;
    private final SimulatedFault fault;
    private @Nullable SimulatedAttempt attempt;
    private boolean cancelled;

    Played(
            SimulatedService service,
            HttpRequest request,
            SimulatedConnection.Line line,
            MonoSink<HttpResponse> sink,
            SimulatedFault fault) {
        this.service = service;
        this.request = request;
        this.line = line;
        this.sink = sink;
        this.fault = fault;
    }

    void begin() {
        sink.onCancel(this::cancel);
        service.after(service.millis(2), this::connected);
    }

    /** The client has given up; what is on its way stays on its way. */
    private void cancel() {
        cancelled = true;
        if (attempt != null && attempt.open) {
            attempt.open = false;
            attempt.doubtful = true;
            attempt.lost = true;
            service.trace.note("given up " + name());
        }
    }

    private void connected() {
        if (fault == SimulatedFault.NO_CONNECTION) {
            service.trace.note("no connection for " + name());
            fail(new ConnectException("refused"));
        } else if (!cancelled && (service.is(SimulatedService.Mutation.HIDES_WHAT_IS_WRITTEN) || line.begin())) {
            write();
        }
    }

    private void write() {
        try {
            List<StoreChange> changes = service.changes(request);
            if (changes == null) {
                service.trace.note("read " + name() + " " + request.getUrl().getPath() + " " + fault);
                service.after(service.millis(10), this::read);
                return;
            }
            Duration upload = service.millis(3);
            long allowed = upload.plusSeconds(RequestCheck.timeout(request))
                    .plus(service.grace)
                    .toNanos();
            List<StoreChange> ours = service.books.attributed(changes);
            SimulatedAttempt written = new SimulatedAttempt(id(), ours, service.now() + allowed);
            attempt = written;
            service.trace.note("write " + name() + " " + ours + " " + fault);
            service.books.sent(written, service.now());
            service.after(upload, () -> uploaded(ours));
        } catch (Malformed e) {
            service.trace.violate("BATCH-3: " + name() + " breaks a rule: " + e.getMessage());
            fail(new IOException("malformed"));
        }
    }

    private void uploaded(List<StoreChange> changes) {
        if (cancelled) {
            return;
        }
        if (fault == SimulatedFault.CUT_UPLOAD) {
            lose();
            return;
        }
        if (!service.is(SimulatedService.Mutation.HIDES_WHAT_IS_WRITTEN)) {
            line.whole();
        }
        Duration limit = Duration.ofSeconds(RequestCheck.timeout(request));
        switch (fault.effect) {
            case LATE -> {
                service.after(late(limit), () -> carryOut(changes));
                service.after(service.millis(20), () -> end(null));
            }
            case NEVER -> service.after(service.millis(20), () -> end(null));
            case NOW -> {
                Duration work = fault == SimulatedFault.SLOW
                        ? service.millis(1_000).multipliedBy(limit.toSeconds())
                        : service.millis(20);
                service.after(work, () -> end(carryOut(changes)));
            }
        }
    }

    /** Any time before the horizon. */
    private Duration late(Duration limit) {
        long max = limit.plus(service.grace).toMillis();
        Duration late = Duration.ofMillis(service.random.nextLong(max));
        return service.is(SimulatedService.Mutation.LANDS_BEHIND_THE_HORIZON) ? late.plusMillis(max) : late;
    }

    /** The outcome: versions, or a refusal. */
    private record Outcome(List<String> etags, SimulatedStore.@Nullable Refused refused) {}

    private Outcome carryOut(List<StoreChange> changes) {
        byte[] body = request.getBodyAsBinaryData() == null
                ? new byte[0]
                : request.getBodyAsBinaryData().toBytes();
        List<String> etags = new ArrayList<>();
        SimulatedStore.Refused refused = body.length > service.scenario.bodyLimit()
                ? new SimulatedStore.Refused(-1, Refusal.TOO_LARGE)
                : service.carryOut(changes, etags);
        if (refused == null && service.is(SimulatedService.Mutation.REPEATS_WHAT_IT_CONFIRMED)) {
            service.after(service.millis(500), () -> service.carryOut(changes, new ArrayList<>()));
        }
        return new Outcome(etags, refused);
    }

    private void end(@Nullable Outcome outcome) {
        switch (fault.ending) {
            case RESET -> lose();
            case SILENCE -> service.trace.note("silence for " + name());
            case REFUSAL, REFUSAL_INSIDE -> refuse(fault);
            default -> {
                if (outcome != null) {
                    Duration way = fault == SimulatedFault.SLOW_RESPONSE
                            ? service.millis(1_000).multipliedBy(2 * service.grace.toSeconds())
                            : service.millis(2);
                    service.after(way, () -> respond(outcome));
                }
            }
        }
    }

    private void refuse(SimulatedFault how) {
        Refusal refusal = Objects.requireNonNull(how.refusal);
        int status = refusal.status();
        if (how.ending == SimulatedFault.Ending.REFUSAL_INSIDE && batch()) {
            give(service.batchResponse(request, SimulatedResponses.batch(refusal, 0, service.clock())));
        } else {
            give(service.respond(request, status, null, SimulatedResponses.error(refusal, -1, service.clock())));
        }
    }

    private void respond(Outcome outcome) {
        SimulatedStore.Refused refused = outcome.refused;
        if (refused != null && batch() && refused.why() != Refusal.TOO_LARGE) {
            give(service.batchResponse(
                    request, SimulatedResponses.batch(refused.why(), refused.index(), service.clock())));
        } else if (refused != null) {
            byte[] error = SimulatedResponses.error(refused.why(), -1, service.clock());
            give(service.respond(request, refused.why().status(), null, error));
        } else if (batch()) {
            boolean mangled = fault.ending == SimulatedFault.Ending.MANGLED;
            give(service.batchResponse(
                    request,
                    mangled
                            ? SimulatedResponses.mangled(fault, outcome.etags, service.random)
                            : SimulatedResponses.batch(outcome.etags)));
        } else {
            give(service.respond(request, 204, SimulatedResponses.etag(outcome.etags), new byte[0]));
        }
    }

    private void read() {
        if (fault.refusal != null) {
            refuse(fault);
        } else if (fault == SimulatedFault.LOST_BEFORE) {
            fail(new IOException("reset"));
        } else if (fault != SimulatedFault.SILENT_BEFORE) {
            service.after(fault == SimulatedFault.SLOW ? service.millis(2_000) : service.millis(2), this::look);
        }
    }

    private void look() {
        try {
            String url = request.getUrl().toString();
            SimulatedKey key = Objects.requireNonNull(SimulatedOperations.Address.of(url.substring(0, url.indexOf('?')))
                    .key());
            SimulatedStore.Row row = service.store.row(key);
            Refusal missing = service.store.isGone() ? Refusal.NO_TABLE : Refusal.MISSING;
            give(
                    row == null
                            ? service.respond(
                                    request, 404, null, SimulatedResponses.error(missing, -1, service.clock()))
                            : service.respond(request, 200, row.etag(), SimulatedResponses.entity(key, row)));
        } catch (Malformed e) {
            throw new IllegalStateException(e);
        }
    }

    private void lose() {
        fail(new IOException("reset"));
    }

    private void fail(IOException error) {
        end(fault.losesTheResponse() && attempt != null, "failed");
        if (!cancelled) {
            sink.error(error);
        }
    }

    private void give(HttpResponse response) {
        end(fault.losesTheResponse(), Integer.toString(response.getStatusCode()));
        if (!cancelled) {
            sink.success(response);
        }
    }

    private void end(boolean lost, String how) {
        service.trace.note("answer " + name() + " " + how + (cancelled ? ", too late" : ""));
        if (attempt != null && attempt.open) {
            attempt.open = false;
            attempt.doubtful |= fault.mayLoseTheResponse();
            attempt.lost |= lost;
        }
    }

    private boolean batch() {
        return request.getUrl().getPath().equals("/$batch");
    }

    private String id() {
        return String.valueOf(request.getHeaders().getValue(HttpHeaderName.fromString("x-ms-client-request-id")));
    }

    private String name() {
        return (request.getHttpMethod() == HttpMethod.GET ? "look " : "") + service.trace.name(id());
    }
}
