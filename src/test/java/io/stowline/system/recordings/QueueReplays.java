package io.stowline.system.recordings;

import com.azure.storage.queue.QueueMessageEncoding;
import io.stowline.Stowline;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.PeekedMessage;
import io.stowline.queue.QueueInfo;
import io.stowline.queue.ReceivedMessage;
import io.stowline.queue.SendResult;
import io.stowline.service.ServiceType;
import io.stowline.transport.ReadOrigin;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Verbs of queues that can meet the recorded responses of the queue service. */
final class QueueReplays {

    private static final String METADATA = "x-ms-meta-";
    private static final Duration LEASE = Duration.ofSeconds(30);

    private QueueReplays() {}

    static ReplayPlan of(ServiceRecording recording) {
        List<String> path = recording.target().segments();
        String comp = recording.target().parameter("comp");
        if (path.isEmpty()) {
            return "list".equals(comp)
                    ? ContainerReplays.names(recording, "listQueues", Stowline::listQueues)
                    : ServiceReplays.of(recording, ServiceType.QUEUE);
        }
        String queue = path.get(0);
        if (!queue.matches("[a-z0-9](-?[a-z0-9]){2,62}")) {
            return ReplayPlan.refused("queues: a name that the client refuses before it sends");
        }
        if (path.size() == 1) {
            return queue(recording, queue, comp);
        }
        return path.size() == 2 ? messages(recording, queue) : message(recording, queue, path.get(2));
    }

    private static Replay bare(
            ServiceRecording recording, String verb, String queue, Consumer<MessageQueue<String>> call) {
        return Replay.of(
                        recording,
                        "MessageQueue." + verb,
                        storage -> {
                            call.accept(plain(storage, queue));
                            return null;
                        },
                        recording.isError() ? VerbOutcome.refusal(recording) : VerbOutcome.NOTHING)
                .sending(0, recording);
    }

    private static Replay valued(
            ServiceRecording recording,
            String verb,
            String queue,
            Function<MessageQueue<String>, ?> call,
            @Nullable Object expected) {
        return Replay.of(
                        recording,
                        "MessageQueue." + verb,
                        storage -> call.apply(plain(storage, queue)),
                        VerbOutcome.of(expected))
                .sending(0, recording);
    }

    private static MessageQueue<String> plain(Stowline storage, String queue) {
        return storage.queue(queue).withEncoding(QueueMessageEncoding.NONE);
    }

    private static ReplayPlan queue(ServiceRecording recording, String queue, @Nullable String comp) {
        if (comp == null) {
            return recording.method().equals("PUT") ? creation(recording, queue) : deletion(recording, queue);
        }
        if (comp.equals("acl")) {
            return PolicyReplays.of(recording, storage -> storage.queue(queue).policies());
        }
        if (!comp.equals("metadata")) {
            return ReplayPlan.refused("queues: no verb for " + comp + " of a queue");
        }
        return recording.method().equals("PUT")
                ? ReplayPlan.of(bare(recording, "setMetadata", queue, q -> q.setMetadata(Map.of("a", "b"))))
                : facts(recording, queue);
    }

    private static ReplayPlan creation(ServiceRecording recording, String queue) {
        Replay create = bare(recording, "create", queue, MessageQueue::create);
        Replay unless = bare(recording, "createIfMissing", queue, MessageQueue::createIfMissing);
        if (recording.response().text().contains("QueueBeingDeleted")) {
            return ReplayPlan.of(create.retried(), unless.retried());
        }
        return switch (recording.status()) {
            case 201 ->
                ReplayPlan.of(create, valued(recording, "createIfMissing", queue, MessageQueue::createIfMissing, true));
            // The same metadata: only a creation without a mark meets it.
            case 204 ->
                ReplayPlan.of(valued(recording, "createIfMissing", queue, MessageQueue::createIfMissing, false));
            case 409 ->
                ReplayPlan.of(
                        create, valued(recording, "createIfMissing", queue, MessageQueue::createIfMissing, false));
            default -> ReplayPlan.of(create, unless);
        };
    }

    private static ReplayPlan deletion(ServiceRecording recording, String queue) {
        return ReplayPlan.of(
                bare(recording, "drop", queue, MessageQueue::drop),
                valued(recording, "dropIfExists", queue, MessageQueue::dropIfExists, recording.status() != 404));
    }

    private static ReplayPlan facts(ServiceRecording recording, String queue) {
        ReplayPlan plan =
                ReplayPlan.of(valued(recording, "exists", queue, MessageQueue::exists, recording.status() == 200));
        if (recording.isError()) {
            return plan.and(
                    bare(recording, "info", queue, MessageQueue::info),
                    bare(recording, "approximateCount", queue, MessageQueue::approximateCount));
        }
        long count = Long.parseLong(recording.header("x-ms-approximate-messages-count"));
        Map<String, String> metadata = recording.response().headers().startingWith(METADATA);
        return plan.and(
                valued(
                        recording,
                        "info",
                        queue,
                        MessageQueue::info,
                        new QueueInfo(count, metadata, ReadOrigin.primary())),
                valued(recording, "approximateCount", queue, MessageQueue::approximateCount, count));
    }

