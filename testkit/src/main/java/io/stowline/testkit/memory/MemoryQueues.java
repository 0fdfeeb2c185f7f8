package io.stowline.testkit.memory;

import io.stowline.testkit.StubResponse;
import io.stowline.testkit.internal.wire.HttpDate;
import io.stowline.testkit.internal.wire.ResourceAddress;
import io.stowline.testkit.internal.wire.StorageRequest;
import io.stowline.testkit.internal.wire.XmlDocument;
import io.stowline.testkit.internal.wire.XmlDocument.XmlElement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** The queue service of the memory account. Not thread-safe. */
final class MemoryQueues {

    private static final int MAX_MESSAGES = 32;
    private static final int DEFAULT_LEASE = 30;
    private static final Duration DEFAULT_TIME_TO_LIVE = Duration.ofDays(7);
    private static final Instant NEVER = Instant.parse("9999-12-31T23:59:59Z");

    private final ServiceTimes times;
    private final Map<String, MemoryQueue> queues = new TreeMap<>();

    MemoryQueues(ServiceTimes times) {
        this.times = times;
    }

    void clear() {
        queues.clear();
    }

    /** Removes all messages. */
    void empty() {
        queues.values().forEach(queue -> queue.messages.clear());
    }

    /** A queue with its messages in the order of their insertion. */
    private static final class MemoryQueue {
        private Map<String, String> metadata = Map.of();
        private final MemoryPolicies policies = new MemoryPolicies();
        private final List<StoredMessage> messages = new ArrayList<>();
    }

    /** A message in a queue. */
    private static final class StoredMessage {
        private final String id = UUID.randomUUID().toString();
        private final Instant inserted;
        private final Instant expires;
        private Instant visible;
        private String receipt;
        private String text;
        private int dequeued;

        StoredMessage(Instant inserted, Instant expires, Instant visible, String text) {
            this.inserted = inserted;
            this.expires = expires;
            this.visible = visible;
            this.text = text;
            this.receipt = receipt();
        }

        private static String receipt() {
            return UUID.randomUUID().toString().replace("-", "") + "+/==";
        }

        void hide(Instant until) {
            visible = until;
            receipt = receipt();
        }

        String xml(boolean withLease, boolean withText) {
            return "<QueueMessage>" + XmlDocument.element("MessageId", id)
                    + XmlDocument.element("InsertionTime", HttpDate.format(inserted))
                    + XmlDocument.element("ExpirationTime", HttpDate.format(expires))
                    + (withLease
                            ? XmlDocument.element("PopReceipt", receipt)
                                    + XmlDocument.element("TimeNextVisible", HttpDate.format(visible))
                            : "")
                    + (withText
                            ? XmlDocument.element("DequeueCount", Integer.toString(dequeued))
                                    + XmlDocument.element("MessageText", text)
                            : "")
                    + "</QueueMessage>";
        }
    }

    StubResponse respond(StorageRequest request) {
        ResourceAddress address = ResourceAddress.of(request);
        if (address.name().isEmpty()) {
            if (request.has("comp", "list") && request.method().equals("GET")) {
                return MemoryXml.list(request, "Queue", queues, queue -> MemoryXml.metadata(queue.metadata));
            }
            throw RefusedOperation.unknown(request);
        }
        if (address.inner().isEmpty()) {
            return queue(request, address.name());
        }
        MemoryQueue queue = there(address.name());
        queue.messages.removeIf(message -> !message.expires.isAfter(times.now()));
        if (address.inner().equals("messages")) {
            return messages(request, queue);
        }
        if (address.inner().startsWith("messages/")) {
            return message(request, queue, address.inner().substring("messages/".length()));
        }
        throw RefusedOperation.unknown(request);
    }

    private MemoryQueue there(String name) {
        MemoryQueue queue = queues.get(name);
        if (queue == null) {
            throw new RefusedOperation(404, "QueueNotFound", "The specified queue does not exist.");
        }
        return queue;
    }

    private StubResponse queue(StorageRequest request, String name) {
        if (request.has("comp", "metadata")) {
            return metadata(request, there(name));
        }
        if (MemoryPolicies.isMeantBy(request)) {
            return there(name).policies.respond(request);
        }
        if (request.parameter("comp") != null) {
            throw RefusedOperation.unknown(request);
        }
        return switch (request.method()) {
            case "PUT" -> create(request, name);
            case "DELETE" -> {
                there(name);
                queues.remove(name);
                yield StubResponse.of(204);
            }
            default -> throw RefusedOperation.unknown(request);
        };
    }

