package io.stowline.queue.internal;

import static org.assertj.core.api.Assertions.catchThrowable;

import com.azure.storage.queue.QueueAsyncClient;
import com.azure.storage.queue.QueueMessageEncoding;
import com.azure.storage.queue.QueueServiceClientBuilder;
import io.stowline.error.StorageException;
import io.stowline.queue.internal.MessageView.LeaseReceipt;
import io.stowline.queue.internal.MessageView.LeaseReceipt.LeaseTimer;
import io.stowline.queue.internal.MessageView.MessageHeader;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.concurrent.Stopwatch;
import io.stowline.transport.internal.http.FakeWire;
import io.stowline.transport.internal.request.RequestTarget;
import io.stowline.transport.internal.sdk.SdkCalls;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** A queue over a scripted wire, and the responses of the service in its own form. */
public final class QueueBench {

    /** The root of the fake account's queues. */
    public static final String ROOT = "https://acct.queue.core.windows.net";

    /** A pop receipt with every character that an address cannot carry as it is. */
    public static final String RECEIPT = "AgAAAAMAAAA+b/A==";

    private final Bench bench;
    private final UnconfirmedDeletes completed;
    private final QueueOperations operations;

    public QueueBench() {
        this(new Bench());
    }

    public QueueBench(Bench bench) {
        this.bench = bench;
        this.completed = new UnconfirmedDeletes(bench.pipeline().clock());
        this.operations = client("orders");
    }

    /** Another queue of the account. */
    public QueueOperations client(String queue) {
        SdkCalls calls = Bench.calls(Service.QUEUE, bench.pipeline());
        QueueAsyncClient sdk = new QueueServiceClientBuilder()
                .endpoint(ROOT)
                .pipeline(calls.pipeline())
                .messageEncoding(QueueMessageEncoding.NONE)
                .buildAsyncClient()
                .getQueueAsyncClient(queue);
        return new QueueOperations(
                () -> sdk,
                calls.view(),
                bench.pipeline(),
                completed,
                new QueueRequests(RequestTarget.of(queue), calls.view().headers(), ROOT + "/" + queue),
                Bench.signer(Service.QUEUE));
    }

    /** The time of the bench. */
    public Scheduler timer() {
        return bench.pipeline().timer();
    }

    /** The scripted wire. */
    public FakeWire wire() {
        return bench.wire();
    }

    /** Gives the next attempt a response in XML. */
    public QueueBench responds(int status, String xml, String... headers) {
        String[] all = Arrays.copyOf(headers, headers.length + 2);
        all[headers.length] = "Content-Type";
        all[headers.length + 1] = "application/xml";
        wire().responds(status, xml, all);
        return this;
    }

    /** Writes the next attempt and loses its response. */
    public QueueBench losesTheResponse() {
        wire().breaks(new IOException("Connection reset by peer"));
        return this;
    }

    /** Returns the operations under test. */
    public QueueOperations client() {
        return operations;
    }

    /** The messages that are not to be handed out again. */
    UnconfirmedDeletes completed() {
        return completed;
    }

    /** A message of this queue. */
    static MessageHeader message(String id) {
        return new MessageHeader(
                "orders", id, 1, Instant.parse("2024-02-29T12:00:00Z"), Instant.parse("2024-03-07T12:00:00Z"));
    }

    /** A lease that begins now. */
    public LeaseReceipt lease(String receipt, Duration time) {
        Scheduler timer = bench.pipeline().timer();
        LeaseTimer leaseTimer = LeaseTimer.of(Stopwatch.start(timer), time);
        return new LeaseReceipt(receipt, Instant.parse("2024-02-29T12:00:30Z"), leaseTimer);
    }

    /** Subscribes. The SDK reads responses on separate threads, so that the test has to wait for the end. */
    public <A> Running<A> start(Mono<A> mono) {
        return new Running<>(mono.toFuture());
    }

    /** A running operation. */
    public record Running<A>(CompletableFuture<A> future) {

        /** Waits for its value. */
        public A value() throws Exception {
            return future.get(20, TimeUnit.SECONDS);
        }

        /** Waits for its failure, which must be one of storage. */
        public StorageException failure() {
            Throwable thrown = catchThrowable(() -> future.get(20, TimeUnit.SECONDS));
            if (thrown instanceof ExecutionException && thrown.getCause() instanceof StorageException failed) {
                return failed;
            }
            throw new AssertionError("no storage exception", thrown);
        }
    }

    /** Lets time pass. */
    public void pass(Duration time) {
        bench.pass(time);
    }

    /** Returns the response to a send. */
    public static String sent(String id) {
        return "<?xml version=\"1.0\" encoding=\"utf-8\"?><QueueMessagesList>" + message(id, "", null)
                + "</QueueMessagesList>";
    }

    /** Returns the response to a receive or peek; texts are given as XML. */
    public static String messages(String... texts) {
        StringBuilder list = new StringBuilder("<?xml version=\"1.0\" encoding=\"utf-8\"?><QueueMessagesList>");
        for (int i = 0; i < texts.length; i++) {
            list.append(message("id-" + i, "<DequeueCount>" + (i + 1) + "</DequeueCount>", texts[i]));
        }
        return list.append("</QueueMessagesList>").toString();
    }

    /** Returns the response to a receive of one message of 12:00:30 that was sent at this second of the minute. */
    public static String messageOf(int second, String id, String text) {
        return messages("")
                .replace("12:00:30", "12:01:00")
                .replace("12:00:00 GMT</Ins", String.format(Locale.ROOT, "12:00:%02d GMT</Ins", second))
                .replace("id-0", id)
                .replace("<MessageText></MessageText>", "<MessageText>" + text + "</MessageText>");
    }

    private static String message(String id, String more, String text) {
        return "<QueueMessage><MessageId>" + id + "</MessageId>"
                + "<InsertionTime>Thu, 29 Feb 2024 12:00:00 GMT</InsertionTime>"
                + "<ExpirationTime>Thu, 07 Mar 2024 12:00:00 GMT</ExpirationTime>"
                + "<PopReceipt>" + RECEIPT + "</PopReceipt>"
                + "<TimeNextVisible>Thu, 29 Feb 2024 12:00:30 GMT</TimeNextVisible>" + more
                + (text == null ? "" : "<MessageText>" + text + "</MessageText>") + "</QueueMessage>";
    }

    /** The service's form of an error. */
    public static String error(String code) {
        return "<?xml version=\"1.0\" encoding=\"utf-8\"?><Error><Code>" + code
                + "</Code><Message>what the service says.\n"
                + "RequestId:6ca9\n"
                + "Time:2024-02-29T12:00:00.0000000Z</Message></Error>";
    }
}