    private static ReplayPlan messages(ServiceRecording recording, String queue) {
        return switch (recording.method()) {
            case "POST" -> sending(recording, queue);
            case "DELETE" -> ReplayPlan.of(bare(recording, "clear", queue, MessageQueue::clear));
            default ->
                recording.target().has("peekonly")
                        ? ReplayPlan.of(valued(
                                recording,
                                "peek",
                                queue,
                                q -> q.peek(32).stream()
                                        .map(QueueReplays::peeked)
                                        .toList(),
                                listed(recording)))
                        : ReplayPlan.of(valued(
                                recording,
                                "receive",
                                queue,
                                q -> q.receive(32).stream()
                                        .map(QueueReplays::received)
                                        .toList(),
                                listed(recording)));
        };
    }

    private static ReplayPlan sending(ServiceRecording recording, String queue) {
        XmlTree sent = recording.requestBody().length == 0 ? null : text(recording.requestBody());
        String text = sent == null ? "text" : Objects.requireNonNullElse(sent.text("MessageText"), "");
        if (recording.isError()) {
            return ReplayPlan.of(bare(recording, "send", queue, q -> q.send("text")));
        }
        XmlTree message = XmlTree.of(recording.response().body()).children().get(0);
        SendResult expected = new SendResult(
                queue,
                message.text("MessageId"),
                message.text("PopReceipt"),
                HttpTimes.of(message.text("InsertionTime")),
                HttpTimes.of(message.text("ExpirationTime")),
                HttpTimes.of(message.text("TimeNextVisible")),
                false);
        Replay replay = Replay.of(
                        recording,
                        "MessageQueue.send",
                        storage -> plain(storage, queue).send(text),
                        VerbOutcome.of(expected))
                .sending(0, recording);
        return ReplayPlan.of(
                sent == null
                        ? replay
                        : replay.checking(requests -> {
                            String body = XmlTree.of(requests.get(0).body()).text("MessageText");
                            return text.equals(body == null ? "" : body)
                                    ? null
                                    : "sent the text " + body + " instead of " + text;
                        }));
    }

    /** A body that no XML parser reads was made to be refused. */
    private static @Nullable XmlTree text(byte[] body) {
        try {
            return XmlTree.of(body);
        } catch (IllegalStateException e) {
            return null;
        }
    }

    private static List<Map<String, String>> listed(ServiceRecording recording) {
        return XmlTree.of(recording.response().body()).children("QueueMessage").stream()
                .map(QueueReplays::message)
                .toList();
    }

    private static Map<String, String> message(XmlTree element) {
        Map<String, String> values = new TreeMap<>(element.map());
        values.replaceAll(
                (name, text) -> name.matches(".*Time.*") ? HttpTimes.of(text).toString() : text);
        return values;
    }

    private static Map<String, String> peeked(PeekedMessage<String> message) {
        return new TreeMap<>(Map.of(
                "MessageId", message.id(),
                "InsertionTime", message.insertedAt().toString(),
                "ExpirationTime", message.expiresAt().toString(),
                "DequeueCount", String.valueOf(message.dequeueCount()),
                "MessageText", message.body()));
    }

    private static Map<String, String> received(ReceivedMessage<String> message) {
        return new TreeMap<>(Map.of(
                "MessageId", message.id(),
                "InsertionTime", message.insertedAt().toString(),
                "ExpirationTime", message.expiresAt().toString(),
                "PopReceipt", message.popReceipt(),
                "TimeNextVisible", message.visibleAt().toString(),
                "DequeueCount", String.valueOf(message.dequeueCount()),
                "MessageText", message.body()));
    }

    /** The message comes from a receive, with the recorded id and receipt. */
    private static ReplayPlan message(ServiceRecording recording, String queue, String id) {
        String receipt = Objects.requireNonNull(recording.target().parameter("popreceipt"));
        CannedResponse receive = CannedResponse.of(
                        200,
                        "<?xml version=\"1.0\" encoding=\"utf-8\"?><QueueMessagesList><QueueMessage><MessageId>" + id
                                + "</MessageId><InsertionTime>Thu, 05 Jan 2017 03:23:40 GMT</InsertionTime>"
                                + "<ExpirationTime>Thu, 12 Jan 2117 03:23:40 GMT</ExpirationTime><PopReceipt>"
                                + receipt
                                + "</PopReceipt><TimeNextVisible>Thu, 05 Jan 2117 03:24:11 GMT</TimeNextVisible>"
                                + "<DequeueCount>1</DequeueCount><MessageText>text</MessageText></QueueMessage>"
                                + "</QueueMessagesList>")
                .with("Content-Type", "application/xml");
        Replay replay = recording.method().equals("DELETE")
                ? Replay.of(
                        recording,
                        "MessageQueue.delete",
                        storage -> {
                            MessageQueue<String> messages = plain(storage, queue);
                            messages.delete(messages.receive(1).get(0));
                            return null;
                        },
                        recording.isError() ? VerbOutcome.refusal(recording) : VerbOutcome.NOTHING)
                : Replay.of(
                        recording,
                        "MessageQueue.update",
                        storage -> {
                            MessageQueue<String> messages = plain(storage, queue);
                            ReceivedMessage<String> updated =
                                    messages.update(messages.receive(1).get(0), "new", LEASE);
                            return List.of(updated.popReceipt(), updated.visibleAt());
                        },
                        recording.isError()
                                ? VerbOutcome.refusal(recording)
                                : VerbOutcome.of(List.of(
                                        recording.header("x-ms-popreceipt"),
                                        HttpTimes.of(recording.header("x-ms-time-next-visible")))));
        return ReplayPlan.of(replay.after(receive).sending(1, recording).requesting(1, "popreceipt", receipt));
    }
}