    private StubResponse create(StorageRequest request, String name) {
        MemoryQueue known = queues.get(name);
        if (known == null) {
            MemoryQueue queue = new MemoryQueue();
            queue.metadata = request.metadata();
            queues.put(name, queue);
            return StubResponse.of(201);
        }
        if (known.metadata.equals(request.metadata())) {
            return StubResponse.of(204);
        }
        throw new RefusedOperation(409, "QueueAlreadyExists", "The specified queue already exists.");
    }

    private StubResponse metadata(StorageRequest request, MemoryQueue queue) {
        if (request.method().equals("PUT")) {
            queue.metadata = request.metadata();
            return StubResponse.of(204);
        }
        String count = Integer.toString(queue.messages.size());
        return MemoryResponse.withMetadata(
                StubResponse.of(200).header("x-ms-approximate-messages-count", count), queue.metadata);
    }

    private StubResponse messages(StorageRequest request, MemoryQueue queue) {
        return switch (request.method()) {
            case "POST" -> send(request, queue);
            case "GET" -> request.has("peekonly", "true") ? peek(request, queue) : receive(request, queue);
            case "DELETE" -> {
                queue.messages.clear();
                yield StubResponse.of(204);
            }
            default -> throw RefusedOperation.unknown(request);
        };
    }

    private static String text(StorageRequest request) {
        return MemoryXml.children(request).stream()
                .filter(child -> child.name().equals("MessageText"))
                .map(XmlElement::text)
                .findFirst()
                .orElseThrow(() -> new RefusedOperation(400, "InvalidXmlDocument", "MessageText is missing."));
    }

    private StubResponse send(StorageRequest request, MemoryQueue queue) {
        Instant now = times.now();
        int kept = MemoryStorage.number(request, "messagettl", (int) DEFAULT_TIME_TO_LIVE.toSeconds());
        StoredMessage message = new StoredMessage(
                now,
                kept < 0 ? NEVER : now.plusSeconds(kept),
                now.plusSeconds(MemoryStorage.number(request, "visibilitytimeout", 0)),
                text(request));
        queue.messages.add(message);
        return MemoryResponse.xml(201, "<QueueMessagesList>" + message.xml(true, false) + "</QueueMessagesList>");
    }

    private List<StoredMessage> visible(StorageRequest request, MemoryQueue queue) {
        int max = MemoryStorage.number(request, "numofmessages", 1);
        if (max < 1 || max > MAX_MESSAGES) {
            throw new RefusedOperation(
                    400, "OutOfRangeQueryParameterValue", "numofmessages is 1 to 32, not " + max + ".");
        }
        Instant now = times.now();
        return queue.messages.stream()
                .filter(message -> !message.visible.isAfter(now))
                .limit(max)
                .toList();
    }

    private StubResponse receive(StorageRequest request, MemoryQueue queue) {
        Instant until = times.now().plusSeconds(MemoryStorage.number(request, "visibilitytimeout", DEFAULT_LEASE));
        StringBuilder xml = new StringBuilder("<QueueMessagesList>");
        for (StoredMessage message : visible(request, queue)) {
            message.dequeued++;
            message.hide(until);
            xml.append(message.xml(true, true));
        }
        return MemoryResponse.xml(200, xml.append("</QueueMessagesList>").toString());
    }

    private StubResponse peek(StorageRequest request, MemoryQueue queue) {
        StringBuilder xml = new StringBuilder("<QueueMessagesList>");
        visible(request, queue).forEach(message -> xml.append(message.xml(false, true)));
        return MemoryResponse.xml(200, xml.append("</QueueMessagesList>").toString());
    }

    private StubResponse message(StorageRequest request, MemoryQueue queue, String id) {
        StoredMessage message = queue.messages.stream()
                .filter(one -> one.id.equals(id))
                .findFirst()
                .orElseThrow(
                        () -> new RefusedOperation(404, "MessageNotFound", "The specified message does not exist."));
        if (!message.receipt.equals(request.parameter("popreceipt"))) {
            throw new RefusedOperation(
                    400,
                    "PopReceiptMismatch",
                    "The specified pop receipt did not match the pop receipt for a dequeued message.");
        }
        return switch (request.method()) {
            case "PUT" -> update(request, message);
            case "DELETE" -> {
                queue.messages.remove(message);
                yield StubResponse.of(204);
            }
            default -> throw RefusedOperation.unknown(request);
        };
    }

    private StubResponse update(StorageRequest request, StoredMessage message) {
        if (request.body().length() > 0) {
            message.text = text(request);
        }
        message.hide(times.now().plusSeconds(MemoryStorage.number(request, "visibilitytimeout", 0)));
        return StubResponse.of(204)
                .header("x-ms-popreceipt", message.receipt)
                .header("x-ms-time-next-visible", HttpDate.format(message.visible));
    }
}
