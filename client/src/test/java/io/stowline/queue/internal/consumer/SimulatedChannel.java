package io.stowline.queue.internal.consumer;

import io.stowline.error.FailureDetails;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.ThrottledException;
import io.stowline.error.UnreachableException;
import io.stowline.queue.SendResult;
import io.stowline.queue.internal.MessageView.DeliveredMessage;
import io.stowline.queue.internal.MessageView.LeaseReceipt;
import io.stowline.queue.internal.MessageView.MessageHeader;
import io.stowline.queue.internal.consumer.channel.MessageChannel;
import io.stowline.queue.internal.poison.PoisonNote;
import io.stowline.transport.internal.concurrent.Stopwatch;
import io.stowline.transport.internal.error.FailureFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** The way of one process to the simulated queue, over a network with latency and faults. */
final class SimulatedChannel implements MessageChannel {

    /** The fault of a request. */
    enum Fault {
        /** No fault. */
        NONE,
        /** The service responds with 503 and does nothing. */
        BUSY,
        /** The request is lost; its sender cannot know. */
        LOST_REQUEST,
        /** The service executes it, and its response is lost. */
        LOST_RESPONSE
    }

    private final SimulatedQueue queue;
    private final Scheduler network;
    private final Scheduler process;
    private final Set<String> remembered = new HashSet<>();
    private final List<String> requests = new ArrayList<>();
    private Function<String, Fault> faults = operation -> Fault.NONE;
    private Supplier<Duration> latency = () -> Duration.ofMillis(2);

    /**
     * A way.
     *
     * @param queue where it leads to
     * @param network the time of the network and the service
     * @param process the time of the process, which may stall or die
     */
    SimulatedChannel(SimulatedQueue queue, Scheduler network, Scheduler process) {
        this.queue = queue;
        this.network = network;
        this.process = process;
    }

    /** Sets the faults of requests: by the verb and, behind a blank, the message's id or the number of messages. */
    void faults(Function<String, Fault> given) {
        faults = given;
    }

    void latency(Supplier<Duration> given) {
        latency = given;
    }

    /** All requests so far, such as {@code renew m1} and {@code receive 16}. */
    List<String> requests() {
        return requests;
    }

    long requests(String prefix) {
        return requests.stream().filter(request -> request.startsWith(prefix)).count();
    }

    @Override
    public String queue() {
        return queue.name();
    }

    @Override
    public Mono<List<DeliveredMessage>> receive(int max, Duration lease) {
        return request("receive " + max, Duration.ofSeconds(5), requested -> queue.receive(max, lease, requested))
                .onErrorMap(OutcomeUnknownException.class, e -> new UnreachableException(e.failure(), null))
                .map(messages -> messages.stream().filter(this::isNew).toList());
    }

    /** A message that was deleted without a proof is deleted again and not handed out. */
    private boolean isNew(DeliveredMessage message) {
        MessageHeader header = message.view().header();
        if (!remembered.contains(header.id())) {
            return true;
        }
        delete(header, message.lease(), Duration.ofSeconds(5)).subscribe(nothing -> {}, e -> {});
        return false;
    }

    @Override
    public Mono<LeaseReceipt> renew(
            MessageHeader message, LeaseReceipt receipt, String text, Duration lease, Duration within) {
        return request("renew " + message.id(), within, requested -> {
            check("renew", message, receipt);
            return queue.update(message.id(), text, lease, requested);
        });
    }

    @Override
    public Mono<Void> giveBack(
            MessageHeader message, LeaseReceipt receipt, String text, Duration delay, Duration within) {
        Duration whole = Duration.ofSeconds(delay.plusNanos(999_999_999).toSeconds());
        return request("giveBack " + message.id(), within, requested -> {
                    check("giveBack", message, receipt);
                    return queue.update(message.id(), text, whole, requested);
                })
                .then();
    }

    @Override
    public Mono<Void> delete(MessageHeader message, LeaseReceipt receipt, Duration within) {
        return Mono.defer(() -> {
            remembered.add(message.id());
            return request("delete " + message.id(), within, requested -> {
                        check("delete", message, receipt);
                        queue.delete(message.id());
                        return true;
                    })
                    .doOnNext(done -> remembered.remove(message.id()))
                    .then();
        });
    }

    private void check(String verb, MessageHeader message, LeaseReceipt receipt) {
        if (!queue.isValid(message.id(), receipt.popReceipt())) {
            throw new PreconditionFailedException(details(verb, 404, "MessageNotFound"), null);
        }
    }

    @Override
    public Mono<SendResult> copyToPoison(PoisonNote note) {
        return request("poison " + note.message().header().id(), Duration.ofSeconds(10), requested -> {
            queue.poison(note);
            Instant now = Instant.EPOCH;
            return new SendResult("poison", note.message().header().id(), "receipt", now, now, now, false);
        });
    }

    @Override
    public Mono<Long> count() {
        return request("count", Duration.ofSeconds(5), requested -> (long) queue.size());
    }

    private <T> Mono<T> request(String name, Duration within, Function<Stopwatch, T> effect) {
        return Mono.create(sink -> {
            requests.add(name);
            Fault fault = faults.apply(name);
            Stopwatch requested = Stopwatch.start(process);
            Duration there = latency.get();
            Duration back = latency.get();
            if (fault == Fault.LOST_REQUEST) {
                in(process, within, () -> sink.error(unknown(name)));
                return;
            }
            in(network, there, () -> {
                if (fault == Fault.BUSY) {
                    in(process, back, () -> sink.error(new ThrottledException(details(name, 503, "ServerBusy"), null)));
                    return;
                }
                try {
                    T result = effect.apply(requested);
                    if (fault == Fault.LOST_RESPONSE) {
                        in(process, within, () -> sink.error(unknown(name)));
                    } else {
                        in(process, back, () -> sink.success(result));
                    }
                } catch (RuntimeException e) {
                    in(process, back, () -> sink.error(e));
                }
            });
        });
    }

    private static void in(Scheduler scheduler, Duration time, Runnable step) {
        scheduler.schedule(step, time.toNanos(), TimeUnit.NANOSECONDS);
    }

    private static OutcomeUnknownException unknown(String name) {
        return new OutcomeUnknownException(details(name, 0, null), "a hidden message cannot be read back", null);
    }

    private static FailureDetails details(String name, int status, String code) {
        return FailureFacts.of(name, SimulatedQueue.NAME)
                .status(status, code)
                .tried(1, status == 0 ? 1 : 0, Duration.ZERO)
                .because("simulated", "it was the only attempt");
    }
}
